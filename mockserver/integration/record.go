package integration

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/secret"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

// scratch is what Do reuses from call to call, under the lock.
type scratch struct {
	entry      tape.Entry
	entities   [1]string
	timer      tape.Timer
	transition tape.Transition
	event      tape.Event
	message    tape.Message
	effects    []kernel.Effect
	passing    secret.Values // in the addresses of the call in hand
}

// fireBatch is how many timers fire between two moves of records to the tape.
const fireBatch = 256

// fire makes a virtual time the present, after everything that is due by then
// has happened and is on the tape.
func (i *Integration) fire(to int64) {
	for n := 1; ; n++ {
		due, ok := i.world.NextDue()
		if !ok || due > to {
			break
		}
		i.world.FireNext()
		if n%fireBatch == 0 {
			i.flush()
		}
	}
	i.world.Advance(to)
	i.flush()
}

// flush moves what the world has recorded to the tape and keeps its effects.
func (i *Integration) flush() { i.keep(i.world.Take()) }

// keep puts records on the tape, in order.
func (i *Integration) keep(records []kernel.Record, effects []kernel.Effect) {
	for n := range records {
		i.append(i.scratch.entryOf(&records[n]))
	}
	i.scratch.effects = append(i.scratch.effects, effects...)
}

// maxTouched bounds how many entities an input is filed under.
const maxTouched = 8

// touched adds to the entities that a call names those that it has changed.
func touched(named []string, records []kernel.Record) []string {
	last := uuid.Nil
	for n := range records {
		id := records[n].Entity
		if id == last || id == uuid.Nil || len(named) >= maxTouched {
			continue
		}
		last = id
		if text := id.String(); !slices.Contains(named, text) {
			named = append(named, text)
		}
	}
	return named
}

// entryOf translates a record into an entry that is valid until the next one.
func (s *scratch) entryOf(r *kernel.Record) *tape.Entry {
	s.entities[0] = r.Entity.String()
	s.entry = tape.Entry{Seq: r.Seq, Cause: r.Cause, At: r.At, Entities: s.entities[:]}
	switch r.Kind {
	case kernel.RecordTimer:
		s.timer = tape.Timer{Name: r.Name, Due: r.Due, Scheduled: r.Cause}
		s.entry.Kind, s.entry.Timer = tape.KindTimer, &s.timer
	case kernel.RecordTransition:
		s.transition = tape.Transition{
			Machine: r.Machine, Entity: s.entities[0], From: r.From, To: r.To, Event: r.Event, Reason: r.Reason,
		}
		s.entry.Kind, s.entry.Transition = tape.KindTransition, &s.transition
	case kernel.RecordEvent:
		s.event = tape.Event{Name: r.Name, ID: r.ID.String(), Body: r.Body}
		s.entry.Kind, s.entry.Event = tape.KindEvent, &s.event
	case kernel.RecordMessage:
		s.message = messageOf(r.Message)
		s.entry.Kind, s.entry.Message = tape.KindMessage, &s.message
	case kernel.RecordFindings:
		s.entry.Kind, s.entry.Findings, s.entry.Entities = tape.KindFinding, findingsOf(r.Findings), nil
	default:
		panic("integration: the world has recorded an unknown kind")
	}
	return &s.entry
}

func messageOf(m *kernel.Message) tape.Message {
	out := tape.Message{Channel: m.Channel, To: m.To, Template: m.Template}
	for _, v := range m.Values {
		out.Params = append(out.Params, tape.Param{Name: v.Name, Value: v.Text})
	}
	if m.Bounced {
		out.Params = append(out.Params, tape.Param{Name: "bounced", Value: "true"})
	}
	return out
}

func findingsOf(list []kernel.Finding) []tape.Finding {
	out := make([]tape.Finding, 0, len(list))
	for n := range list {
		out = append(out, findingOf(&list[n]))
	}
	return out
}

func findingOf(f *kernel.Finding) tape.Finding {
	return tape.Finding{
		Pointer: f.Pointer, Clause: f.Clause, Source: string(f.Source), Received: f.Received,
		Expected: f.Expected, Fix: f.Fix, Advisory: f.Advisory,
	}
}

// Reading is what a look at the tape has found.
type Reading struct {
	// Meta describes the tape.
	Meta tape.Meta
	// Gap is the stretch of the tape behind since that has been dropped; it is
	// empty when nothing is missing.
	Gap tape.Gap
	// Entries are the entries that pass the filter, oldest first.
	Entries []tape.Entry
	// More says that the filter's Limit or Bytes ended the reading, or [Seek] has looked
	// through its piece.
	More bool
	// Last is the number up to which was looked, and Newest that of the newest entry.
	Last, Newest uint64
}

