package diagram

import "strconv"

// Message is one line of a sequence: who tells whom, what, and what came back.
type Message struct {
	// From and To are columns, from 0; the same for a remark about one.
	From, To int
	// Text and Answer stand above the line; Link is where it leads, Class how it looks.
	Text, Answer, Link, Class string
}

// Sequence is a sequence diagram.
type Sequence struct {
	Width, Height string
	Says          string
	Lanes         []Lane
	Arrows        []Arrow
}

// Lane is who takes part.
type Lane struct{ Name, X, BoxX, Y1, Y2 string }

// Arrow is one message as it is drawn; a remark has a box instead of a line.
type Arrow struct {
	Path, Text, Full, Link, Class string
	// Who tells whom, in words, for a screen too narrow for the drawing.
	Who              string
	TX, TY           string
	Remark           bool
	BoxX, BoxY, BoxW string
}

// The measures of a sequence, in pixels.
const (
	laneWidth  = 320
	laneMargin = 110
	rowHeight  = 34
	headHeight = 40
	letters    = 48
)

// Sequenced draws messages between those who take part, from above to below.
func Sequenced(names []string, list []Message) Sequence {
	width := 2*laneMargin + laneWidth*(len(names)-1)
	height := headHeight + rowHeight*len(list) + rowHeight/2
	s := Sequence{Width: strconv.Itoa(width), Height: strconv.Itoa(height), Says: strconv.Itoa(len(list)) + " steps between " + joined(names) + ", the newest last"}
	x := func(lane int) int { return laneMargin + lane*laneWidth }
	for n, name := range names {
		s.Lanes = append(s.Lanes, Lane{name, strconv.Itoa(x(n)), strconv.Itoa(x(n) - 80), strconv.Itoa(headHeight - 8), strconv.Itoa(height)})
	}
	for n := range list {
		m := &list[n]
		y := headHeight + rowHeight*(n+1) - 6
		a := Arrow{Who: names[m.From], Full: m.Text, Link: m.Link, Class: m.Class, Remark: m.From == m.To || m.To-m.From == len(names)-1}
		if m.From != m.To {
			a.Who += " → " + names[m.To]
		}
		if m.Answer != "" {
			a.Full += " · " + m.Answer
		}
		from, to := x(m.From), x(m.To)
		a.TX, a.TY = strconv.Itoa((from+to)/2), strconv.Itoa(y-6)
		room := letters
		if a.Remark {
			half := laneWidth/2 - 6
			if m.From != m.To {
				half = (to-from)/2 + laneMargin - 16
				room = 2 * letters
			}
			middle := min(max((from+to)/2, half+4), width-half-4)
			a.TX, a.TY = strconv.Itoa(middle), strconv.Itoa(y-3)
			a.BoxX, a.BoxY, a.BoxW = strconv.Itoa(middle-half), strconv.Itoa(y-20), strconv.Itoa(2*half)
		} else {
			tip := to - 9
			if to < from {
				tip = to + 9
			}
			a.Path = "M" + strconv.Itoa(from) + "," + strconv.Itoa(y) + " L" + strconv.Itoa(tip) + "," + strconv.Itoa(y)
		}
		a.Text = clipped(a.Full, room)
		s.Arrows = append(s.Arrows, a)
	}
	return s
}

// clipped is the beginning of a text that is too long for its place.
func clipped(text string, room int) string {
	r := []rune(text)
	if len(r) <= room {
		return text
	}
	return string(r[:room-1]) + "…"
}

func joined(names []string) (text string) {
	for n, name := range names {
		switch {
		case n == 0:
		case n == len(names)-1:
			text += " and "
		default:
			text += ", "
		}
		text += name
	}
	return text
}
