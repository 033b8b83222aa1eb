package prelude

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"paysandbox/fixtures"
	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// most bounds the calls and moves before a recording.
const most = 20_000

// tokenLife is how long an access token is good. Latitude, token-lifetime.
const tokenLife = time.Hour

// Beginning is a script with what was taken for granted.
type Beginning struct {
	Script play.Script
	Clock  Clock
	// Notes tell what could not be taken for granted, or was left out.
	Notes []string
}

// Begin makes the script of a recording: its calls at the service's times, and before them what has to be there.
func Begin(routes *correlate.Routes, r *recording.Recording) Beginning {
	b := builder{routes: routes, rec: r, clock: Times(r), facts: gather(routes, r), granted: map[int]correlate.Value{}, noted: map[string]*notedCalls{}}
	b.begin, b.world = b.clock.first(), b.environment()
	b.facts.oldest()
	b.executed = b.lostButDone()
	b.admission()
	b.everything()
	steps := append(b.before, b.withHeard(b.recorded())...)
	start := b.begin
	for i := range steps {
		if steps[i].At.Before(start) {
			start = steps[i].At
		}
	}
	b.notes = append(b.notes, b.clockNotes()...)
	return Beginning{
		Script: play.Script{World: play.World{Seed: 1, Environment: b.world, Latitude: b.production(), Start: start}, Steps: steps},
		Clock:  b.clock, Notes: b.notes,
	}
}

func (c *Clock) first() time.Time {
	if len(c.Calls) > 0 {
		return c.Calls[0]
	}
	if len(c.Received) > 0 {
		return c.Received[0]
	}
	return unknownStart
}

func (b *builder) clockNotes() []string {
	var list []string
	for i := range b.rec.Sources {
		for _, o := range b.rec.Sources[i].Offsets {
			list = append(list, fmt.Sprintf("The clock of %s differs from the service's: %s were added to its times%s.", b.rec.Sources[i].Name, o.By.Round(time.Second), o.From.Since()))
		}
	}
	if !b.clock.Known {
		list = append(list, "The files tell no times: calls are a second apart, and nothing is said about how long anything took.")
	}
	return list
}

// builder makes a script.
type builder struct {
	routes *correlate.Routes
	rec    *recording.Recording
	clock  Clock
	facts  *facts
	begin  time.Time
	world  string // its environment
	before []play.Step
	notes  []string
	noted  map[string]*notedCalls
	// executed are the ids that calls have made whose answers were lost.
	executed map[int]correlate.Value
	// contacts are the numbers of payers who are known by what they were asked to pay.
	contacts map[string]string
	// granted are the tokens of calls whose answers are not shown, by the call.
	granted map[int]correlate.Value
	// admitted is the token that calls carry whose authorisation was taken out.
	admitted string
	// late are tokens that are granted while the recording goes on, by no call of it.
	late []play.Step
	// carriedLast is when each token was carried last by a call that was admitted.
	carriedLast map[string]time.Time
	// outworn are the tokens of calls that were refused with what their file has struck out.
	outworn map[int]string
	// carried are the files of which some calls show their authorisation.
	carried map[string]bool
}

// environment is rehearsal where a company was seen to wait for its verification.
func (b *builder) environment() string {
	for i := range b.rec.Exchanges {
		x := &b.rec.Exchanges[i]
		op, _ := b.routes.Match(x.Method, x.Path)
		switch body := trail.ReadBody(x.Answer.Body); {
		case trail.OperationNamed(op).Kind == "company" && (body.Text("Status") == "Unverified" || body.Text("Status") == "Rejected"):
			return "rehearsal"
		case x.Answer.Status == 400 && strings.Contains(string(x.Answer.Body), "company-verified"):
			return "rehearsal"
		}
	}
	for i := range b.rec.Received {
		if b.verifiedLater(i) {
			return "rehearsal"
		}
	}
	return "sandbox"
}

// production is what the world has to choose where each event says that it comes from production, which no sandbox does: one
// whose address says that it is one does it wrongly.
func (b *builder) production() map[string]string {
	if b.rec.OfSandbox() {
		return nil
	}
	count := 0
	for i := range b.rec.Received {
		switch live, _ := trail.ReadBody(b.rec.Received[i].Body).Get("Live").(bool); {
		case !live:
			return nil
		default:
			count++
		}
	}
	if count == 0 {
		return nil
	}
	b.notes = append(b.notes, "The webhooks come from production (Live: true): so does this world say.")
	return map[string]string{"live": "true"}
}

// verifiedLater says whether a webhook tells of a company that was not verified at once.
func (b *builder) verifiedLater(n int) bool {
	w := trail.ReadBody(b.rec.Received[n].Body)
	if w.Text("Event") != trail.CompanyEvent {
		return false
	}
	if w.Object("Data").Text("Status") == "Unverified" { // which no event may tell
		return false
	}
	made := b.madeBy(n)
	if made >= 0 && b.rec.Exchanges[made].Begin.IsZero() { // how long it took is not told
		return w.Object("Data").Text("Status") != "Verified"
	}
	return made < 0 || w.Object("Data").Text("Status") != "Verified" || b.clock.Received[n].Sub(b.clock.Calls[made]) > 2*time.Second
}

