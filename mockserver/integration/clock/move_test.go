package clock_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/integration/clock"
	"paysandbox/mockserver/kernel"
)

// TestAMoveEndsWhereTimeCanBeTold: a hundred years more than there are is no time that lies
// behind.
func TestAMoveEndsWhereTimeCanBeTold(t *testing.T) {
	t.Parallel()
	const century = 100 * 365 * 24 * time.Hour
	now := time.Date(2150, time.March, 2, 17, 0, 0, 0, time.UTC)
	for _, one := range []struct {
		name string
		clock.Move
		expected string
	}{
		{"by a little", clock.Move{By: time.Second}, ""},
		{"to the end", clock.Move{To: time.Date(2200, time.December, 31, 0, 0, 0, 0, time.UTC)}, ""},
		{"by more than is left", clock.Move{By: century}, "a time between 1970 and 2200; it is 2150-03-02T17:00:00Z"},
		{"to more than is left", clock.Move{To: now.Add(century)}, "a time between 1970 and 2200"},
		{"by too much", clock.Move{By: century + 1}, "at most a hundred years in one move"},
		{"back", clock.Move{By: -1}, "a time that is not before the present, 2150-03-02T17:00:00Z: the clock never goes back"},
	} {
		t.Run(one.name, func(t *testing.T) {
			t.Parallel()
			to, err := one.Target(now.UnixNano(), 0, false)
			if one.expected == "" {
				require.NoError(t, err)
				require.Greater(t, to, now.UnixNano())
				return
			}
			var refused *kernel.Error
			require.ErrorAs(t, err, &refused)
			require.Equal(t, one.expected, refused.Findings[0].Expected)
		})
	}
}
