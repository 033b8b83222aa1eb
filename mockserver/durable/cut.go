package durable

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"
)

// Place is where snapshots stand, each under the number of the last message that is in
// it. It is safe for concurrent use, also by several processes where they share it.
type Place interface {
	// Name is what people find a snapshot by.
	Name(top uint64) string
	// List gives the numbers of those that are written whole, oldest first.
	List(ctx context.Context) ([]uint64, error)
	// Written is when one was written.
	Written(ctx context.Context, top uint64) (time.Time, error)
	Read(ctx context.Context, top uint64) ([]byte, error)
	// Write stores pieces as one, and returns once they are kept.
	Write(ctx context.Context, top uint64, pieces [][]byte) error
	// Drop removes those that drop says, and what is left of any that were never whole.
	Drop(ctx context.Context, drop func(top uint64) bool) error
}

// Images are snapshots: each holds all shards as they stood when a message was the last
// that any of them had read, and is named by its number.
type Images struct {
	place  Place
	shared bool
	beside Beside
	mu     sync.Mutex
	// base is the newest one that this process knows to be whole; 0 for none.
	base uint64
	// own are the last two that it has kept.
	own []uint64
}

// Beside is what the machine's states refer to outside of snapshots.
type Beside interface {
	// Flush brings it to the disk, before a snapshot is written.
	Flush() error
	// Sweep removes what no snapshot refers to, after one was written.
	Sweep()
}

// Beside says that there is something beside the snapshots.
func (s *Images) Beside(b Beside) { s.beside = b }

// NewImages are those in a folder, which need not be there.
func NewImages(dir string) *Images { return &Images{place: folder(dir)} }

// SharedImages are those of a place where other processes keep some, too.
func SharedImages(p Place) *Images { return &Images{place: p, shared: true} }

// writeWithin is how long a snapshot may take to be written.
const writeWithin = 5 * time.Minute

// cutMagic begins a snapshot, before its version, which follows Format: the machine's state
// was written another way in the one before.
const (
	cutMagic  = "PSC"
	cutFormat = Format + 1
)

// Read gives the shards in a snapshot. An error tells which one, and the place in it.
func (s *Images) Read(ctx context.Context, top uint64) ([]Image, error) {
	raw, err := s.place.Read(ctx, top)
	if err != nil {
		return nil, err
	}
	list, at, err := decodeCut(raw)
	if err == nil && topOf(list) != top {
		err = fmt.Errorf("%w: it ends with message %d", ErrImage, topOf(list))
	}
	if err != nil {
		return nil, fmt.Errorf("%s: shard image %d, which ends before byte %d: %w", s.place.Name(top), len(list), at, err)
	}
	return list, nil
}

func topOf(list []Image) (top uint64) {
	for n := range list {
		top = max(top, list[n].At.Seq)
	}
	return top
}

func decodeCut(raw []byte) (list []Image, at int, err error) {
	if len(raw) <= len(cutMagic) || string(raw[:len(cutMagic)]) != cutMagic {
		return nil, 0, ErrImage
	}
	if v := int(raw[len(cutMagic)]); v > cutFormat || v < Format {
		return nil, 0, Readable(v)
	}
	r := reader{rest: raw[len(cutMagic)+1:]}
	for n := r.number(); n > 0 && !r.bad; n-- {
		piece := r.piece()
		at = len(raw) - len(r.rest)
		image, err := DecodeImage(piece)
		if err != nil {
			return list, at, err
		}
		list = append(list, image)
	}
	if r.bad || len(r.rest) > 0 {
		return list, len(raw) - len(r.rest), ErrImage
	}
	return list, at, nil
}

// Cut is what follows from a snapshot once it is kept: the messages with numbers below
// Below are not needed any more, and the shards that are Idle must have a message before
// the log can be cut further.
type Cut struct {
	Below uint64
	Idle  []int
}

// Keep stores a snapshot, unless there is one as new. What the one before it holds can go
// then, and older ones do.
//
// Of a log that is shared, the last message of a shard never goes: what is appended next
// has to name it. And whoever keeps a snapshot may have slept since it was taken, when
// others have kept newer ones: nothing that is newer than the one before goes.
func (s *Images) Keep(ctx context.Context, list []Image) (c Cut, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	// It is cancelled, and has no deadline: that would go before the time that a client of
	// the log waits for each answer, and one that was lost would end all snapshots for long.
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer time.AfterFunc(writeWithin, cancel).Stop()
	top, before := topOf(list), s.base
	if top <= before {
		return c, nil
	}
	if s.beside != nil {
		if err := s.beside.Flush(); err != nil {
			return c, fmt.Errorf("no snapshot can be kept: %w", err)
		}
	}
	if err := s.place.Write(ctx, top, cutPieces(list)); err != nil {
		return c, fmt.Errorf("no snapshot can be kept: %w", err)
	}
	s.base, c.Below, s.own = top, before+1, append(s.own[max(0, len(s.own)-1):], top)
	for n := range list {
		if at := list[n].At.Seq; s.shared && at <= before {
			c.Below, c.Idle = min(c.Below, at), append(c.Idle, list[n].Shard)
		}
	}
	err = s.place.Drop(ctx, func(old uint64) bool { return old < before || !s.shared && old != top && old != before })
	if s.beside != nil && err == nil {
		s.beside.Sweep()
	}
	return c, err
}

