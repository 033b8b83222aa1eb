package main

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/stretchr/testify/require"

	"paysandbox/mockserver"
	"paysandbox/mockserver/durable"
	"paysandbox/mockserver/durable/natslog"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/tape"
)

// liar is a log that says it has kept a cancellation, and has not: the planted bug.
type liar struct {
	*natslog.Stream
	lies *atomic.Bool
}

func (l liar) Append(ctx context.Context, m durable.Message) (uint64, error) {
	if l.lies.Load() && bytes.Contains(m.Data, []byte("/Cancel")) {
		return m.Behind + 1, nil
	}
	return l.Stream.Append(ctx, m)
}

// sharing serves with three sandboxes in this process that share a log; the last one's
// may lie.
func sharing(t *testing.T, lies *atomic.Bool) (*race, []*mockserver.Server) {
	t.Helper()
	log, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, StoreDir: t.TempDir(), NoSigs: true, NoLog: true, MaxPayload: 32 << 20})
	require.NoError(t, err)
	log.Start()
	t.Cleanup(func() { log.Shutdown(); log.WaitForShutdown() })
	require.True(t, log.ReadyForConnections(time.Minute))
	r := &race{began: time.Now()}
	var boxes []*mockserver.Server
	for n := range 3 {
		stream, err := natslog.Dial(t.Context(), natslog.Cluster{URLs: log.ClientURL(), Replicas: 1, Patience: time.Minute}, slog.New(slog.DiscardHandler))
		require.NoError(t, err)
		o := mockserver.Options{Inputs: stream, Shared: true, Patience: time.Minute, Loopback: true, Integration: integration.Options{
			Seed: 1, Clock: integration.Manual, ClientID: defaultID, ClientSecret: defaultSecret,
			Settings: latitude.Settings{}.Choose(latitude.IdempotencyHonoured),
		}}
		if n == 2 {
			o.Inputs = liar{stream, lies}
		}
		s, err := mockserver.New(o)
		require.NoError(t, err)
		t.Cleanup(func() { _ = s.Close(context.WithoutCancel(t.Context())) })
		served := httptest.NewServer(s.Handler())
		t.Cleanup(served.Close)
		r.urls, boxes = append(r.urls, served.URL), append(boxes, s)
	}
	return r, boxes
}

// lines is a sandbox's tape.
func lines(s *mockserver.Server) []string {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	var list []string
	for _, e := range s.Registry().Default().Read(ctx, tape.Filter{}).Entries {
		line := string(e.Kind)
		if e.Exchange != nil {
			line = fmt.Sprintf(`%s "status":%d`, e.Exchange.Path, e.Exchange.Response.Status)
		}
		list = append(list, line)
	}
	return list
}

// TestTwoWinnersAreFound: 16 clients race through three sandboxes, and one payment is
// cancelled twice, for one sandbox's log has lied. The model and the log both find it,
// and find nothing before.
func TestTwoWinnersAreFound(t *testing.T) {
	t.Parallel()
	var lies atomic.Bool
	r, boxes := sharing(t, &lies)
	company := r.begin(t, defaultID, defaultSecret)
	for round := range 3 {
		id := r.create(t, company, round, 0, 1, 2, 0)
		require.NotEmpty(t, id)
		var clients sync.WaitGroup
		for n := range 16 {
			clients.Go(func() { r.client(n, round, id, 0, 1, 2) })
		}
		clients.Wait()
	}
	require.Empty(t, r.linearizable())
	require.Empty(t, r.witnessed(lines(boxes[0])))

	id := r.create(t, company, 3, 0)
	r.note(patience, 2, id, "status") // the one that lies knows the payment
	lies.Store(true)
	r.note(patience, 2, id, "cancel")
	r.note(patience, 0, id, "cancel")
	require.Contains(t, r.linearizable(), "Illegal")
	require.NotEmpty(t, r.witnessed(lines(boxes[0])))
	for n := range r.list { // where answers have no number, the winners are counted
		r.list[n].seq = 0
	}
	require.Contains(t, r.witnessed(lines(boxes[0])), "has 2 winners")
}
