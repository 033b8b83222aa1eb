package natslog

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"
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
	server *server.Server
	conn   *nats.Conn
	js     jetstream.JetStream
	stream jetstream.Stream
	folder *Folder
	// name is the stream's; subjects and beats begin and are subjects.
	name, subjects, beats string
	// shared says that it is a cluster.
	shared bool
}

func newStream(name string) *Stream {
	return &Stream{name: strings.ToUpper(name), subjects: name + ".log.", beats: name + ".beat"}
}

// Sync says when the embedded engine flushes to the disk.
type Sync string

const (
	// SyncInterval flushes every second: what was acknowledged survives the end of the
	// process, kill -9 included; a loss of power takes up to the last second.
	SyncInterval Sync = "interval"
	// SyncAlways flushes before each acknowledgement: a loss of power takes nothing that
	// was answered.
	SyncAlways Sync = "always"
)

// flushEvery is how often SyncInterval flushes.
const flushEvery = time.Second

// OpenFolder begins the embedded engine on a folder, which no other process may have.
// No port is opened.
func OpenFolder(ctx context.Context, dir string, sync Sync, log *slog.Logger) (*Stream, error) {
	folder, err := Lock(dir)
	if err != nil {
		return nil, err
	}
	if err := whole(folder.Log()); err != nil {
		return nil, errors.Join(err, folder.Unlock())
	}
	s := newStream(defaultName)
	s.folder = folder
	s.server, err = server.NewServer(&server.Options{
		ServerName: "paysandbox", DontListen: true, NoSigs: true, JetStream: true, StoreDir: folder.Log(), MaxPayload: maxMessage,
		SyncAlways: sync == SyncAlways, SyncInterval: flushEvery, DisableJetStreamBanner: true,
		JetStreamMaxMemory: 1 << 20, JetStreamMaxStore: 1 << 50,
	})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("the log in %s cannot be opened: %w", dir, err), folder.Unlock())
	}
	told := &engineLog{log: log}
	s.server.SetLoggerV2(told, false, false, false)
	s.server.Start()
	if !s.server.ReadyForConnections(readyTimeout) || !s.server.JetStreamEnabled() {
		return nil, errors.Join(fmt.Errorf("the log in %s cannot be opened: %s", dir, told.last()), s.Close())
	}
	if s.conn, err = nats.Connect("", nats.InProcessServer(s.server)); err == nil {
		err = s.open(ctx, 1)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("the log in %s cannot be opened: %w", dir, err), s.Close())
	}
	return s, nil
}

// open finds the stream, or makes it.
func (s *Stream) open(ctx context.Context, replicas int) error {
	var err error
	if s.js, err = jetstream.New(s.conn); err != nil {
		return err
	}
	if s.stream, err = s.js.Stream(ctx, s.name); !errors.Is(err, jetstream.ErrStreamNotFound) {
		return err
	}
	s.stream, err = s.js.CreateStream(ctx, jetstream.StreamConfig{
		Name: s.name, Subjects: []string{s.subjects + "*"}, Storage: jetstream.FileStorage, Retention: jetstream.LimitsPolicy,
		Replicas: replicas, MaxMsgSize: maxMessage, Duplicates: 2 * time.Minute, Discard: jetstream.DiscardNew,
	})
	if errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) { // another process was quicker
		s.stream, err = s.js.Stream(ctx, s.name)
	}
	return err
}

// Close ends the engine and gives the folder back.
func (s *Stream) Close() error {
	if s.conn != nil {
		s.conn.Close()
	}
	if s.server != nil {
		s.server.Shutdown()
		s.server.WaitForShutdown()
	}
	return s.folder.Unlock()
}

// Folder is where an embedded engine stores; nil for a cluster.
func (s *Stream) Folder() *Folder { return s.folder }

func (s *Stream) subject(shard int) string { return s.subjects + strconv.Itoa(shard) }

// Append is Log's.
func (s *Stream) Append(ctx context.Context, m durable.Message) (uint64, error) {
	seq, err := s.publish(ctx, m, m.Behind)
	if !errors.Is(err, durable.ErrBehind) || m.Behind == 0 {
		return seq, err
	}
	if _, gone := s.stream.GetLastMsgForSubject(ctx, s.subject(m.Shard)); errors.Is(gone, jetstream.ErrMsgNotFound) { // what it is to go behind was purged
		return s.publish(ctx, m, 0)
	}
	return 0, err
}

func (s *Stream) publish(ctx context.Context, m durable.Message, behind uint64) (uint64, error) {
	ack, err := s.js.PublishMsg(ctx, &nats.Msg{Subject: s.subject(m.Shard), Data: m.Data},
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
	m, err := s.stream.GetLastMsgForSubject(ctx, s.subject(shard))
	if err == nil {
		return m.Sequence, nil
	}
	if !errors.Is(err, jetstream.ErrMsgNotFound) {
		return 0, err
	}
	info, err := s.stream.Info(ctx)
	if err != nil {
		return 0, err
	}
	return max(info.State.FirstSeq, 1) - 1, nil
}

// Read is Log's.
func (s *Stream) Read(ctx context.Context, shard int, after uint64, fn func(seq uint64, data []byte) error) (uint64, error) {
	for {
		m, err := s.stream.GetMsg(ctx, after+1, jetstream.WithGetMsgSubject(s.subject(shard)))
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
	info, err := s.stream.Info(ctx)
	if err != nil {
		return 0, 0, err
	}
	return max(info.State.FirstSeq, 1), info.State.LastSeq, nil
}

// Purge is Log's.
func (s *Stream) Purge(ctx context.Context, below uint64) error {
	return s.stream.Purge(ctx, jetstream.WithPurgeSequence(below))
}

// engineLog hands on what the engine complains about, and keeps the last of it.
type engineLog struct {
	log   *slog.Logger
	wrong strings.Builder
}

func (l *engineLog) last() string {
	if l.wrong.Len() == 0 {
		return "the engine does not begin"
	}
	return l.wrong.String()
}

func (l *engineLog) Noticef(string, ...any) {}
func (l *engineLog) Debugf(string, ...any)  {}
func (l *engineLog) Tracef(string, ...any)  {}

func (l *engineLog) Warnf(format string, v ...any) {
	l.log.Debug("the log's engine", slog.String("says", fmt.Sprintf(format, v...)))
}

func (l *engineLog) Errorf(format string, v ...any) {
	l.log.Error("the log's engine", slog.String("says", fmt.Sprintf(format, v...)))
}

func (l *engineLog) Fatalf(format string, v ...any) {
	_, _ = fmt.Fprintf(&l.wrong, format, v...)
	l.Errorf(format, v...)
}
