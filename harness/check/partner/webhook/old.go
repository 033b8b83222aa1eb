package webhook

import (
	"bytes"
	"slices"
	"time"

	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// again says whether a delivery tells what was taken before: of it there is no news.
func (f *follower) again(h *trail.Delivery) bool {
	return slices.ContainsFunc(f.t.DeliveriesAbout(h.About()), func(b *trail.Delivery) bool {
		return b.Event == h.Event && b.Entry.Seq < h.Entry.Seq && b.Told()
	})
}

// news is the entry from which on an application may know of what a delivery tells.
func (f *follower) news(h *trail.Delivery) uint64 {
	if h.Number == 1 && !f.again(h) {
		return h.Emitted.Seq
	}
	return h.Entry.Seq
}

// cameBack says whether by an entry a payer comes back to the application, or does
// something about a resource on a page that leads there.
func cameBack(e *tape.Entry, id string) bool {
	if e.Kind == tape.KindPage {
		return trail.SameID(trail.Subject(e), id)
	}
	return trail.Noted(e, trail.NoteRedirect) && bytes.Contains(bytes.ToLower(e.Exchange.Request.Body), []byte(id))
}

// promptly is how soon the state is read by whoever reads it because of a delivery.
const promptly = 300 * time.Millisecond

// woken notes a delivery about a resource of which there was no news for long, and
// whether its state was read soon after.
func (f *follower) woken(h *trail.Delivery) {
	if !f.t.KeepsTime() || !f.t.WentOn(h.Entry, followSoon) {
		return
	}
	if f.polls(h) {
		f.y.Skip("the state was read every now and then when a delivery was refused")
		return
	}
	d := doubt{h: h}
	for _, e := range f.t.ReadsByID()[h.About()] {
		since := f.t.Waited(e) - f.t.Waited(h.Entry)
		soon := since >= -h.Took-int64(trail.DeliveryLead) && since <= int64(promptly)
		if soon && f.elsewhere(h, e) {
			f.y.Skip(cameBeside)
			return
		}
		if soon && !f.explained(h, e) && !f.t.Tasks().Covers(e, h.About()) {
			d.call = e
			break
		}
	}
	f.old = append(f.old, d)
}

// explained says whether a read has another reason than a delivery: the clock was moved
// meanwhile, or another delivery about the resource has come, or was coming.
func (f *follower) explained(h *trail.Delivery, e *tape.Entry) bool {
	return f.t.MovesBefore(e.Seq) != f.t.MovesBefore(h.Entry.Seq) || f.coming(h, e)
}

// coming says whether a genuine delivery about the resource had come after another one when
// a call was made, or was coming: who acts before the answer to it calls before its entry.
func (f *follower) coming(h *trail.Delivery, e *tape.Entry) bool {
	return slices.ContainsFunc(f.t.DeliveriesAbout(h.About()), func(b *trail.Delivery) bool {
		begun := f.t.Waited(b.Entry) - b.Took - int64(trail.DeliveryLead)
		return b.Genuine() && b.Entry.Seq > h.Entry.Seq && f.t.Waited(e) >= begun
	})
}

const cameBeside = "another delivery about the same, a good one, was there when one was refused: a call may be because of that"

// elsewhere says whether a genuine delivery about the resource had come to another endpoint
// when a call was made, or was coming.
func (f *follower) elsewhere(h *trail.Delivery, e *tape.Entry) bool {
	return f.beside(h, e, func(b *trail.Delivery) bool { return b.Endpoint != h.Endpoint })
}

// overtaken says whether one that tells what was before had come to the same endpoint when a
// call was made: it was under way when the delivery began.
func (f *follower) overtaken(h *trail.Delivery, e *tape.Entry) bool {
	return f.beside(h, e, func(b *trail.Delivery) bool { return b.Entry.Seq < h.Entry.Seq && b.Event != h.Event })
}

// beside says whether one of some genuine deliveries about the resource was there since the
// event when a call was made.
func (f *follower) beside(h *trail.Delivery, e *tape.Entry, which func(b *trail.Delivery) bool) bool {
	return slices.ContainsFunc(f.t.DeliveriesAbout(h.About()), func(b *trail.Delivery) bool {
		begun, since := f.t.Waited(b.Entry)-b.Took-int64(trail.DeliveryLead), f.t.Waited(e)-f.t.Waited(b.Entry)
		return which(b) && b.Genuine() && b.Entry.Seq > h.Emitted.Seq && f.t.Waited(e) >= begun && since <= int64(followWindow)
	})
}

// decideOld judges what followed deliveries about what was at rest: more often than its
// state is read out of a silence at any other time, it is because of them.
func (f *follower) decideOld() {
	const several = 2
	followed := 0
	for _, d := range f.old {
		if d.call == nil {
			f.y.Holds(d.h.Entry.Seq)
		} else {
			followed++
		}
	}
	if followed < several || orMore(followed, len(f.old), f.wakes()) >= byChanceOld {
		return
	}
	for _, d := range f.old {
		if d.call != nil {
			f.blame(d.h, d.call)
		}
	}
}

// byChanceOld is how seldom chance may bring reads that follow so.
const byChanceOld = 5e-5

// wakes is the chance that the state of a payment is read within a moment by somebody who
// had let it alone for a while, in the course of the tape.
func (f *follower) wakes() float64 {
	because := map[uint64]bool{}
	for _, d := range f.old {
		if d.call != nil {
			because[d.call.Seq] = true
		}
	}
	end := f.t.Waited(&f.t.Entries[len(f.t.Entries)-1])
	woken, moments := 1.0, 1.0
	for id, reads := range f.t.ReadsByID() {
		moments += float64(end-f.t.Waited(reads[0])) / float64(promptly)
		for _, e := range f.outOfSilence(id) {
			if !because[e.Seq] {
				woken++
			}
		}
	}
	return min(1, woken/moments)
}

// outOfSilence are the reads of a resource that had neither been read nor told of for a while.
func (f *follower) outOfSilence(id string) (list []*tape.Entry) {
	reads, told := f.t.ReadsByID()[id], f.t.DeliveriesAbout(id)
	for i := 1; i < len(reads); i++ {
		at := f.t.Waited(reads[i])
		news := slices.ContainsFunc(told, func(h *trail.Delivery) bool {
			since := at - f.t.Waited(h.Entry)
			return h.Genuine() && since >= 0 && since < int64(followIdle)
		})
		if !news && at-f.t.Waited(reads[i-1]) >= int64(followIdle) {
			list = append(list, reads[i])
		}
	}
	return list
}

// polls says whether the state of a resource was read out of a silence a short while before
// a delivery: it may be read again at any moment.
func (f *follower) polls(h *trail.Delivery) bool {
	return slices.ContainsFunc(f.outOfSilence(h.About()), func(e *tape.Entry) bool {
		since := f.t.Waited(h.Entry) - f.t.Waited(e)
		return since > int64(promptly) && since < pollsWithin
	})
}

// pollsWithin is how long ago the last look of a poll is, at the most, in nanoseconds.
const pollsWithin = int64(30 * time.Second)
