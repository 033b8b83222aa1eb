package told

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"paysandbox/mockserver/tape"
)

// Every is an entry in one line; here every entry has one, see [Of].
func Every(e *tape.Entry) Line {
	l, is := Of(e)
	if is {
		return l
	}
	l = Line{At: time.Unix(0, e.At).UTC(), Seq: e.Seq, Kind: e.Kind, Label: e.Label, Mark: "·", Outcome: Aside}
	switch t := e.Transition; {
	case e.Omitted > 0:
		l.Text = e.Kind.String() + " of " + strconv.FormatInt(e.Omitted, 10) + " bytes, too large for the tape"
	case t != nil:
		l.Text, l.Note = t.Machine+" "+t.Entity+" "+strings.TrimPrefix(t.From+" → "+t.To, " → "), strings.TrimSuffix(t.Event+": "+t.Reason, ": ")
	case e.Timer != nil:
		l.Text = "timer " + e.Timer.Name
		if len(e.Entities) > 0 {
			l.Note = e.Entities[0]
		}
	case len(e.Findings) > 0:
		l.Text, l.Outcome = "finding "+e.Findings[0].Clause, Warned
		l.Note = strings.TrimPrefix(e.Findings[0].Pointer+": "+e.Findings[0].Expected, ": ") + more(e.Findings)
	case e.Fetch != nil:
		l.Text = "GET " + e.Fetch.URL + " " + strconv.Itoa(e.Fetch.Status)
	default:
		l.Text = e.Kind.String()
	}
	return l
}

// Says is an entry in one line, with its number and time.
func Says(e *tape.Entry) string {
	l := Every(e)
	return Clean(strings.TrimSpace(fmt.Sprintf("#%d %s %s %s %s %s", e.Seq, l.At.Format(time.RFC3339Nano), e.Kind, l.Mark, l.Text, l.Note)))
}

// Clean takes out of a text what a terminal would act upon.
func Clean(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' {
			return r
		}
		if r < ' ' || r >= 0x7f && r < 0xa0 || slices.Contains([]rune{0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069}, r) {
			return '\uFFFD'
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
}
