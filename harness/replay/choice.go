package replay

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"paysandbox/harness/replay/compare"
	"paysandbox/harness/replay/diagnose"
	"paysandbox/harness/replay/explain"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/prelude"
	"paysandbox/harness/trail"
)

// mostTried bounds how long a recording may be for other choices to be tried: each is a
// play of all of it.
const mostTried = 300

// mostChoices bounds how many choices one recording can show.
const mostChoices = 6

// explained classes what differs: what is drawn, what another choice of the service
// gives (the smallest set that explains most, found greedily), and what breaks a clause.
func (m *maker) explained(ctx context.Context, run *play.Run, c *Case) (*play.Run, error) {
	run, list, err := m.ordered(ctx, run, m.compare(run), c)
	if err != nil {
		return nil, err
	}
	if open(list) > 0 {
		if run, list, err = m.drawn(ctx, run, list); err != nil {
			return nil, err
		}
		if err = m.assumed(ctx, list); err != nil {
			return nil, err
		}
	}
	m.nobodys(run, list)
	for range mostChoices {
		if open(list) == 0 || len(m.Knobs) == 0 {
			break
		}
		if calls, hooks := len(m.rec.Exchanges), len(m.rec.Received); calls+hooks > mostTried {
			c.Notes = append(c.Notes, fmt.Sprintf("The recording has %d calls and %d webhooks: other choices of the service are tried for at most %d together. Minimise it, or give --latitude.", calls, hooks, mostTried))
			break
		}
		best, err := m.best(ctx, run, list)
		if err != nil {
			return nil, err
		}
		if best == nil {
			break
		}
		c.Choices[best.knob] = best.value
		m.base.World.Latitude[best.knob] = best.value
		left := keys(best.list)
		for i := range list {
			if d := &list[i]; d.Class == compare.Unexplained && !left[d.Key()] {
				d.Class, d.Choice = compare.Choice, best.knob+"="+best.value
				c.Differences = append(c.Differences, *d)
			}
		}
		run, list = best.run, best.list
	}
	explain.Explain(m.rec, run, list)
	c.Differences = append(c.Differences, list...)
	return run, nil
}

// assumed plays with other things in the place of what was there before the recording: what
// only these give is nobody's, and is told as an assumption.
func (m *maker) assumed(ctx context.Context, list []compare.Difference) error {
	other, any := prelude.Otherwise(&m.base, m.rec)
	if open(list) == 0 || !any {
		return nil
	}
	run, err := m.playing(ctx, &other)
	if err != nil {
		return err
	}
	compare.Assumed(list, m.compare(run))
	return nil
}

// nobodys sets apart what events tell of payers whom no call names: who stands in for them no choice has to explain.
func (m *maker) nobodys(run *play.Run, list []compare.Difference) {
	seen := slices.Clone(list)
	explain.Explain(m.rec, run, seen)
	for i := range list {
		if d := &list[i]; d.Class == compare.Unexplained && seen[i].Class == compare.Nobody && d.Heard > 0 && strings.HasSuffix(d.Where, "/RegistrationId") {
			d.Class, d.Assumed = seen[i].Class, seen[i].Assumed
		}
	}
}

func open(list []compare.Difference) int {
	n := 0
	for i := range list {
		if list[i].Class == compare.Unexplained {
			n++
		}
	}
	return n
}

func keys(list []compare.Difference) map[string]bool {
	set := map[string]bool{}
	for i := range list {
		if list[i].Class == compare.Unexplained {
			set[list[i].Key()] = true
		}
	}
	return set
}

// Chosen are the knobs of choices that are known, each with its value alone.
func Chosen(choices map[string]string) []Knob {
	var list []Knob
	for _, name := range slices.Sorted(maps.Keys(choices)) {
		list = append(list, Knob{Name: name, Values: []string{choices[name]}})
	}
	return list
}

// trial is a play under one choice more.
type trial struct {
	knob, value string
	// at is the knob's place in the ledger; idle says that the choice changes nothing of what is open.
	at   int
	idle bool
	run  *play.Run
	list []compare.Difference
	err  error
}

// best is the choice that leaves the least unexplained, nil when none leaves less than
// differs now in a play. Of equally good ones the first of the ledger counts.
func (m *maker) best(ctx context.Context, run *play.Run, now []compare.Difference) (*trial, error) {
	than := open(now)
	trials := m.trials()
	m.tell("%d answers differ: %d other choices of the service are tried", than, len(trials))
	if err := m.mattering(ctx, trials, now); err != nil {
		return nil, err
	}
	trials = slices.DeleteFunc(trials, func(t *trial) bool { return t.idle })
	slices.SortStableFunc(trials, func(a, b *trial) int { return a.at - b.at })
	m.all(len(trials), func(i int) { m.try(ctx, trials[i], now) })
	var best *trial
	for _, t := range trials {
		if t.err != nil {
			return nil, t.err
		}
		if n := open(t.list); n < than && !refuses(t.list, now) && !t.run.Unmakes(run) {
			best, than = t, n
		}
	}
	return best, nil
}

