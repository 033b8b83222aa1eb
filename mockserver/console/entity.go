package console

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"paysandbox/mockserver/console/call"
	"paysandbox/mockserver/console/diagram"
	"paysandbox/mockserver/console/feed"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

// entityRow is an entity in a list, as the control API tells it.
type entityRow struct {
	Kind, ID, Machine, Status, Summary string
	Amount                             *int64
	Created, Changed                   *string
	// Label is that of the newest entry about it that has one.
	Label string
}

// Tone is how its state is shown.
func (e entityRow) Tone() feed.Outcome { return feed.OutcomeOf(e.Status) }

// Money is the amount for people, "" for none.
func (e entityRow) Money() string {
	if e.Amount == nil {
		return ""
	}
	return world.Dollars(*e.Amount)
}

// Since is when the status last changed.
func (e entityRow) Since() string {
	if e.Changed == nil {
		return ""
	}
	return shown(*e.Changed)
}

// entitiesPage is what the screen Entities shows.
type entitiesPage struct {
	Query, Kind, Status, Label string
	Entities                   []entityRow
	Next                       *string
	Searched, Total            int
	Kinds                      []struct {
		Kind  string
		Total int
	}
	// Further is the address of the next rows.
	Further string
	// Any says that there is any entity at all.
	Any bool
	// World says at which entry the world is shown.
	World *slider
}

// At is what follows an entity's address where the world is shown as it stood.
func (p *entitiesPage) At() string {
	if p.World.At == 0 {
		return ""
	}
	return "?at=" + strconv.FormatUint(p.World.At, 10)
}

// entities lists what there is.
func (v *visit) entities() {
	v.open("entities", "Entities")
	world := v.slide()
	v.prepare(world.Last)
	if v.on == nil && world.At == 0 {
		v.fileEntities(world)
		return
	}
	given := v.r.URL.Query()
	ask := url.Values{}
	for _, name := range []string{"kind", "q", "status", "label", "after"} {
		if value := strings.TrimSpace(given.Get(name)); value != "" {
			ask.Set(name, value)
		}
	}
	p := entitiesPage{Query: ask.Get("q"), Kind: ask.Get("kind"), Status: ask.Get("status"), Label: ask.Get("label"), World: world}
	if err := v.getAt("/entities", ask, world.At, &p); err != nil {
		v.noEntities(world, err)
		return
	}
	p.label(v)
	for _, k := range p.Kinds {
		p.Any = p.Any || k.Total > 0
	}
	if p.Next != nil {
		ask.Set("after", *p.Next)
		if world.At > 0 {
			ask.Set("at", strconv.FormatUint(world.At, 10))
		}
		p.Further = v.root() + "/entities?" + ask.Encode()
	}
	v.show(http.StatusOK, "entities", &p)
}

// label names under which label each was touched last, as far as the tape knows.
func (p *entitiesPage) label(v *visit) {
	if v.on == nil {
		return
	}
	about := map[string]string{}
	for n := range p.Entities {
		about[p.Entities[n].ID] = ""
	}
	v.on.LabelsAbout(about)
	for n := range p.Entities {
		p.Entities[n].Label = about[p.Entities[n].ID]
	}
}

// noEntities says why there is no list.
func (v *visit) noEntities(world *slider, err error) {
	if world.At > 0 {
		v.noWorld(world.At, err)
		return
	}
	v.failed(err)
}

// entityView is one entity, as the control API tells it.
type entityView struct {
	entityRow
	Relations []struct{ Relation, Kind, ID string }
	Facts     []feed.Fact
	Page      *string
	Visited   []struct {
		Seq, Cause                  uint64
		At, Event, From, To, Reason string
	}
	Moves      []possibleMove
	Related    []entityRow
	Deliveries []delivery
	Messages   []mail
	Entries    []uint64
	Omitted    int
	Gap        *struct{ From, To uint64 }
}

// possibleMove is a step that the state admits.
type possibleMove struct{ Event, To, Method, Path, Body string }

// entityPage is an entity with what the tape tells of it.
type entityPage struct {
	entityView
	Picture  *diagram.Picture
	Buttons  []act
	ByTime   []possibleMove
	Why      []whyStep
	Timeline []feed.Row
	World    *slider
	// Due is what happens to it by itself.
	Due []due
	// Unheard says that no endpoint is registered.
	Unheard bool
}

