// Package moment reads the moments that lines of text tell, as people and loggers write them. It knows no calls.
package moment

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/trail"
)

var (
	isoTime = trail.Pattern(`[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}:[0-9]{2}(?:[.,][0-9]{1,9})?(?: ?(?:Z|[+-][0-9]{2}:?[0-9]{2})\b)?`)
	// syslogHead is what syslog, and services that collect logs, put before a line.
	syslogHead = trail.Pattern(`^[A-Z][a-z]{2} [ 0-9][0-9] [0-9]{2}:[0-9]{2}:[0-9]{2} \S`)
	// timeBehind is one in brackets that a line ends with, in a zone that may have a name.
	timeBehind = trail.Pattern(`[(\[]([0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}:[0-9]{2}(?:[.,][0-9]{1,9})?(?: ?(?:Z|[+-][0-9]{2}:?[0-9]{2})\b)?)(?: [A-Z]{2,5})?[)\]][*_ \t]*$`)
	clfTime    = trail.Pattern(`[0-9]{2}/[A-Z][a-z]{2}/[0-9]{4}:[0-9]{2}:[0-9]{2}:[0-9]{2} [+-][0-9]{4}`)
	wordTime   = trail.Pattern(`([0-9]{1,2})(?:\.|er|º|ro)?,? (?:de )?(\p{L}{3,})\.?,?(?: de| del)? ([0-9]{4})[^0-9\n]{1,12}([0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?)`)
	// dateHeader is a moment as headers say it: the service's, and no logger's, where a line does not begin with it.
	dateHeader = trail.Pattern(`[A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT`)
	monthTime  = trail.Pattern(`^\W{0,3}([A-Z][a-z]{2})[a-z]{0,6}\.? ([0-9]{1,2}),? ([0-9]{4}),? (?:(?:at|@) )?([0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,9})?)(?: ?([AP]M))?`)
	// sheetTime is one as American sheets and browsers write it.
	sheetTime = trail.Pattern(`^\W{0,3}([0-9]{1,2}/[0-9]{1,2}/[0-9]{4}),? ([0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,9})? [AP]M)\b`)
	// shellTime is one as date prints it, on a line of its own but for signs.
	shellTime = trail.Pattern(`^\W{0,12}[A-Z][a-z]{2},? ([A-Z][a-z]{2}) +([0-9]{1,2}),? ([0-9]{1,2}:[0-9]{2}:[0-9]{2})(?: ([AP]M))?(?: ([A-Z]{2,5}|[+-][0-9]{4}))? ([0-9]{4})(?: ([+-][0-9]{4}))?\W*$`)
	pointTime = trail.Pattern(`([0-9]{2})\.([0-9]{2})\.([0-9]{4})[,T ]{1,3}(?:um )?([0-9]{2}:[0-9]{2}:[0-9]{2})`)
)

// In is the first moment in a text, with year and seconds, "" for none.
func In(s string) string { return isoTime().FindString(s) }

// IsDateHeader says whether a text is nothing but such a moment.
func IsDateHeader(s string) bool { return s != "" && dateHeader().FindString(s) == s }

// months are how the names of months begin, in the languages of the Americas and of
// western Europe.
var months = [12][]string{
	{"jan", "ene", "gen", "jän"},
	{"feb", "fev", "fév"},
	{"mar", "mär", "mrz", "maa"},
	{"apr", "avr", "abr"},
	{"mai", "may", "mag", "mei"},
	{"jun", "juin", "giu"},
	{"jul", "juil", "lug"},
	{"aug", "aoû", "ago"},
	{"sep", "set"},
	{"oct", "okt", "ott", "out"},
	{"nov"},
	{"dec", "déc", "dez", "dic"},
}

// Of is the time that a line begins with, and where it ends; else one that the
// line's text tells, of which nothing is passed over.
func Of(line string) (at time.Time, end int) {
	head, reach := line[:min(len(line), 80)], 40
	if syslogHead().MatchString(line) { // its moment has no year: the program tells its own behind it
		head, reach = line[:min(len(line), 200)], 160
	}
	if f := isoTime().FindStringIndex(head); f != nil && f[0] < reach {
		text := head[f[0]:f[1]]
		return source.Time(text), f[1]
	}
	if f := clfTime().FindStringIndex(line[:min(len(line), 200)]); f != nil {
		t, err := time.Parse("02/Jan/2006:15:04:05 -0700", line[f[0]:f[1]])
		if err == nil {
			return t.UTC(), f[1]
		}
	}
	if at = bySigns(head, line); !at.IsZero() {
		return at, 0
	}
	if f := monthTime().FindStringSubmatch(head); f != nil {
		layout := "Jan 2 2006 15:04:05"
		if f[5] != "" {
			layout = "Jan 2 2006 3:04:05PM"
		}
		if t, err := time.Parse(layout, f[1]+" "+f[2]+" "+f[3]+" "+f[4]+f[5]); err == nil {
			return t, len(f[0])
		}
	}
	if f := sheetTime().FindStringSubmatch(head); f != nil {
		return source.Time(f[1] + ", " + f[2]), len(f[0])
	}
	if f := dateHeader().FindStringIndex(line[:min(len(line), 400)]); f != nil && f[0] > 3 {
		return time.Time{}, 0
	}
	if f := wordTime().FindStringSubmatch(line[:min(len(line), 400)]); f != nil {
		return saidTime(f), 0
	}
	return endTime(line), 0
}

// bySigns is the time of a line with points between its numbers, or that date has printed on a line of its own; zero for any other.
func bySigns(head, line string) time.Time {
	if f := pointTime().FindStringSubmatch(head); f != nil {
		return source.Time(f[3] + "-" + f[2] + "-" + f[1] + " " + f[4])
	}
	if f := shellTime().FindStringSubmatch(head); f != nil && len(head) == len(line) {
		return shellMoment(f)
	}
	return time.Time{}
}

// shellMoment is the moment that date has printed: a zone that has a name is not looked at.
func shellMoment(f []string) time.Time {
	layout, clock := "Jan 2 2006 15:04:05 -0700", f[3]
	if f[4] != "" {
		layout, clock = "Jan 2 2006 3:04:05PM -0700", clock+f[4]
	}
	t, err := time.Parse(layout, f[1]+" "+f[2]+" "+f[6]+" "+clock+" "+cmp.Or(offset().FindString(f[5]), f[7], "+0000"))
	if err != nil {
		return time.Time{}
	}
	return t.UTC()
}

// endTime is the time in brackets that a heading ends with; zero for none.
func endTime(line string) time.Time {
	if f := timeBehind().FindStringSubmatch(line[max(0, len(line)-80):]); f != nil && len(line) < 400 {
		return source.Time(f[1])
	}
	return time.Time{}
}

// saidTime is a day with the name of its month, and a time of day.
func saidTime(f []string) time.Time {
	word, clock := strings.ToLower(f[2]), f[4]
	if strings.Count(clock, ":") == 1 {
		clock += ":00"
	}
	for i, names := range months {
		for _, name := range names {
			if strings.HasPrefix(word, name) {
				t, err := time.Parse("2006 1 2 15:04:05", f[3]+" "+strconv.Itoa(i+1)+" "+f[1]+" "+clock)
				if err != nil {
					return time.Time{}
				}
				return t
			}
		}
	}
	return time.Time{}
}
