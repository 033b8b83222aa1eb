package moment

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"paysandbox/harness/trail"
)

// zones are how far those are ahead of UTC that people name, in hours.
var zones = map[string]time.Duration{
	"UTC": 0, "GMT": 0, "EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7,
	"BST": 1, "CET": 1, "CEST": 2, "EET": 2, "EEST": 3, "JST": 9, "AEST": 10, "AEDT": 11, "BRT": -3,
	"HST": -10, "AKST": -9, "AKDT": -8,
}

const (
	zoneNames = `(UTC|GMT|EST|EDT|CST|CDT|MST|MDT|PST|PDT|BST|CET|CEST|EET|EEST|JST|AEST|AEDT|BRT|HST|AKST|AKDT)\b`
	clock     = `([0-9]{1,2}):([0-9]{2}):([0-9]{2})(?:[.,]([0-9]{1,9}))?(?: ?([AaPp])\.?[Mm]\b\.?)?`
	monthName = `(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}\.?`
)

var (
	// zoneBehind is the zone that stands behind a time, and offset one in figures right before its name.
	zoneBehind = trail.Pattern(`[0-9](?: ?[AaPp]\.?[Mm]\.?)?,? ?[(\[]?` + zoneNames)
	offset     = trail.Pattern(`[+-][0-9]{2}:?[0-9]{2}$`)
	// clockFirst is a time of day that a line begins with, behind what lists and chats put before it, and clockSaid one in it.
	clockFirst = trail.Pattern(`^[ \t>*•–#|-]*(?:[0-9]{1,2}[.)][ \t]+)?[\[(]?` + clock + `(?:[^0-9A-Za-z:.,/-]|$)`)
	clockSaid  = trail.Pattern(`\bat ` + clock + `(?:[^0-9A-Za-z:/-]|$)`)
	// clocks are lines that may tell one.
	clocks = trail.Pattern(`(?m)^[^{"\n]{0,120}?[0-9]:[0-9]{2}:[0-9]{2}`)
	// dates are days as people write them.
	dates = []func() *regexp.Regexp{
		trail.Pattern(`\b` + monthName + ` ([0-9]{1,2})(?:st|nd|rd|th)?,? ([0-9]{4})\b`),
		trail.Pattern(`\b([0-9]{1,2})(?:st|nd|rd|th)?\.? ` + monthName + `,? ([0-9]{4})\b`),
		trail.Pattern(`(?:^|[^=/&%0-9A-Za-z-])([0-9]{4})-([0-9]{2})-([0-9]{2})\b`), // not one that an address asks for
	}
)

// Days tells the moments of the lines of a text, also of those that name a time of day alone: the day, and its zone, stand
// elsewhere in the text then.
type Days struct {
	// day is the newest that was told; zone is that of the text, where it names one.
	day  time.Time
	zone time.Duration
	// said is a moment that stood alone, before what was said then, and by how much the times in that are ahead.
	said  time.Time
	ahead time.Duration
	tied  bool
	// last is the time of day that was told last. off is true where lines tell whole moments: their zone may be another.
	last time.Duration
	off  bool
	// beside is when the day begins that whole moments tell, where the times of day are of their clock; zero where that is not known.
	beside time.Time
}

// NewDays looks a text through for the day, and the zone, that it tells first.
func NewDays(text string) *Days {
	d := &Days{off: !clocks().MatchString(text)}
	if d.off {
		return d
	}
	named := map[string]bool{}
	for line := range strings.Lines(text[:min(len(text), 1<<20)]) {
		if found := zoneBehind().FindStringSubmatch(line[:min(len(line), 400)]); found != nil {
			named[found[1]] = true
			d.zone = zones[found[1]] * time.Hour
		}
		if d.day.IsZero() {
			d.day = dayIn(line)
		}
	}
	if len(named) != 1 {
		d.zone = 0
	}
	d.beside = besideWhole(text)
	return d
}

// dayIn is the day that a line of prose names, zero for none.
func dayIn(line string) time.Time {
	if len(line) > 400 || strings.ContainsAny(line, `{"`) {
		return time.Time{}
	}
	for i, pattern := range dates {
		if f := pattern().FindStringSubmatch(line); f != nil {
			at, err := time.Parse([]string{"Jan 2 2006", "2 Jan 2006", "2006 01 02"}[i], strings.Join(f[1:], " "))
			if err == nil {
				return at
			}
		}
	}
	return time.Time{}
}

// Of is the moment that a line tells, and where it ends if the line begins with it. See [Of].
func (d *Days) Of(line string) (at time.Time, end int) {
	if at, end = Of(line); !at.IsZero() {
		head := line[:min(len(line), 400)]
		if f := zoneBehind().FindStringSubmatchIndex(head); f != nil && !offset().MatchString(head[max(0, f[0]-6):f[0]+1]) {
			at = at.Add(-zones[head[f[2]:f[3]]] * time.Hour)
		}
		d.said, d.tied = at, false
		d.off = d.off || strings.TrimSpace(line) != In(line) || In(line) == ""
		return at, end
	}
	if d.off && d.beside.IsZero() {
		return at, 0
	}
	if day := dayIn(line); !day.IsZero() {
		d.day, d.last = day, 0
	}
	found := clockFirst().FindStringSubmatchIndex(line[:min(len(line), 160)])
	if found != nil {
		end = found[1]
	} else if found = clockSaid().FindStringSubmatchIndex(line[:min(len(line), 400)]); found == nil {
		return time.Time{}, 0
	}
	part := func(i int) string {
		if found[2*i] < 0 {
			return ""
		}
		return line[found[2*i]:found[2*i+1]]
	}
	return d.on(timeOfDay(part(1), part(2), part(3), part(4), part(5)), line), end
}

// timeOfDay is what a clock shows, negative for what none can.
func timeOfDay(hour, minute, second, fraction, half string) time.Duration {
	h, _ := strconv.Atoi(hour)
	m, _ := strconv.Atoi(minute)
	s, _ := strconv.Atoi(second)
	if h > 23 || m > 59 || s > 59 {
		return -1
	}
	switch strings.ToLower(half) {
	case "p":
		h = h%12 + 12
	case "a":
		h %= 12
	}
	f, _ := strconv.ParseFloat("0."+fraction+"0", 64)
	return time.Duration(h)*time.Hour + time.Duration(m)*time.Minute + time.Duration(s)*time.Second + time.Duration(f*1e9)
}

// on is a time of day on the day that the text is at.
func (d *Days) on(of time.Duration, line string) time.Time {
	const half = 30 * time.Minute
	switch {
	case of < 0:
		return time.Time{}
	case !d.beside.IsZero():
		return d.beside.Add(of)
	case !d.said.IsZero():
		day := d.said.Truncate(24 * time.Hour)
		if !d.tied { // not after what was said
			late := day.Add(of).Sub(d.said) - 2*time.Minute
			if d.ahead = late.Truncate(half); late > d.ahead {
				d.ahead += half
			}
			d.tied = true
		}
		return day.Add(of - d.ahead)
	case d.day.IsZero():
		return time.Time{}
	case d.last > 20*time.Hour && of < 4*time.Hour:
		d.day = d.day.Add(24 * time.Hour)
	}
	d.last = of
	zone := d.zone
	if found := zoneBehind().FindStringSubmatch(line[:min(len(line), 120)]); found != nil {
		zone = zones[found[1]] * time.Hour
	}
	return d.day.Add(of - zone)
}
