package integration_test

import (
	"bytes"
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

// past is a context that has ended: what is there is read at once.
func past(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx
}

// TestSecretsAreNotTaped: those of the integration are struck wherever a caller has
// put them, and the answer that goes out stays as it is.
func TestSecretsAreNotTaped(t *testing.T) {
	t.Parallel()
	own := "whsec_hush-1234"
	reg := registry(t, integration.Options{Name: "default", ClientSecret: "client-hush-5678", StatusKey: "word", Clock: integration.Manual})
	i := reg.Default()
	i.Do(&integration.Call{Kind: tape.KindControl}, func(w *world.World, _ *integration.Call) {
		_, err := w.AddEndpoint(world.NewEndpoint{URL: "https://p.example.com/hooks", Secret: &own})
		require.NoError(t, err)
	})
	answer := []byte(`{"echo":"whsec_hush-1234"}`)
	call := integration.Call{Kind: tape.KindExchange}
	i.Do(&call, func(_ *world.World, c *integration.Call) {
		c.Exchange = tape.Exchange{
			Method: "POST", Path: "/Company/client-hush-5678", Query: "a=whsec_hush-1234",
			Request:  tape.Request{Header: []tape.Header{{Name: "User-Agent", Value: "shop (id:client-hush-5678) word"}}, Body: []byte(`{"a":"client-hush-5678","b":"a word"}`)},
			Response: tape.Response{Status: 200, Header: []tape.Header{{Name: "Location", Value: "/client-hush-5678"}}, Body: answer},
		}
	})
	require.JSONEq(t, `{"echo":"whsec_hush-1234"}`, string(answer), "the caller hears what it has said")

	var file bytes.Buffer
	entries := i.Read(past(t), tape.Filter{}).Entries
	require.NoError(t, tape.Write(&file, tape.Meta{}, slices.Values(entries)))
	require.NotContains(t, file.String(), "hush")
	x := entries[len(entries)-1].Exchange
	require.Equal(t, "shop (id:[secret]) word", x.Request.Header[0].Value)
	require.JSONEq(t, `{"a":"xxxxxx-xxxx-1111","b":"a word"}`, string(x.Request.Body), "its form stays")
	require.JSONEq(t, `{"echo":"xxxxx_xxxx-1111"}`, string(x.Response.Body))
	require.Equal(t, []string{"/Company/xxxxxx-xxxx-1111", "a=xxxxx_xxxx-1111"}, []string{x.Path, x.Query})
}
