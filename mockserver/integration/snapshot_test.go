package integration_test

import (
	"bytes"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/budget"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/integration/envelope"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

// TestOptionsAreKept: what an integration was made from comes back with it.
func TestOptionsAreKept(t *testing.T) {
	t.Parallel()
	o := integration.Options{
		Name: "n", Seed: 9, Environment: world.Rehearsal, ClientID: "id", ClientSecret: "very-secret-1", Clock: integration.Manual,
		Start: time.Date(2027, 1, 2, 3, 4, 5, 0, time.UTC), Settings: latitude.Settings{}.Choose(latitude.EventOrderShuffled), Strict: true,
		StatusKey: "key", WebhookURL: "http://127.0.0.1/hook", WebhookSecret: "whsec_1234567", Tape: tape.Limits{Entries: 7, Bytes: 1 << 20},
	}
	i := registry(t, o).Default()
	read, err := integration.ReadSnapshot(i.Snapshot().Bytes())
	require.NoError(t, err)
	require.Equal(t, o, read.Options)
	require.Equal(t, integration.DefaultID, read.Of)
	require.Equal(t, o.Start, read.Now)
	revived, err := registry(t, integration.Options{}).Revive(read)
	require.NoError(t, err)
	require.Equal(t, o, revived.Options())
	require.Equal(t, i.Snapshot().Bytes(), revived.Snapshot().Bytes())
}

// TestARevivedIntegrationKnowsItsTokens, and one that was restored or forked its own.
func TestARevivedIntegrationKnowsItsTokens(t *testing.T) {
	t.Parallel()
	r := registry(t, integration.Options{Clock: integration.Manual, Secret: bytes.Repeat([]byte{7}, 32)})
	i, err := r.Create(integration.Options{Name: "a", Clock: integration.Manual})
	require.NoError(t, err)
	require.NoError(t, i.Reset())
	bearer := func(i *integration.Integration) string {
		var token world.Token
		i.Do(&integration.Call{Kind: tape.KindExchange}, func(w *world.World, _ *integration.Call) { token = w.IssueToken() })
		signed, err := i.Sign(token)
		require.NoError(t, err)
		return "Bearer " + signed
	}
	old := bearer(i)
	snapshot := i.Snapshot()
	other := registry(t, integration.Options{Secret: bytes.Repeat([]byte{8}, 32)})
	revived, err := other.Revive(snapshot)
	require.NoError(t, err)
	caller := other.Authenticate(old)
	require.Equal(t, tape.AuthValid, caller.Verdict)
	require.Equal(t, revived, caller.Integration)

	fork, err := r.Fork(snapshot, integration.Options{Name: "fork"})
	require.NoError(t, err)
	require.NotEqual(t, i.Options().ClientSecret, fork.Options().ClientSecret)
	require.Equal(t, i, r.Authenticate(old).Integration)
	require.Equal(t, fork, r.Authenticate(bearer(fork)).Integration)
	require.NoError(t, i.Restore(snapshot))
	require.Equal(t, tape.AuthValid, r.Authenticate(old).Verdict, "an access token outlives a restore")
}

// TestARealClockGoesOn: from where it stood in a fork and after a restore, and from
// where it is by now after a restart.
func TestARealClockGoesOn(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC)
	wall := func() time.Time { return now }
	r, err := integration.NewRegistry(integration.Options{}, wall, nil)
	require.NoError(t, err)
	t.Cleanup(r.Close)
	_, err = r.Default().Advance(integration.Move{By: time.Hour})
	require.NoError(t, err)
	snapshot := r.Default().Snapshot()
	now = now.Add(24 * time.Hour)
	require.NoError(t, r.Default().Restore(snapshot))
	_, at, _ := r.Default().Clock()
	require.Equal(t, snapshot.Now, at)
	_, err = r.Revive(snapshot)
	require.NoError(t, err)
	_, at, _ = r.Default().Clock()
	require.Equal(t, snapshot.Now.Add(24*time.Hour), at)
}

