package retry

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"time"

	"paysandbox/harness/trail"
	"paysandbox/harness/verdict"
)

const clockStill = "the clock stood still, so how long the application has paused is not on the tape"

// growingPauses looks at the pauses between repetitions. Those after a Retry-After
// are the service's wish, and say nothing about the client's own.
func growingPauses(t *trail.Trail) []verdict.Judgement {
	var y verdict.Tally
	keeps, polls := t.KeepsTime(), polled(t)
	rs := rows{own: map[string][][]pause{}, seqs: map[string][]uint64{}}
	var grown []*run
	for _, r := range runs(t) {
		all := r.pauses()
		mine := r.own(polls[r.tries[0].Exchange.Operation])
		switch {
		case len(all) < 2:
			y.Skip("a call that was made again only once tells nothing of growing pauses")
			if len(mine) == 1 && mine[0].length >= sense && !r.still(keeps) { // but of chance, beside others
				rs.take(r, mine)
			}
			continue
		case r.still(keeps):
			y.Skip(clockStill)
			continue
		case r.hot():
			if !r.tries[0].Reads() && len(mine) > 0 {
				rs.few = append(rs.few, mine)
			}
			y.Skip("repetitions without a pause tell nothing of growing pauses")
			continue
		}
		if len(mine) > 0 {
			rs.take(r, mine)
			rs.few = append(rs.few, mine)
		}
		switch {
		case !rested(&y, mine) || len(mine) < 2:
		case !grows(mine):
			y.Skip("the pauses did not grow, as chance may have it here and there")
		default:
			grown = append(grown, r)
		}
	}
	hold(&y, grown, slices.Concat(rs.few...))
	rs.judge(&y)
	return y.Exercised()
}

// rows are the pauses of calls that were made again, the client's own, a row for each call.
type rows struct {
	// own are by what was called, as each may be made by another client; few are those that
	// may come to next to nothing.
	own  map[string][][]pause
	few  [][]pause
	seqs map[string][]uint64
}

func (rs *rows) take(r *run, mine []pause) {
	what := r.tries[0].Exchange.Operation
	rs.own[what], rs.seqs[what] = append(rs.own[what], mine), append(rs.seqs[what], r.seqs()...)
}

// judge fails what chance in pauses that grow does not explain.
func (rs *rows) judge(y *verdict.Tally) {
	if len(rs.own) == 0 {
		return
	}
	expected, received := unlikely(rs.own)
	expected, received = tooShort(rs.few, expected, received)
	if expected == "" {
		return
	}
	var seqs []uint64
	for _, what := range slices.Sorted(maps.Keys(rs.own)) {
		if want, got := unlikely(map[string][][]pause{what: rs.own[what]}); want != "" { // it alone shows it
			expected, received, seqs = want, got+", of "+what, rs.seqs[what]
			break
		}
		seqs = append(seqs, rs.seqs[what]...)
	}
	y.Fail(expected, received, seqs[:min(len(seqs), verdict.MaxEvidence)]...)
}

// unlikely says what of the pauses chance does not do, whatever it may be.
func unlikely(own map[string][][]pause) (expected, received string) {
	if expected, received = improbable(own); expected != "" {
		return expected, received
	}
	return standStill(own)
}

// hold counts the rows that grow. Where most pauses of all rows were too short to be any,
// one long row may be a busy machine's: it shows nothing.
func hold(y *verdict.Tally, grown []*run, own []pause) {
	if len(grown) > 0 && 2*senseless(own) >= len(own) {
		y.Skip("most pauses were too short to be any, and too few to tell that from chance")
		return
	}
	for _, r := range grown {
		y.Holds(r.seqs()...)
	}
}

// grows says whether the last pause of a row is longer than the first, by more than a busy
// machine makes of the same.
func grows(row []pause) bool { return 4*row[len(row)-1].length > 5*row[0].length }

// rested judges one row whose pauses were not all next to nothing, and says whether the
// client's own were long enough to be any.
func rested(y *verdict.Tally, mine []pause) bool {
	switch {
	case len(mine) < 2:
		y.Skip("the pauses were those that Retry-After asks for, or a poll's")
		return len(mine) > 0 && senseless(mine) == 0
	case 2*senseless(mine) >= len(mine): // chance may have made them so short, here and there
		y.Skip("the pauses were too short to be any, and too few to tell that from chance")
		return false
	default:
		return true
	}
}

