package natslog_test

import (
	"bytes"
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/durable"
	"paysandbox/mockserver/durable/natslog"
)

// dialled is a log on one server, with what else there is on it.
func dialled(t *testing.T) (*natslog.Stream, jetstream.JetStream) {
	t.Helper()
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, StoreDir: t.TempDir(), NoSigs: true, NoLog: true, MaxPayload: 32 << 20})
	require.NoError(t, err)
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	require.True(t, s.ReadyForConnections(time.Minute))
	log, err := natslog.Dial(t.Context(), natslog.Cluster{URLs: s.ClientURL(), Replicas: 1, Patience: time.Minute}, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	t.Cleanup(func() { _ = log.Close() })
	conn, err := nats.Connect(s.ClientURL())
	require.NoError(t, err)
	t.Cleanup(conn.Close)
	js, err := jetstream.New(conn)
	require.NoError(t, err)
	return log, js
}

// TestSnapshotsBesideALog: what was written whole is listed and read back, byte for byte; one
// that was begun is not listed, and goes with those that are dropped.
func TestSnapshotsBesideALog(t *testing.T) {
	t.Parallel()
	log, js := dialled(t)
	place := log.Snapshots()
	large := bytes.Repeat([]byte("0123456789abcdef"), 200<<10) // 3.1 MiB, in four pieces
	require.NoError(t, place.Write(t.Context(), 7, [][]byte{[]byte("head"), large, []byte("tail")}))
	require.NoError(t, place.Write(t.Context(), 12, [][]byte{[]byte("small")}))
	require.NoError(t, place.Write(t.Context(), 12, [][]byte{[]byte("another")}), "it is there already")
	_, err := js.Publish(t.Context(), "paysandbox.snapshot.9.0", []byte("begun by who has died"))
	require.NoError(t, err)
	require.Error(t, place.Write(t.Context(), 9, [][]byte{[]byte("x")}), "another process writes it")
	tops, err := place.List(t.Context())
	require.NoError(t, err)
	require.Equal(t, []uint64{7, 12}, tops)
	got, err := place.Read(t.Context(), 7)
	require.NoError(t, err)
	require.Equal(t, append(append([]byte("head"), large...), "tail"...), got)
	got, err = place.Read(t.Context(), 12)
	require.NoError(t, err)
	require.Equal(t, "small", string(got))
	at, err := place.Written(t.Context(), 12)
	require.NoError(t, err)
	require.WithinDuration(t, time.Now(), at, time.Minute)
	_, err = place.Read(t.Context(), 9)
	require.Error(t, err)
	require.NoError(t, place.Drop(t.Context(), func(top uint64) bool { return top < 12 }))
	tops, err = place.List(t.Context())
	require.NoError(t, err)
	require.Equal(t, []uint64{12}, tops)
	stream, err := js.Stream(t.Context(), "PAYSANDBOX_SNAPSHOTS")
	require.NoError(t, err)
	info, err := stream.Info(t.Context())
	require.NoError(t, err)
	require.Equal(t, uint64(2), info.State.Msgs, "a piece and an end")
}

// TestDamagedSnapshotsBesideALog are refused, by their name.
func TestDamagedSnapshotsBesideALog(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(ctx context.Context, s jetstream.Stream, js jetstream.JetStream) error{
		"a piece is lost": func(ctx context.Context, s jetstream.Stream, _ jetstream.JetStream) error {
			return s.Purge(ctx, jetstream.WithPurgeSubject("paysandbox.snapshot.5.1"))
		},
		"a piece is another": func(ctx context.Context, s jetstream.Stream, js jetstream.JetStream) error {
			if err := s.Purge(ctx, jetstream.WithPurgeSubject("paysandbox.snapshot.5.*")); err != nil {
				return err
			}
			for subject, data := range map[string]string{"0": "x", "end": `{"pieces":1,"bytes":1,"sha256":"AAAA"}`} {
				if _, err := js.Publish(ctx, "paysandbox.snapshot.5."+subject, []byte(data)); err != nil {
					return err
				}
			}
			return nil
		},
		"its end says nothing": func(ctx context.Context, _ jetstream.Stream, js jetstream.JetStream) error {
			_, err := js.Publish(ctx, "paysandbox.snapshot.5.end", []byte("{"))
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			log, js := dialled(t)
			place := log.Snapshots()
			require.NoError(t, place.Write(t.Context(), 5, [][]byte{make([]byte, 3<<20)}))
			stream, err := js.Stream(t.Context(), "PAYSANDBOX_SNAPSHOTS")
			require.NoError(t, err)
			require.NoError(t, spoil(t.Context(), stream, js))
			_, err = place.Read(t.Context(), 5)
			require.ErrorIs(t, err, durable.ErrImage)
			require.ErrorContains(t, err, "snapshot 5 beside the log")
		})
	}
}

// TestFollowBehindTheCut says that what is next is not there any more: where others have cut
// the log it is not broken.
func TestFollowBehindTheCut(t *testing.T) {
	t.Parallel()
	log, _ := dialled(t)
	last := uint64(0)
	for n := range 7 {
		seq, err := log.Append(t.Context(), durable.Message{Shard: 3, Behind: last, ID: string(rune('a' + n)), Data: []byte("x")})
		require.NoError(t, err)
		last = seq
	}
	require.NoError(t, log.Purge(t.Context(), 7))
	err := log.Follow(t.Context(), 3, func(int, uint64, []byte) error { return nil }, func() {})
	require.ErrorIs(t, err, durable.ErrCut)
	require.ErrorContains(t, err, "the messages from 4 to 6 are gone")
}
