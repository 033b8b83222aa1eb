package verdict

import (
	"cmp"
	"slices"
)

// Word is what a judgement comes to. In JSON it is the text.
type Word string

// The words. Pass, Fail, Warning and Review are about what was seen; the others
// say why nothing can be said.
const (
	// Fail: what was promised was broken.
	Fail Word = "fail"
	// HarnessError: the harness, or the way to the target, broke.
	HarnessError Word = "harness-error"
	// Inconclusive: what is needed has been dropped, or the evidence is too little.
	Inconclusive Word = "inconclusive"
	// Review: a person has to look at it.
	Review Word = "review"
	// Warning: nothing is broken, but something is not as it should be.
	Warning Word = "warning"
	// Pass: what was promised was seen to hold.
	Pass Word = "pass"
	// NotReached: the run could not get to where the rule is judged.
	NotReached Word = "not-reached"
	// NotApplicable: the rule does not hold here, by choice or on purpose.
	NotApplicable Word = "not-applicable"
	// Disabled: the rule was switched off by name.
	Disabled Word = "disabled"
	// NotExercised: nothing that was seen had to do with the rule. It never counts
	// as a pass.
	NotExercised Word = "not-exercised"
)

// Words lists every word, the gravest first. It is the only order of verdicts:
// where a rule was judged several times, the first of this list stands.
//
// A failure that was seen stands whatever else broke. What could not be judged
// stands before what a person may still settle, and that before what was seen to
// hold: a part that holds never hides one that is open. Of those that say nothing
// the one that tells more about the rule comes first.
func Words() []Word {
	return []Word{
		Fail, HarnessError, Inconclusive, Review, Warning, Pass,
		NotReached, NotApplicable, Disabled, NotExercised,
	}
}

// Rank is the word's place among the words, from 0; of an unknown one -1, so that
// a mistake comes first and is seen.
func (w Word) Rank() int { return slices.Index(Words(), w) }

// Gravest is what several words come to together; none come to NotExercised.
func Gravest(words ...Word) Word {
	if len(words) == 0 {
		return NotExercised
	}
	return slices.MinFunc(words, func(a, b Word) int { return cmp.Compare(a.Rank(), b.Rank()) })
}

// Label is the word as people read it: what was never exercised has no evidence,
// whatever a machine calls it.
func (w Word) Label() string {
	if w == NotExercised {
		return "no evidence"
	}
	return string(w)
}

// Judged tells whether the word says something about the rule: it held, was
// broken, drew a warning or needs a person.
func (w Word) Judged() bool {
	return w == Pass || w == Fail || w == Warning || w == Review
}

// Trouble tells whether somebody has to act.
func (w Word) Trouble() bool {
	return w == Fail || w == HarnessError || w == Inconclusive || w == Review || w == Warning
}

// Tone is what a word is at a glance, as colours and signs show it.
type Tone int

// The tones.
const (
	// Plain: nothing was judged, and nobody has to act.
	Plain Tone = iota
	// Good: it held.
	Good
	// Bad: it was broken, or the harness broke.
	Bad
	// Warn: somebody has to look at it.
	Warn
)

// Tone is the word's.
func (w Word) Tone() Tone {
	switch {
	case w == Pass:
		return Good
	case w == Fail, w == HarnessError:
		return Bad
	case w.Trouble():
		return Warn
	default:
		return Plain
	}
}
