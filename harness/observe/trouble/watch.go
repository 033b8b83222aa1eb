package trouble

import (
	"path"
	"slices"
	"strings"
	"time"

	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// passing is how many calls or deliveries may pass by a trouble, and how many
// calls after it was met show that the application goes on.
const passing = 8

// aftermath is how long an application gets to show what it does after a delivery
// that it had to refuse, before it is sent well: its retry comes after five
// seconds.
const aftermath = 300 * time.Millisecond

// armedBy is how long it may take until a trouble is in force.
const armedBy = 5 * time.Second

// watch follows the present trouble through one entry.
func (p *Planner) watch(e *tape.Entry, now time.Time) {
	a := p.active
	switch {
	case a.arms(e):
		if a.force = true; a.delivery != "" {
			p.resend = append(p.resend, late{a.delivery, now})
		}
	case e.Kind == tape.KindExchange && e.Exchange != nil:
		p.watchCall(e, now)
	case e.Attempt != nil && a.Profile != "" && a.endpoint == e.Attempt.Endpoint:
		p.watchDelivery(e, now)
	case e.Transition != nil:
		p.overtake(e.Transition.Entity)
	case e.Event != nil && a.Holding && a.force && a.holds.IsZero() && says(e) == a.ForStatus:
		a.holds = now
		a.missed = a.Returns && slices.Contains(p.seen.unbanked, strings.ToLower(trail.Subject(e)))
	}
}

// arms says whether an entry is the session's own call that arms the trouble.
func (a *active) arms(e *tape.Entry) bool {
	x := e.Exchange
	if e.Kind != tape.KindControl || x == nil || !Own(x) || x.Response.Status >= 300 {
		return false
	}
	asked := trail.ReadBody(x.Request.Body)
	if a.fault != "" {
		return x.Operation == opArmFault && asked.Text("name") == a.fault
	}
	return x.Operation == opSetProfile && path.Base(path.Dir(x.Path)) == a.endpoint && asked.Text("profile") == a.Profile
}

// watchCall counts the calls that meet a fault, and those after it.
func (p *Planner) watchCall(e *tape.Entry, now time.Time) {
	a, x := p.active, e.Exchange
	a.pass(&a.calls, now)
	if about := p.seen.event(a.believed).about; about != "" && x.Response.Status < 300 && strings.Contains(strings.ToLower(x.Path), about) {
		a.believed = "" // the state was read: nobody can tell what follows from which
	}
	if id := x.Fault.ID(); a.fault != "" && (id == a.fault || id == a.fault+onward) {
		p.hit(e, now)
		p.goOn(x)
		a.operation = x.Operation
		p.losesRefund(e)
		return
	}
	if a.hits == 0 {
		return
	}
	a.after++
	p.madeAgain(e)
	if a.fault != "" && x.Operation == a.operation && x.Response.Status >= 200 && x.Response.Status < 300 {
		a.recovered = true
	}
}

// watchDelivery counts the deliveries that a profile has shaped, and those that have
// passed it by.
func (p *Planner) watchDelivery(e *tape.Entry, now time.Time) {
	a, d := p.active, e.Attempt
	accepted := d.Status >= 200 && d.Status < 300
	if d.Profile.Has(a.Profile) && a.Returns && !p.seen.back(d.Event) {
		a.missed = true // it was held back in vain: the payment was not returned meanwhile
		return
	}
	if d.Profile.Has(a.Profile) && a.Again {
		p.cameAgain(e, now)
		return
	}
	if d.Profile.Has(a.Profile) {
		p.hit(e, now)
		p.tells(d)
		p.shaped(d, accepted, now)
		return
	}
	a.pass(&a.deliveries, now)
	if d.Event == a.believed && now.Sub(a.last) < aftermath {
		a.believed = "" // it came well at once: nobody can tell what follows from which
	}
	if a.again != "" && d.Event == a.again && accepted {
		a.again, a.recovered = "", true
	}
}

// cameAgain takes in a delivery that went wrong by a profile that no number ends. What
// another event has met of it is sent once more.
func (p *Planner) cameAgain(e *tape.Entry, now time.Time) {
	a := p.active
	if e.Attempt.Event != a.again {
		p.resend = append(p.resend, late{e.Attempt.Delivery, now.Add(aftermath)})
		return
	}
	p.hit(e, now)
	p.news = append(p.news, Action{Do: Lift, Trouble: a.Trouble, Endpoint: a.endpoint})
}

// tells notes a delivery that tells of a Paid payment. A forged one counts when the
// event has not come well meanwhile.
func (p *Planner) tells(d *tape.Attempt) {
	a := p.active
	switch {
	case p.seen.event(d.Event).status != paid:
	case !forged(a.Profile):
		p.paid[a.Profile] = true
	case !slices.Contains(p.seen.answered, d.Event):
		a.believed = d.Event
	}
}

// shaped says what becomes of a delivery that a profile has shaped. What was refused,
// as it had to be, and what came under a name of its own is sent once more: the
// application has not heard of it.
func (p *Planner) shaped(d *tape.Attempt, accepted bool, now time.Time) {
	a := p.active
	switch unheard := renamed(a.Profile) || forged(a.Profile) && !accepted; {
	case unheard:
		if a.again == "" {
			a.again = d.Event
		}
		p.resend = append(p.resend, late{d.Delivery, now.Add(aftermath)})
	case accepted:
		a.recovered = a.again == ""
	}
}

// pass counts traffic that has passed by the trouble. Of what comes at one moment one counts
// for what waits for the event after the next: eight payments at a time are no eight sales.
func (a *active) pass(n *int, now time.Time) {
	if a.force && (!a.Holding || now.Sub(a.passed) >= atOnce) {
		*n++
		a.passed = now
	}
}

// atOnce is how close together traffic comes that several cause at one moment.
const atOnce = 100 * time.Millisecond

// renamed says whether deliveries of a profile have lost the name of their event.
func renamed(profile string) bool { return profile == "unknown-event" }

// forged says whether deliveries of a profile are not genuine.
func forged(profile string) bool {
	return slices.Contains(trail.Forgeries, profile)
}

// family is what a profile tells about: those that are not genuine tell the same.
func family(profile string) string {
	if forged(profile) {
		return "forged"
	}
	return profile
}

// hit notes that an entry has met the trouble.
func (p *Planner) hit(e *tape.Entry, now time.Time) {
	a := p.active
	if a.hits == 0 {
		p.met[a.at]++
		p.unmet[a.at] = 0
		if a.Returns {
			p.row = 0
		}
		p.news = append(p.news, Action{Do: Met, Trouble: a.Trouble, Fault: a.fault, Endpoint: a.endpoint, Entry: e.Seq})
	}
	p.idle = 0
	if a.hits > 0 {
		a.gap = max(a.gap, now.Sub(a.last))
	}
	a.hits++
	a.last, a.after, a.recovered = now, 0, false
}

// carryOn says what becomes of the present trouble.
func (p *Planner) carryOn(now time.Time, judged Judged) []Action {
	a := p.active
	list := p.news
	p.news = nil
	if a.believed != "" && now.Sub(a.last) >= aftermath {
		p.paid[family(a.Profile)] = true
	}
	switch {
	case a.hits == 0 && (a.missed || p.other.busy() || p.passed() || p.holds(now) || a.failed(now)):
		p.inVain(now, judged)
		list = append(list, p.lift()...)
		p.active = nil
	case a.hits > 0 && p.over(now, judged):
		list = append(list, p.lift()...)
		list = append(list, Action{Do: Over, Trouble: a.Trouble, Fault: a.fault, Endpoint: a.endpoint})
		p.active = nil
	}
	if ids := p.givenUp(a.at, judged); p.active == nil && p.spentAll(a.at) && len(ids) > 0 {
		list = append(list, Action{Do: GiveUp, Trouble: a.Trouble, Clauses: ids})
	}
	return list
}

// inVain notes that nothing has met the present trouble.
func (p *Planner) inVain(now time.Time, judged Judged) {
	a := p.active
	p.unmet[a.at]++
	if a.Returns { // the next payment that is Paid may be the one that is returned
		p.row = (p.row + 1) % inARow
	}
	p.soon(a.at, 0, judged)
	if a.failed(now) {
		p.seen.endpoint = "" // it is gone, maybe: the next delivery tells where there is one
	}
}

// holds says whether the present trouble has held back an event, or altered what it was not
// made for, for too long: an application must not wait for one that may never come.
func (p *Planner) holds(now time.Time) bool {
	a := p.active
	if a.Again && a.force && now.Sub(a.since) >= armedBy {
		return true // what was to be sent once more did not come, and all else comes altered
	}
	return a.Holding && !a.holds.IsZero() && now.Sub(a.holds) >= max(a.hold, a.patience())
}

// failed says whether the trouble could not be armed.
func (a *active) failed(now time.Time) bool { return !a.force && now.Sub(a.since) >= armedBy }

// passed says whether so much has passed by the present trouble that the next one
// may have better luck. One that was made in vain stays longer the next time, and
// one that holds back an event stays until that has come.
func (p *Planner) passed() bool {
	a := p.active
	if a.ForStatus != "" && !a.holds.IsZero() {
		return false
	}
	n := a.calls
	if a.fault == "" {
		n = a.deliveries + a.calls/2
	}
	return n >= a.stay(p.unmet[a.at])
}
