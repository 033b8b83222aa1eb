package report

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"paysandbox/harness/report/words"
	"paysandbox/harness/trail/told"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// EvidenceOf makes evidence of a verdict on a tape, with the first exchange that
// it rests on, and each of its entries in a line. The entries are in the order of their numbers.
func EvidenceOf(v *verdict.Judgement, entries []tape.Entry) Evidence {
	e := Evidence{Entries: slices.Clone(v.Entries), Expected: v.Expected, Received: v.Received, Hint: v.Hint}
	for _, seq := range v.Entries {
		i, found := slices.BinarySearchFunc(entries, seq, func(e tape.Entry, seq uint64) int { return cmp.Compare(e.Seq, seq) })
		if found && entries[i].Exchange != nil {
			e.Request, e.Response = Excerpt(entries[i].Exchange)
			break
		}
	}
	e.Cited = Cite(entries, nil, v.Entries[:min(len(v.Entries), MaxEntries)])
	return e
}

// Cite gives the entries with these numbers, in their order and each once: first those
// that are told in full as far as there is room for their texts, then those in a line.
// The entries that are given are in the order of their numbers.
func Cite(entries []tape.Entry, full, inLine []uint64) []Cited {
	var list []Cited
	taken := map[uint64]bool{}
	room := maxCitedText
	for n, seq := range slices.Concat(full, inLine) {
		i, found := slices.BinarySearchFunc(entries, seq, func(e tape.Entry, seq uint64) int { return cmp.Compare(e.Seq, seq) })
		if !found || taken[seq] || len(list) == MaxCited {
			continue
		}
		taken[seq] = true
		c := Cited{Seq: seq, Says: words.Shortened(told.Says(&entries[i]), maxLine)}
		if n < len(full) && room > 0 {
			c.Text = sections(&entries[i])
			room -= len(c.Text)
		}
		list = append(list, c)
	}
	slices.SortStableFunc(list, func(a, b Cited) int { return cmp.Compare(a.Seq, b.Seq) })
	return list
}

// entryNumber is how a text names a tape entry.
var entryNumber = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`#([0-9]{1,18})\b`) })

// EntryNumbers are the places in a text that name a tape entry, each with that of its
// number, as [regexp.Regexp.FindAllStringSubmatchIndex] has it.
func EntryNumbers(text string) [][]int { return entryNumber().FindAllStringSubmatchIndex(text, -1) }

// NumbersIn are the numbers of the tape entries that a text names.
func NumbersIn(text string) []uint64 {
	var list []uint64
	for _, m := range EntryNumbers(text) {
		if n, err := strconv.ParseUint(text[m[2]:m[3]], 10, 64); err == nil {
			list = append(list, n)
		}
	}
	return list
}

// sections are what an entry holds, each under its heading.
func sections(e *tape.Entry) string {
	var b strings.Builder
	for _, s := range told.Sections(e) {
		b.WriteString(s.Heading + "\n" + words.Indent(s.Text, "  "))
	}
	return words.Shortened(b.String(), MaxMessage)
}

// Numbers is what a piece of evidence rests on: tape entries as text.
func (e Evidence) Numbers() string {
	var b strings.Builder
	for i, n := range e.Entries {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "#%d", n)
	}
	if e.MoreEntries > 0 {
		fmt.Fprintf(&b, " and %d more", e.MoreEntries)
	}
	return b.String()
}
