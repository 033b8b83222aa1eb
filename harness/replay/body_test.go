package replay_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay"
	"paysandbox/harness/replay/read"
)

// TestTheTimelineShowsBodies as they were sent and answered, with what differs marked on its line, and no more of them
// than a page can hold.
func TestTheTimelineShowsBodies(t *testing.T) {
	t.Parallel()
	s := sandbox(t)
	c := made(t, s, []string{"../../fixtures/reports/choice-list-order/session.har"}, read.Options{})
	var marked, names []string
	for _, h := range c.Timeline() {
		for _, b := range h.Bodies {
			names = append(names, b.Name)
			require.Equal(t, "call", h.Kind)
			require.LessOrEqual(t, len(strings.Join(linesOf(b), "")), 4<<10)
			for _, line := range b.Lines {
				if line.Class != "" {
					marked = append(marked, h.What+" "+b.Name+" "+line.Text+" "+string(line.Class))
				}
			}
		}
	}
	require.Subset(t, names, []string{"Sent", "Answered in the files", "Answered here", "Answered here, once it was chosen alike"})
	require.Equal(t, []string{`GET /Company/List Answered in the files       "id": "81ab1005-6b6e-4198-b6f1-9f19f6a1b332", choice`}, marked[:1])
	require.Len(t, marked, 4)
}

func linesOf(b replay.Body) (list []string) {
	for _, line := range b.Lines {
		list = append(list, line.Text)
	}
	return list
}
