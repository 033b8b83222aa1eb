package excerpt_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/read/excerpt"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
)

// TestPages: a log tells of a page behind its call, as an object or in words; what may be another call's, or tells of no row, is none.
func TestPages(t *testing.T) {
	t.Parallel()
	const call, whole = `{"msg":"http","run":"r-1","url":"/Transaction/Report?cursor=AAAA"}`, "954fed61-38f4-48e2-a1d3-6294150d48f0"
	of := func(lines ...string) string {
		r := &recording.Recording{}
		for i, line := range lines {
			if line == call {
				r.Exchanges = append(r.Exchanges, recording.Exchange{Method: "GET", Path: "/Transaction/Report", Place: recording.Place{Source: "a.log", Line: i + 1}, Answer: recording.Answer{Known: recording.WithoutBody, Status: 200}})
			}
		}
		excerpt.Pages([]source.File{{Name: "a.log", Data: []byte(strings.Join(lines, "\n"))}}, r)
		var told []string
		for i := range r.Exchanges {
			if p := r.Exchanges[i].Page; p != nil {
				told = append(told, fmt.Sprint(p.Rows, p.Next))
			}
		}
		return strings.Join(told, " ")
	}
	require.Equal(t, "[954fed61 0b4775da]MTI0Mjc=", of(call, `{"msg":"report page","run":"r-1","rows":[{"st":"Completed","xfer":"954fed61"},{"xfer":"0b4775da"}],"hasMore":true,"nextCursor":"MTI0Mjc="}`))
	require.Equal(t, "["+whole+"]MTI0Mjc=", of(call, "tick", `INFO page {"page":{"ids":["`+whole+`"],"next_cursor":"MTI0Mjc="}}`))
	require.Equal(t, "["+whole+" 0b4775da]MTI0Mjc=", of(call, "03:10:02 page 3 rows=["+whole+" 0b4775da…] hasMore=true next_cursor=MTI0Mjc="))
	require.Empty(t, of(call, "page 3 rows=5 nextCursor=MTI0Mjc="), "no rows")
	require.Empty(t, of(call, `{"run":"r-2","rows":[{"xfer":"954fed61"}],"nextCursor":"MTI0Mjc="}`), "of another run")
	require.Empty(t, of(call, `{"rows":[{"xfer":"954fed61"}],"nextCursor":"MTI0Mjc="}`, `{"rows":[{"xfer":"0b4775da"}],"nextCursor":"NTY3"}`), "of two pages")
	require.Equal(t, "[954fed61]MTI0Mjc=", of(call, `{"rows":[{"xfer":"954fed61"}],"nextCursor":"MTI0Mjc="}`, call))
	deep := func(n int) string {
		return strings.Repeat(`{"a":`, n) + `{"rows":[{"xfer":"954fed61"}],"nextCursor":"MTI0Mjc="}` + strings.Repeat("}", n)
	}
	require.Equal(t, "[954fed61]MTI0Mjc=", of(call, deep(3)))
	require.Empty(t, of(call, deep(5)), "too deep")
	require.Empty(t, of("tick", `{"rows":[{"xfer":"954fed61"}],"nextCursor":"MTI0Mjc="}`, call), "before its call")
}
