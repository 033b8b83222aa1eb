package check_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"paysandbox/harness/check"
	"paysandbox/mockserver/tape"
)

// spool makes a small tape by hand: what is added happens at its moment, and
// what is returned may still be changed.
type spool struct {
	meta    tape.Meta
	entries []*tape.Entry
	now     int64
}

// newSpool starts a tape; an empty clock is a real one.
func newSpool(clock string) *spool {
	if clock == "" {
		clock = "real"
	}
	start := time.Date(2026, 3, 2, 17, 0, 0, 0, time.UTC).UnixNano()
	return &spool{meta: tape.Meta{Seed: 1, Environment: "sandbox", Start: start, Clock: clock, Latitude: map[string]string{"idempotency": "honoured"}}, now: start}
}

// tape makes a tape for the checks of copies of the entries.
func (s *spool) tape() *check.Tape { return check.New(s.meta, s.copied(), check.Options{}) }

func (s *spool) copied() []tape.Entry {
	list := make([]tape.Entry, len(s.entries))
	for i, e := range s.entries {
		list[i] = *e
	}
	return list
}

// add puts an entry on the tape, with its number, and its moment when it has none.
func (s *spool) add(e tape.Entry) *tape.Entry {
	if e.Seq = uint64(len(s.entries)) + 1; e.At == 0 {
		e.At = s.now
	}
	s.entries = append(s.entries, &e)
	return &e
}

// pass lets the application wait: a clock that runs goes on, one that stands
// still is moved.
func (s *spool) pass(d time.Duration) {
	if s.meta.Clock == "manual" {
		s.move(d)
		return
	}
	s.now += int64(d)
}

// move moves the clock, which is the harness's doing.
func (s *spool) move(d time.Duration) {
	from := s.now
	s.now += int64(d)
	s.add(tape.Entry{Kind: tape.KindClock, Clock: &tape.Clock{From: from, To: s.now, Mode: s.meta.Clock}})
}

// with changes an exchange that is being added.
type with = func(x *tape.Exchange)

// call adds a call of the partner API: from a server with a User-Agent, with a
// good token, and with the usual path of the operation.
func (s *spool) call(operation string, status int, changes ...with) *tape.Entry {
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
	return s.add(tape.Entry{Kind: tape.KindExchange, Exchange: x})
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

// token adds the call that grants a token of an hour.
func (s *spool) token(jti string, changes ...with) {
	grant := func(x *tape.Exchange) {
		x.Auth, x.Token = tape.AuthCredentialsOK, jti
		x.Request.Body = []byte(`{"clientId":"sandbox-client","clientSecret":"xxxxxxx-xxxxxx"}`)
		x.Response.Body = []byte(`{"accessToken":"xxx","tokenType":"Bearer","expiresInSeconds":3600}`)
	}
	s.call("createToken", http.StatusOK, append([]with{grant}, changes...)...)
}

// sends is the body of the call.
func sends(body string) with { return func(x *tape.Exchange) { x.Request.Body = []byte(body) } }

// answers is the body of the answer.
func answers(body string) with { return func(x *tape.Exchange) { x.Response.Body = []byte(body) } }

// keyed is the idempotency key of the call.
func keyed(key string) with { return sent("Idempotency-Key", key) }

// bearer is the caller's token, and the verdict on it.
func bearer(jti, auth string) with { return func(x *tape.Exchange) { x.Token, x.Auth = jti, auth } }

// at is the path of the call, and its query.
func at(path, query string) with { return func(x *tape.Exchange) { x.Path, x.Query = path, query } }

// faulty is the fault that has shaped the answer, for example "f1: status=503".
func faulty(label string) with { return func(x *tape.Exchange) { x.Fault = label } }

// sent sets a header of the call; an empty value takes it away.
func sent(name, value string) with {
	return func(x *tape.Exchange) {
		x.Request.Header = drop(x.Request.Header, name)
		if value != "" {
			x.Request.Header = append(x.Request.Header, tape.Header{Name: name, Value: value})
		}
	}
}

// carries sets a header of the answer.
func carries(name, value string) with {
	return func(x *tape.Exchange) {
		x.Response.Header = append(drop(x.Response.Header, name), tape.Header{Name: name, Value: value})
	}
}

// control adds a call of the control API, for example "advanceClock".
func (s *spool) control(operation, body string) *tape.Entry {
	x := &tape.Exchange{
		Operation: operation, Method: http.MethodPost, Path: "/_sandbox/integrations/default/" + operation,
		Request: tape.Request{Body: []byte(body)}, Response: tape.Response{Status: http.StatusOK, Body: []byte("{}")},
	}
	return s.add(tape.Entry{Kind: tape.KindControl, Exchange: x})
}

// note adds a note with its data; see the Note constants.
func (s *spool) note(kind string, data any) {
	raw, err := json.Marshal(map[string]any{"kind": kind, "text": kind, "data": data})
	if err != nil {
		panic(err) // a mistake in a test
	}
	s.control("addNote", string(raw))
}

// becomes adds a move of a state machine; an empty from creates the resource.
func (s *spool) becomes(machine, entity, from, to string, cause *tape.Entry) {
	s.add(tape.Entry{
		Kind: tape.KindTransition, Cause: seqOf(cause), Entities: []string{entity},
		Transition: &tape.Transition{Machine: machine, Entity: entity, From: from, To: to, Event: "test"},
	})
}

// event adds an event about entities, the main one first; data is Data as JSON.
func (s *spool) event(name, data string, cause *tape.Entry, entities ...string) *tape.Entry {
	return s.add(tape.Entry{
		Kind: tape.KindEvent, Cause: seqOf(cause), Entities: entities,
		Event: &tape.Event{
			Name: name, ID: fmt.Sprintf("event-%d", len(s.entries)+1), Body: []byte(`{"Live":false,"Event":"` + name + `","Data":` + data + `}`),
		},
	})
}

// attempt adds the first attempt to deliver an event by a profile, "" for one
// that behaves, and the receiver's answer.
func (s *spool) attempt(event *tape.Entry, profile string, status int, changes ...func(a *tape.Attempt)) *tape.Entry {
	a := &tape.Attempt{
		Delivery: fmt.Sprintf("delivery-%d", len(s.entries)+1), Endpoint: "endpoint-1", Event: event.Event.ID, Number: 1,
		Profile: profile, URL: "http://gym.partner.test/hooks", Status: status, Body: event.Event.Body,
		Header: []tape.Header{{Name: "X-HMAC-Signature", Value: "sha256=00"}},
	}
	for _, change := range changes {
		change(a)
	}
	return s.add(tape.Entry{Kind: tape.KindAttempt, Cause: event.Seq, Entities: event.Entities, Attempt: a})
}

// hangup adds that the caller of a call has hung up, so long after it.
func (s *spool) hangup(call *tape.Entry, after time.Duration) {
	if s.meta.Clock == "real" {
		s.now = call.At + int64(after)
	}
	s.add(tape.Entry{Kind: tape.KindHangup, Cause: call.Seq, Entities: call.Entities, Hangup: &tape.Hangup{After: int64(after)}})
}

// finding adds what was found about a call.
func (s *spool) finding(call *tape.Entry, found ...tape.Finding) {
	s.add(tape.Entry{Kind: tape.KindFinding, Cause: call.Seq, Findings: found})
}

func seqOf(e *tape.Entry) uint64 {
	if e == nil {
		return 0
	}
	return e.Seq
}
