package feed_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/console/feed"
	"paysandbox/mockserver/tape"
)

func TestProblemsSayWhetherTheyGoOn(t *testing.T) {
	t.Parallel()
	s := feed.NewSorter("", nil)
	for _, e := range []tape.Entry{exchange(1, 400, refusal), exchange(2, 400, refusal), exchange(3, 500, "")} {
		s.Add(&e)
	}
	p := s.Problems()
	require.Len(t, p.Groups, 2)
	require.Equal(t, "Answered 500", p.Groups[0].Title)
	require.Equal(t, 2, p.Groups[1].Count)
	require.EqualValues(t, 1, p.Groups[1].First.Seq)
	require.True(t, p.Groups[1].Goes)
	well := exchange(4, 200, "")
	s.Add(&well)
	require.False(t, s.Problems().Groups[0].Goes)
}

// TestWhatIsStuckIsAProblemUntilItGoesOn: an event that was given up, until that very one
// arrives; an endpoint that is Disabled, until it is enabled.
func TestWhatIsStuckIsAProblemUntilItGoesOn(t *testing.T) {
	t.Parallel()
	s, seq := feed.NewSorter("", nil), uint64(0)
	attempt := func(delivery string, status int, reason string, next int64) {
		seq++
		s.Add(&tape.Entry{Seq: seq, Kind: tape.KindAttempt, Attempt: &tape.Attempt{Delivery: delivery, Endpoint: "w1", URL: "http://x/hooks", Status: status, Reason: reason, Next: next}})
	}
	endpoint := func(from, to string) {
		seq++
		s.Add(&tape.Entry{Seq: seq, Kind: tape.KindTransition, Entities: []string{"w1"}, Transition: &tape.Transition{Machine: "webhook endpoint", Entity: "w1", From: from, To: to, Reason: "the receiver answered 410"}})
	}
	stuck := func() (list []feed.Group) {
		for _, g := range s.Problems().Groups {
			if g.Kind == feed.Stuck {
				list = append(list, g)
			}
		}
		return list
	}
	attempt("d1", 500, "status 500; attempt 2 of 8 after 5s", 9)
	require.Empty(t, stuck(), "it is tried again")
	attempt("d1", 500, "given up after 8 attempts: status 500", 0)
	attempt("d2", 0, "given up after 8 attempts: connection refused", 0)
	attempt("d3", 200, "delivered", 0)
	require.Len(t, stuck(), 1)
	require.Equal(t, 2, stuck()[0].Waits, "another event that arrives is no help")
	require.True(t, stuck()[0].Goes)
	attempt("d1", 200, "delivered", 0)
	require.Equal(t, 1, stuck()[0].Waits)
	attempt("d2", 200, "delivered", 0)
	require.False(t, stuck()[0].Goes)
	attempt("d4", 410, "status 410 disabled the endpoint", 0)
	require.Equal(t, 1, stuck()[0].Waits, "that event has not arrived, either")
	attempt("d4", 200, "delivered", 0)
	endpoint("Enabled", "Disabled")
	require.Len(t, stuck(), 2)
	require.True(t, stuck()[0].Goes)
	require.Equal(t, "POST http://x/hooks", stuck()[0].Operation)
	endpoint("Disabled", "Enabled")
	require.False(t, stuck()[0].Goes)
	require.False(t, stuck()[1].Goes)
}

// TestAnEventIsStuckByTheAttemptThatDecides: profiles make several attempts of one event.
func TestAnEventIsStuckByTheAttemptThatDecides(t *testing.T) {
	t.Parallel()
	type try struct {
		profile tape.Profiles
		status  int
		next    int64
	}
	const pair = "parallel-duplicate"
	for name, tc := range map[string]struct {
		tries []try
		stuck bool
	}{
		"given up":                         {[]try{{"", 500, 9}, {"", 500, 0}}, true},
		"tried again":                      {[]try{{"", 500, 9}}, false},
		"repeated in vain":                 {[]try{{"", 200, 9}, {"duplicate", 500, 0}}, false},
		"the other one may yet arrive":     {[]try{{pair, 500, 0}}, false},
		"the other one has arrived":        {[]try{{pair, 200, 0}, {pair, 500, 0}}, false},
		"the other one arrives":            {[]try{{pair, 500, 0}, {pair, 200, 0}}, false},
		"both fail, and are tried again":   {[]try{{pair, 500, 0}, {pair, 500, 9}}, false},
		"both fail, and so do the last":    {[]try{{pair, 500, 0}, {pair, 500, 9}, {pair, 500, 0}, {pair, 500, 0}}, true},
		"both fail, and one of the last":   {[]try{{pair, 500, 0}, {pair, 500, 9}, {pair, 200, 0}, {pair, 500, 0}}, false},
		"a pair fails, and the last alone": {[]try{{pair, 500, 0}, {pair, 500, 9}, {"", 500, 0}}, true},
	} {
		s := feed.NewSorter("", nil)
		for n, a := range tc.tries {
			s.Add(&tape.Entry{Seq: uint64(n + 1), Kind: tape.KindAttempt, Attempt: &tape.Attempt{Delivery: "d1", Endpoint: "w1", Profile: a.profile, Status: a.status, Next: a.next}})
		}
		require.Equal(t, tc.stuck, slices.ContainsFunc(s.Problems().Groups, func(g feed.Group) bool { return g.Kind == feed.Stuck && g.Goes }), name)
	}
}
