package moment_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/read/moment"
)

// told are the moments that the lines of a text tell.
func told(text string) (list []string) {
	d := moment.NewDays(text)
	for line := range strings.Lines(text) {
		if at, _ := d.Of(strings.TrimRight(line, "\n")); !at.IsZero() {
			list = append(list, at.Format(time.RFC3339))
		}
	}
	return list
}

// TestDays: a time of day is of the day, and in the zone, that stand elsewhere in the text.
func TestDays(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"a ticket":                       {"Jolene, Mar 6, 2026, 11:52 AM (EST)\n2) 11:31:01 AM  POST /a\n4) 11:34:41 PM\n5) approved, and then at 11:36:41 AM\nvalue 85", []string{"2026-03-06T16:31:01Z", "2026-03-07T04:34:41Z", "2026-03-06T16:36:41Z"}},
		"a day in figures":               {"log of 2026-03-06\n[23:59:58.250] a\n00:00:02 b", []string{"2026-03-06T23:59:58Z", "2026-03-07T00:00:02Z"}},
		"a zone of its own":              {"6 March 2026\n- 10:00:00 CET a\n- 10:00:01 b", []string{"2026-03-06T09:00:00Z", "2026-03-06T09:00:01Z"}},
		"two zones":                      {"6 March 2026\n10:00:00 CET a\n10:00:00 EST b\n10:00:00 c", []string{"2026-03-06T09:00:00Z", "2026-03-06T15:00:00Z", "2026-03-06T10:00:00Z"}},
		"no day":                         {"10:00:00 a", nil},
		"a day in a body alone":          {"10:00:00 a\n{\"dueDate\":\"2026-03-06\"}", nil},
		"no time of day":                 {"Mar 6, 2026\n25:00:00 a\nconnectTimeout: 0:00:05.000000\nit took 00:00:05", nil},
		"behind what was said":           {"2026-03-05T04:36:10Z\n23:35:49 POST /a\n23:36:02 200\n2026-03-05T05:00:00Z", []string{"2026-03-05T04:36:10Z", "2026-03-05T04:35:49Z", "2026-03-05T04:36:02Z", "2026-03-05T05:00:00Z"}},
		"whole moments beside clocks":    {"2026-03-05 04:36:10 INFO a\n23:35:49 POST /a", []string{"2026-03-05T04:36:10Z"}},
		"a zone's name behind a whole":   {"2026-03-05 04:36:10 EST a\nMar 5 2026 04:36:10 AM PST b", []string{"2026-03-05T09:36:10Z", "2026-03-05T12:36:10Z"}},
		"clocks of whole moments":        {"10:13:20.118 GET /a\n10:16:40.090 POST /b\n2026-11-18T10:13:20Z GET /a 200\n2026-11-18T10:16:40Z POST /b 400\n10:14:04 c", []string{"2026-11-18T10:13:20Z", "2026-11-18T10:16:40Z", "2026-11-18T10:13:20Z", "2026-11-18T10:16:40Z", "2026-11-18T10:14:04Z"}},
		"clocks of another zone":         {"11:13:20.118 GET /a\n11:16:40.090 POST /b\n2026-11-18T10:13:20Z GET /a 200\n2026-11-18T10:16:40Z POST /b 400", []string{"2026-11-18T10:13:20Z", "2026-11-18T10:16:40Z"}},
		"clocks of two days":             {"10:13:20.118 GET /a\n10:16:40.090 POST /b\n2026-11-18T10:13:20Z GET /a 200\n2026-11-19T10:16:40Z POST /b 400", []string{"2026-11-18T10:13:20Z", "2026-11-19T10:16:40Z"}},
		"an American sheet":              {"\"3/10/2026, 2:05:00.500 PM\",PUT\n3/10/2026 2:05:01 PM b", []string{"2026-03-10T14:05:00Z", "2026-03-10T14:05:01Z"}},
		"a zone far behind an id":        {"### `GET https://pay.example/User/60917897-7930-4314-8d39-dae65fdddde8/Status?and=what-makes-it-longer-than-most-lines-of-a-log-are` (2026-03-02 18:00:36 CET)", []string{"2026-03-02T17:00:36Z"}},
		"a day that a call asks for":     {"[17:59:59] GET /Transaction/Report?dateFrom=2026-03-01", nil},
		"a search of Kibana's":           {"Jun 18, 2026 @ 11:40:22.218 POST /a\n\"Jun 19, 2026 @ 00:00:00.061\",b", []string{"2026-06-18T11:40:22Z", "2026-06-19T00:00:00Z"}},
		"what collects a log puts first": {"Nov 12 10:00:00 ridgeline-worker app/worker.1 info: [2026-11-12T17:00:00.200Z] a\nthe event of Nov 12 is of a line, whose moment stands far: [2026-11-12T17:00:01Z]: none", []string{"2026-11-12T17:00:00Z"}},
		"what date prints":               {"== Thu Jun 11 21:20:00 UTC 2026\nPOST /a\nFri Jun  5 09:20:00 PM EDT 2026\nFri, Jun 5 21:20:00 -0700 2026\nFri Jun 5 21:20:00 2026 +0200\nsince Fri Jun 5 21:20:00 UTC 2026 it is so", []string{"2026-06-11T21:20:00Z", "2026-06-06T01:20:00Z", "2026-06-06T04:20:00Z", "2026-06-05T19:20:00Z"}},
		"its offset beside its name":     {"2026-03-05 04:36:10 -0500 (EST) a", []string{"2026-03-05T09:36:10Z"}},
	} {
		require.Equal(t, c.want, told(c.text), name)
	}
}

