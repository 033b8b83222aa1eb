package diagnose_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/diagnose"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/recording"
)

// TestNobodyIsInnocentByAFileThatLacks something: what is missing is a line of the diagnosis,
// and a file that was altered, or shows no call, decides nothing.
func TestNobodyIsInnocentByAFileThatLacks(t *testing.T) {
	t.Parallel()
	for name, one := range map[string]struct {
		source recording.Source
		called bool
		side   diagnose.Side
		says   []string
	}{
		"whole":   {recording.Source{}, true, diagnose.Nobody, []string{"Side: nobody's.", "Nothing to tell the partner but this."}},
		"cut":     {recording.Source{Lacks: "the rest of a.tape"}, true, diagnose.Nobody, []string{"Side: nobody's, as far as the recording goes.", "What the recording does not show: the rest of a.tape."}},
		"altered": {recording.Source{Lacks: "the file as it was saved", Altered: true}, true, diagnose.Undecidable, []string{"Side: cannot be told from this recording.", "Evidence: none: what the file says may not have happened.", "Ask for: the file as it was saved."}},
		"little":  {recording.Source{Name: "big.log", Format: recording.Unread, Size: 9}, true, diagnose.Undecidable, []string{"Evidence: too little: no clause is broken by what the files show: 1 of 1 call with what was sent and answered, and most of what the files hold could not be read.", "Ask for: what big.log shows, in a form that is read: no call was found in it."}},
		"more":    {recording.Source{Name: "note.sql", Format: recording.Unread, Size: 7}, true, diagnose.Nobody, []string{"What the recording does not show: what note.sql shows, in a form that is read: no call was found in it."}},
		"words":   {recording.Source{Name: "mail.txt", Format: recording.Words, Size: 9}, true, diagnose.Nobody, []string{"Side: nobody's."}},
		"events":  {recording.Source{Name: "hooks.log", Format: "pasted", Size: 9, Events: 6}, true, diagnose.Undecidable, []string{"Evidence: too little: no clause is broken by what the files show: 1 of 1 call with what was sent and answered, and no webhook of those that the files name could be read.", "Ask for: the webhooks that hooks.log names (6 times), with headers and bodies, in a form that is read."}},
		"empty":   {recording.Source{}, false, diagnose.Undecidable, []string{"Evidence: none: it shows no call.", "Ask for: the calls that were made, with their answers."}},
	} {
		in := newInput()
		if one.called {
			in.call("listCompanies", "GET /Company/List", whole(200, `[]`), 200, `[]`)
		}
		in.Recording.Sources = []recording.Source{one.source, {Name: "a.har", Format: "har", Size: 8}}
		d := diagnose.Of(&in.Input)
		require.Equal(t, one.side, d.Side, name)
		for _, line := range one.says {
			require.Contains(t, d.Lines, line, name)
		}
	}
}

// TestARefusalIsTold although nothing went wrong: it may be what the partner writes about.
func TestARefusalIsTold(t *testing.T) {
	t.Parallel()
	in := newInput().call("listCompanies", "GET /Company/List", whole(403, `{}`), 403, `{}`)
	require.Contains(t, diagnose.Of(&in.Input).Lines[0], "call 1, GET /Company/List (a.har entry 1) was refused, and is by the replay, too")

	lost := newInput().call("listCompanies", "GET /Company/List", recording.Answer{Known: recording.NeverArrived, Status: 504}, 504, `{}`).forced()
	require.Contains(t, diagnose.Of(&lost.Input).Lines[0], "call 1, GET /Company/List (a.har entry 1) was never answered")
}

// TestAskForWhatMadeIt where a call was refused for something that no file shows.
func TestAskForWhatMadeIt(t *testing.T) {
	t.Parallel()
	for _, status := range []int{400, 404} {
		in := newInput().call("refundPayment", "POST /Payment/Refund/9b2f6a1c-4a1e-4a0e-8e55-0d6c1f3a7b21", whole(status, "{}"), 404, "{}")
		lines := diagnose.Of(&in.Input).Lines
		require.Contains(t, lines[1], "the recording does not show the call that made what it names")
		require.Contains(t, lines[4], "Ask for: the call that made what it names, with its answer")
	}
}

