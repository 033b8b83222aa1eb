package timeline

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"paysandbox/harness/partner"
	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// control tells what was played for payers, banks, the provider and time.
func (t *teller) control(e *tape.Entry, warned bool) {
	x := trail.CallOf(e)
	if x.Exchange.Response.Status >= 400 {
		return
	}
	switch x.Exchange.Operation {
	case "addNote":
		t.note(e)
	case "setProfile":
		t.profile(e, x, warned)
	case "armFault", "revokeTokens":
		if !warned {
			t.say(e, "trouble", "is armed: "+x.Exchange.Operation)
		}
	case "removeFault", "clearFaults":
		t.say(e, "service", "is back")
	case "movePayment":
		t.say(e, t.mover(x), t.moves(x))
	default:
		who, what := t.names.played(x)
		t.say(e, who, what)
	}
}

// note tells a note.
func (t *teller) note(e *tape.Entry) {
	switch n := trail.NoteOf(e); n.Kind {
	case trail.NoteTask:
		var task partner.Task
		if n.Into(&task) && (task.Wait || task.Do == partner.DoAcceptSecret) {
			t.say(e, "partner", "is to "+task.Say)
		}
	case trail.NoteTrouble:
		t.warned = true
		t.say(e, "trouble", n.Text)
	case trail.NoteRedirect:
		var r trail.Returned
		_ = n.Into(&r)
		t.say(e, cmp.Or(t.names.byID[r.Registration], t.names.payerOf(r.Payment)), "comes back to the partner"+while(&r))
	case trail.NoteState:
		t.say(e, "partner", handedOver(n.Data))
	}
}

// while says how things stand when a payer comes back.
func while(r *trail.Returned) string {
	switch {
	case r.Status == "":
		return ""
	case r.Registration != "":
		return ", while the registration is " + r.Status
	default:
		return ", while the payment is " + r.Status
	}
}

// handedOver counts what a state probe tells.
func handedOver(data json.RawMessage) string {
	state, _ := trail.ReadState(data)
	given, taken := 0, 0
	for _, p := range state.Payments {
		given += p.Fulfilled
		taken += p.Reversed
	}
	switch {
	case given == 0:
		return "has handed over nothing so far"
	case taken == 0:
		return "has handed over the goods of " + count(given, "payment")
	default:
		return fmt.Sprintf("has handed over the goods of %s, and taken back those of %d", count(given, "payment"), taken)
	}
}

// profile tells how deliveries go wrong from now on.
func (t *teller) profile(e *tape.Entry, x *trail.Call, warned bool) {
	switch name := x.Sent().Text("profile"); {
	case name == "cut-connection":
		t.down = true
		t.say(e, "event", "the partner's receiver is down")
	case name == "" && t.down:
		t.down = false
		t.say(e, "event", "the partner's receiver is up again")
	case name != "" && !warned:
		t.say(e, "trouble", "events go wrong: "+name)
	}
}

// parts of a control call's path behind the integration: payments, id, event.
func parts(x *trail.Call) (id, event string) {
	list := strings.Split(strings.Trim(x.Exchange.Path, "/"), "/")
	if len(list) > 4 {
		id = list[4]
	}
	if len(list) > 5 {
		event = list[5]
	}
	return id, event
}

// mover is who takes a step of a payment.
func (t *teller) mover(x *trail.Call) string {
	id, event := parts(x)
	switch event {
	case "approve", "deny":
		return t.names.payerOf(id)
	case "return", "fail":
		return "bank"
	default:
		return "provider"
	}
}

// moves are the words for the steps of a payment.
func (t *teller) moves(x *trail.Call) string {
	id, event := parts(x)
	name := t.names.who(id)
	if _, amount, owned := strings.Cut(name, "'s "); owned && (event == "approve" || event == "deny") {
		name = amount
	}
	verb := map[string]string{"approve": "approves", "deny": "denies", "return": "returns", "fail": "refuses"}[event]
	if verb == "" {
		verb = "takes the step " + event + " of"
	}
	if code := x.Sent().Text("returnCode"); code != "" {
		return fmt.Sprintf("%s %s with %s", verb, name, code)
	}
	return verb + " " + name
}

