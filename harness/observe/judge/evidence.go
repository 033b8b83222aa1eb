package judge

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"paysandbox/harness/check"
	"paysandbox/harness/report"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// evidenceOf makes a reason and evidence of those verdicts of a check that came to the
// verdict of its clause. What has passed names its entries alone: an excerpt is
// for those who have to act.
func (j *judging) evidenceOf(r *check.Result, word verdict.Word) (reason string, list []report.Evidence) {
	var held []uint64
	for i := range r.Judgements {
		v := &r.Judgements[i]
		switch {
		case meaning(v.Word) != word:
		case word == verdict.Pass:
			held = append(held, v.Entries...)
			if v.Unseen != "" {
				reason = joined(reason, "as far as it was met; not seen: "+v.Unseen)
			}
		case !word.Judged():
			reason = joined(reason, unjudged(v))
		default:
			list = append(list, j.evidence(v, len(list) < report.MaxEvidence))
		}
	}
	if len(held) > 0 {
		slices.Sort(held)
		list = append(list, report.Evidence{Entries: slices.Compact(held)})
	}
	return reason, list
}

// unjudged is why a verdict of a check says nothing for or against its clause.
func unjudged(v *verdict.Judgement) string { return strings.TrimSuffix(v.Received+"; "+v.Hint, "; ") }

// WhyOpen is why a check has not come to pass or fail although its matter came up;
// empty when it did not come up.
func WhyOpen(r *check.Result) string {
	var why string
	for i := range r.Judgements {
		switch v := &r.Judgements[i]; meaning(v.Word) {
		case verdict.NotExercised:
			if v.Received != verdict.NeverUp {
				why = joined(why, v.Received)
			}
		case verdict.Inconclusive, verdict.Review:
			why = joined(why, unjudged(v))
		default:
		}
	}
	return why
}

// joined adds a sentence to others, once.
func joined(text, more string) string {
	switch {
	case text == "":
		return more
	case more == "" || strings.Contains(text, more):
		return text
	default:
		return text + "; " + more
	}
}

// evidence is one verdict, and what can be read of the first exchange or delivery
// that it rests on, if that is wanted.
func (j *judging) evidence(v *verdict.Judgement, excerpt bool) report.Evidence {
	e := report.Evidence{Entries: slices.Clone(v.Entries), Expected: v.Expected, Received: v.Received, Hint: v.Hint}
	for _, seq := range v.Entries {
		if !excerpt {
			break
		}
		if at := j.entry(seq); at != nil {
			if x := shown(at); x != nil {
				e.Request, e.Response = report.Excerpt(x)
				break
			}
		}
	}
	return e
}

// cited are the entries that a report names: in full for those who have to act, and in a
// line where all was well, or a text alone names them.
func (j *judging) cited(r *Judgement) []report.Cited {
	var full, inLine []uint64
	texts := slices.Clone(r.Notes)
	for i := range r.Clauses {
		c := &r.Clauses[i]
		texts = append(texts, c.Reason)
		for _, e := range c.Evidence[:min(len(c.Evidence), report.MaxEvidence)] {
			texts = append(texts, e.Expected, e.Received)
			named := e.Entries[:min(len(e.Entries), report.MaxEntries)]
			if c.Verdict.Trouble() {
				full = append(full, named...)
			} else {
				inLine = append(inLine, named...)
			}
		}
	}
	for _, w := range r.End.Readiness.Warnings {
		full = append(full, w.Entries...)
	}
	for _, text := range texts {
		inLine = append(inLine, report.NumbersIn(text)...)
	}
	return report.Cite(j.entries, full, inLine)
}

// entry is the one with a number; nil if it is not judged.
func (j *judging) entry(seq uint64) *tape.Entry {
	i, found := slices.BinarySearchFunc(j.entries, seq, func(e tape.Entry, seq uint64) int { return cmp.Compare(e.Seq, seq) })
	if !found {
		return nil
	}
	return &j.entries[i]
}

// spanned is the time from the first entry that a check rests on to the last. What a
// clock that runs was moved by is no part of it: nobody has waited for that.
func (j *judging) spanned(r *check.Result) time.Duration {
	var first, last *tape.Entry
	for i := range r.Judgements {
		for _, seq := range r.Judgements[i].Entries {
			at := j.entry(seq)
			if at == nil {
				continue
			}
			if first == nil || at.Seq < first.Seq {
				first = at
			}
			if last == nil || at.Seq > last.Seq {
				last = at
			}
		}
	}
	if first == nil {
		return 0
	}
	return time.Duration(max(0, j.tape.Waited(last)-j.tape.Waited(first)))
}

// shown is what of an entry people can read as request and answer; nil for
// entries that are neither.
func shown(e *tape.Entry) *tape.Exchange {
	switch a := e.Attempt; {
	case e.Exchange != nil:
		return e.Exchange
	case a != nil:
		return &tape.Exchange{
			Method: "POST", Path: a.URL,
			Request:  tape.Request{Header: a.Header, Body: a.Body},
			Response: tape.Response{Status: a.Status, Header: a.ResponseHeader, Body: a.ResponseBody},
		}
	default:
		return nil
	}
}
