package kernel_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"paysandbox/harness/sampling"
	"paysandbox/mockserver/kernel"
)

// inputs draws a few inputs, some of them equal.
func inputs(t *rapid.T) []string {
	return rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c", "a longer input than eight bytes", ""}), 1, 40).Draw(t, "inputs")
}

// TestIDsAreDrawnByKey: each input gets the ids that it would have got without
// the others, but for its count among equal ones, and no id comes twice.
func TestIDsAreDrawnByKey(t *testing.T) {
	t.Parallel()
	sampling.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64().Draw(t, "seed")
		core := kernel.NewCore(kernel.CoreConfig{Seed: seed})
		alone := map[string]*kernel.Core{}
		seen := map[uuid.UUID]bool{}
		for _, in := range inputs(t) {
			if alone[in] == nil {
				c := kernel.NewCore(kernel.CoreConfig{Seed: seed})
				alone[in] = &c
			}
			core.Begin(kernel.Digest{}.Text(in))
			alone[in].Begin(kernel.Digest{}.Bytes([]byte(in)))
			for _, kind := range []string{"company", "location", "location", "event"} {
				id := core.NewID(kind)
				require.Equal(t, alone[in].NewID(kind), id)
				require.False(t, seen[id])
				require.Equal(t, uuid.Version(4), id.Version())
				seen[id] = true
			}
		}
	})
}

// TestKindsDoNotDisturbEachOther: what one thing costs in draws changes nothing
// for another kind of thing.
func TestKindsDoNotDisturbEachOther(t *testing.T) {
	t.Parallel()
	few, many := kernel.NewCore(kernel.CoreConfig{Seed: 3}), kernel.NewCore(kernel.CoreConfig{Seed: 3})
	for range 5 {
		many.NewID("location")
	}
	require.Equal(t, few.NewID("company"), many.NewID("company"))
	require.NotEqual(t, few.NewID("location"), many.NewID("location"))
}

// TestSecretsFollowFromTheSecret: with a secret of its own a machine's secrets
// do not follow from the seed, and its ids still do.
func TestSecretsFollowFromTheSecret(t *testing.T) {
	t.Parallel()
	plain, again := kernel.NewCore(kernel.CoreConfig{Seed: 3}), kernel.NewCore(kernel.CoreConfig{Seed: 3})
	own := kernel.NewCore(kernel.CoreConfig{Seed: 3, Secret: []byte("of the process")})
	require.Equal(t, plain.NewID("company"), own.NewID("company"))
	require.NotEqual(t, plain.NewSecret("webhook"), own.NewSecret("webhook"))
	require.NotEqual(t, plain.NewSecretID("link"), own.NewSecretID("link"))
	again.NewID("company")
	first := again.NewSecret("webhook")
	require.NotEqual(t, first, again.NewSecret("webhook"))
	require.NotEqual(t, first, again.NewSecret("link"))
}

// TestDigestsTellInputsApart: where a text ends counts, and bytes count like the
// same text.
func TestDigestsTellInputsApart(t *testing.T) {
	t.Parallel()
	sampling.Check(t, func(t *rapid.T) {
		a, b := rapid.StringN(0, 20, 40).Draw(t, "a"), rapid.StringN(0, 20, 40).Draw(t, "b")
		x, y := rapid.StringN(0, 20, 40).Draw(t, "x"), rapid.StringN(0, 20, 40).Draw(t, "y")
		same := a == x && b == y
		require.Equal(t, same, kernel.Digest{}.Text(a).Text(b) == kernel.Digest{}.Text(x).Text(y))
		require.Equal(t, kernel.Digest{}.Text(a), kernel.Digest{}.Bytes([]byte(a)))
	})
}

func BenchmarkNewID(b *testing.B) {
	core := kernel.NewCore(kernel.CoreConfig{Seed: 3})
	body := make([]byte, 600)
	b.ReportAllocs()
	for b.Loop() {
		core.Begin(kernel.Digest{}.Text("POST").Text("/Company/Create").Bytes(body))
		core.NewID("company")
	}
}
