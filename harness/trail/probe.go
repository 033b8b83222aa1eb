package trail

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"paysandbox/mockserver/tape"
)

// DeliveryLead is how much earlier than its entry a delivery may have come, besides
// the time that the receiver took.
const DeliveryLead = 100 * time.Millisecond

// Probe is what an application's state probe has answered about payments.
type Probe struct {
	Entry *tape.Entry
	By    map[string]Effects
	// Calm is from when on no call of the application was failing, held back or put
	// off: what it does because of an event waits for that.
	Calm int64
	// Slow is how long the application took to answer of late, where that was long.
	Slow time.Duration
}

// Effects count how often an application has fulfilled a payment, and taken
// that back.
type Effects struct{ Fulfilled, Reversed int }

// Text writes the counts for people.
func (e Effects) Text() string {
	return Often("fulfilled", e.Fulfilled) + ", " + Often("reversed", e.Reversed)
}

// Often writes how often something was done.
func Often(what string, n int) string {
	switch n {
	case 0:
		return "never " + what
	case 1:
		return what + " once"
	case 2:
		return what + " twice"
	default:
		return what + " " + strconv.Itoa(n) + " times"
	}
}

// Patience is how long after it was told an application has to have done its work:
// from then on its books are what they are. The exercises of clauses tell the number.
const Patience = 5 * time.Second

// PatienceWith is the patience with an application that took so long to answer its
// state probe: it, or its machine, is busy, so all its work takes longer. An answer after
// 100 ms adds two seconds.
func PatienceWith(slow time.Duration) time.Duration {
	const share, most = 20, 30 * time.Second
	return Patience + min(share*slow, most)
}

// Settled says whether the probe has asked so long after an entry, and after the last
// call that came to nothing, that what the application has not done because of it about a
// payment by then is not done.
func (p *Probe) Settled(t *Trail, id string, since *tape.Entry) bool {
	const recovered = int64(time.Second)
	at := t.Waited(p.Entry)
	return t.Meta.Clock != "real" || at-t.Waited(since) >= int64(PatienceWith(p.Slow)) && at-p.Calm >= recovered && !p.unanswered(t, id, since)
}

// unanswered says whether the application has read the state of a payment since an entry,
// and only failed to a short while ago: what it does because of the entry it is to learn yet.
// No call lasts longer than two minutes.
func (p *Probe) unanswered(t *Trail, id string, since *tape.Entry) bool {
	const again, longest = int64(30 * time.Second), int64(2 * time.Minute)
	list, at := t.Calls(), t.Waited(p.Entry)
	after := sort.Search(len(list), func(i int) bool { return list[i].Entry.Seq > p.Entry.Seq })
	for _, c := range slices.Backward(list[:after]) {
		if c.Entry.Seq <= since.Seq || at-c.Began >= again+longest {
			break
		}
		if t.ReadsState(c.Entry, id) {
			return c.Failed() && at-c.Ended < again
		}
	}
	return false
}

// Worked says whether the probe has asked late enough after an entry for the
// application to have done its work: one that answers at once works later.
func (t *Trail) Worked(p *Probe, since *tape.Entry) bool {
	const work = int64(300 * time.Millisecond)
	return t.Meta.Clock != "real" || t.Waited(p.Entry)-max(t.Waited(since), p.Calm) >= work
}

// Reached says whether a delivery may have come before the application answered
// the probe: an attempt is put on the tape when it is over.
func (t *Trail) Reached(h *Delivery, p *Probe) bool {
	switch {
	case h.Entry.Seq < p.Entry.Seq:
		return true
	case h.Entry.Cause == 0 || h.Entry.Cause > p.Entry.Seq:
		return false
	default:
		return t.Meta.Clock != "real" || t.Waited(h.Entry)-h.Took-int64(DeliveryLead) <= t.Waited(p.Entry)
	}
}

// Probes are the answers of the state probe, oldest first.
func (t *Trail) Probes() []*Probe { return Once(t, "probes", t.readProbes) }