// TestALineNamesWhereToLook: the place and the time as the file itself tells it, of each of several that a fault rests on; and that
// a value is a stand-in.
func TestALineNamesWhereToLook(t *testing.T) {
	t.Parallel()
	in := newInput().call("createPayment", "POST /Payment/Create", whole(400, "{}"), 400, amount).last(func(x *recording.Exchange) {
		x.Place = recording.Place{Source: "a.log", Line: 7}
		x.Begin = time.Date(2026, 3, 2, 17, 0, 4, 0, time.UTC)
		x.StandIns = []string{"/Amount", "path"}
	})
	in.Recording.Sources = []recording.Source{{Name: "a.log", Offsets: []recording.Offset{{By: time.Hour}, {From: recording.Place{Line: 9}, By: 2 * time.Hour}}}}
	text := strings.Join(diagnose.Of(&in.Input).Lines, "\n")
	require.Contains(t, text, "(a.log line 7, 2026-03-02 16:00:04 by its clock, 17:00:04 UTC; a part of the path is a stand-in for what stands there)")
	require.Contains(t, text, "/amount is -1 (a stand-in in its form; what was sent stands at that place), expected cents")

	in = newInput()
	for n, id := range []string{"a", "a", "b"} {
		body := `{"Event":"PAYMENT_STATUS_CHANGED","Data":{"PaymentId":"` + id + `","Status":"Paid"}}`
		in.Recording.Received = append(in.Recording.Received, recording.Received{Body: []byte(body), Place: recording.Place{Source: "h.log", Line: n + 1}})
		in.Run.Script.Steps = append(in.Run.Script.Steps, play.Step{Heard: n + 1})
	}
	require.Contains(t, strings.Join(diagnose.Of(&in.Input).Lines, "\n"), "Evidence: webhook 1 (h.log line 1), webhook 2 (h.log line 2).")
}

// TestAnOutageIsTold where no call was answered but that the service cannot be asked: nobody has broken a rule, and who is to mend it
// is said.
func TestAnOutageIsTold(t *testing.T) {
	t.Parallel()
	silent, between, away := recording.Answer{Known: recording.NeverArrived}, recording.Answer{Known: recording.NeverArrived, Status: 504}, whole(503, "{}")
	tell := func(operation, line string, answers ...recording.Answer) string {
		in := newInput()
		for i, a := range answers {
			in.call(operation, line, a, max(a.Status, 200), "{}").forced().last(func(x *recording.Exchange) { x.Begin = time.Unix(1e9+int64(60*i), 0) })
		}
		d := diagnose.Of(&in.Input)
		require.Equal(t, diagnose.Nobody, d.Side)
		return strings.Join(d.Lines, "\n")
	}
	const token = "POST /Authentication/Token"
	said := tell("createToken", token, away, away)
	require.Contains(t, said, "no rule is broken, but the service could not be asked, and said so; it is the service's to mend.")
	require.Contains(t, said, "Tell the partner: you have broken no rule; the service could not be asked in all your 2 calls, from 2001-09-09 01:46:40 to 2001-09-09 01:47:40 UTC. That is the service's to mend: report it there")
	said = tell("createToken", token, between)
	require.Contains(t, said, "to POST /Authentication/Token (call 1) it gave no answer, and something before it answered 504 in its place")
	require.NotContains(t, said, "and said so")
	require.NotContains(t, said, "Retry-After")
	said = tell("listCompanies", "GET /Company/List", silent, silent)
	require.Contains(t, said, "to GET /Company/List no answer came (calls 1, 2); it was not made again with success")
	require.Contains(t, said, "That is to be mended by the service, or by who runs the way to it (whether other callers were answered then tells which)")
	said = tell("listCompanies", "GET /Company/List", silent, whole(200, "{}"))
	require.Contains(t, said, "no answer came (call 1); made again, it went well (call 2)")
	require.NotContains(t, said, "to mend")
}