// played tells who did what in one control call.
func (n *names) played(x *trail.Call) (who, what string) {
	id, event := parts(x)
	switch x.Exchange.Operation {
	case "decideKYB":
		return "provider", map[string]string{"verified": "verifies ", "rejected": "rejects "}[x.Sent().Text("outcome")] + n.who(id)
	case "linkCompanyBank":
		return "company", n.who(id) + " links its bank"
	case "completeRegistration":
		return n.who(id), completes(x.Sent().Text("persona"))
	case "moveDebitAuthorisation":
		return n.who(id), event + "s the debit authorisation"
	case "moveConsent":
		if event == "accept" {
			return n.who(id), "consents to the plan"
		}
		if n.agreed[id] {
			return n.who(id), "withdraws the consent to the plan"
		}
		return n.who(id), "says no to the plan"
	case "enterCard":
		return n.payerOf(id), "types a card on the page of the service"
	case "addWebhook":
		return "partner", "wants to hear of events at " + x.Sent().Text("url")
	case "rotateSecret":
		return "provider", "signs with a new webhook secret"
	default:
		return "sandbox", x.Exchange.Operation
	}
}

// completes says how a registration was completed.
func completes(persona string) string {
	if persona == "" || persona == "good" {
		return "completes the registration"
	}
	return fmt.Sprintf("completes the registration with the test account %q", persona)
}

// message tells what a person was sent. A text that goes to number and address
// of the same person is told once.
func (t *teller) message(e *tape.Entry) {
	m := e.Message
	about := strings.ReplaceAll(m.Template, "-", " ")
	for _, p := range m.Params {
		if p.Name == "amount" {
			about += ", " + strings.TrimPrefix(p.Value, "$")
		}
	}
	kind := "an SMS"
	if m.Channel == tape.ChannelEmail {
		kind = "an e-mail"
	}
	to := t.names.person(m.To)
	if n := len(t.lines); n > 0 && kind == "an e-mail" && t.lines[n-1].what == sends(to, "an SMS", about) && t.lines[n-1].at == e.At {
		t.lines[n-1].what = sends(to, "an SMS and an e-mail", about)
		return
	}
	t.say(e, "service", sends(to, kind, about))
}

func sends(to, kind, about string) string { return fmt.Sprintf("sends %s %s: %s", to, kind, about) }

// profiles are the words for ways in which deliveries go wrong.
var profiles = map[string]string{
	"altered-byte": "altered on its way", "altered-status": "changed to tell another status", "missing-signature": "unsigned", "altered-signature": "one digit of its signature changed", "empty-secret": "signed with an empty secret", "wrong-secret": "signed with a guessed secret",
	"stale-signature": "with the signature of another", "odd-json": "written in an odd way", "unknown-event": "under a name that nobody knows",
	"extra-member": "with members that nobody knows", "duplicate": "a copy", "parallel-duplicate": "twice at the same moment",
	"reorder": "after the one that follows it", "before-response": "before the call is answered", "cut-connection": "cut off",
}

// attempt tells a delivery and what the partner answered.
func (n *names) attempt(a *tape.Attempt) string {
	e := n.events[a.Event]
	what := "an event"
	if e.entity != "" {
		what = fmt.Sprintf("%s is %s", n.who(e.entity), e.status)
	}
	how := ""
	for name := range a.Profile.Each() {
		how += ", " + cmp.Or(profiles[name], name)
	}
	if a.Number > 1 {
		how += fmt.Sprintf(", attempt %d", a.Number)
	}
	if a.Status == 0 {
		return fmt.Sprintf("%s%s → not heard", what, how)
	}
	return fmt.Sprintf("%s%s → the partner answers %d", what, how, a.Status)
}
