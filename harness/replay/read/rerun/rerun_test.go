package rerun_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/read/rerun"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
)

// ran is what is noted of the second of two equal calls, of the fourth and the last line but one of a log.
func ran(log string, second int) string {
	call := func(line int) recording.Exchange {
		return recording.Exchange{
			Place: recording.Place{Source: "a.log", Line: line}, Begin: time.Unix(int64(line), 0), Method: "POST", Path: "/Payment/ChargeSavedCard", Body: []byte(`{"amount":1}`),
			Answer: recording.Answer{Known: recording.Whole, Status: 200},
		}
	}
	r := &recording.Recording{Exchanges: []recording.Exchange{call(2), call(second)}}
	rerun.Read([]source.File{{Name: "a.log", Data: []byte(log)}}, r)
	return r.Exchanges[1].RunAgain
}

// TestRead: the same work made the call again, behind a failure of its own.
func TestRead(t *testing.T) {
	t.Parallel()
	const want = "the work dda62a87450a had failed (line 3) and was run again"
	got := ran("jid=dda62a87450a start\nPOST\nDeadlocked\njid=dda62a87450a start\nPOST\n", 5)
	require.Equal(t, want, got)
	require.True(t, rerun.Is(got))
	require.Equal(t, want, ran("{\"job_id\":\"dda62a87450a\"}\nPOST\n{\"error\":1}\n{\"job_id\":\"dda62a87450a\"}\nPOST\n", 5))
	require.Empty(t, ran("jid=dda62a87450a start\nPOST\nDeadlocked\njid=eea62a87450a start\nPOST\n", 5), "another piece of work")
	require.Empty(t, ran("jid=dda62a87450a start\nPOST\ndone\njid=dda62a87450a start\nPOST\n", 5), "nothing failed")
	require.Empty(t, ran("start\nPOST\nDeadlocked\nstart\nPOST\n", 5), "no name")
	require.False(t, rerun.Is("<b>"))
}

// FuzzRead reads any log.
func FuzzRead(f *testing.F) {
	f.Add("jid=dda62a87450a start\nPOST\nDeadlocked\njid=dda62a87450a start\nPOST\n", 5)
	f.Fuzz(func(t *testing.T, log string, line int) {
		if got := ran(log, line); got != "" {
			require.True(t, rerun.Is(got), got)
		}
	})
}
