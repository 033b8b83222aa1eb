package observe

import (
	"context"
	"fmt"
	"reflect"

	"paysandbox/harness/observe/trouble"
	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// begunAnew looks, when nothing new has come, whether the integration was reset:
// its tape then begins again, and what comes has numbers that were there before.
// It gives the new tape as far as it goes, and nothing when there was no reset.
func (s *Session) begunAnew(ctx context.Context) (tape.Meta, []tape.Entry) {
	if len(s.entries) == 0 {
		return s.meta, nil
	}
	meta, head, err := s.panel.head(ctx)
	if err != nil || !s.other(head) {
		return s.meta, nil
	}
	const text = "the integration was reset: the tape begins again, and what happened before is not judged"
	s.say(text)
	if err := s.panel.note(ctx, trail.NoteReset, text, struct{}{}); err != nil {
		s.say("the reset could not be noted: " + err.Error())
	}
	s.entries, s.tape, s.meta = nil, nil, meta
	s.enough.Store(false)
	clear(s.judged)
	s.planner.Forget()
	meta, entries, err := s.panel.read(ctx, 0, 0)
	if err != nil {
		return s.meta, nil
	}
	return meta, entries
}

// other says whether a tape that begins with these entries, one or none, is
// another one than that which is known.
func (s *Session) other(head []tape.Entry) bool {
	switch {
	case len(head) == 0, head[0].Seq < s.first.Seq:
		return true
	case head[0].Seq == s.first.Seq:
		return !reflect.DeepEqual(head[0], s.first)
	default: // the beginning was dropped
		return head[0].Seq > s.last()+1
	}
}

// liftLeft takes back what a session has left behind whose tape goes on, as one that was
// killed: it would meet the application now, and its names are those of the new trouble.
func (s *Session) liftLeft(ctx context.Context, entries []tape.Entry) {
	faults, endpoints := trouble.Unlifted(entries)
	for _, name := range faults {
		s.tellWrong(s.panel.lift(ctx, &trouble.Action{Fault: name}))
	}
	for _, id := range endpoints {
		s.tellWrong(s.panel.lift(ctx, &trouble.Action{Endpoint: id}))
	}
}

// tellWrong tells what could not be made or lifted, if anything.
func (s *Session) tellWrong(err error) {
	if err != nil {
		s.say(fmt.Sprintf("trouble could not be made or lifted: %v", err))
	}
}
