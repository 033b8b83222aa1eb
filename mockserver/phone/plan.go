package phone

import (
	_ "embed"
	"encoding/binary"
	"regexp/syntax"
	"slices"
	"strings"
	"sync"
)

// table has a line for each region, the regions of a calling code together and
// the greatest first: the code, a tab, and the pattern of its national numbers.
//
//go:embed plans.tsv
var table string

// plans are the numbering plans by their calling codes.
var plans = sync.OnceValue(func() map[string]*plan {
	all := map[string]*plan{}
	for line := range strings.Lines(table) {
		code, pattern, found := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		switch p := all[code]; {
		case !found: // the line that says what the table is
		case p == nil:
			all[code] = &plan{pattern: pattern}
		default:
			p.pattern += "|" + pattern
		}
	}
	return all
})

// plan is what a calling code's national numbers look like: a pattern, and the
// states of a machine that reads the pattern's numbers digit by digit, which takes
// a hundredth of the time. It is built when the code is asked for first.
type plan struct {
	pattern string
	built   sync.Once
	states  []state
}

// state is where a digit leads to. whole says that a number may end here.
type state struct {
	next  [10]uint16
	whole bool
}

// has says whether there is a national number, which has digits alone.
func (p *plan) has(number string) bool {
	p.built.Do(p.build)
	at := uint16(0)
	for i := range len(number) {
		at = p.states[at].next[number[i]-'0']
	}
	return p.states[at].whole
}

// build makes a state of each set of places in the pattern where reading a number
// can have come to. The first is the pattern's beginning.
func (p *plan) build() {
	parsed, err := syntax.Parse(p.pattern, syntax.Perl)
	if err != nil {
		panic("phone: plans.tsv: " + err.Error())
	}
	prog, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		panic("phone: plans.tsv: " + err.Error())
	}
	b := builder{prog: prog, numbers: map[string]uint16{}}
	b.number(b.follow(nil, uint32(prog.Start))) //nolint:gosec // a place in the program
	for n := 0; n < len(b.sets); n++ {
		var s state
		for d := range s.next {
			var to []uint32
			for _, at := range b.sets[n] {
				switch in := &prog.Inst[at]; {
				case in.Op == syntax.InstMatch:
					s.whole = true
				case in.MatchRune(rune('0' + d)):
					to = b.follow(to, in.Out)
				}
			}
			s.next[d] = b.number(to)
		}
		p.states = append(p.states, s)
	}
}

// builder gives each set of places a number.
type builder struct {
	prog    *syntax.Prog
	numbers map[string]uint16
	sets    [][]uint32
}

// number is a set's, which is a new one when the set is.
func (b *builder) number(set []uint32) uint16 {
	slices.Sort(set)
	set = slices.Compact(set)
	key := make([]byte, 0, 256)
	for _, at := range set {
		key = binary.LittleEndian.AppendUint32(key, at)
	}
	n, known := b.numbers[string(key)]
	if !known {
		n = uint16(len(b.sets)) //nolint:gosec // the greatest plan has a thousand
		b.numbers[string(key)] = n
		b.sets = append(b.sets, set)
	}
	return n
}

// follow adds the places behind one that read a digit or end the number.
func (b *builder) follow(set []uint32, at uint32) []uint32 {
	switch in := &b.prog.Inst[at]; in.Op {
	case syntax.InstFail:
		return set
	case syntax.InstAlt:
		return b.follow(b.follow(set, in.Out), in.Arg)
	case syntax.InstNop, syntax.InstCapture:
		return b.follow(set, in.Out)
	default:
		return append(set, at)
	}
}
