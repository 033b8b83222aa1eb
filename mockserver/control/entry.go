package control

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"

	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

// The bounds of what is told of one entry.
const (
	mostEffects = 200
	// mostChanged is how many entities are compared.
	mostChanged = 50
)

// EntryView is one entry of the tape with what led to it, what followed and what it
// has changed.
type EntryView struct {
	Entry Line `json:"entry" required:"true"`
	// Says is the entry in one sentence.
	Says string `json:"says" required:"true" example:"The partner's call POST /Payment/Create (createPayment) was answered with 200."`
	// Causes lead from the entry's cause back to what came from outside.
	Causes []WhyStep `json:"causes" required:"true" nullable:"false"`
	// Effects are what followed, and what followed from that, oldest first; Omitted
	// counts those that are not told.
	Effects []WhyStep `json:"effects" required:"true" nullable:"false"`
	Omitted int       `json:"omitted" required:"true" example:"0"`
	// Changes are the members of entities that are not what they were before, of all
	// that happened at once because of the same input or timer; of a transition, an
	// event or a message those of its entity alone.
	Changes []Change `json:"changes" required:"true" nullable:"false"`
	// Unknown says why nothing is known of changes; empty where it is.
	Unknown string `json:"unknown" required:"true" example:""`
	// Console is the path of its page in the console.
	Console string `json:"console" required:"true" example:"/console/default/entries/470"`
}

// Change is a member of an entity that an entry has changed.
type Change struct {
	Entity string `json:"entity" required:"true" example:"5d8c9b8e-6f0a-4a53-8d3e-6f1f0e9d8c33"`
	Kind   string `json:"kind" required:"true" example:"payment"`
	// Pointer is the member.
	Pointer string `json:"pointer" required:"true" example:"/status"`
	// Old is null where the entity was not there, or had no such member; New is null
	// where it has none any more.
	Old *string `json:"old" required:"true" example:"Pending"`
	New *string `json:"new" required:"true" example:"Processing"`
}

func readEntry(x *exchange, i *integration.Integration) (EntryView, error) {
	seq, err := strconv.ParseUint(x.Param("seq"), 10, 63)
	if err != nil {
		return EntryView{}, invalid(wrong("path:seq", "control.query", quoted(x.Param("seq")), "the number of an entry", "see the tape"))
	}
	e, ok := i.Entry(seq)
	if !ok {
		ctx, cancel := x.waiting(0)
		defer cancel()
		r := i.Read(ctx, tape.Filter{Since: seq, Limit: 1})
		detail := "the tape has no entry " + strconv.FormatUint(seq, 10)
		if gap := i.Seek(tape.Filter{Limit: 1}).Gap; gap.Has(seq) {
			detail = "the tape has dropped entry " + strconv.FormatUint(seq, 10)
		} else if seq > r.Newest {
			detail += " yet; the newest is " + strconv.FormatUint(r.Newest, 10)
		}
		return EntryView{}, &kernel.Error{Code: kernel.NotFound, Detail: detail}
	}
	v := EntryView{
		Entry: Line{entry: e}, Says: says(&e), Causes: causesOf(i, e.Cause), Changes: []Change{},
		Console: consolePath(x.Param("i"), "entries", strconv.FormatUint(seq, 10)),
	}
	v.effects(i, seq)
	if err := v.changes(x, i, &e); err != nil {
		v.Unknown = x.Refusal(err).Detail
	}
	return v, nil
}

func causesOf(i *integration.Integration, seq uint64) []WhyStep {
	list := []WhyStep{}
	for seq != 0 && len(list) < maxSteps {
		e, ok := i.Entry(seq)
		if !ok {
			break
		}
		list = append(list, whyStep(&e))
		seq = e.Cause
	}
	return list
}

