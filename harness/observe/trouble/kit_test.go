package trouble_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/observe/trouble"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// bench is a planner with a tape that a test writes entry by entry, at times of
// its own.
type bench struct {
	t        *testing.T
	planner  *trouble.Planner
	now      time.Time
	seq      uint64
	verdicts map[string]verdict.Word
}

// between is how long a bench's application rests after a call.
const between = 100 * time.Millisecond

const hook = "0f0c4a53-0000-4000-8000-000000000001"

func newBench(t *testing.T, troubles ...trouble.Trouble) *bench {
	t.Helper()
	if troubles == nil {
		troubles = trouble.Troubles()
	}
	return begun(t, trouble.NewPlanner(troubles, func(string) bool { return true }))
}

// begun is a bench whose application has made its first calls.
func begun(t *testing.T, p *trouble.Planner) *bench {
	t.Helper()
	b := &bench{t: t, now: time.Unix(1_700_000_000, 0), verdicts: map[string]verdict.Word{}, planner: p}
	for range 3 {
		b.put(tape.Entry{Kind: tape.KindExchange, Exchange: &tape.Exchange{Operation: "registerUser", Method: "POST", Token: "jti", Response: tape.Response{Status: 200}}})
	}
	b.now = b.now.Add(time.Second)
	return b
}

// only is the trouble of a name.
func only(t *testing.T, name string) trouble.Trouble {
	t.Helper()
	for _, one := range trouble.Troubles() {
		if one.Name == name {
			return one
		}
	}
	require.Fail(t, "no trouble "+name)
	return trouble.Trouble{}
}

func (b *bench) put(e tape.Entry) {
	b.seq++
	e.Seq = b.seq
	b.planner.Take([]tape.Entry{e}, b.now)
}

// call is an exchange; fault is the id of the fault that it met.
func (b *bench) call(operation, method string, status int, fault string) {
	x := &tape.Exchange{Operation: operation, Method: method, Token: "jti", Response: tape.Response{Status: status}}
	if fault != "" {
		x.Fault = tape.LabelFault(fault, "status=500")
	}
	b.put(tape.Entry{Kind: tape.KindExchange, Exchange: x})
	b.now = b.now.Add(between)
}

// deliver is an attempt to deliver an event.
func (b *bench) deliver(event, profile string, status int) {
	b.put(tape.Entry{Kind: tape.KindAttempt, Attempt: &tape.Attempt{
		Delivery: "delivery of " + event, Endpoint: hook, Event: event, Number: 1, Profile: tape.Profiles(profile), Status: status,
	}})
}

// happens is an event about a payment of its own, caused by an entry.
func (b *bench) happens(id string, cause uint64, status string) {
	b.put(tape.Entry{Kind: tape.KindEvent, Cause: cause, Entities: []string{"of-" + id}, Event: &tape.Event{
		Name: "PAYMENT_STATUS_CHANGED", ID: id, Body: []byte(`{"Data":{"Status":"` + status + `"}}`),
	}})
}

// control is a control call of somebody's.
func (b *bench) control(operation, path, agent, request, response string) {
	b.put(controlled(operation, path, agent, request, response))
}

// move moves the virtual clock, which began in 1970, to a time.
func (b *bench) move(to time.Duration) {
	b.put(tape.Entry{Kind: tape.KindClock, Clock: &tape.Clock{To: int64(to)}})
}

func controlled(operation, path, agent, request, response string) tape.Entry {
	return tape.Entry{Kind: tape.KindControl, Exchange: &tape.Exchange{
		Operation: operation, Method: "POST", Path: path,
		Request:  tape.Request{Header: []tape.Header{{Name: "User-Agent", Value: agent}}, Body: []byte(request)},
		Response: tape.Response{Status: 200, Body: []byte(response)},
	}}
}

func (b *bench) passes(clauses ...string) {
	for _, id := range clauses {
		b.verdicts[id] = verdict.Pass
	}
}

// next gives what the planner wants done, in short words, and lets the tape tell
// that what it makes was armed.
func (b *bench) next() []string {
	list := b.planner.Next(b.now, b.verdict)
	for i := range list {
		if list[i].Do == trouble.Make {
			b.arm(&list[i])
		}
	}
	return short(list)
}

func (b *bench) verdict(id string) verdict.Word {
	if v, known := b.verdicts[id]; known {
		return v
	}
	return verdict.NotExercised
}

// arm is the control call of the session that arms a trouble; it has no number.
func (b *bench) arm(a *trouble.Action) {
	operation, path, body := "armFault", "/x/faults", `{"name":"`+a.Fault+`"}`
	if a.Fault == "" {
		operation, path, body = "setProfile", "/x/webhooks/"+a.Endpoint+"/profile", `{"profile":"`+a.Trouble.Profile+`"}`
	}
	b.planner.Take([]tape.Entry{controlled(operation, path, "paysandbox-observe/1.0", body, "{}")}, b.now)
}

func short(list []trouble.Action) []string {
	var words []string
	for _, a := range list {
		word := string(a.Do)
		if a.Trouble != nil {
			word += " " + a.Trouble.Name
		}
		if a.Delivery != "" {
			word += " " + a.Delivery
		}
		if len(a.Clauses) > 0 {
			word += " " + strings.Join(a.Clauses, " ")
		}
		if a.Do == trouble.GiveBack {
			word += fmt.Sprintf(" %s %d", a.Profile.Name, a.Profile.Next)
		}
		if a.Do == trouble.Make {
			word += fmt.Sprintf(" [%s%s%s]", a.Operation, a.Method, a.Endpoint)
		}
		words = append(words, word)
	}
	return words
}
