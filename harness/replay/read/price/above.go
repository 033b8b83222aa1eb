package price

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"strings"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
)

// linesAbove is how many lines above a call are looked through for what it asks for.
const linesAbove = 4

// prices are those that files name, by their lines, which are in order.
type prices map[string][]lined

// lined is a price that stands in a line, from 1.
type lined struct {
	line int
	said string
}

// namedIn finds them.
func namedIn(files []source.File) prices {
	all := prices{}
	for i := range files {
		n, text := 0, files[i].Text()
		for line := range bytes.Lines(text[:min(len(text), mostProse)]) {
			if n++; len(line) > 1<<12 || !bytes.Contains(line, []byte("$")) && !bytes.Contains(line, []byte("USD")) && !bytes.Contains(line, []byte("ollar")) {
				continue
			}
			for _, said := range inDollars().FindAll(line, -1) {
				all[files[i].Name] = append(all[files[i].Name], lined{n, strings.TrimSpace(string(said))})
			}
		}
	}
	return all
}

// above are those on the lines right above that of a call.
func (all prices) above(x *recording.Exchange) (list []lined) {
	of := all[x.Place.Source]
	at, _ := slices.BinarySearchFunc(of, x.Place.Line-linesAbove, func(l lined, line int) int { return l.line - line })
	for ; at < len(of) && of[at].line < x.Place.Line; at++ {
		list = append(list, of[at])
	}
	return list
}

// cutOff is the price on the lines above that of a call which, counted in cents as a binary floating-point number, loses one where what is behind the
// point is cut off: $19.99 are 1998.9999999999998 then.
func (all prices) cutOff(x *recording.Exchange, cents int64) (found string) {
	for _, l := range all.above(x) {
		if cut(l.said, cents) {
			found = "the text around it says " + l.said
		}
	}
	return found
}

// justAbove is the price there which comes to as many dollars as the call asks for cents, where none comes to the cents: a program tells
// what it is about to ask for.
func (all prices) justAbove(x *recording.Exchange, cents int64) (found string) {
	for _, l := range all.above(x) {
		p, err := strconv.ParseFloat(plain(l.said), 64)
		switch {
		case err != nil || !strings.Contains(l.said, "."):
		case math.Round(p*100) == float64(cents):
			return ""
		case p == float64(cents):
			found = "the text around it says " + l.said
		}
	}
	return found
}

// plain are the figures of a price.
func plain(said string) string { return strings.Trim(strings.ReplaceAll(said, ",", ""), "$ USDadlors") }
