package tapes

import (
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"slices"
	"time"

	"paysandbox/harness/trail/told"
	"paysandbox/mockserver/console/archive"
	"paysandbox/mockserver/console/feed"
	"paysandbox/mockserver/console/readiness"
	"paysandbox/mockserver/control"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/theme"
)

//go:embed page.html
var pageText string

//go:embed page.js
var pageScript string

//go:embed page.css
var pageStyle string

// The bounds of a page.
const (
	// MostShown is how many entries a page shows unless it is told otherwise.
	MostShown = 2_000
	// mostBytes bounds the texts of all entries of a page, and mostText one of them.
	mostBytes = 24 << 20
	mostText  = 16 << 10
	// mostThings bounds the entities of a page, and mostMoves the steps of all of them.
	mostThings = 2_000
	mostMoves  = 20_000
	// mostMails bounds its messages, and mostSent its deliveries.
	mostMails = 500
	mostSent  = 500
)

// Page is a tape as one file that a browser shows without anything else.
type Page struct {
	// Name is the file's, Head tells what the tape is.
	Name, Head string
	// LeftOut says what is not on the page; empty when everything is.
	LeftOut string
	Live    []Shown
	Things  []Thing
	// Mails are the messages that people were sent, and Sent the events with their attempts
	// at each endpoint, newest first.
	Mails []Mail
	Sent  []feed.Sent
	// Archive is what the tape tells of endpoints, trouble and the clock; Meta and Choices
	// are what it was made from.
	Archive *archive.Archive
	Meta    tape.Meta
	Choices []archive.Choice
	// Readiness is the verdict; nil with Unjudged, which says why there is none.
	Readiness *readiness.Verdict
	Unjudged  string

	Style  template.CSS
	Script template.JS
}

// Shown is an entry on a page.
type Shown struct {
	Seq              uint64
	Day, Time        string
	Mark, Text, Note string
	Kind, Tone       string
	// Label is what the caller named itself by, as it is shown.
	Label    string
	Sections []told.Section
}

// Mail is a message as its reader got it.
type Mail struct {
	control.Letter
	Seq             uint64
	At, Channel, To string
}

// Thing is an entity as the tape tells it.
type Thing struct {
	ID, Machine, Status string
	First, Last         uint64
	Moves               []ThingMove
	// Left is how many of its first moves are left out.
	Left int
}

// ThingMove is a step that an entity has taken.
type ThingMove struct {
	Seq                           uint64
	Time, From, To, Event, Reason string
}

// tones are the colours of outcomes.
var tones = map[told.Outcome]string{told.Aside: "plain", told.Good: "good", told.Warned: "warn", told.Bad: "bad"}

// NewPage lays a tape out: of the chosen entries at most so many, what failed before
// what went well and what is newer before what is older, told in order.
func NewPage(name string, t *Tape, chosen []*tape.Entry, most int) *Page {
	p := &Page{
		Name: name, Head: t.Head(), Style: theme.Style() + template.CSS(pageStyle), Script: template.JS(pageScript), //nolint:gosec // G203: embedded files.
	}
	p.Live = t.live(chosen, most)
	p.Archive, p.Meta, p.Choices = archive.Of(&t.Meta, t.Entries), t.Meta, archive.Choices(t.Meta.Latitude)
	var left int
	if p.Mails, left = mails(t.Entries); left > 0 {
		p.LeftOut += leftOut(left, "message", "messages") + ". "
	}
	if p.Sent, left = deliveries(t.Entries); left > 0 {
		p.LeftOut += leftOut(left, "delivery", "deliveries") + ". "
	}
	if p.Things, left = things(t.Entries); left > 0 {
		p.LeftOut += leftOut(left, "entity", "entities") + ". "
	}
	if n := len(t.Entries) - len(p.Live); n > 0 {
		p.LeftOut += fmt.Sprintf("%d of the file's %d entries are on this page, %s", len(p.Live), len(t.Entries), leftOut(n, "other", "others"))
		if len(p.Live) < len(chosen) {
			p.LeftOut += ": what failed comes first, then what is newest; choose with --since, --until, --entity, --label or --failed, or show more with --most"
		} else {
			p.LeftOut += " because they were not chosen"
		}
		p.LeftOut += "."
	}
	return p
}

