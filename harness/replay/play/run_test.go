package play_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/recording"
)

// TestUnmakes: what a play makes before the recording begins is lacking where it is refused in another one, and nothing else is.
func TestUnmakes(t *testing.T) {
	t.Parallel()
	run := func(n, status int, body string) *play.Run {
		r := &play.Run{Answers: []play.Answered{{N: n, Status: status}}}
		r.Script.Steps = []play.Step{{Call: &play.Call{N: n, Exchange: recording.Exchange{Method: "POST", Path: "/Payment/Create", Body: []byte(body)}}}}
		return r
	}
	const one, other = `{"amount":1}`, `{"amount":2}`
	made := run(play.Prelude, 200, one)
	require.True(t, run(play.Prelude, 429, one).Unmakes(made))
	require.True(t, run(play.Prelude, 400, one).Unmakes(made))
	require.False(t, run(play.Prelude, 200, one).Unmakes(made), "it is there")
	require.False(t, run(play.Prelude, 400, other).Unmakes(made), "it is something else")
	require.False(t, run(play.Prelude, 400, one).Unmakes(run(play.Prelude, 400, one)), "it is lacking there, too")
	require.False(t, run(0, 400, one).Unmakes(run(0, 200, one)), "it was recorded: what is refused there is compared")
}