// Untold says that events are on the timeline, and that nobody was told of them.
func (p *entityPage) Untold() bool {
	return len(p.Deliveries) == 0 && p.World.At == 0 && slices.ContainsFunc(p.Timeline, func(r feed.Row) bool { return r.Kind == tape.KindEvent.String() })
}

// whyStep is one link of the chain that explains a state.
type whyStep struct {
	Seq      uint64
	At, Says string
}

// maxTimeline bounds the rows of an entity's timeline.
const maxTimeline = 60

// entity shows one entity.
func (v *visit) entity() {
	id := v.r.PathValue("entity")
	v.open("entities", "Entity "+id)
	p := entityPage{World: v.slide()}
	p.World.To = v.root() + "/entities/" + url.PathEscape(id)
	if v.on == nil && p.World.At == 0 {
		p.World.At = p.World.Last
	}
	if err := v.getAt("/entities/"+url.PathEscape(id), url.Values{}, p.World.At, &p.entityView); err != nil {
		v.about(id, &p, err)
		return
	}
	v.frame.Title = p.Kind + " " + p.Status
	v.draw(&p)
	v.ahead(&p)
	var why struct{ Steps []whyStep }
	if p.World.At == 0 && v.get("/why/"+url.PathEscape(p.ID), &why) == nil {
		p.Why = why.Steps
	}
	for n := range p.Why {
		p.Why[n].At = shown(p.Why[n].At)
	}
	v.from.Back(tape.Filter{Entity: p.ID}, func(e tape.Entry) bool {
		if p.World.At == 0 || e.Seq <= p.World.At {
			row := feed.RowOf(&e)
			p.Timeline = append(p.Timeline, row)
			for n := range p.Deliveries {
				if e.Event != nil && p.Deliveries[n].EventID == e.Event.ID {
					p.Deliveries[n].Tells = row.Note
				}
			}
		}
		return len(p.Timeline) < maxTimeline
	})
	p.Timeline = feed.WithWarnings(v.from, p.Timeline, p.World.At)
	v.show(http.StatusOK, "entity", &p)
}

// about shows what the tape knows of an id that is no entity: a delivery, an event; or
// of one whose world cannot be shown.
func (v *visit) about(id string, p *entityPage, err error) {
	var refused *call.Error
	switch {
	case v.on != nil && p.World.At > 0 && (!errors.As(err, &refused) || refused.Status != http.StatusNotFound):
		v.noWorld(p.World.At, err)
	case p.World.At > 0 && v.on != nil:
		v.refuse(http.StatusNotFound, "It was not there yet", "At entry #"+itoa(int64(p.World.At))+" the world had nothing with this id.") //nolint:gosec // G115: a tape is not that long
	case len(v.from.Read(tape.Filter{Entity: id, Limit: 1})) > 0:
		v.goTo(v.root() + "/live?" + url.Values{"entity": {id}}.Encode())
	default:
		v.failed(err)
	}
}

// draw draws the entity's machine, and makes a button of each step that a call takes.
func (v *visit) draw(p *entityPage) {
	var steps []diagram.Step
	for _, s := range p.Visited {
		steps = append(steps, diagram.Step{From: s.From, To: s.To, Event: s.Event, At: timeOfDay(s.At)})
	}
	var next []string
	for _, m := range p.Moves {
		next = append(next, m.Event)
		path, ok := strings.CutPrefix(m.Path, "/_sandbox/integrations/"+v.id)
		if !ok {
			p.ByTime = append(p.ByTime, m)
			continue
		}
		a := v.frame.Act(m.Method, path, m.Event, "small quiet")
		a.TestID = "move-" + m.Event
		a.Fields = fieldsOf(m.Body)
		p.Buttons = append(p.Buttons, a)
	}
	if picture, ok := diagram.Draw(p.Machine, p.Status, steps, next); ok {
		p.Picture = &picture
	}
}

// timeOfDay is the time of a moment.
func timeOfDay(moment string) string {
	_, clock, ok := strings.Cut(shown(moment), " ")
	if !ok {
		return moment
	}
	return clock
}

// fieldsOf are the hidden fields that make a body again.
func fieldsOf(body string) []feed.Fact {
	var members map[string]json.RawMessage
	if body == "" || json.Unmarshal([]byte(body), &members) != nil {
		return nil
	}
	var list []feed.Fact
	for name, value := range members {
		list = append(list, feed.Fact{Name: name + ":raw", Value: string(value)})
	}
	if list == nil {
		list = append(list, feed.Fact{Name: "-", Value: ""})
	}
	return list
}
