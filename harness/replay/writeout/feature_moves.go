package writeout

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// moved is what the bodies of moves say.
type moved struct {
	Card, Outcome, Persona, Number, ReturnCode, RegistrationID string

	Pass *bool
}

// ofKind are the nouns by what the control API calls their kinds.
var ofKind = map[string]string{
	"payments": "payment", "plans": "plan", "consents": "consent", "cards": "card authorisation", "refunds": "refund", "card-payments": "terminal payment",
	"debit-authorisations": "debit authorisation",
}

// machines are the machines of what answers do not show the ids of: steps speak of the one that was made last.
var machines = map[string]string{"refund": "refund", "terminal payment": "card-payment", "debit authorisation": "debit-authorisation"}

// move tells what somebody else did.
func (f *scenario) move(m *play.Move) {
	parts := strings.Split(strings.Trim(m.Path, "/"), "/")
	var with moved
	_ = json.Unmarshal(m.Body, &with)
	kind, id := parts[0], ""
	if len(parts) > 1 {
		id = strings.ToLower(parts[1])
	}
	switch {
	case kind == "payment-methods" && with.Card != "" && f.turn("payer", strings.ToLower(with.RegistrationID)):
		f.card(&with, m)
	case len(parts) < 3:
		f.leave("people: %s", m.Path)
	case kind == "registrations" && parts[2] == "complete":
		f.registers(id, &with)
	case kind == "companies" && f.company(parts[2], id, &with):
	case ofKind[kind] != "":
		f.happens(parts[2], ofKind[kind], id, &with)
	default:
		f.leave("people: %s", m.Path)
	}
}

// company tells what is done about a company; false for what no step says.
func (f *scenario) company(event, id string, with *moved) bool {
	switch {
	case event == "kyb" && f.Script.World.Environment != "rehearsal": // it ends by itself
		return true
	case !f.turn("company", id):
		return false
	case event == "bank-link":
		f.when("the company links its bank")
	case event == "kyb":
		f.when(`the verification ends as "%s"`, with.Outcome)
	default:
		return false
	}
	return true
}

// card tells that the payer has saved a card.
func (f *scenario) card(with *moved, m *play.Move) {
	f.leaves("card")
	f.given(`a saved card "%s"`, with.Card)
	f.told["card"]++
	for _, v := range m.Stands {
		f.newest("card", "a", strings.ToLower(v.Text))
	}
}

// carded names the card that a call charges where the payer has saved one alone.
func (f *scenario) carded(x *recording.Exchange) {
	if id := strings.ToLower(trail.ReadBody(x.Body).Text("paymentMethodId")); id != "" && f.known[id] == "" && f.told["card"] == 1 {
		f.newest("card", "a", id)
	}
}

// registers tells that a payer has linked a bank, or could not. Where nothing is said of the bank, the payer was there before.
func (f *scenario) registers(id string, with *moved) {
	at, made := f.lineOf[id]
	switch {
	case with.Outcome == "kyc-failed" && f.turn("payer", id):
		f.when("the payer fails the identity check")
	case with.Persona != "" && f.turn("payer", id):
		f.when(`the payer completes the registration at the bank "%s"`, with.Persona)
	case made:
		f.lines[at] = strings.Replace(f.lines[at], " payer", " registered payer", 1)
	case f.turn("payer", id):
		f.when("the payer completes the registration")
	default:
		f.leave("the payer %s linked a bank", id)
	}
}

// happens tells what happened to one of a kind.
func (f *scenario) happens(event, noun, id string, with *moved) {
	if !f.turn(noun, id) {
		f.leave("%s happens to the %s %s, which no step names", event, noun, id)
		return
	}
	if f.waited < time.Minute && event != "return" { // which needs what time brings; before others it may bring too much
		f.waited = 0
	}
	f.passes(false)
	switch {
	case noun == "payment" && event == "fail" && with.ReturnCode != "":
		f.when(`the payment fails with "%s"`, with.ReturnCode)
	case noun == "card authorisation" && event == "authorise" && with.Number != "":
		f.when(`the payer types the card "%s"`, with.Number)
	case noun == "card authorisation" && event == "challenge" && with.Pass != nil:
		f.when("the payer %s the challenge", map[bool]string{true: "passes", false: "fails"}[*with.Pass])
	default:
		f.when(`"%s" happens to the %s`, event, noun)
	}
	f.restless, f.raws = time.Minute, map[string]bool{}
}

// traced gives names to what a call has made and no answer shows: refunds, terminal payments and debit authorisations. The
// newest is the one that steps speak of; it is called something where others are spoken of, too.
func (f *scenario) traced(seq uint64) {
	for i := range f.Run.Entries {
		e := &f.Run.Entries[i]
		if e.Transition == nil || e.Transition.From != "" || e.Cause != seq {
			continue
		}
		for noun, machine := range machines {
			id := strings.ToLower(string(f.Run.Links.Back([]byte(e.Transition.Entity))))
			if machine == e.Transition.Machine && f.speaks(f.step+1, id) && !f.alone(machine) {
				f.told[noun]++
				f.known[id] = fmt.Sprintf("%s %d", noun, f.told[noun])
				f.given(`the %s is called "%s"`, noun, f.known[id])
			}
		}
	}
}

// alone says whether the case has one thing of a machine, or none.
func (f *scenario) alone(machine string) bool {
	n := 0
	for i := range f.Run.Entries {
		if t := f.Run.Entries[i].Transition; t != nil && t.Machine == machine && t.From == "" {
			n++
		}
	}
	return n < 2
}
