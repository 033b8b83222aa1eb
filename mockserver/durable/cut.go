package durable

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Images are the snapshots in a folder, oldest first: each is one file that holds all
// shards as they stood when nothing was on its way, and is named by the number of the
// last message that is in it.
type Images struct {
	dir string
	// base is the newest one that is known to be whole; 0 for none.
	base   uint64
	beside Beside
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
func NewImages(dir string) *Images { return &Images{dir: dir} }

const (
	cutMagic    = "PSC"
	imageSuffix = ".image"
)

func (s *Images) path(top uint64) string {
	return filepath.Join(s.dir, strconv.FormatUint(top, 10)+imageSuffix)
}

// List gives their numbers, oldest first.
func (s *Images) List() ([]uint64, error) {
	files, err := os.ReadDir(s.dir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	var tops []uint64
	for _, f := range files {
		name, ok := strings.CutSuffix(f.Name(), imageSuffix)
		if top, err := strconv.ParseUint(name, 10, 64); ok && err == nil {
			tops = append(tops, top)
		}
	}
	slices.Sort(tops)
	return tops, nil
}

// Read gives the shards in a snapshot. An error tells the file, and the place in it.
func (s *Images) Read(top uint64) ([]Image, error) {
	raw, err := os.ReadFile(s.path(top))
	if err != nil {
		return nil, err
	}
	list, at, err := decodeCut(raw)
	if err == nil && topOf(list) != top {
		err = fmt.Errorf("%w: it ends with message %d", ErrImage, topOf(list))
	}
	if err != nil {
		return nil, fmt.Errorf("%s: shard image %d, which ends before byte %d: %w", s.path(top), len(list), at, err)
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
	if err := Readable(int(raw[len(cutMagic)])); err != nil {
		return nil, 0, err
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

// write stores a snapshot, and drops all but it and the newest before it that is whole.
func (s *Images) write(list []Image) error {
	out := [][]byte{binary.AppendUvarint(append([]byte(cutMagic), Format), uint64(len(list)))}
	for n := range list {
		pieces, size := list[n].pieces(), 0
		for _, p := range pieces {
			size += len(p)
		}
		out = append(append(out, binary.AppendUvarint(nil, uint64(size))), pieces...)
	}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return err
	}
	top := topOf(list)
	if err := WriteFile(s.path(top), out...); err != nil {
		return err
	}
	tops, err := s.List()
	for _, old := range tops {
		if old != top && old != s.base {
			err = errors.Join(err, os.Remove(s.path(old)))
		}
	}
	return err
}

// Newest gives the newest whole snapshot that a log goes on from; nil when the log is to
// be applied from its beginning. What is damaged is told, and is an error when the log
// was purged and nothing else leads up to it.
func (s *Images) Newest(ctx context.Context, log Log, tell *slog.Logger) ([]Image, error) {
	first, last, err := log.Held(ctx)
	if err != nil {
		return nil, err
	}
	tops, err := s.List()
	if err != nil {
		return nil, err
	}
	var wrong error
	for _, top := range slices.Backward(tops) {
		if top+1 < first {
			break
		}
		list, err := s.Read(top)
		if err == nil && top > last {
			err = fmt.Errorf("%s: it goes further than the log, whose last message is %d", s.path(top), last)
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

// Load sets the shards to what a snapshot holds, and gives the number of its last
// message and the machine's state.
func (r *Runner) Load(list []Image) (after uint64, state []byte, err error) {
	for n := range list {
		shard, err := Restore(&list[n], r.opts.Self, Engine, r.opts.Machine)
		if err != nil {
			return 0, nil, err
		}
		r.lines[list[n].Shard].shard = shard
		if list[n].Shard == Registry {
			state = list[n].State
		}
	}
	return topOf(list), state, nil
}

// Keep stores a snapshot of all shards, when something has come since the last one,
// and purges the log up to the snapshot before it. Appending waits while the state is
// read, and goes on while it is written. Nothing is kept while the outcome of an append
// is unknown.
func (r *Runner) Keep() error {
	list := r.standing()
	if topOf(list) <= r.opts.Images.base {
		return nil
	}
	beside := r.opts.Images.beside
	if beside != nil {
		if err := beside.Flush(); err != nil {
			return fmt.Errorf("no snapshot can be kept: %w", err)
		}
	}
	if err := r.opts.Images.write(list); err != nil {
		return fmt.Errorf("no snapshot can be kept: %w", err)
	}
	if beside != nil {
		beside.Sweep()
	}
	before := r.opts.Images.base
	r.opts.Images.base = topOf(list)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.ctx), appendTimeout)
	defer cancel()
	return r.opts.Log.Purge(ctx, before+1)
}

// standing are the images of all shards that have had a message, with the machine's
// state in the one of the registry; none when something is on its way.
func (r *Runner) standing() (list []Image) {
	r.gate.Lock()
	defer r.gate.Unlock()
	r.since.Store(0)
	for _, l := range r.lines {
		l.at.Lock()
		busy, at := l.shard.sent != nil || l.shard.broken != nil, l.shard.at.Seq
		if at > 0 {
			list = append(list, l.shard.Image(nil))
		}
		l.at.Unlock()
		if busy {
			return nil
		}
	}
	if n := len(list) - 1; n >= 0 && list[n].Shard == Registry {
		list[n].State = r.opts.State()
		return list
	}
	return nil
}

// keepSometimes keeps a snapshot when enough has come since the last one.
func (r *Runner) keepSometimes() {
	if r.opts.Images == nil || r.since.Load() < r.opts.Every || !r.keeping.CompareAndSwap(false, true) {
		return
	}
	r.busy.Add(1)
	go func() {
		defer r.busy.Done()
		defer r.keeping.Store(false)
		if err := r.Keep(); err != nil {
			r.opts.Tell.Warn("the log grows on", slog.Any("reason", err))
		}
	}()
}
