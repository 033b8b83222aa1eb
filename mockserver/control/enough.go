package control

import (
	"encoding/json"
	"net/http"

	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/tape"
)

// Enough says whether somebody who watches has had enough traffic.
type Enough struct {
	// Enough is true when whoever watches makes no more trouble: a test suite may
	// end. It stays false where nobody watches.
	Enough bool `json:"enough" required:"true" example:"false"`
	// WaitsFor are the calls and events that trouble still waits for, in words.
	WaitsFor []string `json:"waitsFor" required:"true" nullable:"false" example:"[\"a refund\"]"`
}

// readEnough reads the notes of whoever watches, and waits for the one that tells
// that it is enough.
func readEnough(x *exchange, i *integration.Integration) (Enough, error) {
	q := x.asked()
	wait, label := q.wait(), q.text("label")
	if err := q.err(); err != nil {
		return Enough{}, err
	}
	ctx, cancel := x.waiting(wait)
	defer cancel()
	out := Enough{WaitsFor: []string{}}
	f := tape.Filter{Kinds: []tape.Kind{tape.KindControl}, Operation: "addNote"}
	for r := i.Read(over(ctx), f); ; r = i.Read(ctx, f) {
		for n := range r.Entries {
			if e := &r.Entries[n]; label == "" || e.Label == "" || e.Label == label {
				out.hear(e)
			}
			f.Since = r.Entries[n].Seq
		}
		if out.Enough || ctx.Err() != nil {
			return out, nil
		}
	}
}

// hear reads a note: of several the last one counts.
func (o *Enough) hear(e *tape.Entry) {
	var n struct {
		Kind string
		Data struct{ For []string }
	}
	if json.Unmarshal(e.Exchange.Request.Body, &n) != nil {
		return
	}
	switch n.Kind {
	case "enough":
		*o = Enough{Enough: true, WaitsFor: []string{}}
	case "trouble":
		o.Enough = false
	case "waits":
		*o = Enough{WaitsFor: append([]string{}, n.Data.For...)}
	}
}

func enoughRoutes() []*route {
	return []*route{row("readEnough", http.MethodGet, Prefix+"/integrations/{i}/enough", reads(readEnough), nil, Enough{}).
		About("Tape", "Ask whether whoever watches has had enough").
		Says("For test suites under `paysandbox observe`: they may go on until it is enough, or make the calls that it waits for.").
		With(queryParam("wait", "60s", "Wait until it is enough, at most so long (at most 60s)."),
			queryParam("label", "anna", "What was noted under this Sandbox-Label, or under none.")).Fails(http.StatusBadRequest)}
}