// trials are the choices that are open: of each knob the first, in the order of the ledger, then of each the second.
func (m *maker) trials() []*trial {
	var trials []*trial
	for nth, more := 0, true; more; nth++ {
		more = false
		for at, k := range m.Knobs {
			if nth >= len(k.Values) || k.Name == limiting || k.Name == "token-lifetime" && m.toldLife(k.Values[nth]) || m.base.World.Latitude[k.Name] != "" || k.Name == "live" && m.rec.OfSandbox() { // its address says what it is
				continue
			}
			more = true
			trials = append(trials, &trial{knob: k.Name, value: k.Values[nth], at: at})
		}
	}
	return trials
}

// toldLife says whether answers tell how long a token is good, and none of them so many seconds.
func (m *maker) toldLife(seconds string) bool {
	told := false
	for i := range m.rec.Exchanges {
		life, known := trail.ReadBody(m.rec.Exchanges[i].Answer.Body).Whole("expiresInSeconds")
		if told = told || known; known && strconv.FormatInt(life, 10) == seconds {
			return false
		}
	}
	return told
}

// together is how many choices are tried at once first.
const together = 6

// mattering finds the choices that change nothing of what is open: those that do not when several are made at once.
func (m *maker) mattering(ctx context.Context, trials []*trial, now []compare.Difference) error {
	groups := grouped(trials)
	tried := make([]trial, len(groups))
	m.all(len(groups), func(i int) { m.try(ctx, &tried[i], now, groups[i]...) })
	for i, g := range groups {
		if tried[i].err != nil {
			return tried[i].err
		}
		if same(tried[i].list, now) {
			for _, t := range g {
				t.idle = true
			}
		}
	}
	return nil
}

// grouped are choices that can be made at once: of one knob there is one.
func grouped(trials []*trial) (groups [][]*trial) {
	for _, t := range trials {
		last := len(groups) - 1
		if last < 0 || len(groups[last]) == together || slices.ContainsFunc(groups[last], func(o *trial) bool { return o.knob == t.knob }) {
			groups, last = append(groups, nil), last+1
		}
		groups[last] = append(groups[last], t)
	}
	return groups
}

// same says whether two plays leave the same open, with the same values but for what is drawn.
func same(list, other []compare.Difference) bool {
	shown := func(list []compare.Difference) []string {
		var all []string
		for i := range list {
			if d := &list[i]; d.Class == compare.Unexplained {
				all = append(all, d.Key()+" "+trail.UUIDs().ReplaceAllString(d.Replayed, ""))
			}
		}
		slices.Sort(all)
		return all
	}
	return slices.Equal(shown(list), shown(other))
}

// refuses says whether a call is answered with another status that was not before: what
// its body would have shown is only hidden then.
func refuses(list, before []compare.Difference) bool {
	known := keys(before)
	return slices.ContainsFunc(list, func(d compare.Difference) bool {
		return d.Class == compare.Unexplained && d.Where == "status" && !known[d.Key()]
	})
}

// limiting is the knob of a choice that refuses calls with 429 and does nothing else: each 429 is played as it came, so that no play
// shows it. The diagnosis tells it by the calls that were answered so.
const limiting = "rate-limit"

// try plays under one choice more, or under several at once.
func (m *maker) try(ctx context.Context, t *trial, now []compare.Difference, group ...*trial) {
	w := m.base.World
	w.Latitude = maps.Clone(w.Latitude)
	if group == nil {
		group = []*trial{t}
	}
	for _, one := range group {
		w.Latitude[one.knob] = one.value
	}
	if t.run, t.err = m.play(ctx, w); t.err == nil {
		t.list = m.compare(t.run)
		compare.Settle(t.list, now)
	}
}

// all runs a number of things, as many at once as is allowed.
func (m *maker) all(n int, do func(i int)) {
	free := make(chan struct{}, max(1, m.Parallel))
	var wait sync.WaitGroup
	for i := range n {
		free <- struct{}{}
		wait.Go(func() {
			defer func() { <-free }()
			do(i)
		})
	}
	wait.Wait()
}

// met notes the choice that no answer shows: which came first, an event or the answer.
func (c *Case) met() {
	for i := range c.Diagnosis.Faults {
		if f := &c.Diagnosis.Faults[i]; f.Side == diagnose.Choice && f.Knob == diagnose.EventFirst {
			name, value, _ := strings.Cut(f.Knob, "=")
			c.Choices[name] = value
		}
	}
}

// Chosen lists the choices as NAME=VALUE, sorted.
func (c *Case) Chosen() []string {
	var list []string
	for _, k := range slices.Sorted(maps.Keys(c.Choices)) {
		list = append(list, k+"="+c.Choices[k])
	}
	return list
}
