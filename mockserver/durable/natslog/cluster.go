package natslog

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"time"

	"github.com/google/uuid"
	"github.com/nats-io/nats.go"
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
}

// ErrName says that a log cannot be called so.
var ErrName = errors.New("a log's name has 1 to 32 letters, digits and hyphens")

var logNames = regexp.MustCompile(`^[A-Za-z0-9-]{1,32}$`)

// reconnectWait is how long a process waits before it calls the servers again.
const reconnectWait = 100 * time.Millisecond

// Dial calls a cluster of NATS with JetStream, and makes the log where there is none.
// When the cluster cannot be reached later, it is called again and again.
func Dial(ctx context.Context, c Cluster, log *slog.Logger) (*Stream, error) {
	if c.Name == "" {
		c.Name = defaultName
	}
	if !logNames.MatchString(c.Name) {
		return nil, fmt.Errorf("%q: %w", c.Name, ErrName)
	}
	s := newStream(c.Name)
	s.shared = true
	var err error
	if s.conn, err = nats.Connect(c.URLs, c.options(log)...); err != nil {
		return nil, fmt.Errorf("the log's servers cannot be reached: %w", err)
	}
	if most := s.conn.MaxPayload(); most < maxMessage {
		s.conn.Close()
		return nil, fmt.Errorf("the log's servers take messages of %d bytes, and %d are needed: set max_payload: 32MB in their configuration", most, maxMessage)
	}
	if err := s.open(ctx, c.Replicas); err != nil {
		s.conn.Close()
		return nil, fmt.Errorf("the log cannot be opened: %w", err)
	}
	return s, nil
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
	return s.conn.Publish(s.beats, binary.AppendUvarint(process[:], engine))
}

// Hear is durable.Pulse's.
func (s *Stream) Hear(fn func(process uuid.UUID, engine uint64)) (stop func(), err error) {
	sub, err := s.conn.Subscribe(s.beats, func(m *nats.Msg) {
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