// cutPieces are a snapshot's bytes.
func cutPieces(list []Image) [][]byte {
	out := [][]byte{binary.AppendUvarint(append([]byte(cutMagic), cutFormat), uint64(len(list)))}
	for n := range list {
		pieces, size := list[n].pieces(), 0
		for _, p := range pieces {
			size += len(p)
		}
		out = append(append(out, binary.AppendUvarint(nil, uint64(size))), pieces...)
	}
	return out
}

// Newest gives the newest whole snapshot that a log goes on from; nil when the log is to
// be applied from its beginning. What is damaged is told, and is an error when the log
// was purged and nothing else leads up to it.
func (s *Images) Newest(ctx context.Context, log Log, tell *slog.Logger) ([]Image, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for tried := []uint64(nil); ; {
		tops, err := s.place.List(ctx)
		if err != nil {
			return nil, err
		}
		list, err := s.newest(ctx, log, tops, tell)
		if err == nil || !s.shared || slices.Equal(tops, tried) {
			return list, err
		}
		tried = tops // another process may have removed what was to be read
	}
}

// newest is Newest of those with the numbers.
func (s *Images) newest(ctx context.Context, log Log, tops []uint64, tell *slog.Logger) ([]Image, error) {
	first, last, err := log.Held(ctx)
	if err != nil {
		return nil, err
	}
	var wrong error
	for _, top := range slices.Backward(tops) {
		if top+1 < first {
			break
		}
		list, err := s.Read(ctx, top)
		if err == nil {
			err = s.bound(ctx, log, list, first, last)
		}
		if err == nil {
			s.base = top
			return list, nil
		}
		wrong = errors.Join(wrong, err)
		tell.WarnContext(ctx, "a snapshot is not used", slog.Any("reason", err))
	}
	if first > 1 {
		return nil, errors.Join(fmt.Errorf("%w: it begins with message %d, and no whole snapshot leads up to it", ErrBroken, first), wrong)
	}
	return nil, nil
}

// errFound ends the reading of a log.
var errFound = errors.New("it was found")

// bound says whether the log goes on from a snapshot: it holds the message that this ends
// with. After a loss of power it may hold another one under the number.
func (s *Images) bound(ctx context.Context, log Log, list []Image, first, last uint64) error {
	top := topOf(list)
	if top > last {
		return fmt.Errorf("%s: it goes further than the log, whose last message is %d", s.place.Name(top), last)
	}
	at := slices.IndexFunc(list, func(i Image) bool { return i.At.Seq == top })
	if top < first || at < 0 {
		return nil
	}
	_, err := log.Read(ctx, list[at].Shard, top-1, func(seq uint64, data []byte) error {
		if seq != top || sha256.Sum256(data) != list[at].At.Digest {
			return fmt.Errorf("%s: %w: message %d of the log is not the one that it was taken behind", s.place.Name(top), ErrImage, top)
		}
		return errFound
	})
	if err == nil {
		err = fmt.Errorf("%s: %w: the log does not hold message %d, which it was taken behind", s.place.Name(top), ErrImage, top)
	}
	if errors.Is(err, errFound) {
		return nil
	}
	return err
}

// disown removes what this process has kept behind a message, as long as another one leads up
// to the log.
func (s *Images) disown(ctx context.Context, log Log, behind uint64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	tops, err := s.place.List(ctx)
	first, _, wrong := log.Held(ctx)
	if err = errors.Join(err, wrong); err != nil {
		return err
	}
	return s.place.Drop(ctx, func(top uint64) bool {
		return top > behind && slices.Contains(s.own, top) && slices.ContainsFunc(tops, func(other uint64) bool {
			return other+1 >= first && (other <= behind || !slices.Contains(s.own, other))
		})
	})
}

// latest is the newest snapshot, and when it was written; 0 when there is none.
func (s *Images) latest(ctx context.Context) (uint64, time.Time) {
	tops, err := s.place.List(ctx)
	if err != nil || len(tops) == 0 {
		return 0, time.Time{}
	}
	top := tops[len(tops)-1]
	at, err := s.place.Written(ctx, top)
	if err != nil {
		return 0, time.Time{}
	}
	return top, at
}
