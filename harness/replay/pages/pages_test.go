package pages_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/pages"
	"paysandbox/harness/replay/recording"
)

// page is a call for one by a cursor, which is answered with rows and the next cursor.
func page(by, next string, rows ...string) recording.Exchange {
	for i := range rows {
		rows[i] = fmt.Sprintf(`{"externalTransferId":%q}`, rows[i])
	}
	return recording.Exchange{
		Method: "GET", Path: "/Transaction/Report", Query: "companyId=c&cursor=" + by,
		Answer: recording.Answer{Known: recording.Whole, Status: 200, Body: fmt.Appendf(nil, `{"transactions":[%s],"hasMore":%t,"nextCursor":%q}`, strings.Join(rows, ","), next != "", next)},
	}
}

// TestOf: a page has rows of one before it; the same page asked for twice has not.
func TestOf(t *testing.T) {
	t.Parallel()
	of := func(list ...recording.Exchange) []pages.Repeated {
		return pages.Of(&recording.Recording{Exchanges: list})
	}
	require.Equal(t, []pages.Repeated{{First: 0, Second: 1, Rows: 2, ID: "b"}}, of(page("", "1", "a", "b", "c"), page("1", "2", "b", "c", "d"), page("2", "", "e")))
	require.Equal(t, []pages.Repeated{{First: 0, Second: 2, Rows: 1, ID: "a"}}, of(page("", "1", "a"), page("1", "2", "b"), page("2", "", "a")))
	require.Equal(t, []pages.Repeated{{First: 1, Second: 2, Rows: 1, ID: "b"}}, of(page("", "1", "a"), page("1", "1", "b"), page("1", "", "b")), "the cursor does not go on")
	require.Empty(t, of(page("", "1", "a"), page("", "1", "a"), page("1", "", "b")), "begun anew")
	require.Empty(t, of(page("", "1", "a"), page("1", "", "b"), page("1", "", "b")), "asked for twice")
}

// TestOfWhatALogTells: so do rows of which a log tells the beginning of their ids, two of them, or one whole id.
func TestOfWhatALogTells(t *testing.T) {
	t.Parallel()
	told := func(by, next string, rows ...string) recording.Exchange {
		x := page(by, "")
		x.Answer, x.Page = recording.Answer{Known: recording.WithoutBody, Status: 200}, &recording.Page{Rows: rows, Next: next}
		return x
	}
	of := func(list ...recording.Exchange) []pages.Repeated {
		return pages.Of(&recording.Recording{Exchanges: list})
	}
	require.Equal(t, []pages.Repeated{{First: 0, Second: 1, Rows: 2, ID: "954fed61", Stays: true}}, of(told("", "1", "954fed61", "0b4775da"), told("1", "1", "954FED61", "0b4775da")))
	require.Empty(t, of(told("", "1", "954fed61", "0b4775da"), told("1", "2", "954fed61", "b10341e6")))
	const whole = "954fed61-38f4-48e2-a1d3-6294150d48f0"
	require.Equal(t, []pages.Repeated{{First: 0, Second: 1, Rows: 1, ID: whole}}, of(told("", "1", whole), told("1", "2", whole)))
	require.Empty(t, of(told("", "1", whole), told("2", "3", whole)), "by a cursor that nothing told")
}

// TestOfOthers: a company's report has a row of another company's money.
func TestOfOthers(t *testing.T) {
	t.Parallel()
	of := func(asked, to string) []pages.Foreign {
		answer := func(body string) recording.Answer {
			return recording.Answer{Known: recording.Whole, Status: 200, Body: []byte(body)}
		}
		return pages.OfOthers(&recording.Recording{Exchanges: []recording.Exchange{
			{Method: "GET", Path: "/Company/List", Answer: answer(`{"companies":[{"id":"A","name":"Lake"},{"id":"b","name":"Union"}]}`)},
			{Method: "GET", Path: "/Transaction/Report", Query: "companyId=" + asked, Answer: answer(`{"transactions":[{"externalTransferId":"1","recipientName":"Lake"},{"externalTransferId":"2","recipientName":"` + to + `"}]}`)},
		}})
	}
	require.Equal(t, []pages.Foreign{{Call: 1, List: 0, ID: "2", Asked: "Lake", Recipient: "Union"}}, of("a", "Union"))
	require.Empty(t, of("a", "Lake"))
	require.Empty(t, of("a", "Somebody"), "no company of theirs")
	require.Empty(t, of("c", "Union"), "whose report it is is not known")
}
