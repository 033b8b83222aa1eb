package trouble

import (
	"slices"
	"strconv"
	"time"

	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// Judged tells what a clause comes to on the tape as far as it has come.
type Judged func(clause string) verdict.Word

// Planner decides which trouble is made when. It is a pure state machine: what
// was put on the tape and the time go in, actions come out. One trouble is made
// at a time, and the next one only after the application had the time to recover.
type Planner struct {
	troubles []Trouble
	// queue holds the places of the troubles in the order in which they are tried
	// next, met how often each was met.
	queue []int
	met   []int
	// moot counts of those how often it has shown nothing.
	moot []int
	// unmet counts how often each was made in vain since it was met last.
	unmet  []int
	made   int
	others int // made since the last one that is made only when its time is
	row    int // how often in a row that one was made in vain
	// idle counts the traffic since something was last made, met or over; resigned
	// says that no more is waited for.
	// traffic counts all of it since the first was made.
	idle     int
	resigned bool
	traffic  int
	// resting makes no trouble any more.
	resting bool

	active *active
	seen   traffic
	other  others
	// restore are the endpoints where a profile of somebody else was overwritten.
	restore []string
	// resend are deliveries that have to come once more, well.
	resend []late
	// paid are the families of profiles that an event about a Paid payment has met.
	paid map[string]bool
	// news are what that the next actions begin with.
	news []Action
}

// active is the trouble that was made last and is not over yet.
type active struct {
	*Trouble
	at    int
	fault string
	// goesOn says that the call that it has met fails for as long as it is made again,
	// about is what that call reads, in lower case, overtaken that it has changed meanwhile:
	// whoever reads it from now on reads it for another reason.
	goesOn, overtaken bool
	about             string
	// endpoint is where a profile was set, operation what a fault is for.
	endpoint  string
	operation string
	since     time.Time
	// force says that the tape tells that it was armed: what happened before that,
	// while the sandbox was asked for it, could not meet it.
	force bool
	// calls and deliveries count the traffic that went by, hits what met it.
	calls, deliveries, hits int
	// last is when it was met last, gap the longest time between two such moments.
	last time.Time
	gap  time.Duration
	// after counts the calls since it was met last, recovered that one of them,
	// or the delivery once more, went well.
	after     int
	recovered bool
	// refund is the one whose answer was lost, until it is looked up, refused that it was made
	// again without a look, and nothing but a refusal kept it from acting twice.
	refund  *tape.Entry
	refused bool
	// gone says that the endpoint is no longer there.
	gone bool
	// delivery is the one that is sent once more, gone wrong.
	delivery string
	// again is the event that has to come once more before it is over, believed one
	// that was forged and tells Paid, and has not come well meanwhile.
	again, believed string
	// holds is when the first event came that it may be holding back, hold how long it may
	// at least, missed that it was met by another event than it waits for.
	holds  time.Time
	hold   time.Duration
	missed bool
	// passed is when traffic has passed by last that was counted.
	passed time.Time
}

// late is a delivery that is sent once more, and when.
type late struct {
	delivery string
	at       time.Time
}

// NewPlanner makes a planner of these troubles, most often [Troubles]. It makes
// only those that tell about clauses that are wanted.
func NewPlanner(troubles []Trouble, wanted func(clause string) bool) *Planner {
	p := &Planner{paid: map[string]bool{}, other: noOthers()}
	for _, t := range troubles {
		t.Clauses = slices.DeleteFunc(slices.Clone(t.Clauses), func(id string) bool { return !wanted(id) })
		if len(t.Clauses) > 0 {
			p.queue = append(p.queue, len(p.troubles))
			p.troubles = append(p.troubles, t)
		}
	}
	p.met, p.moot, p.unmet = make([]int, len(p.troubles)), make([]int, len(p.troubles)), make([]int, len(p.troubles))
	return p
}

// Take takes in what is new on the tape.
func (p *Planner) Take(entries []tape.Entry, now time.Time) {
	for i := range entries {
		e := &entries[i]
		p.other.take(e)
		if endpoint, is := p.other.overwritten(e); is {
			p.restore = append(p.restore, endpoint)
		}
		p.seen.take(e, now)
		p.left(e)
		if e.Kind == tape.KindExchange || e.Attempt != nil {
			p.idle++
			p.traffic += min(p.made, 1)
		}
		if p.active != nil {
			p.watch(e, now)
		}
	}
}

// Next gives what is to be done now.
func (p *Planner) Next(now time.Time, judged Judged) []Action {
	list := append(p.giveBack(), p.due(now)...)
	if p.active != nil {
		list = append(list, p.carryOn(now, judged)...)
	}
	if p.active == nil && !p.resting && !p.other.busy() {
		list = append(list, p.begin(now, judged)...)
		list = append(list, p.resign(judged)...)
	}
	return list
}

// idleFor is how many calls and deliveries may go by without one that trouble waits
// for, before it is waited for no more.
const idleFor = 60

// resign gives up what waits for calls that do not come.
func (p *Planner) resign(judged Judged) []Action {
	if p.active != nil || p.resigned || p.idle < idleFor {
		return nil
	}
	p.resigned = true
	var list []Action
	for _, at := range p.queue {
		if t := &p.troubles[at]; p.wanted(at, judged) {
			list = append(list, Action{Do: GiveUp, Trouble: t, Clauses: t.Clauses, Waits: t.waits()})
		}
	}
	return list
}

// Waits says in words which calls and events the trouble that is still to be made
// waits for.
func (p *Planner) Waits(judged Judged) []string {
	var list []string
	if p.active != nil && p.active.hits == 0 {
		list = append(list, p.active.waits())
	}
	for _, at := range p.queue {
		if p.wanted(at, judged) {
			list = append(list, p.troubles[at].waits())
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// Rest makes no trouble from now on and gives what takes back the present one.
func (p *Planner) Rest() []Action {
	p.resting = true
	if p.active == nil {
		return nil
	}
	list := p.lift()
	p.active = nil
	return list
}

// Busy says whether a trouble was met and its reaction is waited for.
func (p *Planner) Busy() bool { return p.active != nil && p.active.hits > 0 || len(p.resend) > 0 }

// giveBack gives the profiles of others that the planner's own has overwritten.
func (p *Planner) giveBack() []Action {
	var list []Action
	for _, endpoint := range p.restore {
		if theirs, live := p.other.profiles[endpoint]; live {
			theirs.Next = max(theirs.Next, 0)
			list = append(list, Action{Do: GiveBack, Endpoint: endpoint, Profile: theirs})
		}
	}
	p.restore = nil
	return list
}

// due gives what has to be sent once more by now.
func (p *Planner) due(now time.Time) []Action {
	var list []Action
	p.resend = slices.DeleteFunc(p.resend, func(l late) bool {
		due := !now.Before(l.at)
		if due {
			list = append(list, Action{Do: Resend, Delivery: l.delivery})
		}
		return due
	})
	return list
}

// easy is how many calls have to go well before the first trouble: a person who
// begins by hand is not to meet it at once.
const easy = 3

// begin makes the next trouble that is needed and possible.
func (p *Planner) begin(now time.Time, judged Judged) []Action {
	if p.seen.good < easy {
		return nil
	}
	for _, at := range p.rareFirst(now) {
		t := &p.troubles[at]
		if !p.wanted(at, judged) || p.untimely(at, now) {
			continue
		}
		operation, method, endpoint, possible := p.seen.target(t, now)
		if !possible {
			continue
		}
		n := slices.Index(p.queue, at)
		p.queue = slices.Delete(p.queue, n, n+1)
		p.queue = append(p.queue, at)
		if t.Holding { // it takes luck to be met as it should
			p.soon(at, n, judged)
		}
		p.made++
		if p.others++; t.Returns {
			p.others = 0
		}
		p.idle, p.resigned = 0, false
		a := &active{Trouble: t, at: at, endpoint: endpoint, operation: operation, since: now}
		if t.Returns {
			a.hold = min(2*p.seen.gap, heldFor)
		}
		if t.Profile == "" {
			a.fault = "observe-" + t.Name + "-" + strconv.Itoa(p.made)
		}
		if t.Again {
			a.delivery, a.again = p.seen.resting(now)
		}
		p.active = a
		return []Action{{Do: Make, Trouble: t, Fault: a.fault, Operation: operation, Method: method, Endpoint: endpoint}}
	}
	return nil
}

// Forget begins anew: the integration was reset, and with it all trouble and all
// that was seen.
func (p *Planner) Forget() {
	clear(p.met)
	clear(p.moot)
	clear(p.unmet)
	clear(p.paid)
	p.active, p.seen, p.other = nil, traffic{}, noOthers()
	p.idle, p.resigned = 0, false
	p.restore, p.resend, p.news = nil, nil, nil
}