// ProbesAfter are those that came after an entry.
func (t *Trail) ProbesAfter(seq uint64) []*Probe {
	all := t.Probes()
	n, _ := slices.BinarySearchFunc(all, seq+1, func(p *Probe, from uint64) int { return cmp.Compare(p.Entry.Seq, from) })
	return all[n:]
}

func (t *Trail) readProbes() []*Probe {
	var list []*Probe
	by := map[string]Effects{}
	tries, n, calm, slow := t.Calls(), 0, int64(math.MinInt64/2), time.Duration(0)
	for _, note := range Once(t, "notes", t.readNotes) {
		if note.Kind != NoteState {
			continue
		}
		e := note.entry
		a, err := ReadState(note.Data)
		if err != nil {
			continue
		}
		for ; n < len(tries) && tries[n].Entry.Seq < e.Seq; n++ {
			if c := tries[n]; c.Failed() || HeldBack(c.Exchange.Fault) > 0 {
				calm = max(calm, c.Ended+RetryAfter(c.Exchange))
			}
		}
		if by = maps.Clone(by); a.Others == "" {
			clear(by)
		}
		for _, b := range a.Payments {
			by[strings.ToLower(b.ID)] = Effects{b.Fulfilled, b.Reversed}
		}
		if !a.More {
			slow = max(time.Duration(a.Took)*time.Millisecond, slow/2)
			list = append(list, &Probe{Entry: e, By: by, Calm: calm, Slow: slow})
		}
	}
	return list
}

// StateShape is how an application tells its state: of each payment, also of one that it
// never fulfilled, how often it was fulfilled, and how often that was taken back.
const StateShape = `{"payments":[{"paymentRequestId":"…","fulfilled":1,"reversed":0}]}`

// Book is what an application says of a payment.
type Book struct {
	ID        string `json:"paymentRequestId"`
	Fulfilled int    `json:"fulfilled"`
	Reversed  int    `json:"reversed"`
}

// State is what a note holds of an application's state: all of it, or what has changed
// since the last one; More says that the next note goes on. Took is how long the
// application took to tell it, in milliseconds, where that was long.
type State struct {
	Payments []Book `json:"payments"`
	Others   string `json:"others,omitempty"` // "unchanged"
	More     bool   `json:"more,omitempty"`
	Took     int64  `json:"tookMs,omitempty"`
}

// ReadState reads an application's state. One that has another shape says nothing: the
// error tells where. Further members are the application's own.
func ReadState(raw []byte) (State, error) {
	type state struct {
		Payments *[]struct {
			ID        *string `json:"paymentRequestId"`
			Fulfilled *int    `json:"fulfilled"`
			Reversed  *int    `json:"reversed"`
		} `json:"payments"`
		Others string `json:"others"`
		More   bool   `json:"more"`
		Took   int64  `json:"tookMs"`
	}
	read, err := decode[state](raw)
	if mistyped, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return State{}, otherShape(mistyped.Field + " is of the type " + mistyped.Value)
	} else if err != nil {
		return State{}, otherShape(err.Error())
	}
	s := State{Others: read.Others, More: read.More, Took: read.Took}
	if read.Payments == nil {
		var members map[string]json.RawMessage
		if err := json.Unmarshal(raw, &members); err != nil {
			return State{}, otherShape(err.Error())
		}
		if _, there := members["payments"]; !there && len(members) > 0 { // {} is that of an application without payments
			return State{}, otherShape("the member payments is missing")
		}
		return s, nil
	}
	s.Payments = make([]Book, len(*read.Payments))
	for n, p := range *read.Payments {
		missing := ""
		switch {
		case p.ID == nil || *p.ID == "":
			missing = "paymentRequestId"
		case p.Fulfilled == nil || *p.Fulfilled < 0:
			missing = "fulfilled"
		case p.Reversed == nil || *p.Reversed < 0:
			missing = "reversed"
		default:
			s.Payments[n] = Book{*p.ID, *p.Fulfilled, *p.Reversed}
			continue
		}
		return State{}, otherShape("payments[" + strconv.Itoa(n) + "]." + missing + " is missing, or no count")
	}
	return s, nil
}

func otherShape(how string) error {
	return fmt.Errorf("expected %s: %s", StateShape, how)
}
