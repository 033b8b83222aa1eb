package durable

import (
	"encoding/binary"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"paysandbox/mockserver/durable/compare"
)

// ErrDiffers says that a process has come to another state than others, by the same inputs.
var ErrDiffers = errors.New("another sandbox has come to another state by the same log")

// told in the place of a newer engine says that it is told what a shard is: builds that do not
// know of that leave an engine that is older than theirs.
const told = 0

// compared is what a shard knows of those of other processes.
type compared struct {
	book compare.Book
	// found, when there is one, is told of what another process has come to.
	found      func(by uuid.UUID, differ []string)
	askedAgain time.Time
}

// Compare has the shard told to the others every so many messages of the log, and held
// against what they tell, which found hears: the parts that differ.
func (s *Shard) Compare(every uint64, build string, found func(by uuid.UUID, differ []string)) {
	s.book.Every, s.book.Build, s.found = every, build, found
}

// Verdict is how the shard stands among those of other processes.
func (s *Shard) Verdict() compare.Verdict { return s.book.Verdict }

// tell tells what the shard is before a batch, where that is due, or a batch asks for it.
func (s *Shard) tell(seq uint64, b *Batch) {
	brings, asked := false, []string(nil)
	for n := range b.Inputs {
		t, is := toldOf(&b.Inputs[n])
		brings = brings || !is
		if is && t.At == 0 {
			for _, p := range t.Parts {
				asked = append(asked, p.Name)
			}
		}
	}
	if due := brings && s.book.Due(seq, s.at.Seq); !due && asked == nil {
		return
	}
	t := s.book.Stand(seq, append(s.machine.Stand(s.number, asked), compare.Part{Name: "what is owed", Hash: s.duties.hash()}))
	if s.carries { // else it was told in a former life
		data := encodeTold(&t)
		s.Offer(Input{ID: uuid.NewSHA1(s.self, data), Kind: Upgrade, Data: data}, nil)
	}
}

// askAgain asks all to tell anew of what nobody knows who is right about: one that has begun
// since has a say in it then.
func (s *Shard) askAgain(now time.Time, id func() uuid.UUID) {
	if s.book.Verdict != compare.Even || now.Sub(s.askedAgain) < Silence {
		return
	}
	s.askedAgain = now
	t := compare.Told{Build: s.book.Build}
	for _, name := range s.book.Tied() {
		t.Parts = append(t.Parts, compare.Part{Name: name})
	}
	s.Offer(Input{ID: id(), Kind: Upgrade, Data: encodeTold(&t)}, nil)
}

func encodeTold(t *compare.Told) []byte {
	out := binary.AppendUvarint([]byte{told}, t.At)
	out = append(binary.AppendUvarint(out, uint64(len(t.Build))), t.Build...)
	for _, p := range t.Parts {
		out = append(binary.AppendUvarint(out, uint64(len(p.Name))), p.Name...)
		out = binary.BigEndian.AppendUint64(out, p.Hash)
	}
	return out
}

// toldOf is what an input tells of a shard, or asks to be told where its message is 0; false
// for any other input.
func toldOf(in *Input) (t compare.Told, is bool) {
	if in.Kind != Upgrade || len(in.Data) == 0 || in.Data[0] != told {
		return t, false
	}
	r := reader{rest: in.Data[1:]}
	t.At, t.Build = r.number(), string(r.piece())
	for len(r.rest) > 0 {
		p := compare.Part{Name: string(r.piece())}
		if b := r.bytes(8); b != nil {
			p.Hash = binary.BigEndian.Uint64(b)
		}
		t.Parts = append(t.Parts, p)
	}
	return t, !r.bad
}

// hear takes what another process has told.
func (s *Shard) hear(t *compare.Told, by uuid.UUID) {
	differ, was := s.book.Hear(t)
	if !was {
		return
	}
	if s.book.Verdict == compare.Outvoted {
		s.broken = fmt.Errorf("shard %d, before message %d: %w, and more are with them (%s): this one is restarted, and goes on from a snapshot", s.number, t.At, ErrDiffers, strings.Join(differ, ", "))
	}
	if s.found != nil {
		s.found(by, differ)
	}
}

// counts are how often states were compared, and how often they differed.
type counts struct{ all, differed atomic.Uint64 }

// compare has a line's shard compared, where others apply the log, too.
func (r *Runner) compare(l *line, s *Shard) {
	if !r.opts.Shared {
		return
	}
	s.Compare(uint64(r.opts.Every), r.opts.Build, func(by uuid.UUID, differ []string) { //nolint:gosec // G115: a small number
		r.counts.all.Add(1)
		var why *error
		if s.book.Verdict == compare.Even {
			err := fmt.Errorf("%w (shard %d, before message %d: %w, and nobody knows which is right: restart all)", ErrNotTaken, s.number, s.book.At(), ErrDiffers)
			why = &err
		}
		l.refuses.Store(why)
		if len(differ) == 0 {
			return
		}
		r.counts.differed.Add(1)
		r.opts.Tell.Error("another sandbox has come to another state by the same log", slog.Int("shard", s.number), slog.Uint64("before", s.book.At()),
			slog.String("sandbox", by.String()), slog.Any("of", differ), slog.String("thisOne", s.book.Verdict.String()))
		if s.book.Verdict == compare.Outvoted {
			l.refuses.Store(&s.broken)
			r.broken.CompareAndSwap(nil, &s.broken)
			r.disown(s.book.Agreed)
		}
	})
}

// disown removes the snapshots that this process has kept since its state was known to be
// that of others.
func (r *Runner) disown(agreed uint64) {
	if r.opts.Images == nil {
		return
	}
	r.busy.Go(func() {
		if err := r.opts.Images.disown(r.ctx, r.opts.Log, agreed); err != nil {
			r.opts.Tell.Error("a snapshot of a state that others do not share stays", slog.Any("reason", err))
		}
	})
}

// Compared counts what others have told of their states and was held against this one's, and
// how often that differed.
func (r *Runner) Compared() (all, differed uint64) {
	return r.counts.all.Load(), r.counts.differed.Load()
}
