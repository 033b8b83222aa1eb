package natslog_test

import (
	"context"
	"fmt"
	"log/slog"
	"strconv"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"

	"paysandbox/harness/sampling"
	"paysandbox/mockserver/durable"
	"paysandbox/mockserver/durable/natslog"
)

// TestFollowReadsWhatIsNotTold: what is stored comes once, in its order, whether the server
// tells it, does not, or somebody tells what is not there.
func TestFollowReadsWhatIsNotTold(t *testing.T) {
	t.Parallel()
	log, js := dialled(t)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	came, begun := make(chan uint64, 100), make(chan struct{})
	ended := make(chan error, 1)
	go func() {
		ended <- log.Follow(ctx, 0, func(_ int, seq uint64, data []byte) error {
			came <- seq
			if string(data) != strconv.FormatUint(seq, 10) {
				return fmt.Errorf("message %d is %q", seq, data)
			}
			return nil
		}, func() { close(begun) })
	}()
	<-begun
	last := uint64(0)
	add := func() {
		t.Helper()
		text := strconv.FormatUint(last+1, 10)
		seq, err := log.Append(t.Context(), durable.Message{Shard: 3, Behind: last, ID: text, Data: []byte(text)})
		require.NoError(t, err)
		last = seq
		select {
		case seq := <-came:
			require.Equal(t, last, seq)
		case <-time.After(time.Minute):
			require.Fail(t, "it does not come")
		}
	}
	add()
	add()
	invented := nats.NewMsg("paysandbox.news.3")
	invented.Header.Set(jetstream.SequenceHeader, "9")
	invented.Data = []byte("9")
	require.NoError(t, js.Conn().PublishMsg(invented))
	add()
	stream, err := js.Stream(t.Context(), "PAYSANDBOX")
	require.NoError(t, err)
	config := stream.CachedInfo().Config
	require.NotNil(t, config.RePublish)
	config.RePublish = nil // as a log of an earlier build
	_, err = js.UpdateStream(t.Context(), config)
	require.NoError(t, err)
	add()
	add()
	again, err := natslog.Dial(t.Context(), natslog.Cluster{URLs: js.Conn().ConnectedUrl()}, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	require.NoError(t, again.Close())
	stream, err = js.Stream(t.Context(), "PAYSANDBOX")
	require.NoError(t, err)
	require.NotNil(t, stream.CachedInfo().Config.RePublish, "who opens it has it told")
	add()
	stop()
	require.ErrorIs(t, <-ended, context.Canceled)
}

// TestNewsOfStrangersAreNotHeard: who has another account on the same servers, or a user of
// this one that may do what the README lists and no more, tells nobody what is not in the log.
func TestNewsOfStrangersAreNotHeard(t *testing.T) {
	t.Parallel()
	ours, theirs := server.NewAccount("ours"), server.NewAccount("theirs")
	listed := &server.Permissions{
		Publish:   &server.SubjectPermission{Allow: []string{"paysandbox.log.*", "paysandbox.snapshot.*.*", "paysandbox.beat", "$JS.API.>"}},
		Subscribe: &server.SubjectPermission{Allow: []string{"_INBOX.>", "paysandbox.news.*", "paysandbox.beat"}},
	}
	s, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, StoreDir: t.TempDir(), NoSigs: true, NoLog: true, MaxPayload: 32 << 20,
		Accounts: []*server.Account{ours, theirs},
		Users:    []*server.User{{Username: "sandbox", Password: "a", Account: ours, Permissions: listed}, {Username: "stranger", Password: "b", Account: theirs}},
	})
	require.NoError(t, err)
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	require.True(t, s.ReadyForConnections(time.Minute))
	held, err := s.LookupAccount("ours")
	require.NoError(t, err)
	require.NoError(t, held.EnableJetStream(nil, nil))
	log, err := natslog.Dial(t.Context(), natslog.Cluster{URLs: "nats://sandbox:a@" + s.Addr().String(), Replicas: 1}, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	defer func() { require.NoError(t, log.Close()) }()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	came, begun := make(chan string, 100), make(chan struct{})
	ended := make(chan error, 1)
	go func() {
		ended <- log.Follow(ctx, 0, func(_ int, _ uint64, data []byte) error {
			came <- string(data)
			return nil
		}, func() { close(begun) })
	}()
	<-begun
	refused := make(chan error, 100)
	for n, user := range []string{"stranger:b", "sandbox:a"} {
		conn, err := nats.Connect("nats://"+user+"@"+s.Addr().String(), nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { refused <- err }))
		require.NoError(t, err)
		defer conn.Close()
		forged := nats.NewMsg("paysandbox.news.3")
		forged.Header.Set(jetstream.SequenceHeader, strconv.Itoa(n+1)) // the very next one
		forged.Data = []byte("forged")
		require.NoError(t, conn.PublishMsg(forged))
		require.NoError(t, conn.Flush())
		text := fmt.Sprint("kept ", n)
		_, err = log.Append(t.Context(), durable.Message{Shard: 3, Behind: uint64(n), ID: text, Data: []byte(text)})
		require.NoError(t, err)
		select {
		case is := <-came:
			require.Equal(t, text, is, user)
		case <-time.After(time.Minute):
			require.Fail(t, "it does not come")
		}
	}
	require.ErrorIs(t, <-refused, nats.ErrPermissionViolation)
	stop()
	require.ErrorIs(t, <-ended, context.Canceled)
}

// TestDialCallsTheLeader: of several servers the one is called that leads the log.
func TestDialCallsTheLeader(t *testing.T) {
	t.Parallel()
	sampling.OnlyAll(t, "three servers choose a leader")
	servers, err := natslog.StartServers(t.Context(), t.TempDir())
	require.NoError(t, err)
	defer func() { require.NoError(t, servers.Close()) }()
	leader := func() *server.Server {
		for _, s := range servers {
			if s.JetStreamIsStreamLeader("$G", "PAYSANDBOX") {
				return s
			}
		}
		return nil
	}
	for tried := 0; tried < 6; {
		before := leader()
		log, err := natslog.Dial(t.Context(), natslog.Cluster{URLs: servers.URLs(), Replicas: 3, Patience: time.Minute}, slog.New(slog.DiscardHandler))
		require.NoError(t, err)
		if before != nil && leader() == before { // or another one was chosen meanwhile
			require.Positive(t, before.NumClients())
			tried++
		}
		require.NoError(t, log.Close())
		require.Eventually(t, func() bool { return servers[0].NumClients()+servers[1].NumClients()+servers[2].NumClients() == 0 }, time.Minute, time.Millisecond)
	}
}
