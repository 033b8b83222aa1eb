package trouble

import (
	"cmp"
	"path"
	"strings"
	"time"

	"paysandbox/mockserver/tape"
)

// onward is what the name of a fault ends with that goes on.
const onward = "-on"

// goOn lets the call that has met a trouble first fail still.
func (p *Planner) goOn(x *tape.Exchange) {
	a := p.active
	if a.Until == 0 || a.goesOn {
		return
	}
	at := x.Path
	if strings.EqualFold(path.Base(at), "status") {
		at = path.Dir(at)
	}
	a.goesOn, a.about = true, strings.ToLower(path.Base(at))
	p.news = append(p.news, Action{Do: GoOn, Trouble: a.Trouble, Fault: a.fault + onward, Operation: x.Operation, Entity: path.Base(at)})
}

// over says whether a trouble that was met is over: the application has gone on,
// and either the clauses have their verdicts or no more is to be expected.
func (p *Planner) over(now time.Time, judged Judged) bool {
	a := p.active
	gone := now.Sub(a.last) >= a.patience() || a.after >= passing && (!a.goesOn || 2*now.Sub(a.last) >= 3*a.gap)
	if a.overtaken || a.refused || a.goesOn && !p.needed(a.Trouble, judged) {
		return true
	}
	return gone || a.recovered && p.spent() && (a.brief() || !p.needed(a.Trouble, judged))
}

// overtake takes in a change of state. What is read in vain must not hide it: who is told
// of it by an event may look it up.
func (p *Planner) overtake(entity string) {
	a := p.active
	if !a.goesOn || a.overtaken || strings.ToLower(entity) != a.about {
		return
	}
	a.overtaken = true
	p.met[a.at]-- // it has shown nothing yet
	p.unmet[a.at]++
}

// spent says whether enough of the trouble was met: what one call causes may be taken,
// and what another does refused.
func (p *Planner) spent() bool {
	a := p.active
	if a.Direct && a.hits < 3 {
		return false
	}
	return a.fault != "" && a.hits >= max(a.Count, a.Until) || a.fault == "" && (!a.Paid || p.paid[family(a.Profile)])
}

// lift takes back what may be left of the present trouble.
func (p *Planner) lift() []Action {
	a := p.active
	if a.goesOn {
		return []Action{{Do: Lift, Trouble: a.Trouble, Fault: a.fault}, {Do: Lift, Trouble: a.Trouble, Fault: a.fault + onward}}
	}
	if a.fault != "" && a.hits >= a.Count || a.fault == "" && (a.Next == 1 || a.Again) && a.hits > 0 {
		return nil
	}
	if _, theirs := p.other.profiles[a.endpoint]; (theirs || a.gone) && a.fault == "" {
		return nil // it was replaced, or went with its endpoint
	}
	return []Action{{Do: Lift, Trouble: a.Trouble, Fault: a.fault, Endpoint: a.endpoint}}
}

// left takes in that an application has removed its endpoint, as one does that registers
// its address anew at each start: what was armed there is met by nobody, and the next
// delivery tells where trouble may be made.
func (p *Planner) left(e *tape.Entry) {
	x := cmp.Or(control(e, opRemoveWebhook), control(e, opReset))
	if x == nil {
		return
	}
	is := func(endpoint string) bool { return x.Operation == opReset || endpoint == path.Base(x.Path) }
	if is(p.seen.endpoint) {
		p.seen.endpoint, p.seen.taken = "", nil // nothing can be sent there once more
	}
	if a := p.active; a != nil && a.Profile != "" && is(a.endpoint) {
		a.gone, a.missed, p.resend = true, true, nil
	}
}
