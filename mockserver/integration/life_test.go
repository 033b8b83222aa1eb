package integration_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

// granted gives the Authorization header of a new token.
func granted(t *testing.T, i *integration.Integration) string {
	t.Helper()
	var header string
	i.Do(&integration.Call{Kind: tape.KindExchange}, func(w *world.World, _ *integration.Call) {
		signed, err := i.Sign(w.IssueToken())
		require.NoError(t, err)
		header = "Bearer " + signed
	})
	return header
}

// standing is the verdict on a token at this moment.
func standing(r *integration.Registry, header string) string {
	c := r.Authenticate(header)
	var verdict string
	c.Integration.Do(&integration.Call{Kind: tape.KindExchange, Silent: true}, func(w *world.World, _ *integration.Call) {
		verdict = c.Standing(w)
	})
	return verdict
}

// TestAttackDeadTokens makes tokens with the same numbers at the same times in
// several lives of an integration: each is good in its own life alone.
func TestAttackDeadTokens(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*testing.T, *integration.Registry, *integration.Integration) *integration.Integration{
		"reset": func(_ *testing.T, _ *integration.Registry, i *integration.Integration) *integration.Integration {
			require.NoError(t, i.Reset())
			return i
		},
		"deleted and the same again": func(t *testing.T, r *integration.Registry, i *integration.Integration) *integration.Integration {
			t.Helper()
			gone, err := r.Delete(i.ID)
			require.NoError(t, err)
			require.True(t, gone)
			again, err := r.Create(integration.Options{Name: "ci", Seed: 4, Clock: integration.Manual})
			require.NoError(t, err)
			require.Equal(t, i.ID, again.ID)
			return again
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := registry(t, integration.Options{})
			i, err := r.Create(integration.Options{Name: "ci", Seed: 4, Clock: integration.Manual})
			require.NoError(t, err)
			var dead []string
			for range 10 {
				token := granted(t, i)
				require.Equal(t, tape.AuthValid, standing(r, token))
				require.NotContains(t, dead, token)
				dead = append(dead, token)
				i = end(t, r, i)
				granted(t, i) // the numbers of the dead ones exist again
				for _, old := range dead[max(0, len(dead)-8):] {
					require.Equal(t, tape.AuthRevoked, standing(r, old))
				}
				require.NotEqual(t, tape.AuthValid, standing(r, dead[0]))
			}
		})
	}
}

// TestAttackRevokedTokens: what has been revoked stays so, whatever snapshot its
// integration goes on from; what has not been revoked stays good.
func TestAttackRevokedTokens(t *testing.T) {
	t.Parallel()
	r := registry(t, integration.Options{})
	i := r.Default()
	before := i.Snapshot()
	stolen := granted(t, i)
	i.Do(&integration.Call{Kind: tape.KindControl}, func(w *world.World, _ *integration.Call) { w.RevokeTokens() })
	one, other := granted(t, i), granted(t, i)
	i.Faults().Revoke(r.Authenticate(one).Token, "a fault")
	check := func() {
		t.Helper()
		require.Equal(t, tape.AuthRevoked, standing(r, stolen))
		_, gone := i.Faults().Revoked(r.Authenticate(one).Token)
		require.True(t, gone)
		require.Equal(t, tape.AuthValid, standing(r, other))
	}
	check()
	require.NoError(t, i.Restore(before))
	check()
	stranger, err := r.Create(integration.Options{Name: "ci", Seed: 4, Clock: integration.Manual})
	require.NoError(t, err)
	for range 3 {
		stranger.Do(&integration.Call{Kind: tape.KindControl}, func(w *world.World, _ *integration.Call) { w.RevokeTokens() })
	}
	require.NoError(t, i.Restore(stranger.Snapshot()))
	check()
}

// TestAttackComputableSecrets: with a secret of the process neither name
// and seed nor the same calls again give the secrets of an integration.
func TestAttackComputableSecrets(t *testing.T) {
	t.Parallel()
	options := integration.Options{Name: "partner", Seed: 1, Clock: integration.Manual}
	seen := map[string]bool{}
	for n := range 3 {
		r := registry(t, integration.Options{Secret: bytes.Repeat([]byte{byte(n)}, 32)})
		for range 3 {
			i, err := r.Create(options)
			require.NoError(t, err)
			o := i.Options()
			for _, secret := range []string{o.ClientSecret, o.WebhookSecret, create(t, i, "gym")} {
				require.False(t, seen[secret], "%s was drawn before", secret)
				seen[secret] = true
			}
			_, err = r.Delete(i.ID)
			require.NoError(t, err)
		}
	}
}

// TestOneDefaultOnly: of several processes that begin a log at once, each makes the default
// integration when it has read none, and another one may have come meanwhile.
func TestOneDefaultOnly(t *testing.T) {
	t.Parallel()
	for _, client := range []string{"", "shop"} {
		o, _ := ordering()
		defer o.registry.Close()
		for range 2 {
			require.NoError(t, o.registry.MakeDefault(integration.Options{ClientID: client, Environment: world.Sandbox}))
		}
		require.Len(t, o.registry.List(), 1)
		require.Equal(t, integration.DefaultID, o.registry.List()[0].ID)
	}
}