// TestDated: a moment of syslog is of the year that its text tells, or another does, and not to come.
func TestDated(t *testing.T) {
	t.Parallel()
	const two = "Nov 24 14:28:55 app01 pay[1]: a\nDec  1 14:29:12 app01 pay[1]: b"
	for name, c := range map[string]struct {
		texts []string
		want  string
	}{
		"of a mail":          {[]string{two, "Datum: Wed, 02 Dec 2026 16:20:33 +0100\n"}, "2026-11-24 14:28:55 app01 pay[1]: a\n2026-12-01 14:29:12 app01 pay[1]: b"},
		"of the year before": {[]string{two, "3 January 2027"}, "2026-11-24 14:28:55 app01 pay[1]: a\n2026-12-01 14:29:12 app01 pay[1]: b"},
		"of its own":         {[]string{two + "\n{\"at\":\"2025-12-01T14:29:12Z\"}", "3 January 2027"}, "2025-11-24 14:28:55 app01 pay[1]: a\n2025-12-01 14:29:12 app01 pay[1]: b\n{\"at\":\"2025-12-01T14:29:12Z\"}"},
		"of none":            {[]string{two, "no year"}, two},
		"one line":           {[]string{"Nov 24 14:28:55 a", "3 January 2027"}, "Nov 24 14:28:55 a"},
		"with a moment of its own": {
			[]string{"Nov 24 14:28:55 app01 pay[1]: 2026-11-24T13:28:55Z a\nNov 24 14:28:56 app01 b"},
			"Nov 24 14:28:55 app01 pay[1]: 2026-11-24T13:28:55Z a\n2026-11-24 14:28:56 app01 b",
		},
	} {
		var texts [][]byte
		for _, text := range c.texts {
			texts = append(texts, []byte(text))
		}
		require.Equal(t, c.want, string(moment.Dated(texts)[0]), name)
	}
}

func FuzzDays(f *testing.F) {
	f.Add("Mar 6, 2026 (EST)\n1) 11:31:01 AM\nat 23:59:59\n2026-03-05T04:36:10Z\n23:35:49 x")
	f.Fuzz(func(t *testing.T, text string) {
		d := moment.NewDays(text)
		for line := range strings.Lines(text) {
			_, end := d.Of(line)
			require.LessOrEqual(t, end, len(line))
		}
	})
}
