package trail

import (
	"bytes"
	"net/http"

	"paysandbox/mockserver/tape"
)

// Past is what has happened on a tape up to somewhere, by the numbers of the
// last entries.
type Past struct {
	// Moved is the last change or event about each entity, changed of any.
	Moved   map[string]uint64
	Changed uint64
	// Wrote is the last call of the partner that has changed something.
	Wrote uint64
	// acted is the last of these about each entity, refused the last that was refused.
	acted, refused map[string]uint64
	// Asked is the last visit of a payer, or note that one came back or that a task
	// was given: reasons to look at a state.
	Asked uint64
}

// see goes on to the next entry.
func (p *Past) see(t *Trail, e *tape.Entry) {
	switch {
	case e.Transition != nil, e.Event != nil, e.Attempt != nil:
		p.Changed = e.Seq
		for _, id := range e.Entities {
			p.Moved[id] = e.Seq
		}
		if e.Transition != nil { // companies are read by the partner's own names for them
			p.Moved[e.Transition.Machine] = e.Seq
		}
		if e.Attempt != nil { // which names its event alone
			p.Moved[t.DeliveryBy(e).About()] = e.Seq
		}
	case e.Kind == tape.KindPage, Noted(e, NoteRedirect), Noted(e, NoteTask):
		p.Asked = e.Seq
	case e.Kind == tape.KindExchange && e.Exchange != nil && e.Exchange.Method != http.MethodGet && !OperationOf(e.Exchange).Token:
		p.write(t, e)
	}
}

// write goes on over a call that is to change something.
func (p *Past) write(t *Trail, e *tape.Entry) {
	if !Served(e.Exchange) {
		for _, id := range e.Entities {
			p.refused[id] = e.Seq
		}
		return
	}
	p.Wrote = e.Seq
	payer, _ := t.PayerOf(e.Exchange)
	for _, id := range append([]string{payer}, e.Entities...) {
		p.acted[id] = e.Seq
	}
}

// Noted says whether an entry is a note of a kind, as far as a glance tells.
func Noted(e *tape.Entry, kind string) bool {
	return e.Kind == tape.KindControl && e.Exchange != nil && e.Exchange.Operation == noteOperation &&
		bytes.Contains(e.Exchange.Request.Body, []byte(`"`+kind+`"`))
}

// Touched is the last change or event about an entity of a call.
func (p *Past) Touched(e *tape.Entry) uint64 { return latest(p.Moved, e) }

// Acted is the last call of the partner that has changed something about an entity of
// a call.
func (p *Past) Acted(e *tape.Entry) uint64 { return latest(p.acted, e) }

// Refused is the last call of the partner that was to change something about an entity of a
// call and did not: a reason to look at its state.
func (p *Past) Refused(e *tape.Entry) uint64 { return latest(p.refused, e) }

func latest(of map[string]uint64, e *tape.Entry) uint64 {
	var last uint64
	for _, id := range e.Entities {
		last = max(last, of[id])
	}
	return last
}

// Replay walks the calls, each with what has happened before it.
func (t *Trail) Replay(visit func(c *Call, p *Past)) {
	list := t.Calls()
	p := Past{Moved: map[string]uint64{}, acted: map[string]uint64{}, refused: map[string]uint64{}}
	n := 0
	for i := range t.Entries {
		if e := &t.Entries[i]; n < len(list) && list[n].Entry == e {
			visit(list[n], &p)
			n++
		}
		p.see(t, &t.Entries[i])
	}
}
