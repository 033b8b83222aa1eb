package service_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/check/service"
	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// reel is a copy of a tape that can be spoilt.
type reel struct {
	tb      testing.TB
	meta    tape.Meta
	entries []tape.Entry
}

// film is a finished session: the bytes of its tape, and what is handed in.
type film struct {
	raw  []byte
	opts service.Options
}

// shoot keeps a session.
func shoot(tb testing.TB, s session) film {
	tb.Helper()
	var b bytes.Buffer
	require.NoError(tb, tape.Write(&b, s.Meta, slices.Values(s.Entries)))
	return film{b.Bytes(), s.opts}
}

// copy gives a copy to be spoilt.
func (f film) copy(tb testing.TB) *reel {
	tb.Helper()
	meta, entries, err := tape.Read(bytes.NewReader(f.raw))
	require.NoError(tb, err)
	return &reel{tb, meta, entries}
}

// tape makes a tape for the checks of the copy.
func (r *reel) tape(o service.Options) session { return session{trail.New(r.meta, r.entries), o} }

// find gives the nth entry, from 0, for which is says yes; a negative n counts
// from the end.
func (r *reel) find(n int, is func(e *tape.Entry) bool) *tape.Entry {
	r.tb.Helper()
	var found []*tape.Entry
	for i := range r.entries {
		if is(&r.entries[i]) {
			found = append(found, &r.entries[i])
		}
	}
	if n < 0 {
		n += len(found)
	}
	require.Greater(r.tb, len(found), n, "the session has no such entry")
	return found[n]
}

// call gives the nth exchange of an operation with a status.
func (r *reel) call(n int, operation string, status int) *tape.Exchange {
	r.tb.Helper()
	return r.find(n, func(e *tape.Entry) bool {
		return e.Kind == tape.KindExchange && e.Exchange.Operation == operation && e.Exchange.Response.Status == status
	}).Exchange
}

// move gives the nth transition of a machine by an event.
func (r *reel) move(n int, machine, event string) *tape.Entry {
	r.tb.Helper()
	return r.find(n, func(e *tape.Entry) bool {
		return e.Transition != nil && e.Transition.Machine == machine && e.Transition.Event == event
	})
}

// attempt gives the nth attempt that is not spoilt on purpose.
func (r *reel) attempt(n int, is func(a *tape.Attempt) bool) *tape.Entry {
	r.tb.Helper()
	return r.find(n, func(e *tape.Entry) bool { return e.Attempt != nil && e.Attempt.Profile == "" && is(e.Attempt) })
}

// eventOf gives the event of a transition.
func (r *reel) eventOf(e *tape.Entry) *tape.Entry {
	r.tb.Helper()
	return r.find(0, func(o *tape.Entry) bool {
		return o.Event != nil && o.Seq > e.Seq && o.Entities[0] == e.Transition.Entity
	})
}

// reword replaces a part of a body, which must be there.
func (r *reel) reword(raw []byte, old, to string) []byte {
	r.tb.Helper()
	require.Contains(r.tb, string(raw), old)
	return []byte(strings.Replace(string(raw), old, to, 1))
}

// retell changes an event and its deliveries alike, so that only what it says is
// wrong.
func (r *reel) retell(event *tape.Entry, old, to string, sign func(a *tape.Attempt)) {
	r.tb.Helper()
	event.Event.Body = r.reword(event.Event.Body, old, to)
	for i := range r.entries {
		if a := r.entries[i].Attempt; a != nil && a.Event == event.Event.ID {
			a.Body = slices.Clone(event.Event.Body)
			sign(a)
		}
	}
}

// remove takes entries out and numbers the rest anew.
func (r *reel) remove(which func(e *tape.Entry) bool) {
	r.entries = slices.DeleteFunc(r.entries, func(e tape.Entry) bool { return which(&e) })
	r.number()
}

// insert puts an entry behind another one and numbers the rest anew.
func (r *reel) insert(behind *tape.Entry, e tape.Entry) {
	at := slices.IndexFunc(r.entries, func(o tape.Entry) bool { return o.Seq == behind.Seq })
	e.Seq = 0
	r.entries = slices.Insert(r.entries, at+1, e)
	r.number()
}

// number gives the entries numbers without gaps, and keeps causes and headers in
// step.
func (r *reel) number() {
	now := map[uint64]uint64{}
	for i := range r.entries {
		if old := r.entries[i].Seq; old != 0 {
			now[old] = uint64(i) + 1
		}
	}
	for i := range r.entries {
		e := &r.entries[i]
		e.Seq, e.Cause = uint64(i)+1, now[e.Cause]
		if e.Exchange == nil {
			continue
		}
		for k, h := range e.Exchange.Response.Header {
			if h.Name == "Sandbox-Exchange" {
				own := func(seq string) []byte { return []byte(`"instance":"/console/-/entries/` + seq + `"`) }
				e.Exchange.Response.Body = bytes.Replace(e.Exchange.Response.Body, own(h.Value), own(decimal(e.Seq)), 1)
				e.Exchange.Response.Header[k].Value = decimal(e.Seq)
			}
		}
	}
}
