package join

import (
	"slices"
	"time"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
)

// SetClocks puts files on one clock, where what they share tells how far theirs are apart.
func SetClocks(parts []*source.Part) {
	setZones(parts)
	setShared(parts)
}

// setZones puts a file's times on the clock of another where one tells the calls of the other alone by their lines, as a proxy's log does,
// and its clock differs by a zone: a program often writes local time, and does not say so.
func setZones(parts []*source.Part) {
	for _, log := range parts {
		for _, p := range parts {
			lines, calls := operationsOf(log), operationsOf(p)
			by := time.Duration(0)
			if !slices.ContainsFunc(lines, shows) && slices.ContainsFunc(calls, shows) {
				by = zoneBetween(lines, calls)
			}
			switch {
			case by == 0:
			case !knowsTime(p):
				p.Shift(by)
			case !knowsTime(log):
				log.Shift(-by)
			}
		}
	}
}

// shows says whether more is shown of a call than its line.
func shows(x *recording.Exchange) bool { return !short(x) }

// operationsOf are the calls of a file to operations whose times are known, by them.
func operationsOf(p *source.Part) []*recording.Exchange {
	return slices.DeleteFunc(byTime(p), func(x *recording.Exchange) bool {
		_, ok := source.BasePath(x.Path)
		return !ok
	})
}

// knowsTime says whether the service's answers, or its events, have shown how a file's clock goes.
func knowsTime(p *source.Part) bool {
	return len(p.Source().Offsets) > 0 || slices.ContainsFunc(p.Exchanges, func(x recording.Exchange) bool { return !source.Moment(&x).IsZero() })
}

// zoneBetween is by how many quarters of an hour the calls have to be moved to be the lines, one for one; 0 where none, or several, would do.
func zoneBetween(lines, calls []*recording.Exchange) (by time.Duration) {
	const quarter, farthest, few = 15 * time.Minute, 14 * time.Hour, 3
	if max(len(lines), len(calls)) > maxOpen {
		return 0
	}
	best := matched(lines, calls, 0)
	for offset := -farthest; offset <= farthest; offset += quarter {
		switch n := matched(lines, calls, offset); {
		case offset == 0 || n < few || n < best:
		case n == best:
			by = 0
		default:
			best, by = n, offset
		}
	}
	return by
}

// matched counts the calls that, moved so far, have a line of their own; 0 where one has none that falls among the lines.
func matched(lines, calls []*recording.Exchange, by time.Duration) (n int) {
	const atOnce = 64 // lines that are looked at for a call
	taken := make([]bool, len(lines))
	for _, x := range calls {
		from, _ := slices.BinarySearchFunc(lines, x.Begin.Add(by-within), func(line *recording.Exchange, at time.Time) int { return line.Begin.Compare(at) })
		i, end := from, min(len(lines), from+atOnce)
		for i < end && (taken[i] || !met(lines[i], x, by) || !sums(lines[i], x)) {
			i++
		}
		switch {
		case i < end:
			taken[i] = true
			n++
		case from > 0 && from < len(lines): // it falls among the lines
			return 0
		}
	}
	return n
}