// Read looks at the tape; under a manual clock after what is under way has come
// back, so that the same calls read the same. It waits until
// an entry passes the filter or the context ends; a context that has ended
// reads what is there.
func (i *Integration) Read(ctx context.Context, f tape.Filter) Reading {
	i.settleToRead()
	gap, begun := tape.Gap{}, false
	for {
		r, found, changed := i.read(f)
		if !begun {
			gap, begun = r.Gap, true
		}
		if r.Gap = gap; found.Empty() && found.More {
			f.Since = found.Last
			continue
		}
		r.Entries, r.More, r.Last = found.Entries(), found.More, found.Last
		if len(r.Entries) > 0 || ctx.Err() != nil || changed == nil {
			return r
		}
		select {
		case <-ctx.Done():
			return r
		case <-changed:
			i.settleToRead()
		}
	}
}

// Seek looks through one piece of the tape, without waiting: where a text is looked
// for, there may be more of the tape behind it.
func (i *Integration) Seek(f tape.Filter) Reading {
	i.settleToRead()
	r, found, _ := i.read(f)
	r.Entries, r.More, r.Last = found.Entries(), found.More, found.Last
	return r
}

// Await returns when an entry passes the filter or the context ends, without reading:
// who waits holds nothing.
func (i *Integration) Await(ctx context.Context, f tape.Filter) {
	f.Limit, f.Bytes = 1, 1
	for ctx.Err() == nil {
		i.settleToRead()
		_, found, changed := i.read(f)
		if found.Empty() && found.More {
			f.Since = found.Last
			continue
		}
		if !found.Empty() || changed == nil {
			return
		}
		select {
		case <-ctx.Done():
		case <-changed:
		}
	}
}

// settleToRead settles under a manual clock only: under a real one answers are
// taken in as they come, and a reader waits for nobody.
func (i *Integration) settleToRead() {
	if i.opts.Load().Clock == Manual {
		i.Settle()
	}
}

// read copies what there is; the caller decodes it without the lock.
func (i *Integration) read(f tape.Filter) (Reading, tape.Chunk, <-chan struct{}) {
	i.lockToRead()
	defer i.mu.Unlock()
	r := Reading{Meta: i.meta(), Gap: i.tape.Gap(f.Since), Newest: i.tape.Last()}
	found := i.tape.Copy(f.Since, f)
	i.letGo()
	if i.changed == nil && !i.closed {
		i.changed = make(chan struct{})
	}
	return r, found, i.changed
}

// Look reads entries newest first until fn says stop, without waiting.
func (i *Integration) Look(f tape.Filter, fn func(tape.Entry) bool) {
	i.lock()
	defer i.mu.Unlock()
	i.tape.ScanBack(f.Since, f, fn)
}

// Asks asks the world something before a call.
func (i *Integration) Asks(ask func(w *world.World) bool) bool {
	i.lockToRead()
	defer i.mu.Unlock()
	defer i.letGo()
	return ask(i.world)
}

// Heads goes over the numbers, causes and kinds of entries after since, oldest first,
// until fn says stop. Everybody waits meanwhile.
func (i *Integration) Heads(since uint64, fn func(seq, cause uint64, k tape.Kind) bool) {
	i.lock()
	defer i.mu.Unlock()
	i.tape.Heads(since, fn)
}

// Entry gives one entry of the tape.
func (i *Integration) Entry(seq uint64) (tape.Entry, bool) {
	i.lock()
	defer i.mu.Unlock()
	return i.tape.Get(seq)
}

// meta describes the tape for a reader; the lock is held.
func (i *Integration) meta() tape.Meta {
	name := i.ID
	if name == DefaultID {
		name = ""
	}
	return tape.Meta{
		Version: tape.Version, Integration: name, Seed: i.opts.Load().Seed, Environment: string(i.opts.Load().Environment), Start: i.began,
		Clock: string(i.opts.Load().Clock), Strict: i.opts.Load().Strict, Latitude: i.opts.Load().Settings.Map(), WebhookURL: i.struck(i.opts.Load().WebhookURL),
		First: i.tape.First(), Dropped: i.tape.Dropped(),
	}
}

// Peek is what the tape holds now, for those who look on: it waits for nothing that
// is under way, and fires nothing.
func (i *Integration) Peek(f tape.Filter) Reading {
	i.lock()
	r := Reading{Meta: i.meta(), Gap: i.tape.Gap(f.Since)}
	found := i.tape.Copy(f.Since, f)
	i.mu.Unlock()
	r.Entries, r.More = found.Entries(), found.More
	return r
}

// Newest gives the numbers of the oldest and the newest entry, 0 when there is none,
// and what is closed when there is news; nil when there will be none.
func (i *Integration) Newest() (first, last uint64, changed <-chan struct{}) {
	i.lock()
	defer i.mu.Unlock()
	if i.changed == nil && !i.closed {
		i.changed = make(chan struct{})
	}
	return i.tape.First(), i.tape.Last(), i.changed
}

// wholly is all of the integration; the lock is held.
func (i *Integration) wholly() stood {
	s := stood{latest: i.ordered.latest}
	s.snapshot = i.written(i.standing(&s)).raw
	return s
}
