package rerun_test

import (
	"strings"
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

// TestRedelivered: the queue delivered the work once more, and its call was made again, by whichever worker.
func TestRedelivered(t *testing.T) {
	t.Parallel()
	const want = "the work dda62a87450a was delivered once more (line 4) and was run again"
	for log, is := range map[string]bool{
		"worker=w1 message_id=dda62a87450a receive_count=1\nworker=w1 POST\ndone\nworker=w2 message_id=dda62a87450a receive_count=2\nworker=w2 POST\n":                                              true,
		"{\"MessageId\":\"dda62a87450a\",\"ApproximateReceiveCount\":\"1\"}\nPOST\n\n{\"MessageId\":\"dda62a87450a\",\"ApproximateReceiveCount\":\"2\"}\nPOST\n":                                    true,
		"got message_id=dda62a87450a redelivered=false\nPOST\nok\ngot message_id=dda62a87450a redelivered=true\nPOST\n":                                                                             true,
		"job dda62a87450a taken\nPOST\nslow\njob dda62a87450a taken, attempt=2\nPOST\n":                                                                                                             true,
		"{\"jobId\":\"dda62a87450a\",\"attemptsMade\":0}\nPOST\nok\n{\"jobId\":\"dda62a87450a\",\"attemptsMade\":1}\nPOST\n":                                                                        true,
		"message_id=dda62a87450a receive_count=1\nPOST\nok\nmessage_id=eea62a87450a receive_count=2\nPOST\n":                                                                                        false, // another message
		"message_id=dda62a87450a receive_count=1\nPOST\nok\nmessage_id=dda62a87450a receive_count=1\nPOST\n":                                                                                        false, // told once more
		"message_id=dda62a87450a receive_count=2\nPOST\nok\nmessage_id=dda62a87450a receive_count=2\nPOST\n":                                                                                        false, // the same delivery
		"message_id=dda62a87450a max_attempts=5\nPOST\nok\nmessage_id=dda62a87450a max_attempts=5\nPOST\n":                                                                                          false, // how often it may be
		"message_id=dda62a87450a redelivered=false\nPOST\nok\nmessage_id=dda62a87450a redelivered=false\nPOST\n":                                                                                    false,
		"worker=w1 message_id=dda62a87450a receive_count=1\nworker=w1 POST\nworker=w2 message_id=dda62a87450a receive_count=2\nworker=w1 message_id=eea62a87450a receive_count=1\nworker=w1 POST\n": false, // the other worker's
		"message_id=dda62a87450a receive_count=1\nmessage_id=eea62a87450a receive_count=1\nPOST of the second\nmessage_id=dda62a87450a receive_count=2\nPOST\n":                                     false, // the first call was another's
		"receive_count=1\nPOST\nok\nreceive_count=2\nPOST\n":                                                                                                                                        false, // of no name
		"message_id=dda62a87450a receive_count=1\nPOST\nok\nmessage_id=dda62a87450a receive_count=2" + strings.Repeat("\n", 20) + "POST\n":                                                          false, // far away
	} {
		got := ran(log, strings.Count(log, "\n"))
		if !is {
			require.Empty(t, got, log)
			continue
		}
		require.Equal(t, want, got, log)
		require.True(t, rerun.Is(got))
		require.True(t, rerun.Delivered(got))
	}
}

// FuzzRead reads any log.
func FuzzRead(f *testing.F) {
	f.Add("jid=dda62a87450a start\nPOST\nDeadlocked\njid=dda62a87450a start\nPOST\n", 5)
	f.Add("worker=w1 message_id=dda62a87450a receive_count=1\nPOST\nok\nworker=w1 message_id=dda62a87450a receive_count=2\nPOST\n", 5)
	f.Fuzz(func(t *testing.T, log string, line int) {
		if got := ran(log, line); got != "" {
			require.True(t, rerun.Is(got), got)
		}
	})
}
