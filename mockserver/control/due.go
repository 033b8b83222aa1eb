package control

import (
	"net/http"
	"strconv"

	"github.com/google/uuid"

	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/world"
)

const (
	usualDue = 50
	mostDue  = 500
)

// DueList is what an integration waits for.
type DueList struct {
	// Now is the virtual time.
	Now string `json:"now" required:"true" format:"date-time" example:"2026-03-02T17:00:00Z"`
	// Due are in the order in which they fire. One whose reason has gone when its time
	// comes leaves no trace.
	Due []Due `json:"due" required:"true" nullable:"false"`
	// Total counts all that is waited for.
	Total int `json:"total" required:"true" example:"3"`
}

// Due is something that happens when its time has come.
type Due struct {
	At string `json:"at" required:"true" format:"date-time" example:"2026-03-02T17:00:05Z"`
	// Timer is what the tape calls it, and Says what happens then.
	Timer string `json:"timer" required:"true" example:"payment-settle"`
	Says  string `json:"says" required:"true" example:"the bank pays a payment, or fails it"`
	// Entity is whom it is about, Kind, Status and Summary what that is now; they are
	// empty for what is no entity, such as a delivery.
	Entity  string `json:"entity" required:"true" example:"5d8c9b8e-6f0a-4a53-8d3e-6f1f0e9d8c33"`
	Kind    string `json:"kind" required:"true" example:"payment"`
	Status  string `json:"status" required:"true" example:"Processing"`
	Summary string `json:"summary" required:"true" example:"$50.00 from Pat Lee to Fit Gym"`
}

// dueSays says what a timer does.
var dueSays = map[string]string{
	"kyb":             "a company's verification ends",
	"payment-process": "a payment that was Queued or InReview goes on",
	"payment-settle":  "the bank pays a payment, or fails it",
	"daily-batch":     "the daily batch takes a Scheduled payment",
	"bank-return":     "the bank returns a payment",
	"refund":          "a refund completes",
	"plan-occurrence": "a plan's due date comes",
	"delivery":        "an event is delivered, or tried again",
	"idempotency-key": "a remembered answer is forgotten",
}

func listDue(x *exchange, i *integration.Integration) (DueList, error) {
	q := x.asked()
	limit := q.within("limit", usualDue, mostDue)
	if err := q.err(); err != nil {
		return DueList{}, err
	}
	due, all := i.Due(limit)
	_, now, _ := i.Clock()
	list := DueList{Now: moment(now), Due: []Due{}, Total: all}
	x.Look(i, func(w *world.World) {
		for _, d := range due {
			one := Due{At: nanos(d.At), Timer: d.Name, Says: dueSays[d.Name]}
			if d.Entity != uuid.Nil {
				one.Entity = d.Entity.String()
			}
			if e, ok := findEntity(w, one.Entity); ok {
				one.Kind, one.Status, one.Summary = e.Kind, e.Status, e.Summary
			}
			list.Due = append(list.Due, one)
		}
	})
	return list, nil
}

// Preview is what a move of the clock would bring.
type Preview struct {
	Advanced
	// Receivers says what is not known: how receivers would answer.
	Receivers string `json:"receivers" required:"true" example:"what receivers would answer is not known: events that would leave are taken as on their way"`
}

const unanswered = "what receivers would answer is not known: events that would leave are taken as on their way"

// copying is how many times what it weighs an integration takes while it is copied.
const copying = 4

// previewClock moves the clock of a copy that nobody else sees.
func previewClock(x *exchange, i *integration.Integration) (Preview, error) {
	q := x.asked()
	a := Advance{By: q.text("by"), To: q.text("to"), Until: q.text("until")}
	if err := q.err(); err != nil {
		return Preview{}, err
	}
	move, err := a.move()
	if err != nil {
		return Preview{}, err
	}
	back, err := i.Reserve(copying)
	if err != nil {
		return Preview{}, unsaved(err)
	}
	defer back()
	t, err := i.Copy()
	if err != nil {
		return Preview{}, err
	}
	moved, err := t.Advance(move)
	if err != nil {
		return Preview{}, err
	}
	fired := lines(moved.Fired)
	return Preview{Advanced{From: moment(moved.From), Now: moment(moved.Now), Fired: fired, Omitted: moved.Omitted}, unanswered}, nil
}

func dueRoutes() []*route {
	const tag, path = "Clock", Prefix + "/integrations/{i}/clock"
	return []*route{
		row("listDue", http.MethodGet, path+"/due", reads(listDue), nil, DueList{}).
			About(tag, "List what is waited for, what comes first before what comes later").
			With(queryParam("limit", "50", "At most so many, "+strconv.Itoa(mostDue)+" at most; "+strconv.Itoa(usualDue)+" when it is left out.")).
			Fails(http.StatusBadRequest),
		row("previewClock", http.MethodGet, path+"/preview", reads(previewClock), nil, Preview{}).
			About(tag, "Tell what a move of the clock would bring, and change nothing").
			Says("A copy that nobody else sees is moved. Exactly one of by, to and until is given, as when the clock is moved.").
			With(
				queryParam("by", "24h", "How far: a duration such as 90s, 24h, 3d or 1d12h."),
				queryParam("to", "2026-03-03T17:00:00Z", "Where to, in RFC 3339."),
				queryParam("until", "next", "next: to the next timer that is due."),
			).Fails(steps...),
	}
}
