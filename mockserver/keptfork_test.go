package mockserver_test

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver"
	"paysandbox/mockserver/durable"
	"paysandbox/mockserver/durable/natslog"
	"paysandbox/mockserver/integration"
)

// keptUnder opens a sandbox on a folder, under a real clock that a wall moves.
func keptUnder(t *testing.T, dir string, wall *time.Time) *mockserver.Server {
	t.Helper()
	log, err := natslog.OpenFolder(t.Context(), dir, natslog.SyncInterval, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	o := wallless()
	o.Integration.Clock = integration.Real
	o.Wall = func() time.Time { return *wall }
	o.Inputs, o.Images, o.ImageEvery = log, durable.NewImages(log.Folder().Images()), 1000
	s, err := mockserver.New(o)
	require.NoError(t, err)
	return s
}

// asked is a call of the control API that must be answered 200.
func asked(t *testing.T, s *mockserver.Server, method, path, body string) []byte {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, "http://localhost/_sandbox/integrations"+path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, r)
	require.Equal(t, http.StatusOK, w.Code, w.Body.String())
	return w.Body.Bytes()
}

// TestSnapshotsForksAndLoadsAreInputs: whatever makes an integration another one is there
// after a kill at any moment, with its clock and the snapshots that are saved of it.
func TestSnapshotsForksAndLoadsAreInputs(t *testing.T) {
	t.Parallel()
	wall := integration.DefaultStart
	dir := t.TempDir()
	s := keptUnder(t, dir, &wall)
	var tapeFile, fork string
	steps := []func(){
		func() { asked(t, s, http.MethodPost, "/default/clock/advance", `{"by":"26h"}`) },
		func() { asked(t, s, http.MethodPost, "/default/snapshots", `{"name":"first"}`) },
		func() { asked(t, s, http.MethodPost, "/default/snapshots", "") },
		func() { tapeFile = string(asked(t, s, http.MethodGet, "/default/tape", "")) },
		func() { asked(t, s, http.MethodPost, "/default/clock/advance", `{"by":"100h"}`) },
		func() { asked(t, s, http.MethodPost, "/default/snapshots/first/restore", "") },
		func() {
			var made struct{ ID string }
			require.NoError(t, json.Unmarshal(asked(t, s, http.MethodPost, "", `{"from":"default/first","name":"branch"}`), &made))
			fork = made.ID
		},
		func() {
			asked(t, s, http.MethodPost, "", `{"from":"verified-company","name":"ready","clock":{"mode":"manual"}}`)
		},
		func() { asked(t, s, http.MethodPost, "/"+fork+"/clock/advance", `{"by":"1h"}`) },
		func() { asked(t, s, http.MethodPost, "/"+fork+"/load", tapeFile) },
		func() { asked(t, s, http.MethodDelete, "/default/snapshots/first", "") },
		func() { asked(t, s, http.MethodPost, "/default/reset", "") },
		func() { asked(t, s, http.MethodPost, "/default/snapshots/snapshot-1/restore", "") },
		func() { asked(t, s, http.MethodDelete, "/"+fork, "") },
	}
	for n, step := range steps {
		if n%4 == 3 { // so that some start from a snapshot, and some from the log
			require.NoError(t, s.Close(t.Context()))
			s = keptUnder(t, dir, &wall)
		}
		wall = wall.Add(time.Minute)
		step()
		before := standing(t, s)
		killed := t.TempDir()
		copyLive(t, killed, dir)
		wall = wall.Add(time.Hour) // while nobody served it
		after := keptUnder(t, killed, &wall)
		want := standing(t, s)
		require.NotEqual(t, before, want, "a real clock goes on")
		require.Equal(t, want, standing(t, after), "after step %d", n)
		require.NoError(t, after.Close(t.Context()))
	}
	require.NoError(t, s.Close(t.Context()))
}

// standing is what there is: integrations with their clocks, tapes and snapshots.
func standing(t *testing.T, s *mockserver.Server) string {
	t.Helper()
	var b strings.Builder
	for _, i := range s.Registry().List() {
		mode, now, _ := i.Clock()
		b.WriteString(i.ID + " " + string(mode) + " " + now.Format(time.RFC3339Nano) + "\n")
		for _, line := range strings.SplitAfter(string(asked(t, s, http.MethodGet, "/"+i.ID+"/tape", "")), "\n") {
			if strings.HasPrefix(line, `{"seq"`) { // the head tells the hour
				b.WriteString(line)
			}
		}
		b.Write(asked(t, s, http.MethodGet, "/"+i.ID+"/snapshots", ""))
	}
	return b.String()
}
