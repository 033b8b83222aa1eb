package control

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

// The bounds of one look at the tables.
const (
	usualEntities = 50
	mostEntities  = 200
	// looked is how many rows one call looks at, and lookedAtOnce how many of them
	// while everybody else waits.
	looked       = 50_000
	lookedAtOnce = 4_000
)

// EntityRow is one entity as it stands in a list.
type EntityRow struct {
	// Kind names its table, and Machine the state machine that moves it, empty for
	// what has no state.
	Kind    string `json:"kind" required:"true" example:"payment"`
	ID      string `json:"id" required:"true" example:"5d8c9b8e-6f0a-4a53-8d3e-6f1f0e9d8c33"`
	Machine string `json:"machine" required:"true" example:"payment"`
	Status  string `json:"status" required:"true" example:"Processing"`
	// Summary is one line that a person knows it by.
	Summary string `json:"summary" required:"true" example:"$50.00 from Pat Lee to Fit Gym: Membership for March"`
	// Amount is in cents; null where there is none.
	Amount *int64 `json:"amount" required:"true" example:"5000"`
	// Created and Changed are virtual times: when it was made, and when its status
	// last changed. Null where nobody kept it, or the tape has dropped it.
	Created *string `json:"created" required:"true" format:"date-time" example:"2026-03-02T17:00:00Z"`
	Changed *string `json:"changed" required:"true" format:"date-time" example:"2026-03-02T17:00:05Z"`
	// Relations are the entities that it names itself.
	Relations []EntityRelation `json:"relations" required:"true" nullable:"false"`
	// Console is the path of its page in the console.
	Console string `json:"console" required:"true" example:"/console/default/entities/5d8c9b8e-6f0a-4a53-8d3e-6f1f0e9d8c33"`
}

// EntityRelation is another entity, and what it is to this one.
type EntityRelation struct {
	Relation string `json:"relation" required:"true" example:"payer"`
	Kind     string `json:"kind" required:"true" example:"registration"`
	ID       string `json:"id" required:"true" example:"5f0c5b0e-3f0c-4a53-9d3e-6f1f0e9d8c33"`
}

// EntityKind is a table, and how many rows it has.
type EntityKind struct {
	Kind  string `json:"kind" required:"true" example:"payment"`
	Total int    `json:"total" required:"true" example:"120"`
}

// EntityList is a stretch of the tables, newest first within each kind.
type EntityList struct {
	Entities []EntityRow `json:"entities" required:"true" nullable:"false"`
	// Next continues behind this stretch, as after; null at the end. Rows that are
	// made meanwhile do not move it.
	Next *string `json:"next" required:"true" example:"payment.470"`
	// Searched of Total rows have been looked at, those of the stretches before this
	// one included: while Next is not null, that nothing was found does not mean that
	// there is nothing.
	Searched int `json:"searched" required:"true" example:"5000"`
	Total    int `json:"total" required:"true" example:"100000"`
	// Kinds are all tables.
	Kinds []EntityKind `json:"kinds" required:"true" nullable:"false"`
}

// rowOf shows an entity in a list.
func (x *exchange) rowOf(e *world.Entity) EntityRow {
	row := EntityRow{
		Kind: e.Kind, ID: e.ID, Machine: e.Machine, Status: e.Status, Summary: e.Summary, Amount: e.Amount,
		Relations: []EntityRelation{}, Console: consolePath(x.Param("i"), "entities", e.ID),
	}
	if e.Created != 0 {
		at := nanos(e.Created)
		row.Created, row.Changed = &at, &at
	}
	for _, r := range e.Relations {
		row.Relations = append(row.Relations, EntityRelation(r))
	}
	return row
}

func listEntities(x *exchange, i *integration.Integration) (EntityList, error) {
	q := x.asked()
	s := world.EntitySearch{Kind: q.choice("kind", world.EntityKinds()), Text: q.text("q"), Status: q.text("status")}
	kind, before := q.cursor(s.Kind)
	at, label := q.number("at"), q.text("label")
	s.Limit = q.within("limit", usualEntities, mostEntities)
	if err := q.err(); err != nil {
		return EntityList{}, err
	}
	i, done, err := x.standingAsked(i, at)
	if err != nil {
		return EntityList{}, err
	}
	defer done()
	if label != "" {
		s.Only = x.touchedBy(i, label)
	}
	kinds := world.EntityKinds()
	if s.Kind != "" {
		kinds = []string{s.Kind}
	}
	l := lookThrough{x: x, i: i, search: s, kinds: kinds, rows: looked}
	list := l.run(kind, before)
	x.dated(i, list.Entities)
	x.Look(i, func(w *world.World) {
		for _, kind := range world.EntityKinds() {
			list.Kinds = append(list.Kinds, EntityKind{kind, w.CountEntities(kind)})
		}
	})
	return list, nil
}

// touchedBy says which entities the entries with a label are about.
func (x *exchange) touchedBy(i *integration.Integration, label string) func(id string) bool {
	ids := map[string]bool{}
	for f := (tape.Filter{Label: label, Limit: tapeChunk, Bytes: chunkBytes}); ; {
		r := i.Seek(f)
		for n := range r.Entries {
			for _, id := range r.Entries[n].Entities {
				ids[id] = true
			}
		}
		if f.Since = r.Last; !r.More {
			return func(id string) bool { return ids[id] }
		}
	}
}

