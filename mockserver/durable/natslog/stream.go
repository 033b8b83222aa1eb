package natslog

import (
	"context"
	"errors"
	"maps"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"paysandbox/mockserver/durable"
)

// defaultName names a log that has no name of its own: its stream, and its subjects,
// one for each shard.
const defaultName = "paysandbox"

// maxMessage bounds one message: an attachment of 10 MiB fits.
const maxMessage = 32 << 20

// readyTimeout is how long the embedded engine may take to begin.
const readyTimeout = 30 * time.Second

// Stream is the log on NATS JetStream: embedded, or a cluster that is called.
type Stream struct {
	engine atomic.Pointer[engine]
	folder *Folder
	// begin begins the embedded engine anew, one at a time; nil where it is called.
	begin     func(context.Context) (*engine, error)
	beginning sync.Mutex
	// name is the stream's; subjects and snapshots begin subjects, and beats is one.
	name, subjects, snapshots, beats string
	// shared says that it is a cluster.
	shared bool
	// told is what the embedded engine has complained about.
	told engineLog
}

func newStream(name string) *Stream {
	return &Stream{name: strings.ToUpper(name), subjects: name + ".log.", snapshots: name + ".snapshot.", beats: name + ".beat"}
}

func (s *Stream) subject(shard int) string { return s.subjects + strconv.Itoa(shard) }

// Append is Log's.
func (s *Stream) Append(ctx context.Context, m durable.Message) (uint64, error) {
	seq, err := s.publish(ctx, m, m.Behind)
	s.watch(ctx, err)
	err = s.heard(err)
	if !errors.Is(err, durable.ErrBehind) || m.Behind == 0 || s.shared { // of a log that is shared each shard's last message stays
		return seq, err
	}
	if _, gone := s.engine.Load().stream.GetLastMsgForSubject(ctx, s.subject(m.Shard)); errors.Is(gone, jetstream.ErrMsgNotFound) { // what it is to go behind was purged
		return s.publish(ctx, m, 0)
	}
	return 0, err
}

// heard is what came of an append to an embedded engine, with what it complained about.
func (s *Stream) heard(err error) error {
	switch {
	case s.shared || errors.Is(err, durable.ErrBehind):
	case err == nil:
		s.told.stored()
		s.folder.began()
	default:
		return s.told.because(err)
	}
	return err
}

func (s *Stream) publish(ctx context.Context, m durable.Message, behind uint64) (uint64, error) {
	ack, err := s.engine.Load().js.PublishMsg(ctx, &nats.Msg{Subject: s.subject(m.Shard), Data: m.Data},
		jetstream.WithMsgID(m.ID), jetstream.WithExpectLastSequencePerSubject(behind), jetstream.WithRetryAttempts(0))
	var refused *jetstream.APIError
	switch {
	case err == nil:
		return ack.Sequence, nil
	case errors.As(err, &refused) && (refused.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence || refused.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequenceConstant):
		return 0, durable.ErrBehind
	default:
		return 0, err
	}
}

// lastOf is the number of the shard's last message, or of the last that was purged
// when the shard has none.
func (s *Stream) lastOf(ctx context.Context, shard int) (uint64, error) {
	m, err := s.engine.Load().stream.GetLastMsgForSubject(ctx, s.subject(shard))
	if err == nil {
		return m.Sequence, nil
	}
	if !errors.Is(err, jetstream.ErrMsgNotFound) {
		return 0, err
	}
	info, err := s.engine.Load().stream.Info(ctx)
	if err != nil {
		return 0, err
	}
	return max(info.State.FirstSeq, 1) - 1, nil
}

// Read is Log's.
func (s *Stream) Read(ctx context.Context, shard int, after uint64, fn func(seq uint64, data []byte) error) (uint64, error) {
	for {
		m, err := s.engine.Load().stream.GetMsg(ctx, after+1, jetstream.WithGetMsgSubject(s.subject(shard)))
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			return s.lastOf(ctx, shard)
		}
		if err != nil {
			return 0, err
		}
		after = m.Sequence
		if err := fn(m.Sequence, m.Data); err != nil {
			return 0, err
		}
	}
}

// Held is Log's.
func (s *Stream) Held(ctx context.Context) (first, last uint64, err error) {
	info, err := s.engine.Load().stream.Info(ctx)
	if err != nil {
		return 0, 0, err
	}
	return max(info.State.FirstSeq, 1), info.State.LastSeq, nil
}

// buildKey is what a stream says of itself.
const buildKey = "paysandbox-build"

// Build is durable.Builds's.
func (s *Stream) Build(ctx context.Context) (string, error) {
	info, err := s.engine.Load().stream.Info(ctx)
	if err != nil {
		return "", err
	}
	return info.Config.Metadata[buildKey], nil
}

// Built is durable.Builds's.
func (s *Stream) Built(ctx context.Context, build string) error {
	e := s.engine.Load()
	info, err := e.stream.Info(ctx)
	if err != nil {
		return err
	}
	about := info.Config
	about.Metadata = maps.Clone(about.Metadata)
	if about.Metadata == nil {
		about.Metadata = map[string]string{}
	}
	about.Metadata[buildKey] = build
	_, err = e.js.UpdateStream(ctx, about)
	return err
}

// Purge is Log's.
func (s *Stream) Purge(ctx context.Context, below uint64) error {
	ctx, cancel := context.WithTimeout(ctx, pieceComes)
	defer cancel()
	return s.engine.Load().stream.Purge(ctx, jetstream.WithPurgeSequence(below))
}
