package diagnose_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/diagnose"
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
		"empty":   {recording.Source{}, false, diagnose.Undecidable, []string{"Evidence: none: it shows no call.", "Ask for: the calls that were made, with their answers."}},
	} {
		in := newInput()
		if one.called {
			in.call("listCompanies", "GET /Company/List", whole(200, `[]`), 200, `[]`)
		}
		in.Recording.Sources = []recording.Source{one.source}
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
