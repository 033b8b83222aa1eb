package task

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"paysandbox/harness/partner"
	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// Intent is something that the partner is to do.
type Intent struct {
	partner.Task
	// Operations perform it, in any spelling; none means the one that it is called
	// after.
	Operations []string
	// Fits says whether a call has the values that identify the intent; nil takes
	// every call.
	Fits func(*trail.Call) bool
	// Refused is true when the service is to refuse it.
	Refused bool
	// Times is how many calls it takes; 0 means one. Several are about different
	// things, which Which tells.
	Times int
	Which func(*trail.Call) string
	// Bind takes the ids from the call that did it; it may be nil.
	Bind func(*trail.Call)
	// Names are whom ids stand for, asked after Bind; it may be nil.
	Names func() map[string]string

	// Declined is true when the service may answer with 402 that it has been done and
	// has come to nothing, as for the charge of a card.
	Declined bool

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
func (in *Intent) calls() []string {
	if in.Operations == nil {
		return []string{in.Do}
	}
	return in.Operations
}

// Perform hands an intent to the partner and finds what came of it on the tape.
func (p *Partner) Perform(ctx context.Context, in *Intent) error {
	if err := p.hands(ctx, in); err != nil {
		return err
	}
	if in.Wait || p.Out {
		p.later = append(p.later, in)
		return nil
	}
	return p.Find(ctx, in)
}

// hands announces an intent and lets the partner do it.
func (p *Partner) hands(ctx context.Context, in *Intent) error {
	in.ID = p.Next()
	if err := p.Note(ctx, trail.NoteTask, in.Say, in.Task); err != nil {
		return err
	}
	if err := p.Tape.Look(ctx, 0); err != nil {
		return err
	}
	in.since = p.Tape.Seen
	t := in.Task
	t.Say = spoken(&t)
	if in.Refused {
		t.Say += "\n    the service is going to refuse it, which belongs to the story"
	}
	err := p.Actor.Perform(ctx, t)
	if err != nil && !p.Out && !in.Refused {
		return fmt.Errorf("the partner could not %s: %w", in.Say, err)
	}
	if p.Out {
		if p.Patience > 0 {
			p.Progresses("story: " + fmt.Sprintf("the service stays out until nobody has called for %s", spell(min(p.Patience, longPoll))))
		}
		return p.Tape.quiet(ctx)
	}
	return p.Settle(ctx)
}

// Find looks for the call that did an intent, takes the ids from it, and notes
// it on the tape.
func (p *Partner) Find(ctx context.Context, in *Intent) error {
	var found *tape.Entry
	err := p.Tape.Until(ctx, "a call to "+in.Say, func() string {
		var wrong string
		if found, wrong = p.match(in); wrong != "" {
			p.nears(in)
		}
		return wrong
	})
	p.Tape.longer = 0
	switch {
	case err == nil:
	case !errors.Is(err, ErrInVain):
		return err
	case in.Refused:
		return nil // a partner that knows better than to ask has done nothing wrong
	case in.lost == nil:
		return err
	default:
		found = in.lost // the partner has not asked again
		p.claimed[found.Seq] = true
	}
	p.later = slices.DeleteFunc(p.later, func(l *Intent) bool { return l == in })
	if in.Bind != nil {
		in.Bind(trail.CallOf(found))
	}
	d := trail.Done{Task: in.ID, Exchange: found.Seq}
	if in.Names != nil {
		d.Names = in.Names()
	}
	if err := p.Note(ctx, trail.NoteDone, in.Say, d); err != nil {
		return err
	}
	return p.Settle(ctx)
}

// match finds the last of the calls that an intent takes, or says what there is
// instead.
func (p *Partner) match(in *Intent) (found *tape.Entry, wrong string) {
	operations, times := in.calls(), max(1, in.Times)
	var near, before []string
	var claimed []uint64
	things := map[string]bool{}
	for c := range p.Tape.CallsTo(operations...) {
		e := c.Entry
		switch told, right := e.Seq > in.since, p.differs(in, e) == ""; {
		case p.claimed[e.Seq], !told && !right:
		case !told && !in.early():
			before = append(before, at(e)+" came before it was told: it has to come again")
		case !right:
			if p.unanswered(in, e) {
				in.lost = e
			}
			if other := p.nearly(in, e); other != "" {
				near = append(near, other)
			}
		case !in.again(things, c):
			claimed, found = append(claimed, e.Seq), e
		}
		if len(claimed) == times {
			break
		}
	}
	if len(claimed) < times && p.learned(in) {
		claimed, found = append(claimed, in.lost.Seq), in.lost
	}
	if len(claimed) < times {
		return nil, p.lacks(in, len(claimed), near, before)
	}
	for _, seq := range claimed {
		p.claimed[seq] = true
	}
	return found, ""
}

// again says whether a call is about a thing that another was about before.
func (in *Intent) again(things map[string]bool, c *trail.Call) bool {
	if in.Which == nil {
		return false
	}
	thing := in.Which(c)
	seen := things[thing]
	things[thing] = true
	return seen
}

// early says whether the partner may have done it already when it is told to: what
// brings something into being is not done twice because somebody says so late.
func (in *Intent) early() bool { return !in.Refused && ways[in.Do].method == http.MethodPost }

// lacks says what there is instead of the calls that an intent takes. A call that
// came too early is told once nothing follows it.
func (p *Partner) lacks(in *Intent, calls int, near, before []string) string {
	if in.looked++; in.looked == 2 && len(before) > 0 {
		p.Progresses(before[len(before)-1])
	}
	switch {
	case len(near) > 0:
		return inBrief(near)
	case len(before) > 0:
		return before[len(before)-1]
	default:
		return fmt.Sprintf("%d of %d calls to %s are on the tape", calls, max(1, in.Times), strings.Join(in.calls(), " or "))
	}
}

// differs says why a call is not what an intent takes; "" when it is.
func (p *Partner) differs(in *Intent, e *tape.Entry) string {
	status := e.Exchange.Response.Status
	switch {
	case in.Fits != nil && !in.Fits(trail.CallOf(e)):
		return "has other values"
	case in.Declined && status == http.StatusPaymentRequired:
		return ""
	case in.Refused && !refusal(status), !in.Refused && (status < 200 || status >= 300):
		return "was answered with " + StatusText(status)
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
func (p *Partner) unanswered(in *Intent, e *tape.Entry) bool {
	return e.Exchange.Response.Status == 0 && in.Fits != nil && in.Fits(trail.CallOf(e)) && p.Tape.Made(e.Seq, "payment") != ""
}

// learned says whether the partner has found out what came of a call whose answer
// got lost, by reading about the payment.
func (p *Partner) learned(in *Intent) bool {
	if in.lost == nil {
		return false
	}
	id := p.Tape.Made(in.lost.Seq, "payment")
	for c := range p.Tape.CallsTo(trail.Readers("payment")...) {
		if c.Entry.Seq > in.lost.Seq && c.Exchange.Response.Status == http.StatusOK && (c.About(id) || trail.OperationOf(c.Exchange).Reads == trail.Report) {
			return true
		}
	}
	return false
}

// StatusText writes a status, 0 being none.
func StatusText(status int) string {
	if status == 0 {
		return "nothing"
	}
	return fmt.Sprintf("status %d", status)
}
