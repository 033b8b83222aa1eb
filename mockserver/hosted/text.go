package hosted

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"paysandbox/mockserver/world"
)

// written is an amount as people type it: a comma stands only where it can group
// thousands and nothing else.
var written = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\$?([0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,15})(?:\.([0-9]{1,2}))?$`)
})

// readDollars reads an amount such as 12, 12.5, $1,234.50 as cents.
func readDollars(s string) (int64, bool) {
	parts := written().FindStringSubmatch(s)
	if parts == nil {
		return 0, false
	}
	whole := strings.ReplaceAll(parts[1], ",", "")
	cents, err := strconv.ParseInt(whole+(parts[2] + "00")[:2], 10, 64)
	return cents, err == nil && len(whole) <= 15
}

// unread says what to type in the place of an amount that cannot be read; one with
// a comma that may mean two things is shown as both.
func unread(s string) string {
	grouped, ok := readDollars(strings.ReplaceAll(s, ",", ""))
	decimal, fits := readDollars(strings.Replace(s, ",", ".", 1))
	if ok && fits && decimal != grouped {
		return "Is this " + world.Dollars(decimal) + " or " + world.Dollars(grouped) + "? Type it with a point before the cents and no comma."
	}
	return "Type an amount in dollars, for example 12.50."
}

// day writes a date for people.
func day(t time.Time) string { return t.Format("January 2, 2006") }

// dayOf writes the day of a moment in nanoseconds since 1970 UTC.
func dayOf(at int64) string { return day(time.Unix(0, at).UTC()) }

// timeOf writes a moment in nanoseconds since 1970 UTC to the minute.
func timeOf(at int64) string { return time.Unix(0, at).UTC().Format("Jan 2, 2006, 15:04") + " UTC" }

// dayText rewrites a YYYY-MM-DD date for people.
func dayText(s string) string {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		return s
	}
	return day(t)
}

// orElse gives the text behind a pointer, or another one.
func orElse(s *string, other string) string {
	if s == nil {
		return other
	}
	return *s
}

// joined puts the texts that are there into one, with commas.
func joined(parts ...string) string { return joinedBy(", ", parts...) }

func joinedBy(between string, parts ...string) string {
	kept := make([]string, 0, len(parts))
	for _, p := range parts {
		if p != "" {
			kept = append(kept, p)
		}
	}
	return strings.Join(kept, between)
}
