package service_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// TestPlanDueDates holds the due dates of small plans to their terms.
func TestPlanDueDates(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		terms string
		dues  string
		want  verdict.Word
	}{
		"clamped":          {`"startDate":"2028-01-31","intervalValue":1,"intervalUnit":"Month"`, "2028-01-31 2028-02-29 2028-03-31", verdict.Pass},
		"not clamped":      {`"startDate":"2028-01-31","intervalValue":1,"intervalUnit":"Month"`, "2028-01-31 2028-03-02", verdict.Fail},
		"quarters":         {`"startDate":"2028-11-30","intervalValue":1,"intervalUnit":"Quarter"`, "2028-11-30 2029-02-28 2029-05-30", verdict.Pass},
		"two weeks":        {`"startDate":"2028-01-03","intervalValue":2,"intervalUnit":"week"`, "2028-01-03 2028-01-17", verdict.Pass},
		"one week of two":  {`"startDate":"2028-01-03","intervalValue":2,"intervalUnit":"Week"`, "2028-01-03 2028-01-10", verdict.Fail},
		"leap year":        {`"startDate":"2028-02-29","intervalValue":1,"intervalUnit":"Year"`, "2028-02-29 2029-02-28", verdict.Pass},
		"one too many":     {`"startDate":"2028-01-03","intervalValue":1,"intervalUnit":"Day","occurrences":2`, "2028-01-03 2028-01-04 2028-01-05", verdict.Fail},
		"after the end":    {`"startDate":"2028-01-03","intervalValue":1,"intervalUnit":"Day","endDate":"2028-01-04"`, "2028-01-03 2028-01-05", verdict.Fail},
		"one left out":     {`"startDate":"2028-01-03","intervalValue":1,"intervalUnit":"Day"`, "2028-01-03 2028-01-05", verdict.Fail},
		"unreadable terms": {`"startDate":"soon","intervalValue":1,"intervalUnit":"Day"`, "2028-01-03", verdict.Inconclusive},
	} {
		tp := bare(planTape(t, c.terms, strings.Fields(c.dues))...)
		require.Equal(t, c.want, status(t, tp, "money.plan"), name)
	}
}

// TestOverdue expects a due date that has passed to be missed.
func TestOverdue(t *testing.T) {
	t.Parallel()
	entries := planTape(t, `"startDate":"2028-01-03","intervalValue":1,"intervalUnit":"Day"`, []string{"2028-01-03"})
	require.Equal(t, verdict.Pass, status(t, bare(entries...), "money.plan"))
	entries = append(entries, tape.Entry{Seq: 5, At: entries[3].At + int64(25*time.Hour), Kind: tape.KindClock, Clock: &tape.Clock{}})
	require.Equal(t, verdict.Fail, status(t, bare(entries...), "money.plan"))
}

// planTape is the tape of an Active plan without payers, with its due dates.
func planTape(tb testing.TB, terms string, dues []string) []tape.Entry {
	tb.Helper()
	text := `{"tape":1,"seed":1,"start":"2028-01-01T00:00:00Z"}
{"seq":1,"at":"2028-01-01T00:00:00Z","kind":"exchange","exchange":{"operation":"createPlan","request":{"body":` + quote("{"+terms+"}") + `},"response":{"status":200}}}
{"seq":2,"cause":1,"at":"2028-01-01T00:00:00Z","kind":"transition","transition":{"machine":"plan","entity":"p","to":"Draft","event":"create"}}
{"seq":3,"at":"2028-01-01T00:00:00Z","kind":"transition","transition":{"machine":"plan","entity":"p","from":"Draft","to":"Active","event":"activate"}}
`
	for i, due := range dues {
		at := due + "T19:00:00Z"
		text += `{"seq":` + decimal(uint64(i)+4) + `,"at":"` + at + `","kind":"timer","entities":["p"],"timer":{"name":"plan-occurrence","due":"` + at + `"}}` + "\n"
	}
	_, entries, err := tape.Read(strings.NewReader(text))
	require.NoError(tb, err)
	return entries
}

// quote writes a text as JSON.
func quote(s string) string { return `"` + strings.ReplaceAll(s, `"`, `\"`) + `"` }
