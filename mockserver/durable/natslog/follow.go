package natslog

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"paysandbox/mockserver/durable"
)

// When nothing has come for stallAfter, what the log holds meanwhile is read directly;
// a consumer that has let that happen maxStalls times in a row is given up.
const (
	stallAfter = 250 * time.Millisecond
	maxStalls  = 4
)

// errStalled says that what there was did not come by itself.
var errStalled = errors.New("the log's server does not send what it holds")

// follower reads a log on.
type follower struct {
	stream *Stream
	// after is the number of the last message.
	after uint64
	// end is the last number that there was at the beginning; caughtUp is called once
	// that has been read, and nil from then on.
	end      uint64
	fn       func(shard int, seq uint64, data []byte) error
	caughtUp func()
	stalls   int
}

// Follow is durable.Log's. The stream is read whole, not shard by shard, and every
// number must follow the one before: a hole is a message that was lost.
func (s *Stream) Follow(ctx context.Context, after uint64, fn func(shard int, seq uint64, data []byte) error, caughtUp func()) error {
	info, err := s.engine.Load().stream.Info(ctx)
	if err != nil {
		return err
	}
	if first := info.State.FirstSeq; after+1 < first {
		return s.missing(after, first)
	}
	f := &follower{stream: s, after: after, end: info.State.LastSeq, fn: fn, caughtUp: caughtUp}
	f.caught()
	consumer, err := s.engine.Load().js.OrderedConsumer(ctx, s.name, jetstream.OrderedConsumerConfig{DeliverPolicy: jetstream.DeliverByStartSequencePolicy, OptStartSeq: after + 1})
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
		if err := f.next(ctx, messages); err != nil {
			return err
		}
	}
}

// missing is what is wrong with a log that begins behind what is to be read.
func (s *Stream) missing(after, first uint64) error {
	if s.shared { // others have gone on
		return fmt.Errorf("%w: the messages from %d to %d are gone", durable.ErrCut, after+1, first-1)
	}
	return fmt.Errorf("%w: the messages from %d to %d are missing", durable.ErrBroken, after+1, first-1)
}

// next takes the next message, if one comes soon.
func (f *follower) next(ctx context.Context, messages jetstream.MessagesContext) error {
	m, err := messages.Next(jetstream.NextMaxWait(stallAfter))
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, jetstream.ErrMsgIteratorClosed):
		return errStalled
	case err != nil:
		return f.direct(ctx)
	}
	meta, err := m.Metadata()
	if err != nil {
		return err
	}
	f.stalls = 0
	if seq := meta.Sequence.Stream; f.stream.shared && seq > f.after+1 {
		if first, _, err := f.stream.Held(ctx); err != nil || first > f.after+1 {
			return cmp.Or(err, f.stream.missing(f.after, seq))
		}
	}
	return f.take(m.Subject(), meta.Sequence.Stream, m.Data())
}

// direct reads what the log holds and has not sent.
func (f *follower) direct(ctx context.Context) error {
	if !f.stream.shared {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, 4*stallAfter)
	defer cancel()
	before := f.after
	switch first, last, err := f.stream.Held(ctx); {
	case err == nil && first > f.after+1:
		return f.stream.missing(f.after, first)
	case err != nil || last == f.after: // it cannot be reached, which the consumer knows, or there is no more
		f.stalls = 0
		return nil
	}
	for {
		m, err := f.stream.engine.Load().stream.GetMsg(ctx, f.after+1)
		if err != nil { // there is no more, or the log cannot be reached: the consumer knows
			break
		}
		if err := f.take(m.Subject, m.Sequence, m.Data); err != nil {
			return err
		}
	}
	if f.stalls++; f.after == before {
		f.stalls = 0
	}
	if f.stalls > maxStalls {
		return errStalled
	}
	return nil
}

// take hands a message on, unless it has come before.
func (f *follower) take(subject string, seq uint64, data []byte) error {
	shard, err := shardOf(strings.TrimPrefix(subject, f.stream.subjects), seq, f.after)
	if err != nil || seq <= f.after {
		return err
	}
	f.after = seq
	if err := f.fn(shard, seq, data); err != nil {
		return err
	}
	f.caught()
	return nil
}

func (f *follower) caught() {
	if f.caughtUp != nil && f.after >= f.end {
		f.caughtUp()
		f.caughtUp = nil
	}
}

// shardOf is the shard of a message, which must be the one behind the last.
func shardOf(subject string, seq, last uint64) (int, error) {
	shard, err := strconv.Atoi(subject)
	switch {
	case err != nil || shard < 0 || shard > durable.Registry:
		return 0, fmt.Errorf("message %d: %w: there is no shard %q", seq, durable.ErrBroken, subject)
	case seq > last+1:
		return 0, fmt.Errorf("%w: the messages from %d to %d are missing", durable.ErrBroken, last+1, seq-1)
	}
	return shard, nil
}
