package excerpt_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/read/excerpt"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
)

// TestGoesOn: a log goes on behind a page whose next was never asked for, when it tells of other things, or of what is missing.
func TestGoesOn(t *testing.T) {
	t.Parallel()
	const page = `{"hasMore":true,"nextCursor":"AAAAZONR"}`
	goesOn := func(behind string) int {
		r := &recording.Recording{
			Sources:   []recording.Source{{Name: "a.log", Format: "jsonl"}},
			Exchanges: []recording.Exchange{{Method: "GET", Path: "/Transaction/Report", Place: recording.Place{Source: "a.log", Line: 1}, Answer: recording.Answer{Known: recording.Whole, Status: 200, Body: []byte(page)}}},
		}
		excerpt.GoesOn([]source.File{{Name: "a.log", Data: []byte(page + "\n" + behind)}}, r)
		return r.Exchanges[0].GoesOn
	}
	require.Equal(t, 0, goesOn(""))
	require.Equal(t, 1, goesOn(`{"event":"recon ok"}`))
	require.Equal(t, 3, goesOn(`{"event":"recon mismatch","rows":100}`))
	require.Equal(t, 4, goesOn("{\"a\":1}\n{\"a\":2}\n{\"a\":3}\n{\"event\":\"137 rows missing\"}"))
}
