package cases_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/console/cases"
)

// TestTheOldestCaseMakesRoom: no more than three are kept, whatever is sent.
func TestTheOldestCaseMakesRoom(t *testing.T) {
	t.Parallel()
	var s cases.Shelf
	gone := 0
	back := func() { gone++ }
	first := s.Put(&cases.Case{Name: "1"}, back)
	for _, name := range []string{"2", "3"} {
		s.Put(&cases.Case{Name: name}, back)
	}
	require.Equal(t, "1", s.Get(first).Name)
	require.Equal(t, [][2]string{{"3", "3"}, {"2", "2"}, {"1", "1"}}, s.Open())
	require.Zero(t, gone)
	fourth := s.Put(&cases.Case{Name: "4"}, back)
	require.Equal(t, 1, gone, "what it took is given back")
	require.Nil(t, s.Get(first))
	require.NotEqual(t, first, fourth)
	require.Len(t, s.Open(), 3)
}
