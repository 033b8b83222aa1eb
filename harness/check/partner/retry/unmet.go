package retry

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// tellUnmet names the calls that the application makes and no loss of which was resolved.
func (s *resolving) tellUnmet() {
	for _, kind := range slices.Sorted(maps.Keys(s.used)) {
		if !s.used[kind] {
			s.y.Unseen(kind + " whose answer is lost")
		}
	}
}

// overAgain tells of a call that pays an order again of which an event had told that it is being paid: that a receiver has
// taken the event does not keep another part of an application from it.
func (s *resolving) overAgain(c *trail.Call, about, reference string) {
	if reference == "" || !c.MayHaveActed() {
		return
	}
	s.heard = slices.DeleteFunc(s.heard, func(l *loss) bool {
		if l.about != about || l.reference != reference {
			return false
		}
		if l.c.Key != "" && l.c.Key == c.Key {
			if s.twice(l, c) {
				s.tellTwice(l, c)
			}
			return s.twice(l, c)
		}
		for id := range l.ids {
			state := s.t.PaymentState(id, c.Entry.Seq)
			if (state == "Processing" || state == "Paid") && c.Began-l.c.Ended <= sameOrder && !s.t.Stubbed(tape.Kinds()...) {
				s.y.Fail("no second payment of an order that events tell to be paid: the first is told by its payer and amount",
					"a second "+c.Exchange.Operation+" of the same amount by the same payer under the same reference "+trail.UnderKey(c.Key)+", after the answer was lost and an event had told of the payment", l.c.Entry.Seq, c.Entry.Seq)
			}
		}
		return true
	})
}

// moving is the kind of a call that moves money, in words.
func moving(c *trail.Call) string {
	switch o := trail.OperationOf(c.Exchange); {
	case o.Refunds:
		return "a refund"
	case o.Kind == "saved-card-charge":
		return "the charge of a saved card"
	default:
		return "a payment"
	}
}

// derived says whether a reference is another one with something behind it, such as -again
// or _2: who pays the same under it at once makes the same order anew.
func derived(reference, from string) bool {
	rest, is := strings.CutPrefix(reference, from)
	const telling = 12 // what is shorter may be the beginning of many
	return is && len(from) >= telling && strings.ContainsRune("-_.#/ ", rune((rest + "x")[0]))
}

// wasBlind is why a loss proves nothing after which the call was made again without a look,
// and refused, as a refund is of which nothing is left.
const wasBlind = "the call was made again before anybody had looked, and nothing but a refusal kept it from acting twice, as of a refund in full"

// noteBlind notes that a call makes a lost one again, before anybody knows, and that the
// service has judged and refused it.
func (s *resolving) noteBlind(l *loss, c *trail.Call, about string, got answer) {
	if got == open && about != "" && about == l.about && c.Exchange.Response.Status == http.StatusBadRequest && (l.c.Key == "" || l.c.Key != c.Key || s.t.KeysIgnored() != "") {
		l.blind = true
	}
}

// lookedAt keeps a loss that a report has told of, of an order with a reference: whether its
// caller has found it there is seen by what is done next.
func (s *resolving) lookedAt(l *loss, by *tape.Entry) {
	if by != nil && by.Exchange != nil && trail.OperationOf(by.Exchange).Reads == trail.Report && l.reference != "" {
		s.looked = append(s.looked, l)
	}
}

// anew notes that as much is paid by the same payer under another reference soon after a report
// was read: another order, or the same by somebody who has looked for another reference.
func (s *resolving) anew(c *trail.Call, about, reference string) {
	for _, l := range s.looked {
		if l.again == nil && about == l.about && reference != "" && reference != l.reference && !l.excused && !l.played && c.Done() && c.Began-l.c.Ended <= otherOrder {
			l.again = c
		}
	}
}

// forgotten asks about what was paid anew where the books name the second payment and not
// the first, which nobody has touched since.
func (s *resolving) forgotten() {
	probes := s.t.Probes()
	for _, l := range s.looked {
		if l.again == nil || len(probes) == 0 || s.t.Stubbed(tape.Kinds()...) {
			continue
		}
		last := probes[len(probes)-1]
		named := func(id string) bool { _, in := last.By[strings.ToLower(id)]; return in }
		first, second := s.born[l.c.Entry.Seq], s.born[l.again.Entry.Seq]
		touched := slices.ContainsFunc(s.list, func(c *trail.Call) bool {
			return slices.ContainsFunc(first, func(id string) bool { return strings.Contains(strings.ToLower(c.Exchange.Path), strings.ToLower(id)) })
		})
		if len(first) > 0 && !touched && !slices.ContainsFunc(first, named) && slices.ContainsFunc(second, named) {
			s.y.ReviewAs("anew", "the answer was lost, the report was read, and as much was asked of the same payer under another reference; the books name that payment, and not the first, which is still open",
				l.c.Entry.Seq, l.again.Entry.Seq, last.Entry.Seq)
		}
	}
}
