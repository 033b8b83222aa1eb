package replay_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/journey/drive"
	"paysandbox/harness/replay"
	"paysandbox/harness/replay/compare"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/read"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/replay/writeout"
	"paysandbox/harness/sampling"
	"paysandbox/harness/trail"
	"paysandbox/mockserver"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/tape"
	"paysandbox/scenarios"
)

const base = "http://127.0.0.1:8484"

// journeys are the tapes of the partner journeys, by their names.
func journeys(t *testing.T, seed uint64, names ...string) map[string]string {
	t.Helper()
	hosts := &drive.Hosts{}
	server, err := mockserver.New(mockserver.Options{
		Integration: integration.Options{Name: "default", Clock: integration.Manual, ClientID: "nobody", ClientSecret: "secret-of-nobody"},
		Version:     "test", AllowLoopback: true, Resolve: hosts.Resolve,
	})
	require.NoError(t, err)
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	hosts.Set("127.0.0.1:8484", l.Addr().String())
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	served := make(chan error, 1)
	go func() { served <- server.Serve(ctx, mockserver.Listeners{Partner: l}) }()
	t.Cleanup(func() {
		cancel()
		require.NoError(t, <-served)
	})
	folder, files := t.TempDir(), map[string]string{}
	_, err = drive.Run(t.Context(), drive.Plan{
		Scenarios: scenarios.FS(), Names: names, Hosts: hosts, BaseURL: base, Now: time.Now, Seed: seed,
		Finished: func(d *drive.Driven) error {
			files[d.Name] = filepath.Join(folder, d.Name+".tape")
			file, err := os.Create(files[d.Name])
			require.NoError(t, err)
			require.NoError(t, tape.Write(file, d.Meta, slices.Values(d.Entries)))
			return file.Close()
		},
	})
	require.NoError(t, err)
	return files
}

// different are the differences that mean something.
func different(c *replay.Case) []string {
	var list []string
	for i := range c.Differences {
		if d := &c.Differences[i]; d.Class != compare.TimeOrID && d.Class != compare.Nobody {
			list = append(list, d.Text())
		}
	}
	return list
}

func written(c *replay.Case, s *play.Sandbox) *writeout.Case {
	w := c.Written(s)
	w.Base = base
	return w
}

// breaking are the journeys in which the service fails on purpose: that differs.
// forging are those in which somebody sends events in its name: of them the webhooks are
// left out.
var (
	breaking = []string{"outage"}
	forging  = []string{"forged-events", "odd-events"}
)

// TestOurOwnRecordings: a recording made against ourselves shows nothing different: not
// as the tape that was saved; not as the HAR, or the Postman collection, that is made of
// it, of which the moves of people have to be inferred; and the curl lines and the .http
// file, which have no answers, hold the same calls.
func TestOurOwnRecordings(t *testing.T) {
	t.Parallel()
	s := sandbox(t)
	for _, seed := range sampling.Every(t, 3, []uint64{1, 52, 4711}) {
		names := slices.DeleteFunc(scenarioNames(t), func(name string) bool { return slices.Contains(breaking, name) })
		files := journeys(t, seed, sampling.Every(t, 9, names)...)
		for _, name := range slices.Sorted(maps.Keys(files)) {
			t.Run(fmt.Sprint(name, " of seed ", seed), func(t *testing.T) {
				ours(t, s, name, files[name])
			})
		}
	}
}

// ours turns a journey's tape into the other forms and back.
func ours(t *testing.T, s *play.Sandbox, name, path string) {
	t.Helper()
	c := made(t, s, []string{path}, read.Options{})
	nothing(t, name, c)
	har := []string{inForm(t, s, c, "har", "a.har")}
	if !slices.Contains(forging, name) {
		har = append(har, webhooks(t, c.Recording))
	}
	nothing(t, name, made(t, s, har, read.Options{ReceivedComplete: len(har) > 1}))
	if name != "report-pages" { // half a year passes in it, and a collection has no times
		nothing(t, name, made(t, s, []string{inForm(t, s, c, "postman", "a.json")}, read.Options{}))
	}
	for form, file := range map[string]string{"curl": "a.sh", "http": "a.http"} {
		r, err := read.Files([]string{inForm(t, s, c, form, file)}, read.Options{})
		require.NoError(t, err)
		sameCalls(t, c.Recording, &r)
	}
}

// webhooks writes those that were received as JSON lines.
func webhooks(t *testing.T, r *recording.Recording) string {
	t.Helper()
	var b strings.Builder
	for i := range r.Received {
		w := &r.Received[i]
		head := map[string]string{}
		for _, h := range w.Header {
			head[h.Name] = h.Value
		}
		line, err := json.Marshal(map[string]any{"time": w.At, "webhook": true, "url": w.URL, "headers": head, "body": string(w.Body), "status": w.Status})
		require.NoError(t, err)
		b.Write(append(line, '\n'))
	}
	path := filepath.Join(t.TempDir(), "webhooks.jsonl")
	require.NoError(t, os.WriteFile(path, []byte(b.String()), 0o600))
	return path
}

