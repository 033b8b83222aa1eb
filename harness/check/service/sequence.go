package service

import (
	"strconv"
	"time"

	"paysandbox/harness/trail"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// numbersWithoutGaps expects each number to be one above the last. A gap at the beginning
// is right when the tape announces it.
func numbersWithoutGaps(t *trail.Trail) []verdict.Judgement {
	var y verdict.Tally
	next := t.Meta.Gap().To + 1
	for i := range t.Entries {
		e := &t.Entries[i]
		named := ""
		if e.Exchange != nil {
			named, _ = trail.Header(e.Exchange.Response.Header, "Sandbox-Exchange")
		}
		switch {
		case e.Seq != next:
			y.Breach("", "entry "+decimal(next), "entry "+decimal(e.Seq), "", e.Seq)
		case named != "" && named != decimal(e.Seq):
			y.Breach("", "Sandbox-Exchange: "+decimal(e.Seq), named, "named", e.Seq)
		default:
			y.Holds(e.Seq)
		}
		next = e.Seq + 1
	}
	return y.Judgements("no entry")
}

// timesInOrder follows the virtual time along the tape.
func timesInOrder(t *trail.Trail) []verdict.Judgement {
	var y verdict.Tally
	before := int64(0)
	for i := range t.Entries {
		e := &t.Entries[i]
		expected, received := untimely(t, e, before)
		if expected != "" {
			y.Breach("", expected, received, "", e.Seq)
		} else {
			y.Holds(e.Seq)
		}
		before = max(before, e.At)
	}
	return y.Judgements("no entry")
}

// untimely says what is wrong with the time of an entry, "" when nothing is.
func untimely(t *trail.Trail, e *tape.Entry, before int64) (expected, received string) {
	cause := t.Entry(e.Cause)
	switch {
	case e.At < before:
		return "a time not before " + exact(before), exact(e.At)
	case e.Cause >= e.Seq:
		return "a cause before entry " + decimal(e.Seq), "entry " + decimal(e.Cause)
	case cause != nil && cause.At > e.At:
		return "a time not before its cause's, " + exact(cause.At), exact(e.At)
	case e.Clock != nil && e.Clock.To < e.Clock.From:
		return "a clock that never goes back from " + exact(e.Clock.From), exact(e.Clock.To)
	case e.Exchange != nil:
		return stamped(e)
	}
	return "", ""
}

// stamped compares Sandbox-Time, in whole seconds, with the tape's time. Every
// answer of the partner API has it.
func stamped(e *tape.Entry) (expected, received string) {
	v, ok := trail.Header(e.Exchange.Response.Header, "Sandbox-Time")
	if !ok && (e.Kind != tape.KindExchange || trail.Faulted(e.Exchange)) {
		return "", ""
	}
	if want := trail.Moment(e.At); v != want {
		return "Sandbox-Time: " + want, strconv.Quote(v)
	}
	return "", ""
}

// exact writes a virtual time with its fractions.
func exact(at int64) string { return time.Unix(0, at).UTC().Format(time.RFC3339Nano) }

// decimal writes a number of an entry.
func decimal(n uint64) string { return strconv.FormatUint(n, 10) }
