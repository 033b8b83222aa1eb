package trail

import (
	"iter"

	"paysandbox/mockserver/tape"
)

// NoteDeliberate is the kind of the note by which a test suite says that the calls
// that come next are wrong on purpose: data is {operation, calls}, an operation's id
// (none: any but the token call) and how many (none: 1, at most 20). What the
// checks of [Integration] judge has these calls left out; [Tape.LeftOut] tells them.
// One that failed for want of the service, or for its token, and is made again
// unchanged is left out again.
const NoteDeliberate = "deliberate"

// mostDeliberate is how many calls one note can speak of.
const mostDeliberate = 20

// deliberate is the data of such a note.
type deliberate struct {
	Operation string `json:"operation"`
	Calls     int    `json:"calls"`
}

// LeftOut are the numbers of the calls that the checks of [Integration] leave out
// because they were announced as wrong on purpose, ascending.
func (t *Trail) LeftOut() []uint64 {
	told := map[*tape.Entry]deliberate{}
	for e, d := range notes[deliberate](t, NoteDeliberate) {
		told[e] = d
	}
	if len(told) == 0 {
		return nil
	}
	var list []uint64
	due := map[string]int{}        // calls to come, by their operations
	again := map[string]struct{}{} // calls that may be made again
	for i := range t.Entries {
		e := &t.Entries[i]
		if d, is := told[e]; is {
			due[d.Operation] = min(max(d.Calls, 1), mostDeliberate)
		}
		if e.Kind != tape.KindExchange || e.Exchange == nil {
			continue
		}
		name := sameCall(e.Exchange)
		_, repeated := again[name]
		delete(again, name)
		switch operation := e.Exchange.Operation; {
		case repeated:
		case due[operation] > 0:
			due[operation]--
		case due[""] > 0 && !OperationOf(e.Exchange).Token:
			due[""]--
		default:
			continue
		}
		list = append(list, e.Seq)
		if status := e.Exchange.Response.Status; status == 0 || status == 401 || status == 429 || status >= 500 {
			again[name] = struct{}{}
		}
	}
	return list
}

// Own is the trail without the calls that were announced as wrong on purpose.
func (t *Trail) Own() *Trail {
	return Once(t, "own", func() *Trail { return t.without(t.LeftOut()) })
}

// without is the tape without some calls.
func (t *Trail) without(left []uint64) *Trail {
	if len(left) == 0 {
		return t
	}
	kept := make([]tape.Entry, 0, len(t.Entries)-len(left))
	for i := range t.Entries {
		if len(left) > 0 && t.Entries[i].Seq == left[0] {
			left = left[1:]
			continue
		}
		kept = append(kept, t.Entries[i])
	}
	return New(t.Meta, kept)
}

// CallEntries are the entries of the calls that the application has made.
func (t *Trail) CallEntries() iter.Seq[*tape.Entry] {
	return func(yield func(*tape.Entry) bool) {
		for _, c := range t.Calls() {
			if !yield(c.Entry) {
				return
			}
		}
	}
}
