package world

import (
	"bytes"
	"strings"

	"github.com/google/uuid"

	"paysandbox/mockserver/kernel"
)

// Entity is one thing that a world keeps, as somebody who looks is shown it.
type Entity struct {
	// Kind names its table, and Machine what moves it; empty for what has no state.
	Kind, Machine string
	// Page is the kind of its hosted page, "" for none.
	Page string
	// ID is as the API writes it, Status the name of its state, "" for none, and
	// Summary one line that a person knows it by.
	ID, Status, Summary string
	// Legal are the events that its state admits.
	Legal []string
	// Amount is in cents, nil where there is none.
	Amount *int64
	// Created is in nanoseconds since 1970 UTC, 0 where nobody kept it.
	Created int64
	// Relations are the entities that it names itself.
	Relations []EntityRelation
	// Facts are what else is known, in a fixed order.
	Facts []EntityFact
}

// EntityRelation is another entity, and what it is to this one.
type EntityRelation struct{ Relation, Kind, ID string }

// EntityFact is one member of an entity. A text that is empty is left out.
type EntityFact struct{ Name, Value string }

// EntitySearch asks for a stretch of one table, newest first.
type EntitySearch struct {
	// Kind is one of EntityKinds.
	Kind string
	// Text, in any letter case, must stand in an id, name, e-mail, telephone number
	// or reference of the entity, or of what it belongs to; empty takes all.
	Text string
	// Status is the name of a state; empty takes all.
	Status string
	// Only takes those whose id it says yes to; nil takes all.
	Only func(id string) bool
	// Before is the row behind which the stretch begins; 0 begins with the newest.
	Before uint32
	// Limit is how many are wanted, and Rows how many are looked at.
	Limit, Rows int
}

// EntityStretch is what a search has found.
type EntityStretch struct {
	Found []Entity
	// Next is where to go on, as Before; 0 when the table has been looked through.
	Next uint32
	// Looked counts the rows that were looked at, Total those of the table.
	Looked, Total int
}

// entityTable is how one kind of entity is looked at.
type entityTable struct {
	kind, page string
	// created is when the link to the page of a row was made.
	created   func(w *World, n uint32) int64
	uncounted bool
	// rows is how many there are, and find the row of an id.
	rows func(w *World) uint32
	find func(w *World, id uuid.UUID) uint32
	// id and status are those of a row, text is what a search reads of it, and view
	// all of it.
	id     func(w *World, n uint32) uuid.UUID
	status func(w *World, n uint32) string
	text   func(w *World, n uint32, into []byte) []byte
	view   func(w *World, n uint32) Entity
}

// EntityKinds lists the kinds, in the order of the specification's resources.
func EntityKinds() []string {
	kinds := make([]string, 0, len(entityTables))
	for n := range entityTables {
		kinds = append(kinds, entityTables[n].kind)
	}
	return kinds
}

// Entities is how many things the world keeps.
func (w *World) Entities() int {
	total := 0
	for _, rows := range countedRows {
		total += int(rows(w))
	}
	return total
}

// countedRows count the kinds that are counted: each call asks how many there are.
var countedRows = func() (list []func(*World) uint32) {
	for i := range entityTables {
		if t := &entityTables[i]; !t.uncounted {
			list = append(list, t.rows)
		}
	}
	return list
}()

// CountEntities is how many there are of a kind; 0 for what is no kind.
func (w *World) CountEntities(kind string) int {
	if t := tableOf(kind); t != nil {
		return int(t.rows(w))
	}
	return 0
}

func tableOf(kind string) *entityTable {
	for n := range entityTables {
		if entityTables[n].kind == kind {
			return &entityTables[n]
		}
	}
	return nil
}

// SearchEntities looks through a table from its newest row on. What is no kind has
// nothing.
func (w *World) SearchEntities(s EntitySearch) EntityStretch {
	t := tableOf(s.Kind)
	if t == nil {
		return EntityStretch{}
	}
	out := EntityStretch{Total: int(t.rows(w))}
	n := t.rows(w) + 1
	if s.Before > 0 {
		n = min(n, s.Before)
	}
	want := []byte(strings.ToLower(s.Text))
	var scratch []byte
	for n > 1 && len(out.Found) < s.Limit && out.Looked < s.Rows {
		n--
		out.Looked++
		if s.Status != "" && t.status(w, n) != s.Status || s.Only != nil && !s.Only(t.id(w, n).String()) {
			continue
		}
		if len(want) > 0 {
			scratch = t.text(w, n, appendID(scratch[:0], t.id(w, n)))
			if !bytes.Contains(lowered(scratch), want) {
				continue
			}
		}
		out.Found = append(out.Found, t.view(w, n))
	}
	if n > 1 {
		out.Next = n
	}
	return out
}

// FindEntity gives the entity with an id, whatever its kind; false when there is
// none.
func (w *World) FindEntity(id string) (Entity, bool) {
	key, ok := parseMethodID(id)
	if !ok {
		if key, ok = kernel.ParseID(id); !ok {
			return Entity{}, false
		}
	}
	for i := range entityTables {
		if n := entityTables[i].find(w, key); n != 0 {
			return entityTables[i].view(w, n), true
		}
	}
	return Entity{}, false
}

// appendID writes an id and a space.
func appendID(b []byte, id uuid.UUID) []byte {
	const hex = "0123456789abcdef"
	for n, c := range id {
		if n == 4 || n == 6 || n == 8 || n == 10 {
			b = append(b, '-')
		}
		b = append(b, hex[c>>4], hex[c&15])
	}
	return append(b, ' ')
}

// appendTexts writes kept texts, each with a space behind it.
func (w *World) appendTexts(b []byte, texts ...kernel.Text) []byte {
	for _, t := range texts {
		b = append(append(b, w.texts.Bytes(t)...), ' ')
	}
	return b
}

// lowered is a text in lower case, in the same memory where it is plain.
func lowered(b []byte) []byte {
	for n, c := range b {
		switch {
		case c >= 0x80:
			return bytes.ToLower(b)
		case 'A' <= c && c <= 'Z':
			b[n] = c | 0x20
		}
	}
	return b
}
