package console

import (
	"cmp"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"paysandbox/mockserver/console/feed"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/tape"
)

// problemRow is a group with the addresses that it leads to.
type problemRow struct {
	feed.Group
	// All leads to its entries.
	All string
}

// problemsPage is what the screen Problems shows.
type problemsPage struct {
	feed.Problems
	Rows []problemRow
	// Clause is set when the problems of one clause are shown, and Says is its title.
	Clause, Says string
	// Text is what is searched for, Tone is bad or warn where only these are shown, and
	// Still says that only what goes on is.
	Text  string
	Tone  feed.Outcome
	Still bool
	// Quiet says that nothing has happened at all.
	Quiet bool
	// Strangers counts the calls of nobody that are on no tape.
	Strangers int
}

// problems shows what went wrong, by what it has in common.
func (v *visit) problems() { v.problemsOf("") }

// clause shows what went wrong with one clause.
func (v *visit) clause() { v.problemsOf(v.r.PathValue("clause")) }

func (v *visit) problemsOf(clause string) {
	title := "Problems"
	if clause != "" {
		title = "Clause " + clause
	}
	v.open("problems", title)
	q := v.r.URL.Query()
	text := feed.ParseQuery(url.Values{"q": q["q"]}).Text
	p := problemsPage{Problems: v.allProblems(text), Clause: clause, Text: text, Tone: feed.Outcome(q.Get("outcome")), Still: q.Get("still") != ""}
	p.Says = strings.TrimPrefix(v.console.opts.Titles.Of(clause), clause) // nothing where it has no title
	_, last := v.from.Bounds()
	p.Quiet = last == 0
	if v.on != nil {
		calls, _ := v.console.opts.Registry.Strangers().Entries()
		p.Strangers = len(calls)
	}
	for _, g := range p.Groups {
		if clause != "" && g.Clause != clause || p.Tone != "" && g.Outcome != p.Tone || p.Still && !g.Goes {
			continue
		}
		q := feed.Query{Label: v.frame.Label, Operation: cmp.Or(g.Operation, feed.NoOperation), Client: g.Client, Clause: g.Clause, Outcome: g.Outcome}
		if g.Kind == "answer" {
			q.Kinds, q.Answer = []tape.Kind{tape.KindExchange}, g.Last.Badge
		}
		if g.Kind == "delivery" {
			q = feed.Query{Label: v.frame.Label, Kinds: []tape.Kind{tape.KindAttempt}, Outcome: feed.Bad, Operation: g.Operation, Answer: g.Last.Badge, Text: g.Why}
		}
		if g.Kind == "warning" {
			q = feed.Query{Label: v.frame.Label, Kinds: []tape.Kind{tape.KindFinding}, Clause: g.Clause}
		}
		if g.Kind == feed.Stuck {
			q = feed.Query{Label: v.frame.Label, Kinds: []tape.Kind{tape.KindAttempt}, Operation: g.Operation, Outcome: feed.Bad}
			if g.Last.Kind == tape.KindTransition.String() {
				q = feed.Query{Label: v.frame.Label, Kinds: []tape.Kind{tape.KindTransition}, Entity: g.Last.Entity}
			}
		}
		p.Rows = append(p.Rows, problemRow{g, v.root() + "/live?" + q.Values().Encode()})
	}
	v.show(http.StatusOK, "problems", &p)
}

// allProblems are those of an integration, or of a file, in which a text stands.
func (v *visit) allProblems(text string) feed.Problems {
	book, life := (*problemBook)(nil), uint64(0)
	if f, ok := v.from.(*opened); ok {
		book = &f.book
	} else {
		book, life = v.console.problems.of(v.console.opts.Registry, v.on), v.on.Life()
	}
	return book.part(v.frame.Label, text).read(v.from, life, v.console.opts.Titles)
}

// problemBooks keep what has been read of each tape for its problems, so that a look
// reads what is new alone.
type problemBooks struct {
	mu    sync.Mutex
	books map[*integration.Integration]*problemBook
}

// of gives the book of an integration; those of integrations that are gone are let go.
func (b *problemBooks) of(all *integration.Registry, i *integration.Integration) *problemBook {
	b.mu.Lock()
	defer b.mu.Unlock()
	maps.DeleteFunc(b.books, func(i *integration.Integration, _ *problemBook) bool { return all.Get(i.ID) != i })
	if b.books == nil {
		b.books = map[*integration.Integration]*problemBook{}
	}
	if b.books[i] == nil {
		b.books[i] = &problemBook{}
	}
	return b.books[i]
}

// problemBook is how far one tape has been read.
type problemBook struct {
	mu     sync.Mutex
	sorter *feed.Sorter
	upTo   uint64
	life   uint64
	// label is whose entries are read, "" for everybody's, and text what has to stand in
	// them. parts are the books of labels and texts.
	label, text string
	parts       map[[2]string]*problemBook
}

// maxParts bounds the labels and texts whose problems are kept apart.
const maxParts = 16

// part is the book of a label and a text alone.
func (b *problemBook) part(label, text string) *problemBook {
	if label == "" && text == "" {
		return b
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	name := [2]string{label, text}
	if b.parts == nil || b.parts[name] == nil && len(b.parts) >= maxParts {
		b.parts = map[[2]string]*problemBook{}
	}
	if b.parts[name] == nil {
		b.parts[name] = &problemBook{label: label, text: text}
	}
	return b.parts[name]
}

// readFor is how long one look reads what is new, and readAtOnce how many entries
// of it while nobody looks at the time.
const (
	readFor    = 40 * time.Millisecond
	readAtOnce = 500
)

// read takes in what is new on a tape and gives its problems. A long tape takes
// several looks: Ahead is what is left for them.
func (b *problemBook) read(t feed.Tape, life uint64, titles feed.Titles) feed.Problems {
	b.mu.Lock()
	defer b.mu.Unlock()
	first, last := t.Bounds()
	if b.sorter == nil || b.upTo > last || b.life != life {
		b.sorter, b.upTo, b.life = feed.NewSorter(b.text, titles), 0, life
	}
	for begun := integration.Wall(); b.upTo < last && integration.Wall().Sub(begun) < readFor; {
		entries := t.Read(tape.Filter{Since: b.upTo, Limit: readAtOnce})
		if len(entries) == 0 {
			break
		}
		for n := range entries {
			if b.label == "" || entries[n].Label == b.label {
				b.sorter.Add(&entries[n])
			}
			b.upTo = entries[n].Seq
		}
	}
	p := b.sorter.Problems()
	p.Dropped, p.Ahead = max(first, 1)-1, last-min(b.upTo, last)
	return p
}
