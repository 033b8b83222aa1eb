package natslog_test

import (
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

// TestFollowGoesOnWithoutItsConsumer: what is stored comes once, in its order, also when the
// servers have forgotten who reads.
func TestFollowGoesOnWithoutItsConsumer(t *testing.T) {
	t.Parallel()
	log, js := dialled(t)
	came, _ := followed(t, log)
	stream, err := js.Stream(t.Context(), "PAYSANDBOX")
	require.NoError(t, err)
	for n := range uint64(4) {
		forgotten := 0
		for consumer := range stream.ListConsumers(t.Context()).Info() {
			require.NoError(t, stream.DeleteConsumer(t.Context(), consumer.Name))
			forgotten++
		}
		require.NotZero(t, n+uint64(forgotten))
		text := fmt.Sprint("kept ", n+1)
		_, err := log.Append(t.Context(), durable.Message{Shard: 3, Behind: n, ID: text, Data: []byte(text)})
		require.NoError(t, err)
		requireNext(t, came, fmt.Sprintf("%d in 3: %s", n+1, text))
	}
}

// followed are the messages that come of a log, from its beginning, and how following ended.
func followed(t *testing.T, log *natslog.Stream) (came chan string, ended chan error) {
	t.Helper()
	came, ended = make(chan string, 1000), make(chan error, 1)
	begun := make(chan struct{})
	go func() {
		ended <- log.Follow(t.Context(), 0, func(shard int, seq uint64, data []byte) error {
			came <- fmt.Sprintf("%d in %d: %s", seq, shard, data)
			return nil
		}, func() { close(begun) })
	}()
	<-begun
	return came, ended
}

func requireNext(t *testing.T, came <-chan string, want string) {
	t.Helper()
	select {
	case is := <-came:
		require.Equal(t, want, is)
	case <-time.After(time.Minute):
		require.Fail(t, "it does not come", want)
	}
}

// TestForgedNewsAreNotHeard: who may publish anything in the log's account tells of messages
// that the log does not hold, holds otherwise, or will hold. Nothing comes but what it holds.
func TestForgedNewsAreNotHeard(t *testing.T) {
	t.Parallel()
	log, js := dialled(t)
	other, err := natslog.Dial(t.Context(), natslog.Cluster{URLs: js.Conn().ConnectedUrl()}, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	defer func() { require.NoError(t, other.Close()) }()
	came, ended := followed(t, log)
	forge := func(shard int, seq uint64, text string) {
		t.Helper()
		for _, subject := range []string{"paysandbox.news.", "paysandbox.told.", "PAYSANDBOX.news."} {
			m := nats.NewMsg(subject + strconv.Itoa(shard))
			m.Header.Set(jetstream.SequenceHeader, strconv.FormatUint(seq, 10))
			m.Header.Set(jetstream.StreamHeader, "PAYSANDBOX")
			m.Header.Set(jetstream.SubjectHeader, "paysandbox.log.3")
			m.Data = []byte(text)
			require.NoError(t, js.Conn().PublishMsg(m))
		}
		require.NoError(t, js.Conn().Flush())
	}
	for n := range uint64(20) {
		text := fmt.Sprint("kept ", n+1)
		forge(3, n+1, "forged")   // the very next one
		forge(4, n+1, text)       // what will be, in another shard
		forge(3, n+2, text)       // under another number
		forge(999, n+1, "forged") // in none
		from := log
		if n%2 > 0 {
			from = other
		}
		seq, err := from.Append(t.Context(), durable.Message{Shard: 3, Behind: n, ID: text, Data: []byte(text)})
		require.NoError(t, err)
		require.Equal(t, n+1, seq)
		forge(3, n+1, "forged") // instead of it
		requireNext(t, came, fmt.Sprintf("%d in 3: %s", n+1, text))
	}
	require.Empty(t, ended)
	require.Empty(t, came)
}

// TestListedPermissionsAreEnough: a user of the log's servers that may do what the README
// lists, and no more, appends and reads.
func TestListedPermissionsAreEnough(t *testing.T) {
	t.Parallel()
	ours := server.NewAccount("ours")
	listed := &server.Permissions{
		Publish:   &server.SubjectPermission{Allow: []string{"paysandbox.log.*", "paysandbox.snapshot.*.*", "paysandbox.beat", "$JS.API.>"}},
		Subscribe: &server.SubjectPermission{Allow: []string{"_INBOX.>", "paysandbox.beat"}},
	}
	s, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, StoreDir: t.TempDir(), NoSigs: true, NoLog: true, MaxPayload: 32 << 20,
		Accounts: []*server.Account{ours}, Users: []*server.User{{Username: "sandbox", Password: "a", Account: ours, Permissions: listed}},
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
	t.Cleanup(func() { _ = log.Close() })
	came, _ := followed(t, log)
	for n := range uint64(3) {
		text := fmt.Sprint("kept ", n+1)
		_, err = log.Append(t.Context(), durable.Message{Shard: 3, Behind: n, ID: text, Data: []byte(text)})
		require.NoError(t, err)
		requireNext(t, came, fmt.Sprintf("%d in 3: %s", n+1, text))
	}
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
