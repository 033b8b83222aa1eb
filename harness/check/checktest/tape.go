package checktest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// Tape makes a small tape by hand: what is added happens at its moment, and
// what is returned may still be changed.
type Tape struct {
	Meta    tape.Meta
	Entries []*tape.Entry
	Now     int64
}

// New starts a tape; an empty clock is a real one.
func New(clock string) *Tape {
	if clock == "" {
		clock = "real"
	}
	start := time.Date(2026, 3, 2, 17, 0, 0, 0, time.UTC).UnixNano()
	return &Tape{Meta: tape.Meta{Seed: 1, Environment: "sandbox", Start: start, Clock: clock, Latitude: map[string]string{"idempotency": "honoured"}}, Now: start}
}

// Trail reads copies of the entries, as checks do.
func (s *Tape) Trail() *trail.Trail { return trail.New(s.Meta, s.copies()) }

func (s *Tape) copies() []tape.Entry {
	list := make([]tape.Entry, len(s.Entries))
	for i, e := range s.Entries {
		list[i] = *e
	}
	return list
}

// Add puts an entry on the tape, with its number, and its moment when it has none.
func (s *Tape) Add(e tape.Entry) *tape.Entry {
	if e.Seq = uint64(len(s.Entries)) + 1; e.At == 0 {
		e.At = s.Now
	}
	s.Entries = append(s.Entries, &e)
	return &e
}

// Pass lets the application wait: a clock that runs goes on, one that stands
// still is moved.
func (s *Tape) Pass(d time.Duration) {
	if s.Meta.Clock == "manual" {
		s.Move(d)
		return
	}
	s.Now += int64(d)
}

// Move moves the clock, which is the harness's doing.
func (s *Tape) Move(d time.Duration) {
	from := s.Now
	s.Now += int64(d)
	s.Add(tape.Entry{Kind: tape.KindClock, Clock: &tape.Clock{From: from, To: s.Now, Mode: s.Meta.Clock}})
}

// With changes an exchange that is being added.
type With = func(x *tape.Exchange)

// Call adds a call of the partner API: from a server with a User-Agent, with a
// good token, and with the usual path of the operation.
func (s *Tape) Call(operation string, status int, changes ...With) *tape.Entry {
	method, path := http.MethodPost, "/Payment/Create"
	if at, ok := usual[operation]; ok {
		method, path = at[0], at[1]
	}
	x := &tape.Exchange{
		Operation: operation, Method: method, Path: path, Auth: tape.AuthValid, Token: "token-1",
		Request: tape.Request{Header: []tape.Header{
			{Name: "Host", Value: "127.0.0.1:8484"}, {Name: "Content-Type", Value: "application/json"}, {Name: "User-Agent", Value: "gym-suite/2.1"},
		}},
		Response: tape.Response{Status: status},
	}
	for _, change := range changes {
		change(x)
	}
	return s.Add(tape.Entry{Kind: tape.KindExchange, Exchange: x})
}

// usual are the methods and paths of operations.
var usual = map[string][2]string{
	"createToken":            {"POST", "/Authentication/Token"},
	"createCompany":          {"POST", "/Company/Create"},
	"getCompanyStatus":       {"GET", "/Company/gym/Status"},
	"listCompanies":          {"GET", "/Company/List"},
	"registerUser":           {"POST", "/User/Register"},
	"getUserStatus":          {"GET", "/User/dana/Status"},
	"createPayment":          {"POST", "/Payment/Create"},
	"getPaymentStatus":       {"GET", "/Payment/p1/Status"},
	"cancelPayment":          {"PUT", "/Payment/p1/Cancel"},
	"refundPayment":          {"POST", "/Payment/Refund/p1"},
	"authoriseCard":          {"POST", "/Payment/Card/Auth"},
	"chargeSavedCard":        {"POST", "/Payment/ChargeSavedCard"},
	"registerCardPayment":    {"POST", "/CardPayment"},
	"reportTransactions":     {"GET", "/Transaction/Report"},
	"getTransaction":         {"GET", "/Transaction/PaymentRequest/p1"},
	"createPlan":             {"POST", "/PaymentPlan/Create"},
	"createRecurring":        {"POST", "/Payment/Recurring"},
	"createExternalAuthLink": {"POST", "/Company/gym/ExternalAuthLink"},
}

// Token adds the call that grants a token of an hour.
func (s *Tape) Token(jti string, changes ...With) {
	grant := func(x *tape.Exchange) {
		x.Auth, x.Token = tape.AuthCredentialsOK, jti
		x.Request.Body = []byte(`{"clientId":"sandbox-client","clientSecret":"xxxxxxx-xxxxxx"}`)
		x.Response.Body = []byte(`{"accessToken":"xxx","tokenType":"Bearer","expiresInSeconds":3600}`)
	}
	s.Call("createToken", http.StatusOK, append([]With{grant}, changes...)...)
}

// Sends is the body of the call.
func Sends(body string) With { return func(x *tape.Exchange) { x.Request.Body = []byte(body) } }