// leftOut says how many are not on the page.
func leftOut(n int, one, many string) string {
	if n == 1 {
		return "1 " + one + " is left out"
	}
	return fmt.Sprintf("%d %s are left out", n, many)
}

// live lays out what [pick] takes, the first of it until its texts are too many bytes, in
// the order of the tape; a day stands with its first entry.
func (t *Tape) live(chosen []*tape.Entry, most int) []Shown {
	var list []Shown
	var bytes int
	for _, e := range pick(chosen, most) {
		if bytes > mostBytes {
			break
		}
		s := t.shown(e)
		for n := range s.Sections {
			bytes += len(s.Sections[n].Text)
		}
		list = append(list, s)
	}
	slices.SortFunc(list, func(a, b Shown) int { return cmp.Compare(a.Seq, b.Seq) })
	day := ""
	for n := range list {
		if list[n].Day == day {
			list[n].Day = ""
		} else {
			day = list[n].Day
		}
	}
	return list
}

// pick takes at most so many entries, those first that are shown rather than others: the
// newest that failed, as half of them, then the newest.
func pick(chosen []*tape.Entry, most int) []*tape.Entry {
	taken := make([]bool, len(chosen))
	list := make([]*tape.Entry, 0, min(most, len(chosen)))
	for _, bad := range []bool{true, false} {
		room := most - len(list)
		if bad {
			room /= 2
		}
		for n := len(chosen) - 1; n >= 0 && room > 0; n-- {
			if !taken[n] && (!bad || told.Every(chosen[n]).Outcome == told.Bad) {
				taken[n] = true
				room--
				list = append(list, chosen[n])
			}
		}
	}
	return list
}

// shown is an entry without what led to it and what followed: on a page those are
// links away, and looking for them would take long.
func (t *Tape) shown(e *tape.Entry) Shown {
	l := t.Line(e)
	s := Shown{
		Seq: e.Seq, Day: l.At.Format("Monday, 2 January 2006"), Time: l.At.Format(time.TimeOnly), Mark: l.Mark, Text: told.Clean(l.Text), Note: told.Clean(l.Note),
		Kind: e.Kind.String(), Tone: tones[l.Outcome], Label: told.Clean(feed.Tag(e.Label)),
	}
	alone := Tape{}
	for _, one := range alone.Full(e)[1:] {
		if one.Heading == "Because of" {
			one.Text = fmt.Sprintf("#%d", e.Cause)
		}
		if len(one.Text) > mostText {
			one.Text = one.Text[:mostText] + fmt.Sprintf("\n… %d bytes more", len(one.Text)-mostText)
		}
		s.Sections = append(s.Sections, one)
	}
	return s
}

// When writes a moment, given in unix nanoseconds.
func When(nanos int64) string { return time.Unix(0, nanos).UTC().Format(time.DateTime) }

// When is the package's.
func (p *Page) When(nanos int64) string { return When(nanos) }

// Link is an entry's number, and whether it is on the page.
type Link struct {
	Seq   uint64
	Shown bool
}

// End is where the clock stood at the end of the tape.
func (p *Page) End() time.Time { return time.Unix(0, p.Archive.Clock.Stood) }

// Links are entries' numbers, each leading to its entry where that is on the page.
func (p *Page) Links(numbers ...uint64) (list []Link) {
	for _, seq := range numbers {
		list = append(list, Link{seq, p.Shows(seq)})
	}
	return list
}

// Has says whether an entity is on the page.
func (p *Page) Has(id string) bool {
	return slices.ContainsFunc(p.Things, func(t Thing) bool { return t.ID == id })
}

// Shows says whether an entry is on the page.
func (p *Page) Shows(seq uint64) bool {
	_, found := slices.BinarySearchFunc(p.Live, seq, func(s Shown, seq uint64) int {
		switch {
		case s.Seq < seq:
			return -1
		case s.Seq > seq:
			return 1
		default:
			return 0
		}
	})
	return found
}

// Write writes the page.
func (p *Page) Write(w io.Writer) error {
	t, err := template.New("page").Parse(pageText)
	if err != nil {
		return err
	}
	return t.Execute(w, p)
}