// own are the pauses that the client has chosen: not those after a Retry-After,
// and not those that may be the pace of a poll: of reads that are polled, and of a row
// with an even pace.
func (r *run) own(polled bool) []pause {
	var mine []pause
	for _, p := range r.pauses() {
		if _, told := trail.Header(p.after.Exchange.Response.Header, "Retry-After"); !told {
			mine = append(mine, p)
		}
	}
	if !r.tries[0].Reads() || !polled && !alike(mine, 1.0/6) {
		return mine
	}
	return slices.DeleteFunc(mine, func(p pause) bool { return p.length >= paced })
}

// paced is the shortest pause, in nanoseconds, that may be a poll's.
const paced = int64(time.Second)

// polled are the operations by which something that had been read well was read again
// after such a pause.
func polled(t *trail.Trail) map[string]bool {
	polls := map[string]bool{}
	read := map[string]*trail.Call{}
	for _, c := range t.Calls() {
		if before := read[c.Same]; before != nil && c.Began-before.Ended >= paced && c.Began-before.Ended < longestPause {
			polls[c.Exchange.Operation] = true
		}
		if delete(read, c.Same); c.Reads() && c.Done() {
			read[c.Same] = c
		}
	}
	return polls
}

// blamed is the chance that one of the four tests below blames a client whose pauses
// grow and which spreads each by chance, over a quarter of its length or more: together
// with shortPauses and those of standStill less than 1 in 10,000. A test simulates it.
const blamed = 2.2e-5

// improbable says what of the pauses of some rows, by what was called, chance does not
// do, and what was expected; empty when it may have. Who calls one operation without
// chance is found beside another who calls the others with it.
func improbable(rows map[string][][]pause) (expected, received string) {
	groups := grouped(rows)
	long, less, shrinking := 0, 0, 1.0
	for _, r := range groups[0] {
		if len(r) < 2 {
			continue
		}
		long++
		if chance := shrinks(r); chance < 1 {
			less++
			shrinking *= chance
		}
	}
	for _, group := range groups {
		if expected, received := same(group, blamed/float64(len(groups))); expected != "" {
			return expected, received
		}
	}
	if less > 0 && shrinking*choices(long, less) < blamed { // it may be any of the rows
		return "growing pauses between the repetitions", fmt.Sprintf("pauses that shrink in %d of %d rows of repetitions", less, long)
	}
	return "", ""
}

// grouped are all rows together, and then those of each operation, where there are several.
func grouped(rows map[string][][]pause) [][][]pause {
	groups := [][][]pause{nil}
	for _, what := range slices.Sorted(maps.Keys(rows)) {
		groups[0] = append(groups[0], rows[what]...)
		groups = append(groups, rows[what])
	}
	if len(rows) == 1 {
		groups = groups[:1]
	}
	return groups
}

// same says what of some rows is so much the same that chance does it less often than
// given.
func same(rows [][]pause, chance float64) (expected, received string) {
	all := slices.Concat(rows...)
	switch {
	case len(all) > 1 && within([][]pause{all}, 0, chance):
		return "growing pauses between the repetitions", strconv.Itoa(len(all)) + " pauses " + between(all)
	case len(rows) > 1 && near(columns(rows), chance):
		return "pauses that chance varies", fmt.Sprintf("nearly the same pauses in each of %d rows of repetitions", len(rows))
	}
	return "", ""
}

// shrunk is a share of a pause that what is half as long is below, also where it is measured.
const shrunk = 0.55

// shrinks is the chance by which pauses of one length would shrink so: each shorter
// than the one before, or half as long at most; 1 when they do not.
func shrinks(row []pause) float64 {
	chance, half := 1.0, 1.0
	for i := 1; i < len(row); i++ {
		before, now := row[i-1].length, row[i].length
		if now >= before {
			return 1
		}
		chance /= float64(i + 1)
		if half *= math.Pow(shrunk, float64(i)); float64(now) > shrunk*float64(before) {
			half = math.Inf(1)
		}
	}
	return chance * min(half, 1)
}

func total(list []pause) int64 {
	var sum int64
	for _, p := range list {
		sum += p.length
	}
	return sum
}
