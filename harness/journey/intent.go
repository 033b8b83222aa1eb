package journey

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"paysandbox/harness/check"
	"paysandbox/harness/partner"
	"paysandbox/mockserver/tape"
)

// intent is something that the partner is to do.
type intent struct {
	partner.Task
	// operations perform it, in any spelling; none means the one that it is called
	// after.
	operations []string
	// fits says whether a call has the values that identify the intent; nil takes
	// every call.
	fits func(*call) bool
	// refused is true when the service is to refuse it.
	refused bool
	// times is how many calls it takes; 0 means one. Several are about different
	// things, which tells which.
	times int
	which func(*call) string
	// bind takes the ids from the call that did it; it may be nil.
	bind func(*call)
	// names are whom ids stand for, asked after bind; it may be nil.
	names func() map[string]string

	// declined is true when the service may answer with 402 that it has been done and
	// has come to nothing, as for the charge of a card.
	declined bool

	since uint64
	// looked counts the looks at the tape.
	looked int
	// seen is the last call that was looked at for near misses, near how many of
	// them were told.
	seen uint64
	near int
	// lost is a call that was carried out and whose answer did not arrive.
	lost *tape.Entry
}

// calls are the operations that perform an intent.
func (in *intent) calls() []string {
	if in.operations == nil {
		return []string{in.Do}
	}
	return in.operations
}

// performs hands an intent to the partner and finds what came of it on the tape.
func (s *story) performs(ctx context.Context, in *intent) error {
	if err := s.hands(ctx, in); err != nil || in.Wait || s.out {
		return err
	}
	return s.finds(ctx, in)
}

// hands announces an intent and lets the partner do it.
func (s *story) hands(ctx context.Context, in *intent) error {
	*s.task++
	in.ID = *s.task
	if err := s.note(ctx, check.NoteTask, in.Say, in.Task); err != nil {
		return err
	}
	if err := s.tape.look(ctx, 0); err != nil {
		return err
	}
	in.since = s.tape.last
	t := in.Task
	t.Say = spoken(&t)
	if in.refused {
		t.Say += "\n    the service is going to refuse it, which belongs to the story"
	}
	err := s.plan.Actor.Perform(ctx, t)
	if err != nil && !s.out && !in.refused {
		return fmt.Errorf("the partner could not %s: %w", in.Say, err)
	}
	if s.out {
		if s.plan.Patience > 0 {
			s.tells(fmt.Sprintf("the service stays out until nobody has called for %s", spell(min(s.plan.Patience, longPoll))))
		}
		return s.tape.quiet(ctx)
	}
	return s.settled(ctx)
}

// finds looks for the call that did an intent, takes the ids from it, and notes
// it on the tape.
func (s *story) finds(ctx context.Context, in *intent) error {
	var found *tape.Entry
	err := s.tape.until(ctx, "a call to "+in.Say, func() string {
		var wrong string
		if found, wrong = s.match(in); wrong != "" {
			s.nears(in)
		}
		return wrong
	})
	s.tape.longer = 0
	switch {
	case err == nil:
	case !errors.Is(err, errInVain):
		return err
	case in.refused:
		return nil // a partner that knows better than to ask has done nothing wrong
	case in.lost == nil:
		return err
	default:
		found = in.lost // the partner has not asked again
		s.claimed[found.Seq] = true
	}
	if in.bind != nil {
		in.bind(callOf(found))
	}
	d := done{Task: in.ID, Exchange: found.Seq}
	if in.names != nil {
		d.Names = in.names()
	}
	if err := s.note(ctx, check.NoteDone, in.Say, d); err != nil {
		return err
	}
	return s.settled(ctx)
}

