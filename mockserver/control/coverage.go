package control

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"sync"

	"paysandbox/fixtures"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

// Coverage is how much of what is declared the tape has seen.
type Coverage struct {
	// Until is the number of the entry up to which the tape was read.
	Until uint64 `json:"until" required:"true" example:"470"`
	// Gap is the stretch that was dropped before it could be counted: what was seen in
	// it is not known. Null when nothing is.
	Gap   *Gap           `json:"gap" required:"true"`
	Parts []CoveragePart `json:"parts" required:"true" nullable:"false"`
}

// CoveragePart is one declared table.
type CoveragePart struct {
	// Part is answers (of operations), rules (that a request has broken), states and
	// moves (of machines), events, data (test data) or choices (of the ledger).
	Part string `json:"part" required:"true" enum:"answers,rules,states,moves,events,data,choices" example:"moves"`
	// Seen of Total items have been seen. Of rules only those that were seen are known.
	Seen  int            `json:"seen" required:"true" example:"12"`
	Total int            `json:"total" required:"true" example:"57"`
	Items []CoverageItem `json:"items" required:"true" nullable:"false"`
}

// CoverageItem is one row of a declared table.
type CoverageItem struct {
	// Of is the operation, machine or kind of data, Name what of it.
	Of   string `json:"of" required:"true" example:"payment"`
	Name string `json:"name" required:"true" example:"Pending → Processing by approve"`
	// Count is how often it was seen, First and Last the numbers of the entries where;
	// all are 0 for what was not seen.
	Count int    `json:"count" required:"true" example:"3"`
	First uint64 `json:"first" required:"true" example:"12"`
	Last  uint64 `json:"last" required:"true" example:"31"`
	// Exercise says what would show it; empty where nothing sure can be said.
	Exercise string `json:"exercise" required:"true" example:"POST /_sandbox/integrations/{i}/payments/{id}/approve"`
}

// The parts of a coverage, in the order in which they are told.
const (
	partAnswers = "answers"
	partRules   = "rules"
	partStates  = "states"
	partMoves   = "moves"
	partEvents  = "events"
	partData    = "data"
	partChoices = "choices"
)

// seen counts what an integration's tape has shown so far.
type seen struct {
	of    *integration.Integration
	life  uint64
	until uint64
	gap   tape.Gap
	items map[seenKey]*sighting
}

type seenKey struct{ part, of, name string }

type sighting struct {
	count       int
	first, last uint64
}

// seenAll keeps what was counted, so that each entry is read once.
type seenAll struct {
	mu   sync.Mutex
	list []*seen // the one used last stands last
}

// maxSeen is of how many integrations the counts are kept.
const maxSeen = 16

func readCoverage(x *exchange, i *integration.Integration) (Coverage, error) {
	q := x.asked()
	label := q.text("label")
	if err := q.err(); err != nil {
		return Coverage{}, err
	}
	if label != "" {
		s := &seen{of: i, items: map[seenKey]*sighting{}}
		s.read(tape.Filter{Label: label})
		return s.told(x), nil
	}
	a := &x.control.seen
	a.mu.Lock()
	defer a.mu.Unlock()
	s := a.take(i)
	s.read(tape.Filter{})
	if a.list = append(a.list, s); len(a.list) > maxSeen {
		a.list = a.list[1:]
	}
	return s.told(x), nil
}

// take takes out the counts of an integration's present life.
func (a *seenAll) take(i *integration.Integration) *seen {
	life := i.Life()
	for n, s := range a.list {
		if s.of == i {
			a.list = slices.Delete(a.list, n, n+1)
			if s.life == life {
				return s
			}
			break
		}
	}
	return &seen{of: i, life: life, items: map[seenKey]*sighting{}}
}

// read counts what has come since.
func (s *seen) read(f tape.Filter) {
	f.Since, f.Limit, f.Bytes = s.until, tapeChunk, chunkBytes
	for more := true; more; {
		r := s.of.Seek(f)
		if !r.Gap.Empty() && s.gap.Empty() {
			s.gap = r.Gap
		}
		for n := range r.Entries {
			s.entry(&r.Entries[n])
		}
		s.until, f.Since, more = max(s.until, r.Last), r.Last, r.More
	}
	s.choices()
}

func (s *seen) add(seq uint64, part, of, name string) {
	key := seenKey{part, of, name}
	one := s.items[key]
	if one == nil {
		if len(s.items) >= mostSeen {
			return
		}
		one = &sighting{first: seq}
		s.items[key] = one
	}
	one.count++
	one.last = seq
}

// mostSeen bounds what is counted apart.
const mostSeen = 10_000

// moveName is a step in words.
func moveName(from, to, event string) string {
	if from == "" {
		return to + " by " + event
	}
	return from + " → " + to + " by " + event
}

