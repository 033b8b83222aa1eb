package durable

import (
	"context"
	"errors"
	"sync/atomic"
)

// Log stores messages and never changes them. It is safe for concurrent use.
type Log interface {
	// Append stores a message if the shard's last one has the number that the message
	// is to go behind, and gives its number once it is kept. ErrBehind says that
	// another one is the last; with any other error nobody knows whether it is kept.
	Append(ctx context.Context, m Message) (seq uint64, err error)
	// Read gives the shard's messages with numbers above after, in order, to the end,
	// and the number of its last message: of one that was purged when there is no other.
	Read(ctx context.Context, shard int, after uint64, fn func(seq uint64, data []byte) error) (last uint64, err error)
	// Follow gives the messages of all shards with numbers above after, in order, and
	// calls caughtUp once it has given all that there was when it began. It goes on
	// until the context ends or fn fails. ErrCut says that what is next is not there any more.
	Follow(ctx context.Context, after uint64, fn func(shard int, seq uint64, data []byte) error, caughtUp func()) error
	// Purge drops all messages with numbers below.
	Purge(ctx context.Context, below uint64) error
	// Close ends the log.
	Close() error
	// Held gives the numbers of the oldest message, or of the one that would be, and of
	// the newest.
	Held(ctx context.Context) (first, last uint64, err error)
}

// Builds is a log that says which build of this program applies it. A log that was written
// before there was such a word says nothing.
type Builds interface {
	// Build names the one that has gone on with it last; "" where it is not known.
	Build(ctx context.Context) (string, error)
	// Built says that the one with the name goes on with it.
	Built(ctx context.Context, build string) error
}

// ErrCut says that what is to be read next was purged: a snapshot leads up to what there is.
var ErrCut = errors.New("the log was cut behind what was read of it")

// ErrBehind says that a message was not stored: another one has come first.
var ErrBehind = errors.New("another message is the shard's last")

// Then is what an append's outcome calls for.
type Then int

const (
	// GoOn with the next message.
	GoOn Then = iota
	// ReadOn from where the shard has read to, and go on then.
	ReadOn
	// WaitAndRead says that nobody knows whether the log has taken the message. Read on after
	// a moment; when it is not there, append it again: it goes behind the same batch,
	// so that it stands in the log once at most.
	WaitAndRead
	// Stop says that the shard applies no more; Err says why.
	Stop
)

// Call is an input that its taker waits for. It is the mine of Machine.Apply: who
// applies it takes it first, or applies the input as any other process would.
type Call struct {
	// Run applies the input and gives what it asks for.
	Run   func() Asked
	state atomic.Uint32
	done  chan error
}

// offered is an input with what its taker wants to have back.
type offered struct {
	in   Input
	mine any
}

const (
	waiting uint32 = iota
	running
	abandoned
)

// Take says whether the call's taker still waits: Run may be called then, and nothing
// else may, and Done must be.
func (c *Call) Take() bool { return c != nil && c.state.CompareAndSwap(waiting, running) }

// Done ends the wait.
func (c *Call) Done(err error) { c.done <- err }
