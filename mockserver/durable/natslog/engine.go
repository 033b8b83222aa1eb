package natslog

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

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

// engine is JetStream with the stream of a log: embedded, with its server, or called.
type engine struct {
	server *server.Server // nil where it is called
	conn   *nats.Conn
	js     jetstream.JetStream
	stream jetstream.Stream
	// snapshots are those that cut a log that is shared.
	snapshots jetstream.Stream
}

// OpenFolder begins the embedded engine on a folder, which no other process may have.
// No port is opened.
func OpenFolder(ctx context.Context, dir string, sync Sync, log *slog.Logger) (*Stream, error) {
	folder, err := Lock(dir)
	if err != nil {
		return nil, err
	}
	return openFolder(ctx, folder, sync, log)
}

func openFolder(ctx context.Context, folder *Folder, sync Sync, log *slog.Logger) (*Stream, error) {
	s := newStream(defaultName)
	s.folder = folder
	s.begin = func(ctx context.Context) (*engine, error) { return s.embed(ctx, sync, log) }
	e, err := s.begin(ctx)
	if err != nil {
		return nil, errors.Join(err, folder.Unlock())
	}
	s.engine.Store(e)
	return s, nil
}

// embed begins an engine in this process.
func (s *Stream) embed(ctx context.Context, sync Sync, log *slog.Logger) (*engine, error) {
	dir := s.folder.Log()
	lost, err := s.folder.whole()
	if err == nil && lost != nil {
		log.WarnContext(ctx, "the folder is not as it was", slog.Any("reason", lost))
		err = lost.forget()
	}
	if err != nil {
		return nil, err
	}
	e := &engine{}
	e.server, err = server.NewServer(&server.Options{
		ServerName: "paysandbox", DontListen: true, NoSigs: true, JetStream: true, StoreDir: dir, MaxPayload: maxMessage,
		SyncAlways: sync == SyncAlways, SyncInterval: flushEvery, DisableJetStreamBanner: true,
		JetStreamMaxMemory: 1 << 20, JetStreamMaxStore: 1 << 50,
	})
	if err != nil {
		return nil, fmt.Errorf("the log in %s cannot be opened: %w", dir, err)
	}
	if s.told.log == nil {
		s.told.log = log
	}
	e.server.SetLoggerV2(&s.told, false, false, false)
	e.server.Start()
	if !e.server.ReadyForConnections(readyTimeout) || !e.server.JetStreamEnabled() {
		e.end()
		return nil, fmt.Errorf("the log in %s cannot be opened: %s", dir, s.told.last())
	}
	if e.conn, err = nats.Connect("", nats.InProcessServer(e.server)); err == nil {
		err = s.open(ctx, e, 1)
	}
	if err != nil {
		e.end()
		return nil, fmt.Errorf("the log in %s cannot be opened: %w", dir, err)
	}
	return e, nil
}

// open finds the streams, or makes them.
func (s *Stream) open(ctx context.Context, e *engine, replicas int) error {
	var err error
	if e.js, err = jetstream.New(e.conn); err != nil {
		return err
	}
	if e.stream, err = e.open(ctx, s.name, s.subjects+"*", replicas); err == nil && s.shared {
		e.snapshots, err = e.open(ctx, s.snapshotsName(), s.snapshots+"*.*", e.stream.CachedInfo().Config.Replicas)
	}
	return err
}

// snapshotsName is a name that no log can have.
func (s *Stream) snapshotsName() string { return s.name + "_SNAPSHOTS" }

// open finds a stream, or makes it.
func (e *engine) open(ctx context.Context, name, subjects string, replicas int) (jetstream.Stream, error) {
	stream, err := e.js.Stream(ctx, name)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		stream, err = e.js.CreateStream(ctx, jetstream.StreamConfig{
			Name: name, Subjects: []string{subjects}, Storage: jetstream.FileStorage, Retention: jetstream.LimitsPolicy,
			Replicas: replicas, MaxMsgSize: maxMessage, Duplicates: 2 * time.Minute, Discard: jetstream.DiscardNew,
		})
		if errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) { // another process was quicker
			stream, err = e.js.Stream(ctx, name)
		}
	}
	return stream, err
}

// end ends the engine; where it is called, the calls.
func (e *engine) end() {
	if e.conn != nil {
		e.conn.Close()
	}
	if e.server != nil {
		e.server.Shutdown()
		e.server.WaitForShutdown()
	}
}

// watch looks at what came of an append. The embedded engine that could not write a
// message, as on a full disk, answers none any more, until it begins anew: it is given
// that chance. Whatever is appended meanwhile fails, and is appended again.
func (s *Stream) watch(ctx context.Context, err error) {
	if !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, nats.ErrConnectionClosed) || !s.beginning.TryLock() {
		return
	}
	defer s.beginning.Unlock()
	e := s.engine.Load()
	if s.begin == nil || e.healthy(ctx) {
		return
	}
	e.end()
	if e, err := s.begin(context.WithoutCancel(ctx)); err == nil {
		s.engine.Store(e)
	}
}

// healthy is what the engine says of itself.
func (e *engine) healthy(ctx context.Context) bool {
	said := httptest.NewRecorder()
	e.server.HandleHealthz(said, httptest.NewRequestWithContext(ctx, http.MethodGet, "/healthz", http.NoBody))
	return said.Code == http.StatusOK
}

// Close ends the engine and gives the folder back.
func (s *Stream) Close() error {
	s.beginning.Lock()
	defer s.beginning.Unlock()
	s.begin = nil
	s.engine.Load().end()
	return s.folder.Unlock()
}

// Folder is where an embedded engine stores; nil for a cluster.
func (s *Stream) Folder() *Folder { return s.folder }

// engineLog hands on what the engine complains about, each complaint once until it stores
// again, and keeps the last of it.
type engineLog struct {
	log   *slog.Logger
	mu    sync.Mutex
	said  map[string]bool
	wrong string
}

// last is what the engine complained about last.
func (l *engineLog) last() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return cmp.Or(l.wrong, "the engine does not begin")
}

// because is the error of an append, which is that nobody answers, or what the engine has
// complained about since it stored something: the cause alone, without the places that it names.
func (l *engineLog) because(err error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.wrong == "" {
		return err
	}
	return errors.New(strings.TrimSpace(l.wrong[strings.LastIndex(l.wrong, ": ")+1:]))
}

// stored forgets what the engine has complained about.
func (l *engineLog) stored() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.wrong != "" {
		l.log.Info("the log stores again")
	}
	l.wrong, l.said = "", nil
}

// complains says whether a complaint is new.
func (l *engineLog) complains(text string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.wrong = text
	again := l.said[text]
	if l.said == nil || len(l.said) == maxComplaints {
		l.said = map[string]bool{}
	}
	l.said[text] = true
	return !again
}

// maxComplaints bounds how many are known.
const maxComplaints = 64

func (l *engineLog) Noticef(string, ...any) {}
func (l *engineLog) Debugf(string, ...any)  {}
func (l *engineLog) Tracef(string, ...any)  {}

func (l *engineLog) Warnf(format string, v ...any) {
	l.log.Debug("the log's engine", slog.String("says", fmt.Sprintf(format, v...)))
}

func (l *engineLog) Errorf(format string, v ...any) {
	if text := fmt.Sprintf(format, v...); l.complains(text) {
		l.log.Error("the log's engine", slog.String("says", text))
	}
}

func (l *engineLog) Fatalf(format string, v ...any) { l.Errorf(format, v...) }