// effects are found in one pass: an effect stands behind its cause.
func (v *EntryView) effects(i *integration.Integration, seq uint64) {
	from, found := map[uint64]bool{seq: true}, []uint64{}
	i.Heads(seq, func(n, cause uint64, _ tape.Kind) bool {
		if from[cause] {
			from[n] = true
			found = append(found, n)
		}
		return true
	})
	v.Effects = []WhyStep{}
	for _, n := range found[:min(len(found), mostEffects)] {
		if e, ok := i.Entry(n); ok {
			v.Effects = append(v.Effects, whyStep(&e))
		}
	}
	v.Omitted = len(found) - len(v.Effects)
}

// changes compares the world before and after.
func (v *EntryView) changes(x *exchange, i *integration.Integration, e *tape.Entry) error {
	first, last, ok := group(i, e)
	if !ok {
		return notStanding("its cause has been dropped")
	}
	ids := involved(i, e, first, last)
	before := map[string]world.Entity{}
	if first > 1 {
		if err := x.see(i, first-1, ids, before); err != nil {
			return err
		}
	}
	after := map[string]world.Entity{}
	if err := x.see(i, last, ids, after); err != nil {
		return err
	}
	for _, id := range ids {
		v.Changes = append(v.Changes, compared(before[id], after[id])...)
	}
	return nil
}

// involved are the ids that a stretch is about; of a consequence those of its own.
func involved(i *integration.Integration, e *tape.Entry, first, last uint64) []string {
	var ids []string
	if !e.Kind.Input() && e.Kind != tape.KindTimer {
		first, last = e.Seq, e.Seq
	}
	for seq := first; seq <= last && len(ids) < mostChanged; seq++ {
		one, _ := i.Entry(seq)
		for _, id := range one.Entities {
			if !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	return ids
}

// see looks at entities as they stood at an entry.
func (x *exchange) see(i *integration.Integration, at uint64, ids []string, into map[string]world.Entity) error {
	t, done, err := x.standing(i, at)
	if err != nil {
		return err
	}
	defer done()
	x.Look(t, func(w *world.World) {
		for _, id := range ids {
			if e, ok := findEntity(w, id); ok {
				into[id] = e
			}
		}
	})
	return nil
}

// compared lists the members that differ.
func compared(before, after world.Entity) []Change {
	old, now := members(before), members(after)
	list := []Change{}
	for _, m := range slices.Concat(now, old) {
		c := Change{Entity: cmp.Or(after.ID, before.ID), Kind: cmp.Or(after.Kind, before.Kind), Pointer: m.Name, Old: valueOf(old, m.Name), New: valueOf(now, m.Name)}
		same := c.Old != nil && c.New != nil && *c.Old == *c.New
		if !same && !slices.ContainsFunc(list, func(k Change) bool { return k.Pointer == c.Pointer }) {
			list = append(list, c)
		}
	}
	return list
}

// members are the members of an entity as texts; none of what is not there.
func members(e world.Entity) []world.EntityFact {
	if e.ID == "" {
		return nil
	}
	var list []world.EntityFact
	if e.Machine != "" {
		list = append(list, world.EntityFact{Name: "/status", Value: e.Status})
	}
	if e.Amount != nil {
		list = append(list, world.EntityFact{Name: "/amount", Value: strconv.FormatInt(*e.Amount, 10)})
	}
	for _, r := range e.Relations {
		list = append(list, world.EntityFact{Name: "/" + r.Relation, Value: r.ID})
	}
	for _, f := range e.Facts {
		list = append(list, world.EntityFact{Name: "/" + f.Name, Value: f.Value})
	}
	return list
}

func valueOf(list []world.EntityFact, name string) *string {
	for _, f := range list {
		if f.Name == name {
			return &f.Value
		}
	}
	return nil
}

func entryRoutes() []*route {
	return []*route{
		row("readEntry", http.MethodGet, Prefix+"/integrations/{i}/entries/{seq}", reads(readEntry), nil, EntryView{}).
			About("Tape", "Get one entry with what led to it, what followed, and what it has changed").Fails(http.StatusBadRequest),
	}
}