func (s *seen) entry(e *tape.Entry) {
	switch x, t := e.Exchange, e.Transition; {
	case x != nil:
		if e.Kind == tape.KindExchange && x.Operation != "" && x.Response.Status != 0 {
			s.add(e.Seq, partAnswers, x.Operation, strconv.Itoa(x.Response.Status))
		}
		for _, clause := range brokenRules(x) {
			s.add(e.Seq, partRules, "", clause)
		}
		s.data(e.Seq, x)
	case t != nil:
		s.add(e.Seq, partStates, t.Machine, t.To)
		s.add(e.Seq, partMoves, t.Machine, moveName(t.From, t.To, t.Event))
	case e.Event != nil:
		s.add(e.Seq, partEvents, "", e.Event.Name)
	}
	for n := range e.Findings {
		s.add(e.Seq, partRules, "", e.Findings[n].Clause)
	}
}

// told lays the counts beside the declared tables.
func (s *seen) told(x *exchange) Coverage {
	c := Coverage{Until: s.until, Gap: gapOf(s.gap)}
	parts := map[string]*CoveragePart{}
	for _, name := range []string{partAnswers, partRules, partStates, partMoves, partEvents, partData, partChoices} {
		parts[name] = &CoveragePart{Part: name, Items: []CoverageItem{}}
	}
	for _, d := range x.declared() {
		parts[d.part].put(s, d.of, d.name, d.exercise)
	}
	known := parts[partRules]
	for key := range s.items {
		if key.part == partRules {
			known.put(s, key.of, key.name, "")
		}
	}
	slices.SortStableFunc(known.Items, func(a, b CoverageItem) int { return cmp.Compare(a.Name, b.Name) })
	for _, name := range []string{partAnswers, partRules, partStates, partMoves, partEvents, partData, partChoices} {
		c.Parts = append(c.Parts, *parts[name])
	}
	return c
}

func (p *CoveragePart) put(s *seen, of, name, exercise string) {
	item := CoverageItem{Of: of, Name: name, Exercise: exercise}
	if one := s.items[seenKey{p.Part, of, name}]; one != nil {
		item.Count, item.First, item.Last = one.count, one.first, one.last
		p.Seen++
	}
	p.Total++
	p.Items = append(p.Items, item)
}

// declaredItem is a row of a declared table.
type declaredItem struct{ part, of, name, exercise string }

// declared lists every row of every table.
func (x *exchange) declared() []declaredItem {
	var list []declaredItem
	for _, op := range x.control.opts.API {
		call := op.Method + " " + op.Path
		list = append(list, declaredItem{partAnswers, op.ID, strconv.Itoa(cmp.Or(op.Success, http.StatusOK)), call})
		for _, status := range op.Errors {
			list = append(list, declaredItem{partAnswers, op.ID, strconv.Itoa(status), call})
		}
	}
	for _, m := range world.Machines() {
		v := machineView(m)
		if !v.Taped {
			continue
		}
		for _, state := range v.States {
			list = append(list, declaredItem{part: partStates, of: m.Name, name: state})
		}
		for _, mv := range v.Moves {
			how := ""
			if mv.By != "" {
				how = http.MethodPost + " " + mv.By
			}
			list = append(list, declaredItem{partMoves, m.Name, moveName(mv.From, mv.To, mv.Event), how})
		}
	}
	for _, name := range world.EventNames() {
		list = append(list, declaredItem{part: partEvents, name: name, exercise: "register a webhook endpoint, and take a step that emits it"})
	}
	for _, d := range testData() {
		list = append(list, declaredItem{partData, d.of, d.name, d.says})
	}
	for _, row := range latitude.Ledger() {
		if row.Fixed != "" {
			continue
		}
		for _, choice := range row.Choices {
			list = append(list, declaredItem{partChoices, row.Name, choice.Name, "--latitude " + row.Name + "=" + choice.Name})
		}
	}
	return list
}

func coverageRoutes() []*route {
	return []*route{row("readCoverage", http.MethodGet, Prefix+"/integrations/{i}/coverage", reads(readCoverage), nil, Coverage{}).
		About("Entities", "Tell how much of what is declared the tape has seen, and what would show the rest").
		Says("Answers of operations, rules that requests have broken, states and moves of machines, events, test data, choices. What the tape had dropped before it was first asked for is not counted.").
		With(queryParam("label", "team-checkout", "Only what entries with this Sandbox-Label have shown.")).Fails(http.StatusBadRequest)}
}

// datum is a row of the published test data; texts are what shows it in a request.
type datum struct {
	of, name, says string
	texts          []string
}

// testData is all test data that a request can hold.
var testData = sync.OnceValue(func() []datum {
	var list []datum
	for _, p := range fixtures.Personas() {
		list = append(list, datum{"persona", p.Name, p.Description, []string{p.Name, p.AccountNumber}})
	}
	for _, c := range fixtures.Cards() {
		list = append(list, datum{"card", c.Brand + " " + string(c.Outcome), c.Description, []string{c.Number, `"` + string(c.Outcome) + `"`}})
	}
	for _, p := range fixtures.KYBPrefixes() {
		list = append(list, datum{"company name", p.Prefix, p.Description, []string{p.Prefix}})
	}
	for _, b := range fixtures.BounceRules() {
		list = append(list, datum{"bounce", b.Value, b.Description, []string{b.Value}})
	}
	return list
})
