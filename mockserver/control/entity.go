package control

import (
	"net/http"
	"strings"

	"paysandbox/mockserver/delivery"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/wire"
	"paysandbox/mockserver/world"
)

// The bounds of what is told of one entity.
const (
	// relatedOfKind is how many of a kind are told that name the entity, and
	// relatedRows how many of the newest rows of a kind are looked at for them.
	relatedOfKind = 20
	relatedRows   = 5_000
	// toldEntries is how many of its newest tape numbers are told, and toldEvents of
	// how many of its newest events the deliveries.
	toldEntries = 1_000
	toldEvents  = 20
)

// EntityView is one entity with all that belongs to it.
type EntityView struct {
	EntityRow
	// Facts are what else is known of it, in a fixed order.
	Facts []EntityFact `json:"facts" required:"true" nullable:"false"`
	// Page is the address of the hosted page on which its payer answers; null where
	// there is none.
	Page *string `json:"page" required:"true" format:"uri" example:"http://127.0.0.1:8484/pages/default/pay/5d8c9b8e-6f0a-4a53-8d3e-6f1f0e9d8c33"`
	// Visited are the steps that it has taken, oldest first, as far as the tape knows.
	Visited []VisitedMove `json:"visited" required:"true" nullable:"false"`
	// Moves are the steps that its state admits, in the order of its machine.
	Moves []PossibleMove `json:"moves" required:"true" nullable:"false"`
	// Related are the entities that it names, and the newest of each kind that name it.
	Related []EntityRow `json:"related" required:"true" nullable:"false"`
	// Deliveries are those of its newest events, and Messages what people were sent
	// about it.
	Deliveries []Delivery `json:"deliveries" required:"true" nullable:"false"`
	Messages   []Message  `json:"messages" required:"true" nullable:"false"`
	// Entries are the numbers of its newest entries on the tape, oldest first; Omitted
	// counts those before them.
	Entries []uint64 `json:"entries" required:"true" nullable:"false" example:"[12,15,19]"`
	Omitted int      `json:"omitted" required:"true" example:"0"`
	// Gap is the stretch of the tape that has been dropped. Null when nothing is.
	Gap *Gap `json:"gap" required:"true"`
}

// EntityFact is one member of an entity.
type EntityFact struct {
	Name  string `json:"name" required:"true" example:"refundedAmount"`
	Value string `json:"value" required:"true" example:"0"`
}

// VisitedMove is a step that an entity has taken.
type VisitedMove struct {
	Seq    uint64 `json:"seq" required:"true" example:"17"`
	Cause  uint64 `json:"cause" required:"true" example:"16"`
	At     string `json:"at" required:"true" format:"date-time" example:"2026-03-02T17:00:05Z"`
	Event  string `json:"event" required:"true" example:"approve"`
	From   string `json:"from" required:"true" example:"Pending"`
	To     string `json:"to" required:"true" example:"Processing"`
	Reason string `json:"reason" required:"true" example:"the payer approved"`
}

// PossibleMove is a step that the present state admits.
type PossibleMove struct {
	Event string `json:"event" required:"true" example:"approve"`
	To    string `json:"to" required:"true" example:"Processing"`
	// Method, Path and Body are the control call that takes it; Path is empty where
	// time or the partner takes it, and Body where nothing need be sent.
	Method string `json:"method" required:"true" example:"POST"`
	Path   string `json:"path" required:"true" example:"/_sandbox/integrations/default/payments/5d8c9b8e-6f0a-4a53-8d3e-6f1f0e9d8c33/approve"`
	Body   string `json:"body" required:"true" example:"{}"`
}

func readEntity(x *exchange, i *integration.Integration) (EntityView, error) {
	q := x.asked()
	at := q.number("at")
	if err := q.err(); err != nil {
		return EntityView{}, err
	}
	i, done, err := x.standingAsked(i, at)
	if err != nil {
		return EntityView{}, err
	}
	defer done()
	id := x.entityID(i, x.Param("id"))
	var e world.Entity
	var found bool
	var related []world.Entity
	x.Look(i, func(w *world.World) {
		if e, found = findEntity(w, id); found {
			related = relatedTo(w, &e)
		}
	})
	if !found {
		return EntityView{}, &kernel.Error{Code: kernel.NotFound, Detail: "no entity has the id " + id + "; " + Prefix + "/integrations/" + x.Param("i") + "/entities?q= searches"}
	}
	v := EntityView{
		EntityRow: x.rowOf(&e), Facts: []EntityFact{}, Page: x.pageOf(&e), Visited: []VisitedMove{}, Moves: x.movesOf(&e),
		Related: []EntityRow{}, Deliveries: []Delivery{}, Messages: []Message{}, Entries: []uint64{},
	}
	for _, f := range e.Facts {
		v.Facts = append(v.Facts, EntityFact(f))
	}
	for n := range related {
		v.Related = append(v.Related, x.rowOf(&related[n]))
	}
	v.history(x, i)
	return v, nil
}

