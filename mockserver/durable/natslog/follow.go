package natslog

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/nats-io/nats.go/jetstream"

	"paysandbox/mockserver/durable"
)

// Follow is Log's. The stream is read whole, not shard by shard, and every number
// must follow the one before: a hole is a message that was lost.
func (s *Stream) Follow(ctx context.Context, after uint64, fn func(shard int, seq uint64, data []byte) error, caughtUp func()) error {
	info, err := s.stream.Info(ctx)
	if err != nil {
		return err
	}
	if first := info.State.FirstSeq; after+1 < first {
		return fmt.Errorf("%w: the messages from %d to %d are missing", durable.ErrBroken, after+1, first-1)
	}
	end := info.State.LastSeq
	if after >= end {
		caughtUp()
		caughtUp = nil
	}
	consumer, err := s.js.OrderedConsumer(ctx, streamName, jetstream.OrderedConsumerConfig{DeliverPolicy: jetstream.DeliverByStartSequencePolicy, OptStartSeq: after + 1})
	if err != nil {
		return err
	}
	messages, err := consumer.Messages()
	if err != nil {
		return err
	}
	defer messages.Stop()
	stop := context.AfterFunc(ctx, messages.Stop)
	defer stop()
	for {
		m, err := messages.Next()
		if errors.Is(err, jetstream.ErrMsgIteratorClosed) {
			return ctx.Err()
		}
		if err != nil {
			continue // the consumer makes itself anew
		}
		meta, err := m.Metadata()
		if err != nil {
			return err
		}
		seq := meta.Sequence.Stream
		shard, err := shardOf(m.Subject(), seq, after)
		if err != nil {
			return err
		}
		after = seq
		if err := fn(shard, seq, m.Data()); err != nil {
			return err
		}
		if caughtUp != nil && seq >= end {
			caughtUp()
			caughtUp = nil
		}
	}
}

// shardOf is the shard of a message, which must be the one behind the last.
func shardOf(subject string, seq, last uint64) (int, error) {
	shard, err := strconv.Atoi(strings.TrimPrefix(subject, subjects))
	switch {
	case err != nil || shard < 0 || shard > durable.Registry:
		return 0, fmt.Errorf("message %d: %w: there is no shard %q", seq, durable.ErrBroken, subject)
	case seq > last+1:
		return 0, fmt.Errorf("%w: the messages from %d to %d are missing", durable.ErrBroken, last+1, seq-1)
	}
	return shard, nil
}
