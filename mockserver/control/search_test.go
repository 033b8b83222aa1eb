package control_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/control"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

func (s *sandbox) search(query string) control.Found {
	s.t.Helper()
	var f struct {
		Searched, Total uint64
		Next            *uint64
		Gap             *control.Gap
		Entries         []tape.Entry
	}
	s.get("/search?" + query).ok(&f)
	return control.Found{Entries: make([]control.Line, len(f.Entries)), Searched: f.Searched, Total: f.Total, Next: f.Next, Gap: f.Gap}
}

// big puts a call with a large body on the tape.
func (s *sandbox) big(kib int, text string) {
	i := s.registry.Default()
	c := integration.Call{Kind: tape.KindExchange, Exchange: tape.Exchange{Operation: "setUp", Method: "POST", Path: "/setUp"}}
	c.Exchange.Request.Body = []byte(strings.Repeat(".", kib<<10) + text)
	i.Send(i.Do(&c, func(*world.World, *integration.Call) {}))
}

// TestASearchTellsHowFarItHasCome: nothing found yet is another answer than nothing
// there, and the pieces together find what is there.
func TestASearchTellsHowFarItHasCome(t *testing.T) {
	t.Parallel()
	s := start(t)
	for n := range 40 {
		s.big(1024, fmt.Sprintf("needle-%d", n%39))
	}
	first := s.search("q=NEEDLE-38")
	require.Empty(t, first.Entries)
	require.NotNil(t, first.Next)
	require.Less(t, first.Searched, first.Total)
	found, calls := 0, 0
	for next := uint64(0); ; calls++ {
		f := s.search(fmt.Sprintf("q=needle-38&since=%d", next))
		found += len(f.Entries)
		if f.Next == nil {
			require.Equal(t, f.Total, f.Searched)
			break
		}
		require.Greater(t, *f.Next, next)
		next = *f.Next
	}
	require.Equal(t, 1, found)
	require.Greater(t, calls, 1)
	none := s.search("q=needle-39&since=30")
	require.Nil(t, none.Next)
	require.Empty(t, none.Entries)
	_, entries := s.query("/tape", "q=needle-0").parsed()
	require.Len(t, entries, 2, "the tape itself is searched to its end")
	require.Len(t, s.search("q=needle-0&limit=1").Entries, 1)
	require.NotNil(t, s.search("q=needle-0&limit=1").Next)
}

// BenchmarkSearch looks through a full tape of 64 MiB for what is not there.
func BenchmarkSearch(b *testing.B) {
	s := start(b)
	for range 20_000 {
		s.big(3, "")
	}
	b.ResetTimer()
	for range b.N {
		for next := uint64(0); ; {
			f := s.search(fmt.Sprintf("q=nobody&since=%d", next))
			if f.Next == nil {
				break
			}
			next = *f.Next
		}
	}
}