// findEntity gives a webhook endpoint, too, which is no row of a table.
func findEntity(w *world.World, id string) (world.Entity, bool) {
	if e, ok := w.FindEntity(id); ok {
		return e, true
	}
	for _, v := range w.Webhooks().List() {
		if strings.EqualFold(v.ID, id) {
			m := &delivery.EndpointMachine
			state, _ := m.StateNamed(v.Status)
			return world.Entity{
				Kind: "webhook-endpoint", ID: v.ID, Machine: m.Name, Status: v.Status, Summary: v.URL, Legal: m.Legal(state),
				Facts: []world.EntityFact{{Name: "events", Value: joined(v.Events)}, {Name: "profile", Value: v.Profile}},
			}, true
		}
	}
	return world.Entity{}, false
}

// relatedTo gives the entities that one names, and the newest of each kind that
// name it.
func relatedTo(w *world.World, e *world.Entity) []world.Entity {
	var list []world.Entity
	for _, r := range e.Relations {
		if other, ok := w.FindEntity(r.ID); ok {
			list = append(list, other)
		}
	}
	for _, kind := range world.EntityKinds() {
		s := world.EntitySearch{Kind: kind, Text: e.ID, Limit: relatedOfKind + 1, Rows: relatedRows}
		n := 0
		for _, other := range w.SearchEntities(s).Found {
			if other.ID != e.ID && n < relatedOfKind {
				list = append(list, other)
				n++
			}
		}
	}
	return list
}

func (x *exchange) pageOf(e *world.Entity) *string {
	if e.Page == "" {
		return nil
	}
	return new(wire.PageBase(x.Req, x.Param("i")) + "/" + e.Page + "/" + e.ID)
}

// movesOf are the steps that a state admits, as control calls.
func (x *exchange) movesOf(e *world.Entity) []PossibleMove {
	list := []PossibleMove{}
	for _, m := range world.Machines() {
		if m.Name != e.Machine {
			continue
		}
		state, _ := m.StateNamed(e.Status)
		for _, event := range e.Legal {
			mv, _ := m.Find(state, event)
			move := PossibleMove{Event: event, To: m.States[mv.To], Method: http.MethodPost}
			if a, ok := actionFor(m.Name, event); ok {
				move.Path, move.Body = a.path(x.Param("i"), e.ID, event), a.body
			}
			list = append(list, move)
		}
	}
	return list
}

// history reads what the tape has about the entity.
func (v *EntityView) history(x *exchange, i *integration.Integration) {
	ctx, cancel := x.waiting(0)
	defer cancel()
	r := i.Read(ctx, tape.Filter{Entity: v.ID})
	v.Gap = gapOf(r.Gap)
	var events []tape.Entry
	for n := range r.Entries {
		e := &r.Entries[n]
		v.Entries = append(v.Entries, e.Seq)
		switch t := e.Transition; {
		case t != nil && t.Entity == v.ID:
			v.Visited = append(v.Visited, VisitedMove{e.Seq, e.Cause, nanos(e.At), t.Event, t.From, t.To, t.Reason})
			v.Changed = new(nanos(e.At))
		case e.Message != nil:
			v.Messages = append(v.Messages, messageView(e))
		case e.Event != nil:
			events = append(events, *e)
		}
	}
	if v.Omitted = max(0, len(v.Entries)-toldEntries); v.Omitted > 0 {
		v.Entries = v.Entries[v.Omitted:]
	}
	v.deliveries(x, i, events[max(0, len(events)-toldEvents):])
}

// deliveries are those of some events.
func (v *EntityView) deliveries(x *exchange, i *integration.Integration, events []tape.Entry) {
	ctx, cancel := x.waiting(0)
	defer cancel()
	l := x.newLedger()
	for n := range events {
		l.take(&events[n])
		r := i.Read(ctx, tape.Filter{Kinds: []tape.Kind{tape.KindAttempt}, Entity: events[n].Event.ID})
		for k := range r.Entries {
			l.take(&r.Entries[k])
		}
	}
	l.waits(i, func(p *delivery.Pending) bool { return p.Entity == v.ID })
	for _, d := range l.deliveries {
		v.Deliveries = append(v.Deliveries, *d)
	}
}
