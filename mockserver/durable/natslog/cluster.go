package natslog

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/binary"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Cluster says where a log is that several processes share.
type Cluster struct {
	// URLs are the servers of NATS, between commas. They may hold a user and a password.
	URLs string
	// Name tells logs on the same servers apart; empty means "paysandbox".
	Name string
	// Replicas is how many servers keep each message, where this process makes the log.
	Replicas int
	// Credentials, CA, Cert and Key are files: credentials of NATS, the certificates
	// that the servers' are checked by, and this process's own with its key; empty where
	// there are none.
	Credentials, CA, Cert, Key string
	// Patience is how long the servers are called until they take calls: they may be
	// starting, or choosing a leader. 0 calls them once.
	Patience time.Duration
}

// ErrName says that a log cannot be called so.
var ErrName = errors.New("a log's name has 1 to 32 letters, digits and hyphens")

var logNames = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9-]{1,32}$`) })

// reconnectWait is how long a process waits before it calls the servers again.
const reconnectWait = 100 * time.Millisecond

// Dial calls a cluster of NATS with JetStream, and makes the log where there is none.
// When the cluster cannot be reached later, it is called again and again.
func Dial(ctx context.Context, c Cluster, log *slog.Logger) (*Stream, error) {
	if c.Name == "" {
		c.Name = defaultName
	}
	if !logNames().MatchString(c.Name) {
		return nil, fmt.Errorf("%q: %w", c.Name, ErrName)
	}
	if err := errors.Join(c.addresses(), c.files()); err != nil {
		return nil, err
	}
	for late := time.After(c.Patience); ; {
		s, err := c.dial(ctx, log)
		if err == nil || hopeless(err) {
			return s, err
		}
		if c.Patience > 0 {
			log.WarnContext(ctx, "the log's servers are called again", slog.Any("after", err), slog.Duration("for", c.Patience))
		}
		select {
		case <-time.After(redial):
		case <-late:
			return nil, err
		case <-ctx.Done():
			return nil, err
		}
	}
}

// redial is how long a start waits before it calls the servers again.
const redial = time.Second

// errPayload says that the servers are not made for the log.
var errPayload = errors.New("set max_payload: 32MB in their configuration")

// errFiles says that what is to be shown to the servers, or to check them by, cannot be used.
var errFiles = errors.New("look at what --cluster-ca, --cluster-cert and --cluster-key name")

// schemes are how an address of a server may begin; without one it is nats.
var schemes = []string{"nats", "tls", "ws", "wss"}

// addresses looks at how the servers' addresses begin before anybody is called: nobody
// answers the engine's words at another one, however long it is called.
func (c *Cluster) addresses() error {
	for one := range strings.SplitSeq(c.URLs, ",") {
		scheme, _, found := strings.Cut(strings.TrimSpace(one), "://")
		if found && !slices.Contains(schemes, scheme) {
			return fmt.Errorf("an address of the log's servers begins with nats:// or tls://, received %s://", scheme)
		}
	}
	return nil
}

// files looks at the certificates before anybody is called.
func (c *Cluster) files() error {
	if c.CA != "" {
		if roots, err := os.ReadFile(c.CA); err != nil || !x509.NewCertPool().AppendCertsFromPEM(roots) {
			return fmt.Errorf("%s: %w: %w", c.CA, cmp.Or(err, errors.New("no certificate is in it")), errFiles)
		}
	}
	if c.Cert != "" {
		if _, err := tls.LoadX509KeyPair(c.Cert, c.Key); err != nil {
			return fmt.Errorf("%s, %s: %w: %w", c.Cert, c.Key, err, errFiles)
		}
	}
	return nil
}

// alone is what a server says that is asked for replicas and knows of no others.
const alone = 10074

// hopeless says that calling again will not help.
func hopeless(err error) bool {
	var unknown x509.UnknownAuthorityError
	var certificate *tls.CertificateVerificationError
	var said *net.OpError
	var refused *jetstream.APIError
	if errors.As(err, &said) && said.Op == "remote error" || errors.As(err, &refused) && refused.ErrorCode == alone { // of TLS
		return true
	}
	return errors.Is(err, errFiles) || errors.Is(err, nats.ErrPermissionViolation) || errors.Is(err, errPayload) || errors.Is(err, nats.ErrAuthorization) || errors.As(err, &unknown) || errors.As(err, &certificate) ||
		errors.Is(err, nats.ErrSecureConnRequired) || errors.Is(err, nats.ErrSecureConnWanted) || errors.Is(err, os.ErrNotExist)
}

// dial calls the servers once: one of them, then the one that leads the log, so that what is
// appended and told takes no way around.
func (c *Cluster) dial(ctx context.Context, log *slog.Logger) (*Stream, error) {
	s := newStream(c.Name)
	s.shared = true
	e, err := c.call(ctx, s, c.URLs, log)
	if err != nil {
		return nil, err
	}
	urls := strings.Split(c.URLs, ",")
	for n := 0; n < len(urls) && !e.leads(); n++ {
		first := slices.Concat(urls[n:], urls[:n])
		other, err := c.call(ctx, s, strings.Join(first, ","), log, nats.DontRandomize())
		if err != nil {
			continue // the one that answers will do
		}
		if other.leads() {
			e, other = other, e
		}
		other.end()
	}
	s.engine.Store(e)
	return s, nil
}

// leads says whether the server that was called leads the log, as far as it knows.
func (e *engine) leads() bool {
	cluster := e.stream.CachedInfo().Cluster
	return cluster == nil || cluster.Leader == "" || cluster.Leader == e.conn.ConnectedServerName()
}

// call calls the first of the servers that answers.
func (c *Cluster) call(ctx context.Context, s *Stream, urls string, log *slog.Logger, more ...nats.Option) (*engine, error) {
	var err error
	e := &engine{}
	if e.conn, err = nats.Connect(urls, append(c.options(log), more...)...); err != nil {
		return nil, fmt.Errorf("the log's servers cannot be reached: %w", err)
	}
	if most := e.conn.MaxPayload(); most < maxMessage {
		e.conn.Close()
		return nil, fmt.Errorf("the log's servers take messages of %d bytes, and %d are needed: %w", most, maxMessage, errPayload)
	}
	if err := s.open(ctx, e, c.Replicas); err != nil {
		if wrong := e.conn.LastError(); errors.Is(wrong, nats.ErrPermissionViolation) { // which answers nothing
			err = wrong
		}
		e.conn.Close()
		return nil, fmt.Errorf("the log cannot be opened: %w", err)
	}
	return e, nil
}

func (c *Cluster) options(log *slog.Logger) []nats.Option {
	opts := []nats.Option{
		nats.Name(c.Name), nats.MaxReconnects(-1), nats.ReconnectWait(reconnectWait), nats.ReconnectJitter(reconnectWait, reconnectWait),
		nats.PingInterval(time.Second), nats.MaxPingsOutstanding(2),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				log.Warn("a server of the log is lost: calling the others", slog.Any("error", err))
			}
		}),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			log.Warn("a server of the log complains", slog.Any("error", err))
		}),
		nats.ReconnectHandler(func(n *nats.Conn) {
			log.Info("the log is reached again", slog.String("server", n.ConnectedServerName()))
		}),
	}
	if c.Credentials != "" {
		opts = append(opts, nats.UserCredentials(c.Credentials))
	}
	if c.CA != "" {
		opts = append(opts, nats.RootCAs(c.CA))
	}
	if c.Cert != "" {
		opts = append(opts, nats.ClientCert(c.Cert, c.Key))
	}
	return opts
}

// Beat is durable.Pulse's.
func (s *Stream) Beat(process uuid.UUID, engine uint64) error {
	return s.engine.Load().conn.Publish(s.beats, binary.AppendUvarint(process[:], engine))
}

// Hear is durable.Pulse's.
func (s *Stream) Hear(fn func(process uuid.UUID, engine uint64)) (stop func(), err error) {
	sub, err := s.engine.Load().conn.Subscribe(s.beats, func(m *nats.Msg) {
		if len(m.Data) <= len(uuid.UUID{}) {
			return
		}
		process := uuid.UUID(m.Data[:len(uuid.UUID{})])
		if engine, n := binary.Uvarint(m.Data[len(process):]); n > 0 {
			fn(process, engine)
		}
	})
	if err != nil {
		return nil, err
	}
	return func() { _ = sub.Unsubscribe() }, nil
}
