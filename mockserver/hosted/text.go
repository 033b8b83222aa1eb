package hosted

import (
	"strconv"
	"strings"
	"time"
)

// dollars writes an amount of cents, for example $1,234.50.
func dollars(cents int64) string {
	whole := strconv.FormatUint(uint64(cents)/100, 10) //nolint:gosec // G115: amounts are positive.
	for at := len(whole) - 3; at > 0; at -= 3 {
		whole = whole[:at] + "," + whole[at:]
	}
	rest := strconv.FormatInt(cents%100+100, 10)
	return "$" + whole + "." + rest[1:]
}

// readDollars reads an amount such as 12, 12.5, $1,234.50 as cents.
func readDollars(s string) (int64, bool) {
	s = strings.ReplaceAll(strings.TrimPrefix(s, "$"), ",", "")
	whole, part, dotted := strings.Cut(s, ".")
	if dotted && (len(part) < 1 || len(part) > 2) || len(whole) < 1 || len(whole) > 15 {
		return 0, false
	}
	digits := whole + (part + "00")[:2]
	if strings.Trim(digits, "0123456789") != "" {
		return 0, false
	}
	cents, err := strconv.ParseInt(digits, 10, 64)
	return cents, err == nil
}

// day writes a date for people.
func day(t time.Time) string { return t.Format("January 2, 2006") }

// dayOf writes the day of a moment in nanoseconds since 1970 UTC.
func dayOf(at int64) string { return day(time.Unix(0, at).UTC()) }

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
