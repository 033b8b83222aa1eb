package durable

import (
	"context"

	"github.com/google/uuid"
)

// Found is what a look through a whole log has found.
type Found struct {
	// Messages, Inputs and Shards count what there is; Last is the last message's number.
	Messages, Inputs, Shards int
	Last                     uint64
}

// Check reads a log from its beginning to its end, and the chain of every shard. The
// error says where it is broken; what was found before it counts.
func Check(ctx context.Context, log Log) (Found, error) {
	var f Found
	var shards [Registry + 1]*Shard
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	err := log.Follow(ctx, 0, func(shard int, seq uint64, data []byte) error {
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

func (c *counter) Apply(*Input, uint64, any) []string {
	*c.n++
	return nil
}

func (c *counter) Skip(*Input, any) { *c.n++ }
func (*counter) Carry(string)       {}
