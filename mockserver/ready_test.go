package mockserver_test

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/fixtures"
	"paysandbox/mockserver"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

// TestReadyWorldsHoldWhatTheySay in both environments, and are the same each time.
func TestReadyWorldsHoldWhatTheySay(t *testing.T) {
	t.Parallel()
	holds := map[string]string{
		"verified-company":  `"to":"Verified"`,
		"registered-payer":  `"to":"Registered"`,
		"paid-payment":      `"to":"Paid"`,
		"paid-and-returned": `"from":"Paid","to":"Failed"`,
		"monthly-plan":      `"machine":"plan","entity":"`,
		"saved-card":        `last4\":\"4242\"`,
	}
	s := server(t, tape.Limits{})
	for _, name := range fixtures.ReadyWorlds() {
		for _, environment := range []world.Environment{world.Sandbox, world.Rehearsal} {
			made, err := s.Ready(name, integration.Options{Environment: environment}, "")
			require.NoError(t, err, name)
			again, err := server(t, tape.Limits{}).Ready(name, integration.Options{Environment: environment}, "")
			require.NoError(t, err)
			require.Equal(t, made.Bytes(), again.Bytes(), name)
			fork, err := s.Registry().Fork(made, integration.Options{Name: name + string(environment)})
			require.NoError(t, err)
			require.Contains(t, holds, name)
			require.Contains(t, lines(t, fork), holds[name], "%s in %s", name, environment)
		}
	}
	none, err := s.Ready("nothing", integration.Options{}, "")
	require.NoError(t, err)
	require.Nil(t, none)
}

// lines are an integration's tape as a file.
func lines(t *testing.T, i *integration.Integration) string {
	t.Helper()
	ctx, cancel := contextDone()
	defer cancel()
	r := i.Read(ctx, tape.Filter{})
	var b strings.Builder
	require.NoError(t, tape.Write(&b, r.Meta, slices.Values(r.Entries)))
	return b.String()
}

// TestATapeIsLoaded: it is played again, under whichever clock it was recorded; one that
// does not come to the same is refused with its place.
func TestATapeIsLoaded(t *testing.T) {
	t.Parallel()
	recorded := still(t, rehearsalOptions(5))
	t.Cleanup(recorded.Registry().Close)
	d := newDriver(recorded)
	for n := range 200 {
		moves()[n%len(moves())](d, n)
	}
	file := lines(t, recorded.Registry().Default())
	o := rehearsalOptions(6)
	o.Integration.StatusKey = ""
	other := still(t, o)
	t.Cleanup(other.Registry().Close)
	ctx := t.Context()
	_, err := other.Load(ctx, []byte(strings.Replace(file, `"seed":5`, `"seed":8`, 1)))
	var refusal *kernel.Error
	require.ErrorAs(t, err, &refusal)
	require.Contains(t, refusal.Findings[0].Pointer, "/entries")
	require.NotEmpty(t, refusal.Findings[0].Received)
	_, err = other.Load(ctx, []byte("hello"))
	require.ErrorAs(t, err, &refusal)
	parts := bytes.SplitAfter([]byte(file), []byte("\n"))
	_, err = other.Load(ctx, bytes.Join(append(parts[:1:1], parts[5:]...), nil))
	require.ErrorAs(t, err, &refusal)
}

// TestALoadedTapeGoesOn as the integration that it was recorded of.
func TestALoadedTapeGoesOn(t *testing.T) {
	t.Parallel()
	made := func() *mockserver.Server {
		o := rehearsalOptions(5)
		o.Integration.StatusKey, o.Integration.WebhookSecret, o.Integration.WebhookURL = "", "", ""
		s := still(t, o)
		t.Cleanup(s.Registry().Close)
		return s
	}
	a, b := made(), made()
	d := newDriver(a)
	for n := range 120 {
		moves()[n%len(moves())](d, n)
	}
	file := lines(t, a.Registry().Default())
	s, err := b.Load(t.Context(), []byte(file))
	require.NoError(t, err)
	require.NoError(t, b.Registry().Default().Restore(s))
	struck := regexp.MustCompile(`x{8,}|"sha256":".*"`) // tokens of another secret may be longer
	require.True(t, struck.ReplaceAllString(file, "") == struck.ReplaceAllString(lines(t, b.Registry().Default()), ""), "the tapes differ")
}