// recorded are the calls of the recording.
func (b *builder) recorded() []play.Step {
	var steps []play.Step
	since := b.begin
	for i := range b.rec.Exchanges {
		x := b.rec.Exchanges[i]
		c := &play.Call{N: i, Exchange: x, Fault: b.fault(i)}
		c.Broken = c.Fault != "" && (x.Answer.Status == 500 || x.Answer.Status == 501)
		b.body(c)
		b.unstruck(c)
		if op, _ := b.routes.Match(x.Method, x.Path); trail.OperationNamed(op).Token {
			c.Admitted = Served(&x) || x.Answer.Status == 0 && (x.Answer.Known != recording.Whole || trail.ReadBody(x.Answer.Body).Text("accessToken") != "")
		} else if b.admitted != "" && x.Answer.Status != 401 && correlate.Bearer(x.Header) == "" && (b.cleaned(&x) || x.Struck || b.unshown(i)) {
			if at := b.clock.Calls[i]; at.Sub(since) >= tokenLife-time.Minute { // it is taken as renewed in time
				since, b.admitted = at, fmt.Sprint("admitted-", i)
				steps = append(steps, Granting(at, correlate.Value{Type: correlate.Token, Text: b.admitted, Where: "/accessToken"}, ""))
			}
			c.Exchange.Header = append([]tape.Header{{Name: "Authorization", Value: "Bearer " + b.admitted}}, x.Header...)
		}
		b.stands(c)
		steps = append(steps, b.due(i)...)
		steps = append(steps, play.Step{At: b.clock.Calls[i], Call: c})
	}
	return steps
}

// stands says which recorded values those of a call's answer stand for, and gives the call a token that had expired.
func (b *builder) stands(c *play.Call) {
	if token := b.outworn[c.N]; token != "" {
		c.Exchange.Header = append([]tape.Header{{Name: "Authorization", Value: "Bearer " + token}}, c.Exchange.Header...)
	}
	if v, ok := b.executed[c.N]; ok {
		c.Stands = []correlate.Value{v}
	}
	if v, ok := b.granted[c.N]; ok {
		c.Stands = append(c.Stands, v)
	}
}

// body puts a usual body in the place of one that the recording does not hold.
func (b *builder) body(c *play.Call) {
	if !c.Exchange.BodyMissing || c.Fault != "" {
		return
	}
	op, _ := b.routes.Match(c.Exchange.Method, c.Exchange.Path)
	raw, err := fixtures.Payload(trail.OperationNamed(op).Payload)
	if err != nil {
		return
	}
	c.Exchange.Body = b.called(op, raw, c)
	if _, typed := trail.Header(c.Exchange.Header, "Content-Type"); !typed {
		c.Exchange.Header = append(slices.Clone(c.Exchange.Header), tape.Header{Name: "Content-Type", Value: "application/json"})
	}
	what := "a usual one was sent"
	if trail.OperationNamed(op).Token && c.Exchange.Answer.Status == http.StatusUnauthorized {
		c.Exchange.Body, what = trail.Quote(map[string]any{"clientId": "sandbox-client", "clientSecret": "not-recorded"}), "since it was refused, one with a wrong secret was sent"
	}
	b.noteOf("The recording does not hold the body of", ": "+what+".", c.N)
}

// fault is what the sandbox has to do in the service's place: an answer for want of
// the service tells nothing of what the call would have come to.
func (b *builder) fault(i int) string {
	x := &b.rec.Exchanges[i]
	_, done := b.executed[i]
	asked, _ := trail.Header(x.Header, "Sandbox-Fault")
	switch status := x.Answer.Status; {
	case done:
		return ""
	case askedFor().MatchString(asked): // as what is written of a case does; no other effect is let loose here
		return asked
	case x.BodyMissing && status >= 400 && status < 500 && status != 401:
		return "status=" + strconv.Itoa(status) // what was refused is not there
	case RefusedForStruck(x) != nil:
		return "status=400"
	case status == 429 || status >= 500 && status <= 599:
		effect := "status=" + strconv.Itoa(status)
		if after, _ := trail.Header(x.Answer.Header, "Retry-After"); after != "" && strings.Trim(after, "0123456789") == "" {
			effect += "; retry-after=" + after
		}
		return effect
	case Lost(x):
		return "status=503"
	default:
		return ""
	}
}

// askedFor is an effect that a call asks the sandbox for by itself, and that takes no time.
var askedFor = trail.Pattern(`^status=[1-5][0-9]{2}(?:; ?retry-after=[0-9]{1,6})?$`)

// lostButDone finds what calls have made whose answers never came: an id of their
// type that the recording shows later and nothing else has made.
func (b *builder) lostButDone() map[int]correlate.Value {
	done, taken := map[int]correlate.Value{}, map[*fact]bool{}
	for i := range b.rec.Exchanges {
		x := &b.rec.Exchanges[i]
		struck, _ := correlate.Struck(x.Answer.Body)
		if !Lost(x) && x.Answer.Status < 500 && x.Answer.Known == recording.Whole && len(struck) == 0 || x.Answer.Status >= 400 && x.Answer.Status < 500 {
			continue
		}
		op, _ := b.routes.Match(x.Method, x.Path)
		for _, made := range trail.OperationNamed(op).Makes {
			for _, one := range b.facts.list {
				if taken[one] || one.first < i || string(one.Type) != kindOf(made) || !alike(one, x) {
					continue
				}
				done[i], taken[one] = correlate.Value{Type: one.Type, Text: one.Text, Where: "/" + made}, true
				b.facts.made[key(one.Value)] = i
				break
			}
		}
	}
	return done
}

// kindOf is the type of an id that an operation makes.
func kindOf(member string) string {
	for name, t := range map[string]correlate.Type{
		"companyId": correlate.Company, "registrationId": correlate.Registration, "paymentRequestId": correlate.Payment,
		"paymentPlanId": correlate.Plan, "locationId": correlate.Location,
	} {
		if name == member {
			return string(t)
		}
	}
	return ""
}

// alike says whether something may be what a call has made.
func alike(one *fact, x *recording.Exchange) bool {
	sent := trail.ReadBody(x.Body)
	amount := whole(0, sent, "amount")
	return (one.amount == 0 || amount == 0 || one.amount == amount) &&
		(one.reference == "" || one.reference == sent.Text("reference"))
}
