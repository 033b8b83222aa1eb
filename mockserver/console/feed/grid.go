package feed

import (
	"slices"
	"strconv"
	"strings"

	"paysandbox/mockserver/tape"
)

// The states of a delivery.
const (
	StateArrived = "delivered"
	StateWaiting = "waiting"
	StateFailing = "failing"
	StateGivenUp = "given-up"
)

// leftOut is the place of a delivery that is not in a grid.
const leftOut = -1

// MaxDots bounds the attempts that are kept of one delivery, the newest.
const MaxDots = 100

// Sent is one event on its way to one endpoint, with its attempts, as the tape tells them.
type Sent struct {
	Delivery, Endpoint, URL, Event, EventID, Entity, Status, Label string
	// First is the number of the event, or of the oldest attempt that is known.
	First uint64
	// Dots are the newest attempts, oldest first; Earlier counts those before them.
	Dots    []Dot
	Earlier int
	// State is one of the states of a delivery; Note says why.
	State, Note string
	Tone        Outcome
	// Found says that the event or an attempt has the text that is searched for.
	Found bool
}

// Dot is one attempt in a grid.
type Dot struct {
	Seq     uint64
	Label   string
	Outcome Outcome
}

// Name is what a delivery is known by.
func (s *Sent) Name() string {
	return strings.TrimSpace(s.Event + " " + s.Status + " #" + strconv.FormatUint(s.First, 10) + " to " + s.URL)
}

// Grid groups attempts by delivery, newest first. It takes events and attempts from the
// newest to the oldest.
type Grid struct {
	// Text is what is searched for.
	Text Query
	// Most bounds the deliveries, 0 does not; Left counts those that are left out by it.
	Most, Left int
	// Order are the deliveries, Attempts counts what was taken of them.
	Order    []*Sent
	Attempts int
	byID     map[string]int
	events   map[string]*tape.Entry
}

// Take takes in one entry.
func (g *Grid) Take(e *tape.Entry) {
	if g.byID == nil {
		g.byID, g.events = map[string]int{}, map[string]*tape.Entry{}
	}
	if e.Event != nil {
		g.events[e.Event.ID] = e
		return
	}
	a := e.Attempt
	if a == nil {
		return
	}
	g.Attempts++
	n, ok := g.byID[a.Delivery]
	if !ok && g.Most > 0 && len(g.Order) == g.Most {
		n = leftOut
		g.byID[a.Delivery] = n
		g.Left++
	}
	if n == leftOut {
		return
	}
	row := RowOf(e)
	if !ok {
		n = len(g.Order)
		g.byID[a.Delivery] = n
		s := &Sent{Delivery: a.Delivery, Endpoint: a.Endpoint, URL: a.URL, EventID: a.Event, Label: e.Label, State: StateGivenUp, Tone: Bad, Note: row.Note}
		if a.Next > 0 {
			s.State, s.Tone = StateFailing, Warned
		}
		g.Order = append(g.Order, s)
	}
	s := g.Order[n]
	s.First = e.Seq
	s.Found = s.Found || g.Text.Match(e, &row)
	if row.Outcome == Good {
		s.State, s.Tone, s.Note = StateArrived, Good, ""
	}
	if len(s.Dots) == MaxDots {
		s.Earlier++
		return
	}
	s.Dots = append(s.Dots, Dot{e.Seq, row.Badge, row.Outcome})
}

// List adds what the events tell, and gives the deliveries.
func (g *Grid) List() []Sent {
	list := make([]Sent, 0, len(g.Order))
	for _, s := range g.Order {
		one := *s
		one.Dots = slices.Clone(s.Dots)
		slices.Reverse(one.Dots)
		if e := g.events[s.EventID]; e != nil {
			one.Event, one.First, one.Label = e.Event.Name, e.Seq, e.Label
			row := RowOf(e)
			one.Status, one.Found = row.Note, one.Found || g.Text.Match(e, &row)
			if len(e.Entities) > 0 {
				one.Entity = e.Entities[0]
			}
		}
		list = append(list, one)
	}
	return list
}
