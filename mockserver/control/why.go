package control

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"paysandbox/mockserver/door"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

// Why is the cause chain of an entity's present state.
type Why struct {
	// Entity is the id that was looked for.
	Entity string `json:"entity" required:"true" example:"5d8c9b8e-6f0a-4a53-8d3e-6f1f0e9d8c33"`
	// Machine and State tell what the entity is and how it stands; both are
	// empty for something that has no state, such as an event or a delivery.
	Machine string `json:"machine" required:"true" example:"payment"`
	State   string `json:"state" required:"true" example:"Failed"`
	// Steps lead from the present state back to what came from outside.
	Steps []WhyStep `json:"steps" required:"true" nullable:"false"`
	// Complete is false when the chain leads into a stretch of the tape that has
	// been dropped; Gap then is that stretch.
	Complete bool `json:"complete" required:"true" example:"true"`
	Gap      *Gap `json:"gap" required:"true"`
}

// WhyStep is one link of the chain: the entry behind it, in a sentence and in
// members.
type WhyStep struct {
	Seq   uint64 `json:"seq" required:"true" example:"31"`
	Cause uint64 `json:"cause" required:"true" example:"30"`
	At    string `json:"at" required:"true" format:"date-time" example:"2026-03-02T17:00:05Z"`
	Kind  string `json:"kind" required:"true" example:"transition"`
	// Says is the step in one sentence.
	Says string `json:"says" required:"true" example:"The payment went from Processing to Failed by fail: R01 Insufficient Funds."`
	// Entities are the ids that the step is about.
	Entities []string `json:"entities" required:"true" nullable:"false"`
}

// maxSteps bounds a chain; causes are earlier entries, so it ends anyhow.
const maxSteps = 1000

func why(x *exchange, i *integration.Integration) (Why, error) {
	id := x.entityID(i, x.Param("entity"))
	ctx, cancel := x.waiting(0)
	defer cancel()
	r := i.Read(ctx, tape.Filter{Kinds: []tape.Kind{tape.KindTransition}, Entity: id})
	v := Why{Entity: id, Steps: []WhyStep{}, Complete: true}
	var last tape.Entry
	if n := len(r.Entries); n > 0 {
		last = r.Entries[n-1]
		if last.Transition != nil {
			v.Machine, v.State = last.Transition.Machine, last.Transition.To
		}
	} else {
		i.Look(tape.Filter{Entity: id}, func(e tape.Entry) bool {
			if e.Exchange != nil && e.Exchange.Response.Status >= http.StatusBadRequest {
				return true // that a refused call names the id does not mean that there is such a thing
			}
			last = e
			return false
		})
	}
	if last.Seq == 0 {
		return Why{}, nothingAbout(id, r.Gap)
	}
	v.walk(i, last, r.Gap)
	return v, nil
}

// entityID takes the path's entity: an id, or a company's reference.
func (x *exchange) entityID(i *integration.Integration, given string) string {
	if id, ok := kernel.ParseID(given); ok {
		return id.String()
	}
	found := given
	x.Look(i, func(w *world.World) {
		if id, err := w.CompanyID(given); err == nil {
			found = id.String()
		}
	})
	return door.Clip(found)
}

// nothingAbout says that the tape has no entry about an entity, and claims no
// more than it knows.
func nothingAbout(id string, gap tape.Gap) *kernel.Error {
	detail := "nothing on the tape is about " + id
	if !gap.Empty() {
		detail += "; entries " + strconv.FormatUint(gap.From, 10) + " to " + strconv.FormatUint(gap.To, 10) +
			" have been dropped, and they may have been about it"
	}
	return &kernel.Error{Code: kernel.NotFound, Detail: detail}
}

// walk follows the causes.
func (v *Why) walk(i *integration.Integration, e tape.Entry, gap tape.Gap) {
	for len(v.Steps) < maxSteps {
		v.Steps = append(v.Steps, whyStep(&e))
		if e.Cause == 0 {
			return
		}
		next, ok := i.Entry(e.Cause)
		if !ok {
			v.Complete, v.Gap = false, gapOf(gap)
			v.Steps = append(v.Steps, WhyStep{
				Seq: e.Cause, At: nanos(e.At), Kind: "dropped", Entities: []string{},
				Says: "Entry " + strconv.FormatUint(e.Cause, 10) + " was the cause, but the tape has dropped it: what came before is not known.",
			})
			return
		}
		e = next
	}
	v.Complete = false
}

func whyStep(e *tape.Entry) WhyStep {
	return WhyStep{
		Seq: e.Seq, Cause: e.Cause, At: nanos(e.At), Kind: e.Kind.String(), Says: says(e), Entities: append([]string{}, e.Entities...),
	}
}

// says tells an entry in one sentence.
func says(e *tape.Entry) string {
	switch {
	case e.Omitted > 0:
		return "This entry was too large for the tape; only the fact is known."
	case e.Transition != nil:
		return saysTransition(e.Transition)
	case e.Timer != nil:
		return "The timer " + e.Timer.Name + " was due at " + nanos(e.Timer.Due) + " and fired."
	case e.Exchange != nil:
		return saysExchange(e.Kind, e.Exchange)
	case e.Clock != nil:
		return "The clock was moved from " + nanos(e.Clock.From) + " to " + nanos(e.Clock.To) + "."
	case e.Event != nil:
		return "The event " + e.Event.Name + " was sent to the webhook endpoints that listen."
	case e.Attempt != nil:
		return saysAttempt(e.Attempt)
	case e.Message != nil:
		return "The " + e.Message.Channel + " message " + e.Message.Template + " was sent to " + e.Message.To + "."
	case e.Fetch != nil:
		return "The file at " + e.Fetch.URL + " was fetched" + answered(e.Fetch.Status, e.Fetch.Error) + "."
	case e.Hangup != nil:
		return "The caller hung up after " + time.Duration(e.Hangup.After).String() + ", while its answer was held back."
	default:
		return "Findings about a request were noted."
	}
}

func saysTransition(t *tape.Transition) string {
	text := "The " + strings.ReplaceAll(t.Machine, "-", " ")
	if t.From == "" {
		text += " was created as " + t.To
	} else {
		text += " went from " + t.From + " to " + t.To
	}
	if t.Event != "" && t.Event != "create" {
		text += " by " + t.Event
	}
	if t.Reason != "" {
		text += ": " + t.Reason
	}
	return text + "."
}

func saysExchange(kind tape.Kind, x *tape.Exchange) string {
	what := map[tape.Kind]string{tape.KindPage: "The page ", tape.KindControl: "The control call "}[kind]
	if what == "" {
		what = "The partner's call "
	}
	text := what + x.Method + " " + x.Path
	if x.Operation != "" {
		text += " (" + x.Operation + ")"
	}
	return text + answered(x.Response.Status, "the connection was dropped") + "."
}

func saysAttempt(a *tape.Attempt) string {
	text := "Attempt " + strconv.Itoa(a.Number) + " to deliver the event to " + a.URL + answered(a.Status, a.Error)
	if a.Reason != "" {
		text += ": " + a.Reason
	}
	return text + "."
}

// answered tells a status, or why there is none.
func answered(status int, problem string) string {
	if status == 0 {
		return " got no answer (" + problem + ")"
	}
	return " was answered with " + strconv.Itoa(status)
}

func whyRoutes() []*route {
	return []*route{
		row("why", http.MethodGet, Prefix+"/integrations/{i}/why/{entity}", reads(why), nil, Why{}).
			About("Tape", "Tell why an entity is in its present state"),
	}
}