// TestADamagedSnapshotIsRefused: each byte that differs, each end that is missing, a
// newer version: with its place, what was expected and what was received.
func TestADamagedSnapshotIsRefused(t *testing.T) {
	t.Parallel()
	whole := registry(t, integration.Options{Clock: integration.Manual}).Default().Snapshot().Bytes()
	var damage *kernel.DamageError
	for at := range whole {
		other := slices.Clone(whole)
		other[at] ^= 0x41
		_, err := integration.ReadSnapshot(other)
		require.ErrorAs(t, err, &damage)
		_, err = integration.ReadSnapshot(whole[:at])
		require.ErrorAs(t, err, &damage)
		require.NotEmpty(t, damage.Expected+damage.Received)
	}
	_, err := integration.ReadSnapshot(whole[:len(whole)-1])
	require.ErrorContains(t, err, "damaged: expected the SHA-256 of its first", "a digest of all tells no place")
	newer := slices.Clone(whole)
	newer[len("paysandbox snapshot\n")] = envelope.Format + 1
	_, err = integration.ReadSnapshot(newer)
	require.EqualError(t, err, "of another version: this one reads format 2, and received format 3, of a newer paysandbox: use that one")
	_, err = integration.ReadSnapshot([]byte(`{"tape":1}`))
	require.EqualError(t, err, `damaged at byte 0: expected a snapshot of paysandbox, received "{\"tape\":1}"`)
}

// TestARestoreGivesBackWhatItReplaces: who goes back to a snapshot again and again takes no
// more memory than once.
func TestARestoreGivesBackWhatItReplaces(t *testing.T) {
	t.Parallel()
	all := budget.New(1 << 30)
	i := registry(t, integration.Options{Clock: integration.Manual, Budget: all}).Default()
	create(t, i, "a")
	snapshot := i.Snapshot()
	require.NoError(t, i.Restore(snapshot))
	once := all.Used()
	require.Positive(t, once)
	for range 5 {
		require.NoError(t, i.Restore(snapshot))
	}
	require.Equal(t, once, all.Used())
}

// TestASnapshotWithoutRoomIsRefused, and changes nothing.
func TestASnapshotWithoutRoomIsRefused(t *testing.T) {
	t.Parallel()
	big := registry(t, integration.Options{Clock: integration.Manual}).Default()
	create(t, big, "a")
	r, err := integration.NewRegistry(integration.Options{Clock: integration.Manual, Budget: budget.New(100)}, integration.Wall, nil)
	require.NoError(t, err)
	before := r.Default().Snapshot().Bytes()
	require.ErrorIs(t, r.Default().Restore(big.Snapshot()), budget.ErrNoRoom)
	_, err = r.Fork(big.Snapshot(), integration.Options{})
	require.ErrorIs(t, err, budget.ErrNoRoom)
	require.Equal(t, before, r.Default().Snapshot().Bytes())
	require.Len(t, r.List(), 1)
}

// FuzzReadSnapshot: whatever is between a sound header and its digest is read, or
// refused with its place; what was read can be lived with.
func FuzzReadSnapshot(f *testing.F) {
	r, err := integration.NewRegistry(integration.Options{Clock: integration.Manual, WebhookURL: "http://127.0.0.1/hook"}, integration.Wall, nil)
	require.NoError(f, err)
	f.Add(kernel.Encode(nil, r.Default().Kept()))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, kept []byte) {
		s, err := integration.ReadSnapshot(integration.Under(kept))
		if err != nil {
			var damage *kernel.DamageError
			require.True(t, errors.As(err, &damage), err)
			return
		}
		r, err := integration.NewRegistry(integration.Options{Clock: integration.Manual, Budget: budget.New(1 << 30)}, integration.Wall, nil)
		require.NoError(t, err)
		defer r.Close()
		fork, err := r.Fork(s, integration.Options{Name: "fork"})
		if err != nil {
			require.ErrorIs(t, err, budget.ErrNoRoom)
			return
		}
		again, err := integration.ReadSnapshot(fork.Snapshot().Bytes())
		require.NoError(t, err)
		require.Equal(t, s.Seq, again.Seq)
	})
}
