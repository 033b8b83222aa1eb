package integration_test

import (
	"runtime"
	"strings"
	"testing"
	"weak"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

// TestAttackWorldsThatAreOver: after a reset or a delete nothing holds what was there,
// although nobody calls again.
func TestAttackWorldsThatAreOver(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*integration.Registry, *integration.Integration) error{
		"reset": func(_ *integration.Registry, i *integration.Integration) error { return i.Reset() },
		"delete": func(r *integration.Registry, i *integration.Integration) error {
			_, err := r.Delete(i.ID)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := registry(t, integration.Options{})
			i, err := r.Create(integration.Options{Name: "ci", Clock: integration.Manual})
			require.NoError(t, err)
			var was weak.Pointer[world.World]
			i.Do(&integration.Call{Kind: tape.KindExchange}, func(w *world.World, _ *integration.Call) { was = weak.Make(w) })
			require.NoError(t, end(r, i))
			runtime.GC()
			require.True(t, was.Value() == nil, "nothing holds it")
			runtime.KeepAlive(i)
		})
	}
}

// TestAttackBodiesThatWereRefused: what a refused call has brought is not held by its
// integration.
func TestAttackBodiesThatWereRefused(t *testing.T) {
	t.Parallel()
	i := registry(t, integration.Options{}).Default()
	was := func() weak.Pointer[byte] {
		body := []byte(strings.Repeat("b", 1<<20))
		i.Do(&integration.Call{Kind: tape.KindExchange, Exchange: tape.Exchange{Request: tape.Request{Body: body}}}, func(*world.World, *integration.Call) {})
		return weak.Make(&body[0])
	}()
	runtime.GC()
	require.True(t, was.Value() == nil, "nothing holds it")
	runtime.KeepAlive(i)
}
