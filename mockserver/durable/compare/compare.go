// Package compare holds what several processes make of one shard of a log against each
// other. It owns before which messages that is told, and who is outvoted. It knows neither
// what a state is nor how it is told.
package compare

import "slices"

// Part is a part of a shard's state, by a hash that tells it from others.
type Part struct {
	Name string
	Hash uint64
}

// Told is what a process has come to before a message of the log.
type Told struct {
	// At is the message's number.
	At uint64
	// Build is the program that the process runs: states of different ones are written
	// differently, and not compared.
	Build string
	Parts []Part
}

// Verdict says how a process stands among those that have told.
type Verdict int

const (
	// Same as most.
	Same Verdict = iota
	// Even says that as many have come to something else: nobody knows who is right.
	Even
	// Outvoted says that more have.
	Outvoted
)

// String is the verdict in words.
func (v Verdict) String() string {
	return [...]string{"is as most are", "is one of as many: nobody knows which are right", "is outvoted"}[v]
}

// Book is what a process knows of what all have told of a shard. It has no lock.
type Book struct {
	// Every is how many messages of the log lie between two of which it is told; 0 tells nothing.
	Every uint64
	// Build is this process's.
	Build string
	// Verdict is the one at the last message that another one has told of.
	Verdict Verdict
	// Agreed is the last message before which another one had come to the same, and none to
	// anything else.
	Agreed uint64

	last  uint64
	own   Told
	tally map[string]votes
	// tied are the parts of which nobody knows who is right.
	tied []string
}

// votes are how many others have come to the same as this process, and to something else.
type votes struct{ same, other int }

// At is the last message before which this process has told what it has come to; 0 for none.
func (b *Book) At() uint64 { return b.own.At }

// Due says whether it is to be told what the shard is before a message, whose number is
// the first of the shard behind a multiple of Every. Only messages that bring something of
// others than Told count, so that nothing is told on account of what was. read is the
// shard's message before, for who has just begun.
func (b *Book) Due(seq, read uint64) bool {
	last := b.last
	if last == 0 {
		last = read
	}
	b.last = seq
	return b.Every > 0 && last > 0 && seq/b.Every > last/b.Every
}

// Stand notes what this process has come to before a message, and gives what it tells.
func (b *Book) Stand(at uint64, parts []Part) Told {
	b.own, b.tally = Told{at, b.Build, parts}, map[string]votes{}
	return b.own
}

// Tied are the parts of which as many have told one thing as another.
func (b *Book) Tied() []string { return b.tied }

// Hear takes what another process has told. It gives the names of the parts of which that
// has come to something else, and says whether the two can be compared. Who has begun in
// between knows some parts only, and has no say about the others.
func (b *Book) Hear(t *Told) (differ []string, compared bool) {
	if t.At != b.own.At || t.Build != b.Build || b.tally == nil {
		return nil, false
	}
	for _, p := range t.Parts {
		n := slices.IndexFunc(b.own.Parts, func(own Part) bool { return own.Name == p.Name })
		if n < 0 {
			continue
		}
		v := b.tally[p.Name]
		if b.own.Parts[n].Hash == p.Hash {
			v.same++
		} else {
			v.other++
			differ = append(differ, p.Name)
		}
		b.tally[p.Name] = v
	}
	b.judge()
	if b.Verdict == Same && len(differ) == 0 {
		b.Agreed = t.At
	}
	return differ, true
}

// judge judges by what was told so far. A part that was tied stays so until others tell of it
// again.
func (b *Book) judge() {
	was := b.tied
	b.tied, b.Verdict = nil, Same
	for _, p := range b.own.Parts {
		switch v := b.tally[p.Name]; {
		case v.other > v.same+1:
			b.Verdict = Outvoted
			return
		case v.other == v.same+1, v == votes{} && slices.Contains(was, p.Name):
			b.tied = append(b.tied, p.Name)
			b.Verdict = Even
		}
	}
}