// match finds the last of the calls that an intent takes, or says what there is
// instead.
func (s *story) match(in *intent) (found *tape.Entry, wrong string) {
	operations, times := in.calls(), max(1, in.times)
	var near, before []string
	var claimed []uint64
	things := map[string]bool{}
	s.exchanges(operations, func(e *tape.Entry) bool {
		if s.claimed[e.Seq] {
			return true
		}
		told, right := e.Seq > in.since, s.differs(in, e) == ""
		switch {
		case !told && right && !in.early():
			before = append(before, at(e)+" came before it was told: it has to come again")
			return true
		case !told && !right:
			return true
		}
		if !right {
			if s.unanswered(in, e) {
				in.lost = e
			}
			if other := s.nearly(in, e); other != "" {
				near = append(near, other)
			}
			return true
		}
		if in.again(things, e) {
			return true
		}
		claimed, found = append(claimed, e.Seq), e
		return len(claimed) < times
	})
	if len(claimed) < times && s.learned(in) {
		claimed, found = append(claimed, in.lost.Seq), in.lost
	}
	if len(claimed) < times {
		return nil, s.lacks(in, len(claimed), near, before)
	}
	for _, seq := range claimed {
		s.claimed[seq] = true
	}
	return found, ""
}

// again says whether a call is about a thing that another was about before.
func (in *intent) again(things map[string]bool, e *tape.Entry) bool {
	if in.which == nil {
		return false
	}
	thing := in.which(callOf(e))
	seen := things[thing]
	things[thing] = true
	return seen
}

// early says whether the partner may have done it already when it is told to: what
// brings something into being is not done twice because somebody says so late.
func (in *intent) early() bool { return !in.refused && ways[in.Do].method == http.MethodPost }

// lacks says what there is instead of the calls that an intent takes. A call that
// came too early is told once nothing follows it.
func (s *story) lacks(in *intent, calls int, near, before []string) string {
	if in.looked++; in.looked == 2 && len(before) > 0 && s.plan.Progress != nil {
		s.plan.Progress(before[len(before)-1])
	}
	switch {
	case len(near) > 0:
		return inBrief(near)
	case len(before) > 0:
		return before[len(before)-1]
	default:
		return fmt.Sprintf("%d of %d calls to %s are on the tape", calls, max(1, in.times), strings.Join(in.calls(), " or "))
	}
}

// differs says why a call is not what an intent takes; "" when it is.
func (s *story) differs(in *intent, e *tape.Entry) string {
	status := e.Exchange.Response.Status
	switch {
	case in.fits != nil && !in.fits(callOf(e)):
		return "has other values"
	case in.declined && status == http.StatusPaymentRequired:
		return ""
	case in.refused && !refusal(status), !in.refused && (status < 200 || status >= 300):
		return "was answered with " + statusText(status)
	default:
		return ""
	}
}

// refusal says whether a status tells that the service will not do it, however
// often it is asked.
func refusal(status int) bool {
	return status >= 400 && status < 500 && status != http.StatusUnauthorized && status != http.StatusTooManyRequests
}

// unanswered says whether a call is the intent's and has made a payment although
// its answer got lost.
func (s *story) unanswered(in *intent, e *tape.Entry) bool {
	return e.Exchange.Response.Status == 0 && in.fits != nil && in.fits(callOf(e)) && s.caused(e.Seq, "payment") != ""
}

// learned says whether the partner has found out what came of a call whose answer
// got lost, by reading about the payment.
func (s *story) learned(in *intent) bool {
	if in.lost == nil {
		return false
	}
	id, learned := s.caused(in.lost.Seq, "payment"), false
	s.exchanges([]string{"getPaymentStatus", "getTransaction", "reportTransactions"}, func(e *tape.Entry) bool {
		c := callOf(e)
		learned = e.Seq > in.lost.Seq && c.Response.Status == http.StatusOK && (c.about(id) || c.Operation == "reportTransactions")
		return !learned
	})
	return learned
}

func statusText(status int) string {
	if status == 0 {
		return "nothing"
	}
	return fmt.Sprintf("status %d", status)
}
