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
	keeps := t.KeepsTime()
	own := map[string][][]pause{} // by what was called: each may be made by another client
	var few [][]pause             // few are those that may come to next to nothing
	var seqs []uint64
	var grown []*run
	for _, r := range runs(t) {
		all := r.pauses()
		mine := r.own()
		switch {
		case len(all) < 2:
			y.Skip("a call that was made again only once tells nothing of growing pauses")
			continue
		case r.still(keeps):
			y.Skip(clockStill)
			continue
		case r.hot():
			if !r.tries[0].Reads() && len(mine) > 0 {
				few = append(few, mine)
			}
			y.Skip("repetitions without a pause tell nothing of growing pauses")
			continue
		}
		if len(mine) > 0 {
			what := r.tries[0].Exchange.Operation
			own[what], few, seqs = append(own[what], mine), append(few, mine), append(seqs, r.seqs()...)
		}
		if rested(&y, mine) && len(mine) > 1 {
			grown = append(grown, r)
		}
	}
	hold(&y, grown, slices.Concat(few...))
	expected, received := improbable(own)
	if len(own) > 0 {
		expected, received = tooShort(few, expected, received)
	}
	if expected != "" {
		y.Fail(expected, received, seqs[:min(len(seqs), verdict.MaxEvidence)]...)
	}
	return y.Exercised()
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
// and not those of reads with the pace of a poll.
func (r *run) own() []pause {
	var mine []pause
	for _, p := range r.pauses() {
		_, told := trail.Header(p.after.Exchange.Response.Header, "Retry-After")
		if !told && (!p.after.Reads() || p.length < int64(time.Second)) {
			mine = append(mine, p)
		}
	}
	return mine
}

// blamed is the chance that one of the four tests below blames a client whose pauses
// grow and which spreads each by chance, over a quarter of its length or more: together
// with shortPauses less than 1 in 10,000. A test simulates it.
const blamed = 2.2e-5

// improbable says what of the pauses of some rows, by what was called, chance does not
// do, and what was expected; empty when it may have. Who calls one operation without
// chance is found beside another who calls the others with it.
func improbable(rows map[string][][]pause) (expected, received string) {
	groups := [][][]pause{nil} // first all together
	for _, what := range slices.Sorted(maps.Keys(rows)) {
		groups[0] = append(groups[0], rows[what]...)
		groups = append(groups, rows[what])
	}
	if len(rows) == 1 {
		groups = groups[:1]
	}
	long, shrinking := 0, 1.0
	for _, r := range groups[0] {
		if len(r) > 1 {
			long++
			shrinking *= shrinks(r)
		}
	}
	for _, group := range groups {
		if expected, received := same(group, blamed/float64(len(groups))); expected != "" {
			return expected, received
		}
	}
	if long > 0 && shrinking < blamed {
		return "growing pauses between the repetitions", fmt.Sprintf("pauses that shrink in each of %d rows of repetitions", long)
	}
	return "", ""
}

// same says what of some rows is so much the same that chance does it less often than
// given.
func same(rows [][]pause, chance float64) (expected, received string) {
	all := slices.Concat(rows...)
	long := 0
	for _, r := range rows {
		if len(r) > 1 {
			long++
		}
	}
	switch {
	case long > 0 && alike(all, slack(chance, all)):
		return "growing pauses between the repetitions", strconv.Itoa(len(all)) + " pauses " + between(all)
	case long > 1 && drilled(rows, chance):
		return "pauses that chance varies", fmt.Sprintf("nearly the same pauses in each of %d rows of repetitions", len(rows))
	}
	return "", ""
}

// slack is how much of the longest the pauses of each row may differ for chance to
// bring them so near to each other as seldom as given.
func slack(chance float64, rows ...[]pause) float64 {
	const spread = 5 // times its jitter a pause's length is, at the most
	ways, more := 1.0, 0.0
	for _, r := range rows {
		ways *= float64(len(r))
		more += float64(len(r) - 1)
	}
	return math.Pow(chance/ways, 1/max(more, 1)) / spread
}

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
		if half /= math.Exp2(float64(i)); 2*now > before {
			half = math.Inf(1)
		}
	}
	return chance * min(half, 1)
}

// alike says whether pauses are equal but for a share of the longest.
func alike(list []pause, slack float64) bool {
	low, high := ends(list)
	return float64(high-low) <= slack*float64(high)
}

// ends are the shortest and the longest pause.
func ends(list []pause) (low, high int64) {
	low, high = list[0].length, list[0].length
	for _, p := range list {
		low, high = min(low, p.length), max(high, p.length)
	}
	return low, high
}

// between says how long pauses were that are nearly the same.
func between(list []pause) string {
	low, high := ends(list)
	if low == high {
		return "of " + trail.Span(low) + " each"
	}
	return "between " + trail.Span(low) + " and " + trail.Span(high)
}

// drilled says whether each row makes the pauses of the others.
func drilled(rows [][]pause, chance float64) bool {
	var columns [][]pause // the first pauses of the rows, the second ones …
	for _, r := range rows {
		for i, p := range r {
			if i == len(columns) {
				columns = append(columns, nil)
			}
			columns[i] = append(columns[i], p)
		}
	}
	slack := slack(chance, columns...)
	return !slices.ContainsFunc(columns, func(c []pause) bool { return !alike(c, slack) })
}

func total(list []pause) int64 {
	var sum int64
	for _, p := range list {
		sum += p.length
	}
	return sum
}
