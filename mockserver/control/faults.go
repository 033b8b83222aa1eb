package control

import (
	"net/http"
	"time"

	"paysandbox/mockserver/door"
	"paysandbox/mockserver/fault"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/world"
)

// NewFault is the body that arms a fault.
type NewFault struct {
	// Name becomes the fault's id; fault-1, fault-2, … when it is left out.
	Name string `json:"name" example:"bank-is-down"`
	// Match says which calls the fault meets; without it every one.
	Match *NewMatch `json:"match"`
	// Effect is what happens to them.
	Effect *NewEffect `json:"effect" required:"true"`
	// Count is how many calls it changes: 0 for all that come. When it is left out, 1; all
	// with For.
	Count *int64 `json:"count" minimum:"0" maximum:"1000000" example:"1"`
	// For is how long it goes on in virtual time, as 90s, 1h or 2d; no time ends it when it
	// is left out.
	For string `json:"for" example:"1h"`
}

// NewMatch says which calls a fault meets. A member that is left out matches
// every call.
type NewMatch struct {
	// Operation is the id of an operation of the partner API.
	Operation string `json:"operation" example:"createPayment"`
	// Method is an HTTP method.
	Method string `json:"method" enum:"GET,HEAD,POST,PUT,DELETE" example:"POST"`
	// Entity is an id that stands in the path, the query or the body.
	Entity string `json:"entity" example:"3f0c4a53-9d3e-4f1f-8e9d-8c117b0c5b0e"`
	// Nth is the first matching call that is changed, counted from 1.
	Nth *int64 `json:"nth" minimum:"1" maximum:"1000000" example:"1"`
}

// NewEffect is what happens to a call. Members can be combined unless one would
// hide another.
type NewEffect struct {
	// Status answers with this status; the operation is not carried out.
	Status *int64 `json:"status" minimum:"400" maximum:"599" example:"503"`
	// RetryAfter is the Retry-After of that answer in seconds; 429 and 503 have 1
	// when it is left out.
	RetryAfter *int64 `json:"retryAfter" minimum:"1" maximum:"86400" example:"30"`
	// Latency is how long the answer is held back in wall time, at most 1m.
	Latency string `json:"latency" example:"2s"`
	// SlowBody is how long the answer's body takes to arrive in wall time.
	SlowBody string `json:"slowBody" example:"2s"`
	// CutConnection closes the connection: at the start, when nothing is done and
	// nothing answered, or in the midst of the answer's headers or body.
	CutConnection string `json:"cutConnection" enum:"start,headers,body" example:"body"`
	// CommitThenDrop carries the operation out and closes the connection instead
	// of answering.
	CommitThenDrop *bool `json:"commitThenDrop" example:"true"`
	// TokenRevoked refuses the caller's token: for this call, or this token from
	// now on.
	TokenRevoked string `json:"tokenRevoked" enum:"call,token" example:"token"`
}

// FaultView is an armed fault with what it has done so far.
type FaultView struct {
	ID    string    `json:"id" required:"true" example:"bank-is-down"`
	Match MatchView `json:"match" required:"true"`
	// Effect is written as in the header Sandbox-Fault.
	Effect string `json:"effect" required:"true" example:"status=503; retry-after=30"`
	// Count is how many calls it changes; 0 means all that come.
	Count int `json:"count" required:"true" example:"1"`
	// Until is the virtual time at which it ends, and SecondsLeft how far off that is, 0
	// when it is over. Both are left out where no time ends it.
	Until       string `json:"until,omitempty" format:"date-time" example:"2026-03-02T18:00:00Z"`
	SecondsLeft *int64 `json:"secondsLeft,omitempty" example:"2100"`
	// Remaining is how many are left; null when there is no end.
	Remaining *int `json:"remaining" required:"true" example:"0"`
	// Seen counts the matching calls until it is spent, Hits those that were
	// changed.
	Seen int `json:"seen" required:"true" example:"3"`
	Hits int `json:"hits" required:"true" example:"1"`
	// Log lists the newest hits, oldest first.
	Log []HitView `json:"log" required:"true" nullable:"false"`
}