// nothing holds a case to its showing no difference and nobody's fault, but that of the
// journey in which too much is asked back.
func nothing(t *testing.T, name string, c *replay.Case) {
	t.Helper()
	require.Empty(t, different(c))
	if f := c.Diagnosis.Fault; name != "refunds" {
		require.Nil(t, f, "%v", c.Diagnosis.Lines)
	} else {
		require.Equal(t, "payment.refund.amount-left", f.Clause)
	}
}

// inForm writes a case in a form.
func inForm(t *testing.T, s *play.Sandbox, c *replay.Case, form, name string) string {
	t.Helper()
	text, err := writeout.Write(form, written(c, s))
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, text, 0o600))
	return path
}

// credential is one in a body: what is written asks for tokens with those of the sandbox that it is for.
var credential = trail.Pattern(`(?i)"(client(?:id|secret))":\s*"[^"]*"`)

// sameCalls holds the calls of two recordings to be the same but for credentials, in the same order.
func sameCalls(t *testing.T, want, got *recording.Recording) {
	t.Helper()
	calls := func(r *recording.Recording) []string {
		var list []string
		for i := range r.Exchanges {
			x := &r.Exchanges[i]
			kind, _ := trail.Header(x.Header, "Content-Type")
			key, _ := trail.Header(x.Header, "Idempotency-Key")
			list = append(list, strings.Join([]string{x.Method, x.Path, x.Query, kind, key, credential().ReplaceAllString(string(x.Body), `"$1":""`)}, " "))
		}
		return list
	}
	require.Equal(t, calls(want), calls(got))
}

// scenarioNames are those of all journeys.
func scenarioNames(t *testing.T) []string {
	t.Helper()
	files, err := fs.Glob(scenarios.FS(), "*.feature")
	require.NoError(t, err)
	for i := range files {
		files[i] = strings.TrimSuffix(files[i], ".feature")
	}
	return files
}

// TestAStoredCaseIsTheSameAgain writes a case, knows it again, and finds it unchanged.
func TestAStoredCaseIsTheSameAgain(t *testing.T) {
	sampling.NotRaced(t, "TestCallsThatMet and TestMinimiseNoise do the same with it")
	t.Parallel()
	s := sandbox(t)
	path := journeys(t, 1, "refunds")["refunds"]
	c := made(t, s, []string{path}, read.Options{})
	require.Equal(t, "payment.refund.amount-left", c.Diagnosis.Fault.Clause)
	small, result, err := c.Minimise(t.Context(), "", replay.Options{Sandbox: s, Parallel: 2})
	require.NoError(t, err)
	require.LessOrEqual(t, small.Script.Calls(), 6)
	require.Less(t, result.After, result.Before)
	alone, _, err := c.Minimise(t.Context(), "", replay.Options{Sandbox: s, Parallel: 1})
	require.NoError(t, err)
	require.Equal(t, small.Script, alone.Script, "whatever the parallelism")

	folder := t.TempDir()
	require.NoError(t, small.Save(filepath.Join(folder, "case 17"), s))
	known, err := c.Known(folder)
	require.NoError(t, err)
	require.Equal(t, []string{"case 17"}, known)
	stored, r, script, err := replay.Load(filepath.Join(folder, "case 17"))
	require.NoError(t, err)
	again, err := replay.Again(t.Context(), r, script, replay.Options{Sandbox: s})
	require.NoError(t, err)
	require.Empty(t, stored.Changed(again))
	again.Diagnosis.Side = "nobody"
	require.NotEmpty(t, stored.Changed(again))
	again.Diagnosis.Side = c.Diagnosis.Side
	require.Empty(t, stored.Changed(again))
	for i := range again.Run.Entries {
		if e := &again.Run.Entries[i]; e.Exchange != nil && e.Exchange.Operation == "refundPayment" {
			e.Exchange.Response.Status = 200
		}
	}
	require.Contains(t, strings.Join(stored.Changed(again), "\n"), `"refundPayment is answered 400", and is "refundPayment is answered 200"`)
	for _, form := range writeout.Forms() {
		text, err := writeout.Write(form, written(small, s))
		require.NoError(t, err, form)
		require.NotEmpty(t, text, form)
	}
	_, _, err = c.Minimise(t.Context(), "clause=no.such", replay.Options{Sandbox: s})
	require.ErrorIs(t, err, replay.ErrKeep)
}
