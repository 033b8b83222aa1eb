package replay_test

import (
	"context"
	"encoding/binary"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay"
	"paysandbox/harness/replay/read"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/trail"
	"paysandbox/mockserver/mocktest"
)

// TestATapeOfAReadyWorld: an integration that goes on from a ready world has on its tape calls that are no partner's, with tokens that no
// call of the tape was granted.
func TestATapeOfAReadyWorld(t *testing.T) {
	t.Parallel()
	on := mocktest.Start(t, mocktest.Options{})
	client := inProcess(on.Server.Handler())
	ask := func(method, path, body string) []byte {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), method, on.URL+"/_sandbox/integrations"+path, strings.NewReader(body))
		require.NoError(t, err)
		r.Header.Set("Content-Type", "application/json")
		a, err := client.Do(r)
		require.NoError(t, err)
		defer func() { require.NoError(t, a.Body.Close()) }()
		text, err := io.ReadAll(a.Body)
		require.NoError(t, err)
		require.Less(t, a.StatusCode, 300, string(text))
		return text
	}
	id := trail.ReadBody(ask(http.MethodPost, "", `{"name":"x","from":"paid-payment"}`)).Text("id")
	path := filepath.Join(t.TempDir(), "s.tape")
	require.NoError(t, os.WriteFile(path, ask(http.MethodGet, "/"+id+"/tape", ""), 0o600))
	c := made(t, sandbox(t), []string{path}, read.Options{})
	require.Empty(t, different(c))
	require.Nil(t, c.Diagnosis.Fault, "%v", c.Diagnosis.Lines)
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	asPowerShellWrites := []byte("\xff\xfe")
	for _, unit := range utf16.Encode([]rune(string(data))) {
		asPowerShellWrites = binary.LittleEndian.AppendUint16(asPowerShellWrites, unit)
	}
	require.NoError(t, os.WriteFile(path, asPowerShellWrites, 0o600))
	require.Equal(t, c.Diagnosis.Lines, made(t, sandbox(t), []string{path}, read.Options{}).Diagnosis.Lines)
}

// TestATapeTellsWhereItWasMade: what its first line says of the environment and the clock is told, where the replay has others or
// it is not the usual; and what no sandbox writes there is refused.
func TestATapeTellsWhereItWasMade(t *testing.T) {
	t.Parallel()
	const rest = `"start":"2026-03-02T17:00:00Z","first":1}` + "\n" + `{"seq":1,"at":"2026-03-02T17:00:00Z","kind":"exchange","exchange":{"operation":"createToken","method":"POST","path":"/Authentication/Token","auth":"credentials-ok","token":"t","response":{"status":200,"body":"{\"accessToken\":\"xxxx\"}"}}}` + "\n"
	s := sandbox(t)
	for header, want := range map[string]string{
		`"environment":"sandbox","clock":"manual",`:   "",
		`"environment":"sandbox","clock":"real",`:     "The tape was made by a clock that ran: it is replayed by one that stands",
		`"environment":"rehearsal","clock":"manual",`: "The tape was made in rehearsal, and is replayed so.",
		`"clock":"real",`:          "made in an environment that it does not name: it is replayed in the sandbox's, where companies are verified at once; and made by a clock that ran",
		`"environment":"staging",`: `the header's environment is unknown; expected "sandbox" or "rehearsal"; received "staging"`,
		`"clock":"fast",`:          `the header's clock is unknown; expected "real" or "manual"; received "fast"`,
	} {
		data := []byte(`{"tape":1,"seed":1,` + header + rest)
		saved, err := replay.ReadTape(data)
		if strings.Contains(want, "unknown") {
			require.ErrorContains(t, err, want)
			continue
		}
		require.NoError(t, err)
		r, err := read.Contents([]source.File{{Name: "s.tape", Data: data}}, read.Options{Formats: map[string]string{"s.tape": "tape"}})
		require.NoError(t, err)
		c, err := replay.Make(t.Context(), &r, saved, replay.Options{Sandbox: s})
		require.NoError(t, err)
		if want == "" {
			require.NotContains(t, strings.Join(c.Notes, "\n"), "The tape was made")
			continue
		}
		require.Contains(t, strings.Join(c.Notes, "\n"), want)
	}
}

// FuzzReadTape: what anybody sends as a saved tape is judged as one, where it is whole; and
// by what it says itself, since it came out again byte for byte.
func FuzzReadTape(f *testing.F) {
	const head = `{"tape":1,"seed":1,"environment":"sandbox","start":"2026-03-02T17:00:00Z","clock":"manual","first":1}` + "\n"
	const token = `{"seq":1,"at":"2026-03-02T17:00:00Z","kind":"exchange","exchange":{"operation":"createToken","method":"POST","path":"/Authentication/Token","auth":"credentials-ok","token":"t","response":{"status":200,"body":"{\"accessToken\":\"xxxx\"}"}}}` + "\n"
	f.Add([]byte(head + token + `{"seq":2,"at":"2026-03-02T17:00:01Z","kind":"exchange","entities":["a"],"exchange":{"operation":"createPayment","method":"POST","path":"/Payment/Create","auth":"valid","token":"t","request":{"header":[{"name":"Idempotency-Key","value":"k"}],"body":"{\"amount\":1}"},"response":{"status":400,"body":"{}"}}}` + "\n"))
	f.Add([]byte(head + token + `{"seq":2,"at":"2026-03-02T17:00:01Z","kind":"clock","clock":{"to":"2026-03-03T17:00:00Z"}}` + "\n" + `{"seq":3,"at":"2026-03-03T17:00:00Z","kind":"control","entities":["a"],"exchange":{"operation":"saveCard","method":"POST","path":"/_sandbox/integrations/default/cards","request":{"body":"{}"},"response":{"status":201,"body":"{\"id\":\"c\"}"}}}` + "\n"))
	f.Add([]byte(head + `{"seq":1,"at":"2026-03-02T17:00:00Z","kind":"attempt","attempt":{"eventId":"e","url":"http://p.example","attempt":1,"profile":"altered-byte","header":[{"name":"X-HMAC-Signature","value":"ab"}],"body":"{}","status":200}}` + "\n"))
	f.Add([]byte(`{"tape":1,"dropped":3,"first":4}`))
	s := sandbox(f)
	again := func(context.Context, []byte) error { return nil }
	f.Fuzz(func(t *testing.T, data []byte) {
		saved, err := replay.ReadTape(data)
		if err != nil || saved == nil {
			require.Nil(t, saved)
			return
		}
		require.Zero(t, saved.Meta.Dropped)
		r, err := read.Contents([]source.File{{Name: "s.tape", Data: data}}, read.Options{Formats: map[string]string{"s.tape": "tape"}})
		if err != nil {
			return
		}
		c, err := replay.Make(t.Context(), &r, saved, replay.Options{Sandbox: s, Again: again})
		if err != nil {
			return
		}
		require.Empty(t, different(c), "it came out as it was")
		require.NotEmpty(t, c.Diagnosis.Lines)
	})
}
