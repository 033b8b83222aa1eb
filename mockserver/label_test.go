package mockserver_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/fixtures"
	"paysandbox/mockserver"
	"paysandbox/mockserver/mocktest"
	"paysandbox/mockserver/tape"
)

// trace is the trace of every call here.
const (
	trace       = "4bf92f3577b34da6a3ce929d0e0e4736"
	traceParent = "00-" + trace + "-00f067aa0ba902b7-01"
)

// labelled posts to a sandbox under a label and gives the answer's headers and body.
func labelled(tb testing.TB, box *mocktest.Sandbox, label, path, token, body string) (http.Header, map[string]any) {
	tb.Helper()
	r, err := http.NewRequestWithContext(tb.Context(), http.MethodPost, box.URL+path, strings.NewReader(body))
	require.NoError(tb, err)
	r.Header.Set("Content-Type", "application/json")
	if label != "" {
		r.Header.Set("Sandbox-Label", label)
	}
	r.Header.Set("Traceparent", traceParent)
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	got, err := http.DefaultClient.Do(r)
	require.NoError(tb, err)
	defer func() { _ = got.Body.Close() }()
	raw, err := io.ReadAll(got.Body)
	require.NoError(tb, err)
	require.Equal(tb, http.StatusOK, got.StatusCode, "%s %s: %s", http.MethodPost, path, raw)
	var v map[string]any
	_ = json.Unmarshal(raw, &v)
	return got.Header, v
}

// TestALabelGoesWithEverything: what follows from a labelled call has its label,
// though time passes and somebody else answers for the payer; and a replay comes to
// the same labels.
func TestALabelGoesWithEverything(t *testing.T) {
	t.Parallel()
	box := mocktest.Start(t, mocktest.Options{Seed: 3, WebhookURL: "http://127.0.0.1:1/hooks"})
	_, got := labelled(t, box, "", "/Authentication/Token", "", `{"clientId":"sandbox-client","clientSecret":"sandbox-secret"}`)
	token := got["accessToken"].(string)
	company, err := fixtures.Payload("company-create")
	require.NoError(t, err)
	labelled(t, box, "", "/Company/Create", token, string(company))
	pay := func(label string) string {
		_, got := labelled(t, box, label, "/Payment/Create", token, `{"amount":5000,"contactNumber":"+12025550142"}`)
		return got["paymentRequestId"].(string)
	}
	mine, theirs, nobodys := pay("team-mine"), pay("team-theirs"), pay("")
	for _, id := range []string{mine, theirs, nobodys} {
		labelled(t, box, "", "/_sandbox/integrations/default/payments/"+id+"/approve", "", "{}")
	}
	box.Advance(t, 72*time.Hour)

	label := map[string]string{mine: "team-mine", theirs: "team-theirs", nobodys: trace} // what nobody has labelled is of its trace
	seen := map[string]int{}
	for _, e := range box.Tape(t, tape.Filter{}) {
		if len(e.Entities) > 0 && (e.Transition != nil || e.Event != nil || e.Timer != nil || e.Message != nil || e.Kind == tape.KindControl) {
			want, known := label[e.Entities[0]]
			require.True(t, !known || e.Label == want, "entry %d (%s) has %q, want %q", e.Seq, e.Kind, e.Label, want)
		}
		seen[e.Label+" "+e.Kind.String()]++
	}
	for _, kind := range []string{"exchange", "control", "transition", "event", "attempt", "message", "timer"} {
		require.Positive(t, seen["team-mine "+kind], "%s: %v", kind, seen)
		require.Positive(t, seen[trace+" "+kind], "%s: %v", kind, seen)
	}
	require.Zero(t, seen["team-mine clock"])
	for _, e := range box.Tape(t, tape.Filter{Label: "team-mine"}) {
		require.Equal(t, "team-mine", e.Label)
	}
	var list struct{ Entities []struct{ ID string } }
	look(t, box, "/entities?kind=payment&label=team-mine", &list)
	require.Len(t, list.Entities, 1)
	require.Equal(t, mine, list.Entities[0].ID)
	var sent struct{ Deliveries []struct{ Entity string } }
	look(t, box, "/deliveries?label=team-mine", &sent)
	require.NotEmpty(t, sent.Deliveries)
	for _, d := range sent.Deliveries {
		require.Equal(t, mine, d.Entity)
	}
	require.NotEmpty(t, box.Tape(t, tape.Filter{Text: "4BF92F3577b34da6a3ce929d0e0e4736", Label: "team-mine"}), "the trace is on the tape")
	requireSameAgain(t, box)
}

// requireSameAgain replays a tape into a fresh sandbox and compares the bytes.
func requireSameAgain(t *testing.T, box *mocktest.Sandbox) {
	t.Helper()
	o := box.Server.Registry().Default().Options()
	fresh, err := mockserver.New(mockserver.Options{Integration: o, AllowLoopback: true, Version: "test"})
	require.NoError(t, err)
	defer func() { require.NoError(t, fresh.Close(t.Context())) }()
	recorded := box.Tape(t, tape.Filter{})
	require.NoError(t, fresh.Replay(t.Context(), fresh.Registry().Default(), recorded))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	again := fresh.Registry().Default().Read(ctx, tape.Filter{}).Entries
	require.Len(t, again, len(recorded))
	for n := range recorded {
		want, _ := json.Marshal(recorded[n])
		got, _ := json.Marshal(again[n])
		require.True(t, bytes.Equal(want, got), "want %s\n got %s", want, got)
	}
}

// TestALabelThatCannotBeUsed is left out, and told; the call goes on.
func TestALabelThatCannotBeUsed(t *testing.T) {
	t.Parallel()
	box := mocktest.Start(t, mocktest.Options{})
	for label, refused := range map[string]bool{"team": false, strings.Repeat("x", 100): false, strings.Repeat("x", 101): true, "a\tb": true, "\xff": true} {
		header, _ := labelled(t, box, label, "/Authentication/Token", "", `{"clientId":"sandbox-client","clientSecret":"sandbox-secret"}`)
		require.Equal(t, refused, header.Get("Sandbox-Label-Refused") != "", "%q", label)
	}
	for _, e := range box.Tape(t, tape.Filter{}) {
		require.LessOrEqual(t, len(e.Label), 100)
	}
}

// TestWhatIsNoTraceIsNoLabel: by W3C Trace Context, which has an id of 32 hexadecimal digits.
func TestWhatIsNoTraceIsNoLabel(t *testing.T) {
	t.Parallel()
	box := mocktest.Start(t, mocktest.Options{})
	for parent, want := range map[string]string{
		traceParent: trace, "01-" + trace + "-00f067aa0ba902b7-01-later": trace,
		"": "", trace: "", "00-" + trace: "", "00-" + trace[1:] + "-00f067aa0ba902b7-01": "", "00-00000000000000000000000000000000-00f067aa0ba902b7-01": "",
		"00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01": "", "00-<script>aaaaaaaaaaaaaaaaaaaaaaaa-00f067aa0ba902b7-01": "",
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, box.URL+"/Company/List", http.NoBody)
		require.NoError(t, err)
		r.Header.Set("Traceparent", parent)
		got, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		require.NoError(t, got.Body.Close())
		all := box.Tape(t, tape.Filter{Kinds: []tape.Kind{tape.KindExchange}})
		require.Equal(t, want, all[len(all)-1].Label, parent)
	}
}
