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

// When nothing has come for stallAfter, the log is asked for what it holds meanwhile; a
// consumer that has let that happen maxStalls times in a row is given up.
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
	fn    func(shard int, seq uint64, data []byte) error
}

// Follow is durable.Log's. The stream is read whole, not shard by shard, and every
// number must follow the one before: a hole is a message that was lost. Of a log that is
// shared the same consumer gives what others append.
func (s *Stream) Follow(ctx context.Context, after uint64, fn func(shard int, seq uint64, data []byte) error, caughtUp func()) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop() // of the consumer that it reads by
	f := &follower{stream: s, after: after, fn: fn}
	first, end, err := s.Held(ctx)
	switch {
	case err != nil:
	case first > after+1:
		err = s.missing(after, first)
	case s.shared:
		err = f.goOn(ctx, end, caughtUp)
	default:
		if err = f.readTo(ctx, end); err == nil {
			caughtUp()
			<-ctx.Done()
		}
	}
	return cmp.Or(ctx.Err(), err)
}

// goOn reads up to what was the log's end, and whatever comes behind it.
func (f *follower) goOn(ctx context.Context, end uint64, caughtUp func()) error {
	messages, err := f.messages(ctx)
	if err != nil {
		return err
	}
	defer messages.Stop()
	for stalls := 0; err == nil; err = f.next(ctx, messages, &stalls) {
		if caughtUp != nil && f.after >= end {
			caughtUp()
			caughtUp = nil
		}
	}
	return err
}

// readTo reads up to the log's end.
func (f *follower) readTo(ctx context.Context, end uint64) error {
	if f.after >= end {
		return nil
	}
	messages, err := f.messages(ctx)
	if err != nil {
		return err
	}
	defer messages.Stop()
	for stalls := 0; f.after < end && err == nil; {
		err = f.next(ctx, messages, &stalls)
	}
	return err
}

// messages are those behind the last, until the context ends or they are stopped.
func (f *follower) messages(ctx context.Context) (jetstream.MessagesContext, error) {
	consumer, err := f.stream.engine.Load().js.OrderedConsumer(ctx, f.stream.name, jetstream.OrderedConsumerConfig{DeliverPolicy: jetstream.DeliverByStartSequencePolicy, OptStartSeq: f.after + 1})
	if err != nil {
		return nil, err
	}
	messages, err := consumer.Messages()
	if err == nil {
		context.AfterFunc(ctx, messages.Stop)
	}
	return messages, err
}

// missing is what is wrong with a log that begins behind what is to be read.
func (s *Stream) missing(after, first uint64) error {
	if s.shared { // others have gone on
		return fmt.Errorf("%w: the messages from %d to %d are gone", durable.ErrCut, after+1, first-1)
	}
	return fmt.Errorf("%w: the messages from %d to %d are missing", durable.ErrBroken, after+1, first-1)
}

// next takes the next message, if one comes soon, and the next ones from the log if not.
func (f *follower) next(ctx context.Context, messages jetstream.MessagesContext, stalls *int) error {
	m, err := messages.Next(jetstream.NextMaxWait(stallAfter))
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, jetstream.ErrMsgIteratorClosed) || err != nil && *stalls == maxStalls:
		return errStalled
	case err != nil:
		before := f.after
		err := f.direct(ctx)
		if *stalls++; f.stream.shared && f.after == before { // there was nothing that could have come
			*stalls = 0
		}
		return err
	}
	meta, err := m.Metadata()
	if err != nil {
		return err
	}
	*stalls = 0
	if seq := meta.Sequence.Stream; f.stream.shared && seq > f.after+1 {
		if first, _, err := f.stream.Held(ctx); err != nil || first > f.after+1 { // others have cut the log
			return cmp.Or(err, f.stream.missing(f.after, seq))
		}
	}
	return f.take(strings.TrimPrefix(m.Subject(), f.stream.subjects), meta.Sequence.Stream, m.Data())
}

// direct reads what the log holds and has not sent.
func (f *follower) direct(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 4*stallAfter)
	defer cancel()
	if first, _, err := f.stream.Held(ctx); err == nil && first > f.after+1 {
		return f.stream.missing(f.after, first)
	}
	for {
		m, err := f.stream.engine.Load().stream.GetMsg(ctx, f.after+1)
		if err != nil { // there is no more, or the log cannot be reached: the consumer knows
			return nil
		}
		if err := f.take(strings.TrimPrefix(m.Subject, f.stream.subjects), m.Sequence, m.Data); err != nil {
			return err
		}
	}
}

// take hands a message on, unless it has come before.
func (f *follower) take(subject string, seq uint64, data []byte) error {
	shard, err := shardOf(subject, seq, f.after)
	if err != nil || seq <= f.after {
		return err
	}
	f.after = seq
	return f.fn(shard, seq, data)
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
