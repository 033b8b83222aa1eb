package prelude

import (
	"fmt"
	"strconv"
	"strings"
)

// noteOf notes what is so of a call, from 0, together with the calls before it of which it is so.
func (b *builder) noteOf(before, behind string, n int) {
	list := b.noted[before+behind]
	if list == nil {
		list = &notedCalls{at: len(b.notes)}
		b.noted[before+behind] = list
		b.notes = append(b.notes, "")
	}
	list.calls = append(list.calls, strconv.Itoa(n+1))
	text := "call " + list.calls[0]
	if all := len(list.calls); all > mostNamed {
		text = fmt.Sprintf("calls %s and %d more", strings.Join(list.calls[:mostNamed], ", "), all-mostNamed)
	} else if all > 1 {
		text = "calls " + strings.Join(list.calls[:all-1], ", ") + " and " + list.calls[all-1]
	}
	b.notes[list.at] = before + " " + text + behind
}

// mostNamed is how many calls a note names.
const mostNamed = 8

// notedCalls are the calls of one note, which is the one at a place.
type notedCalls struct {
	at    int
	calls []string
}