// MatchView says which calls a fault meets; an empty member matches every call.
type MatchView struct {
	Operation string `json:"operation" required:"true" example:"createPayment"`
	Method    string `json:"method" required:"true" example:"POST"`
	Entity    string `json:"entity" required:"true" example:"3f0c4a53-9d3e-4f1f-8e9d-8c117b0c5b0e"`
	Nth       int    `json:"nth" required:"true" example:"1"`
}

// HitView is one call that a fault has changed.
type HitView struct {
	// Exchange is the call's number on the tape.
	Exchange uint64 `json:"exchange" required:"true" example:"17"`
	// At is the virtual time.
	At string `json:"at" required:"true" format:"date-time" example:"2026-03-02T17:00:05Z"`
}

// FaultList lists the faults, oldest first, spent ones too.
type FaultList struct {
	Faults []FaultView `json:"faults" required:"true" nullable:"false"`
}

func faultRoutes() []*route {
	const tag, path = "Faults", Prefix + "/integrations/{i}/faults"
	arm := row("armFault", http.MethodPost, path, actsWith(armFault).after(judgeFault).judging(), NewFault{}, FaultView{}).
		About(tag, "Arm a fault: which calls it meets, what happens to them, how often, and for how long").
		Says("Only calls of the integration's own callers meet a fault. The first armed fault that is due changes a call. " +
			"For one call alone send the header Sandbox-Fault with it, for example `Sandbox-Fault: status=503; retry-after=30`; " +
			"with `Sandbox-Fault: none` a call meets none, and is not counted: the console's own calls are sent so.").
		Fails(http.StatusConflict)
	return []*route{
		row("listFaults", http.MethodGet, path, reads(listFaults), nil, FaultList{}).
			About(tag, "List the armed faults with what they have hit"),
		arm,
		row("clearFaults", http.MethodDelete, path, acts(clearFaults), nil, door.Empty{}).
			About(tag, "Remove all faults"),
		row("removeFault", http.MethodDelete, path+"/{id}", acts(removeFault), nil, door.Empty{}).
			About(tag, "Remove a fault"),
	}
}

func listFaults(_ *exchange, i *integration.Integration) (FaultList, error) {
	list := FaultList{Faults: []FaultView{}}
	_, now, _ := i.Clock()
	for _, a := range i.Faults().List() {
		list.Faults = append(list.Faults, viewFault(&a, now))
	}
	return list, nil
}

// armFault arms what judgeFault has read.
func armFault(w *world.World, x *exchange, _ *NewFault) (FaultView, error) {
	asked, _ := x.memo.(armed)
	if asked.long > 0 {
		asked.Until = w.Now().Add(asked.long).UnixNano()
	}
	a, err := x.On.Faults().Arm(asked.Fault, w.Now().UnixNano())
	if err != nil {
		return FaultView{}, &kernel.Error{Code: kernel.Conflict, Detail: "the fault was not armed: " + err.Error()}
	}
	return viewFault(&a, w.Now()), nil
}

func clearFaults(_ *world.World, x *exchange) (door.Empty, error) {
	x.On.Faults().Clear()
	return door.Empty{}, nil
}

func removeFault(_ *world.World, x *exchange) (door.Empty, error) {
	if id := x.Param("id"); !x.On.Faults().Remove(id) {
		return door.Empty{}, &kernel.Error{Code: kernel.NotFound, Detail: "no fault " + door.Clip(id) + " is armed; GET …/faults lists them"}
	}
	return door.Empty{}, nil
}

func viewFault(a *fault.Armed, now time.Time) FaultView {
	v := FaultView{
		ID: a.ID, Effect: a.Effect.String(), Count: a.Count, Seen: a.Seen, Hits: a.Hits, Log: []HitView{},
		Match: MatchView{Operation: a.Match.Operation, Method: a.Match.Method, Entity: a.Match.Entity, Nth: max(a.Match.Nth, 1)},
	}
	if left := a.Remaining(); left >= 0 {
		v.Remaining = &left
	}
	if a.Until != 0 {
		until := time.Unix(0, a.Until)
		left := max(until.Sub(now)+time.Second-1, 0)
		v.Until, v.SecondsLeft = moment(until), new(int64(left/time.Second))
	}
	for _, h := range a.Log {
		v.Log = append(v.Log, HitView{Exchange: h.Exchange, At: moment(time.Unix(0, h.At))})
	}
	return v
}