// cursor reads where a stretch begins: behind which row of which kind.
func (a *asked) cursor(only string) (kind string, before uint32) {
	text := a.text("after")
	if text == "" {
		return only, 0
	}
	kind, number, _ := strings.Cut(text, ".")
	n, err := strconv.ParseUint(number, 10, 32)
	if err != nil || !slices.Contains(world.EntityKinds(), kind) || only != "" && kind != only {
		a.refuse("after", quoted(text), "the next of an earlier answer to the same question", "leave after out to begin with the newest")
	}
	return kind, uint32(n)
}

// within reads a whole number from 1 to a bound.
func (a *asked) within(name string, usual, most int) int {
	n := a.number(name)
	switch {
	case n == 0:
		return usual
	case n > uint64(most): //nolint:gosec // G115: a bound
		a.refuse(name, strconv.FormatUint(n, 10), "a whole number from 1 to "+strconv.Itoa(most), "ask for the rest by after")
	}
	return int(n) //nolint:gosec // G115: at most the bound, or refused
}

// lookThrough is a look through tables, in pieces: between two of them others have
// their turn.
type lookThrough struct {
	x      *exchange
	i      *integration.Integration
	search world.EntitySearch
	kinds  []string
	// rows are how many may still be looked at.
	rows int
	list EntityList
}

func (l *lookThrough) run(kind string, before uint32) EntityList {
	l.list = EntityList{Entities: []EntityRow{}, Kinds: []EntityKind{}}
	begun, limit := kind == "" || kind == l.kinds[0], l.search.Limit
	for _, k := range l.kinds {
		var total int
		if begun = begun || k == kind; !begun || l.list.Next != nil {
			l.x.Look(l.i, func(w *world.World) { total = w.CountEntities(k) })
			if l.list.Total += total; !begun {
				l.list.Searched += total
			}
			continue
		}
		l.search.Kind, l.search.Before = k, 0
		if k == kind {
			l.search.Before = before
		}
		l.through(limit)
	}
	return l.list
}

// through looks through one table until enough is found or looked at.
func (l *lookThrough) through(limit int) {
	for {
		l.search.Limit, l.search.Rows = limit-len(l.list.Entities), min(l.rows, lookedAtOnce)
		var part world.EntityStretch
		l.x.Look(l.i, func(w *world.World) { part = w.SearchEntities(l.search) })
		l.rows -= part.Looked
		for n := range part.Found {
			l.list.Entities = append(l.list.Entities, l.x.rowOf(&part.Found[n]))
		}
		l.search.Before = part.Next
		switch enough := l.rows <= 0 || len(l.list.Entities) >= limit; {
		case part.Next == 0:
			l.list.Searched += part.Total
			l.list.Total += part.Total
			return
		case enough:
			l.list.Next = new(l.search.Kind + "." + strconv.FormatUint(uint64(part.Next), 10))
			l.list.Searched += part.Total + 1 - int(part.Next)
			l.list.Total += part.Total
			return
		}
	}
}

// dated tells when the statuses of entities last changed, as far as the tape knows.
func (x *exchange) dated(i *integration.Integration, rows []EntityRow) {
	at := map[string]int64{}
	var first int64
	for n := range rows {
		at[rows[n].ID] = 0
		if c := rows[n].Created; c != nil {
			if t, err := time.Parse(time.RFC3339Nano, *c); err == nil && (first == 0 || t.UnixNano() < first) {
				first = t.UnixNano()
			}
		}
	}
	left := len(rows)
	i.Look(tape.Filter{Kinds: []tape.Kind{tape.KindTransition}}, func(e tape.Entry) bool {
		if e.Transition == nil || len(e.Entities) == 0 {
			return true
		}
		if seen, asked := at[e.Entities[0]]; asked && seen == 0 {
			at[e.Entities[0]] = e.At
			left--
		}
		return left > 0 && e.At >= first // nothing has changed before it was made
	})
	for n := range rows {
		if t := at[rows[n].ID]; t != 0 {
			rows[n].Changed = new(nanos(t))
		}
	}
}

// consolePath is where the console shows something.
func consolePath(integration string, words ...string) string {
	return "/console/" + integration + "/" + strings.Join(words, "/")
}

func entityRoutes() []*route {
	const tag, all = "Entities", Prefix + "/integrations/{i}/entities"
	return []*route{
		row("listEntities", http.MethodGet, all, reads(listEntities), nil, EntityList{}).
			About(tag, "List what the world keeps: a table per kind, newest first, with search and paging").
			With(
				queryParam("kind", "payment", "Only entities of this kind: "+joined(world.EntityKinds())+". All when it is left out."),
				queryParam("q", "pat@example.com", "Only entities with this text, in any letter case, in an id, name, e-mail, telephone number or reference of theirs or of what they belong to."),
				queryParam("status", "Processing", "Only entities in this state."),
				queryParam("after", "payment.470", "Go on behind an earlier answer: its next."),
				queryParam("label", "team-checkout", "Only entities that entries with this Sandbox-Label are about, as far as the tape knows."),
				queryParam("at", "470", "As the world stood at this entry of the tape; now when it is left out."),
				queryParam("limit", "50", "At most so many, "+strconv.Itoa(mostEntities)+" at most; "+strconv.Itoa(usualEntities)+" when it is left out."),
			).Fails(steps...),
		row("readEntity", http.MethodGet, all+"/{id}", reads(readEntity), nil, EntityView{}).
			About(tag, "Get an entity with its history, the moves that are possible now, and all that belongs to it").
			With(queryParam("at", "470", "As the world stood at this entry of the tape; now when it is left out.")).Fails(steps...),
	}
}