// Answers is the body of the answer.
func Answers(body string) With { return func(x *tape.Exchange) { x.Response.Body = []byte(body) } }

// Keyed is the idempotency key of the call.
func Keyed(key string) With { return Sent("Idempotency-Key", key) }

// Bearer is the caller's token, and the verdict on it.
func Bearer(jti, auth string) With { return func(x *tape.Exchange) { x.Token, x.Auth = jti, auth } }

// At is the path of the call, and its query.
func At(path, query string) With { return func(x *tape.Exchange) { x.Path, x.Query = path, query } }

// Faulty is the fault that has shaped the answer, for example "f1: status=503".
func Faulty(label string) With { return func(x *tape.Exchange) { x.Fault = tape.FaultLabel(label) } }

// Sent sets a header of the call; an empty value takes it away.
func Sent(name, value string) With {
	return func(x *tape.Exchange) {
		x.Request.Header = Drop(x.Request.Header, name)
		if value != "" {
			x.Request.Header = append(x.Request.Header, tape.Header{Name: name, Value: value})
		}
	}
}

// Carries sets a header of the answer.
func Carries(name, value string) With {
	return func(x *tape.Exchange) {
		x.Response.Header = append(Drop(x.Response.Header, name), tape.Header{Name: name, Value: value})
	}
}

// Control adds a call of the control API, for example "advanceClock".
func (s *Tape) Control(operation, body string) *tape.Entry {
	return s.Add(controlled(operation, body))
}

func controlled(operation, body string) tape.Entry {
	return tape.Entry{Kind: tape.KindControl, Exchange: &tape.Exchange{
		Operation: operation, Method: http.MethodPost, Path: "/_sandbox/integrations/default/" + operation,
		Request: tape.Request{Body: []byte(body)}, Response: tape.Response{Status: http.StatusOK, Body: []byte("{}")},
	}}
}

// Note adds a note with its data; see the Note constants.
func (s *Tape) Note(kind string, data any) { s.Add(Noted(kind, data)) }

// Noted is the entry of a note, without a number.
func Noted(kind string, data any) tape.Entry {
	raw, err := json.Marshal(map[string]any{"kind": kind, "text": kind, "data": data})
	if err != nil {
		panic(err) // a mistake in a test
	}
	return controlled("addNote", string(raw))
}

// Becomes adds a move of a state machine; an empty from creates the resource.
func (s *Tape) Becomes(machine, entity, from, to string, cause *tape.Entry) {
	s.Add(tape.Entry{
		Kind: tape.KindTransition, Cause: seqOf(cause), Entities: []string{entity},
		Transition: &tape.Transition{Machine: machine, Entity: entity, From: from, To: to, Event: "test"},
	})
}

// Event adds an event about entities, the main one first; data is Data as JSON.
func (s *Tape) Event(name, data string, cause *tape.Entry, entities ...string) *tape.Entry {
	return s.Add(tape.Entry{
		Kind: tape.KindEvent, Cause: seqOf(cause), Entities: entities,
		Event: &tape.Event{
			Name: name, ID: fmt.Sprintf("event-%d", len(s.Entries)+1), Body: []byte(`{"Live":false,"Event":"` + name + `","Data":` + data + `}`),
		},
	})
}

// Attempt adds the first attempt to deliver an event by a profile, "" for one
// that behaves, and the receiver's answer.
func (s *Tape) Attempt(event *tape.Entry, profile string, status int, changes ...func(a *tape.Attempt)) *tape.Entry {
	a := &tape.Attempt{
		Delivery: fmt.Sprintf("delivery-%d", len(s.Entries)+1), Endpoint: "endpoint-1", Event: event.Event.ID, Number: 1,
		Profile: tape.Profiles(profile), URL: "http://gym.partner.test/hooks", Status: status, Body: event.Event.Body,
		Header: []tape.Header{{Name: "X-HMAC-Signature", Value: "sha256=00"}},
	}
	for _, change := range changes {
		change(a)
	}
	return s.Add(tape.Entry{Kind: tape.KindAttempt, Cause: event.Seq, Entities: []string{a.Delivery, a.Event, a.Endpoint}, Attempt: a})
}

// Hangup adds that the caller of a call has hung up, so long after it.
func (s *Tape) Hangup(call *tape.Entry, after time.Duration) {
	if s.Meta.Clock == "real" {
		s.Now = call.At + int64(after)
	}
	s.Add(tape.Entry{Kind: tape.KindHangup, Cause: call.Seq, Entities: call.Entities, Hangup: &tape.Hangup{After: int64(after)}})
}

// Finding adds what was found about a call.
func (s *Tape) Finding(call *tape.Entry, found ...tape.Finding) {
	s.Add(tape.Entry{Kind: tape.KindFinding, Cause: call.Seq, Findings: found})
}

func seqOf(e *tape.Entry) uint64 {
	if e == nil {
		return 0
	}
	return e.Seq
}
