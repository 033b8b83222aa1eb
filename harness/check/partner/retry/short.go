package retry

import (
	"fmt"
	"math"
	"slices"

	"paysandbox/harness/trail"
)

// shortestBase is the pause, in nanoseconds, that a sane client begins to grow from.
const shortestBase = 100e6

// together is at least the chance by which pauses that are drawn from nothing to 100 ms,
// 200 ms, 400 ms … to a second come to so little together.
func together(rows [][]pause) float64 {
	chance, n, long := 1.0, 0.0, float64(sum(rows))
	for _, r := range rows {
		for i := range r {
			n++
			chance *= long / n / min(shortestBase*math.Exp2(float64(i)), 10*shortestBase)
		}
	}
	return chance
}

// sense is how long, in nanoseconds, a pause is that lets a service recover; most is
// how many pauses are looked at for shorter ones.
const sense, most = int64(25e6), 256

// senseless counts the pauses that are too short to be any.
func senseless(row []pause) (n int) { return below(row, sense) }

// below counts the pauses that are shorter, in nanoseconds.
func below(row []pause, short int64) (n int) {
	for _, p := range row {
		if p.length < short {
			n++
		}
	}
	return n
}

// shorter is the chance by which of pauses that are drawn from nothing to 100 ms, 200 ms,
// 400 ms … to a second so many or more are as short. A few long ones, as on a busy
// machine, do not hide the others.
func shorter(rows [][]pause, short int64) float64 {
	chances := []float64{1} // of none, one, two …
	n, looked := 0, 0
	for _, r := range rows {
		if looked += len(r); looked > most {
			break
		}
		n += below(r, short)
		for i := range r {
			hit := min(1, float64(short)/min(shortestBase*math.Exp2(float64(i)), 10*shortestBase))
			chances = append(chances, 0)
			for k := len(chances) - 1; k > 0; k-- {
				chances[k] = chances[k]*(1-hit) + chances[k-1]*hit
			}
			chances[0] *= 1 - hit
		}
	}
	sum := 0.0
	for _, c := range chances[n:] {
		sum += c
	}
	return sum
}

// tooShort says of pauses that together, or most of which, come to next to nothing what
// was expected, and otherwise what was found already.
func tooShort(rows [][]pause, expected, received string) (string, string) {
	switch {
	case expected != "":
		return expected, received
	case together(rows) < blamed/2: // the two halves of one test
		return "growing pauses between the repetitions", fmt.Sprintf("%d pauses of %s together", count(rows), trail.Span(sum(rows)))
	case shorter(rows, sense) < blamed/2:
		return "growing pauses between the repetitions", fmt.Sprintf("%d of %d pauses shorter than %s", senseless(slices.Concat(rows...)), count(rows), trail.Span(sense))
	}
	return "", ""
}

// count is how many pauses some rows have, sum how long they are together.
func count(rows [][]pause) (n int) {
	for _, r := range rows {
		n += len(r)
	}
	return n
}

func sum(rows [][]pause) (all int64) {
	for _, r := range rows {
		all += total(r)
	}
	return all
}
