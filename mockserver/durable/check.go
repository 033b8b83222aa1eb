package durable

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"paysandbox/mockserver/durable/compare"
)

// Found is what a look through a whole log has found.
type Found struct {
	// Messages, Inputs and Shards count what there is; Last is the last message's number.
	Messages, Inputs, Shards int
	// Snapshots are the files of snapshots.
	Snapshots int
	Last      uint64
	// Behind are the messages behind the newest whole snapshot, which a start applies.
	Behind uint64
}

// Check reads all snapshots, then the log from the oldest of them, or its beginning, to
// its end, and the chain of every shard. stand, when there is one, says whether a start can
// go on from the machine's state in a snapshot. The error says where it is broken; what was
// found before it counts.
func Check(ctx context.Context, log Log, images *Images, stand func(state []byte) error) (Found, error) {
	tops, err := images.place.List(ctx)
	if err != nil {
		return Found{}, err
	}
	first, last, err := log.Held(ctx)
	if err != nil {
		return Found{}, err
	}
	var from []Image
	var wrong error
	var newest uint64
	for _, top := range slices.Backward(tops) {
		list, err := images.Read(ctx, top)
		if err == nil && top > last {
			err = fmt.Errorf("%s: it goes further than the log, whose last message is %d", images.place.Name(top), last)
		}
		if err == nil && first > 1 && top+1 >= first {
			from = list
		}
		if state := stateOf(list); err == nil && stand != nil && state != nil {
			if err = stand(state); err != nil {
				err = fmt.Errorf("%s: a start cannot go on from it: %w", images.place.Name(top), err)
			}
		}
		if err == nil {
			newest = max(newest, top)
		}
		wrong = errors.Join(wrong, err)
	}
	f, err := checkLog(ctx, log, from)
	f.Snapshots, f.Behind = len(tops), last-newest
	return f, errors.Join(wrong, err)
}

// stateOf is the machine's state in a snapshot; nil when it has none.
func stateOf(list []Image) []byte {
	for n := range list {
		if list[n].Shard == Registry && len(list[n].State) > 0 {
			return list[n].State[0] // as DecodeImage gives it
		}
	}
	return nil
}

// checkLog reads the log from where a snapshot ends.
func checkLog(ctx context.Context, log Log, from []Image) (Found, error) {
	var f Found
	var shards [Registry + 1]*Shard
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	for n := range from {
		shard, err := Restore(&from[n], uuid.UUID{}, Engine, &counter{&f.Inputs})
		if err != nil {
			return f, err
		}
		shards[from[n].Shard] = shard
		f.Shards++
	}
	f.Last = topOf(from)
	err := log.Follow(ctx, f.Last, func(shard int, seq uint64, data []byte) error {
		if shards[shard] == nil {
			shards[shard] = NewShard(shard, uuid.UUID{}, Engine, &counter{&f.Inputs})
			f.Shards++
		}
		if err := shards[shard].Receive(seq, data); err != nil {
			return err
		}
		f.Messages++
		f.Last = seq
		return nil
	}, cancel)
	if ctx.Err() != nil && err == context.Canceled { //nolint:errorlint // It is the one that was just made.
		err = nil
	}
	return f, err
}

// counter is a machine that counts its inputs.
type counter struct{ n *int }

func (c *counter) Apply(*Input, uint64, any) Asked {
	*c.n++
	return Asked{}
}

func (c *counter) Skip(*Input, any) { *c.n++ }
func (*counter) Carry(string)       {}

// Stand has no state to tell of.
func (*counter) Stand(int, []string) []compare.Part { return nil }
