package integration_test

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/delivery"
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
	reg := registry(t, integration.Options{Name: "default", ClientSecret: "client-hush-5678", StatusKey: "payments", Clock: integration.Manual})
	i := reg.Default()
	i.Do(&integration.Call{Kind: tape.KindControl}, func(w *world.World, _ *integration.Call) {
		_, err := w.Webhooks().Add(delivery.NewEndpoint{URL: "https://p.example.com/hooks", Secret: &own})
		require.NoError(t, err)
	})
	answer := []byte(`{"echo":"whsec_hush-1234"}`)
	call := integration.Call{Kind: tape.KindExchange}
	i.Do(&call, func(_ *world.World, c *integration.Call) {
		c.Exchange = tape.Exchange{
			Method: "POST", Path: "/Company/client-hush-5678", Query: "a=whsec_hush-1234",
			Request:  tape.Request{Header: []tape.Header{{Name: "User-Agent", Value: "shop (id:client-hush-5678) payments"}}, Body: []byte(`{"a":"client-hush-5678","b":"payments"}`)},
			Response: tape.Response{Status: 200, Header: []tape.Header{{Name: "Location", Value: "/client-hush-5678"}}, Body: answer},
		}
	})
	require.JSONEq(t, `{"echo":"whsec_hush-1234"}`, string(answer), "the caller hears what it has said")

	var file bytes.Buffer
	entries := i.Read(past(t), tape.Filter{}).Entries
	require.NoError(t, tape.Write(&file, tape.Meta{}, slices.Values(entries)))
	require.NotContains(t, file.String(), "hush")
	x := entries[len(entries)-1].Exchange
	require.Equal(t, "shop (id:[secret]) payments", x.Request.Header[0].Value)
	require.JSONEq(t, `{"a":"xxxxxx-xxxx-1111","b":"payments"}`, string(x.Request.Body), "its form stays, and a word is no secret")
	require.JSONEq(t, `{"echo":"xxxxx_xxxx-1111"}`, string(x.Response.Body))
	require.Equal(t, []string{"/Company/xxxxxx-xxxx-1111", "a=xxxxx_xxxx-1111"}, []string{x.Path, x.Query})
}

// taped gives the exchange as it stands on the tape.
func taped(t *testing.T, i *integration.Integration, x tape.Exchange) *tape.Exchange {
	t.Helper()
	call := integration.Call{Kind: tape.KindExchange}
	i.Do(&call, func(_ *world.World, c *integration.Call) { c.Exchange = x })
	entries := i.Read(past(t), tape.Filter{}).Entries
	return entries[len(entries)-1].Exchange
}

// TestSecretsAreNotTapedHoweverTheyAreSpelt: an address and JSON write what is no
// letter or digit in ways of their own, and what stands instead can be read there.
func TestSecretsAreNotTapedHoweverTheyAreSpelt(t *testing.T) {
	t.Parallel()
	reg := registry(t, integration.Options{Name: "default", ClientSecret: `hu/sh+5"=%2Fa`, Clock: integration.Manual})
	x := taped(t, reg.Default(), tape.Exchange{
		Method: "GET", Path: "/Company/hu%2Fsh+5%22=%252Fa", Query: "a=hu%2Fsh%2B5%22%3D%252Fa",
		Request: tape.Request{Header: []tape.Header{{Name: "User-Agent", Value: "shop hu%2Fsh%2B5%22%3D%252Fa"}}, Body: []byte(`"hu/sh+5\"=%2Fa"`)},
	})
	require.Equal(t, "/Company/xx%2Fxx+1%22=%252Fx", x.Path)
	require.Equal(t, "a=xx%2Fxx%2B1%22%3D%252Fx", x.Query)
	require.Equal(t, "shop [secret]", x.Request.Header[0].Value)
	require.Equal(t, `"xx/xx+1\"=%2Fx"`, string(x.Request.Body))

	reg = registry(t, integration.Options{Name: "default", ClientSecret: "hush/5678==", Clock: integration.Manual})
	x = taped(t, reg.Default(), tape.Exchange{Method: "GET", Path: "/", Query: "b=hush%2f5678%3d%3d", Request: tape.Request{Body: []byte(`"hush\/5678=="`)}})
	require.Equal(t, "b=xxxx%2f1111%3d%3d", x.Query)
	require.Equal(t, `"xxxx\/1111=="`, string(x.Request.Body))
}

// TestTokensAreNotTaped: of an access token that stands where it should not, the
// tape keeps that it was one, and nothing that opens a door.
func TestTokensAreNotTaped(t *testing.T) {
	t.Parallel()
	i := registry(t, integration.Options{Name: "default", Clock: integration.Manual}).Default()
	token, err := i.Sign(world.Token{Generation: 1})
	require.NoError(t, err)
	signature := token[strings.LastIndexByte(token, '.')+1:]
	x := taped(t, i, tape.Exchange{
		Method: "GET", Path: "/Company/" + token + "/Status", Query: "t=" + token + "&u=" + token,
		Request: tape.Request{Header: []tape.Header{{Name: "User-Agent", Value: "shop " + token}}, Body: []byte(token + " and eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.")},
	})
	struck := strings.TrimSuffix(token, signature) + strings.Repeat("x", len(signature))
	require.Equal(t, "/Company/"+struck+"/Status", x.Path)
	require.Equal(t, "t="+struck+"&u="+struck, x.Query)
	require.Equal(t, "shop "+struck, x.Request.Header[0].Value)
	require.Equal(t, struck+" and eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.", string(x.Request.Body))
}

// TestSecretsOfReceiversAreNotTaped: what a receiver answers, and where a file
// lies, tells no secret either.
func TestSecretsOfReceiversAreNotTaped(t *testing.T) {
	t.Parallel()
	const secret = "client-hush-5678"
	i := registry(t, integration.Options{Name: "default", ClientSecret: secret, Clock: integration.Manual}).Default()
	id, at := uuid.NewString(), integration.DefaultStart.UnixNano()
	attempt := tape.Attempt{
		Delivery: id, Number: 1, URL: "https://p.example.com/" + secret, Status: 302, Error: "redirect to /" + secret + " not followed",
		ResponseHeader: []tape.Header{{Name: "Location", Value: "/" + secret}}, ResponseBody: []byte(secret),
	}
	fetch := tape.Fetch{URL: "https://p.example.com/" + secret, Status: 404, Error: "redirect to /" + secret}
	require.NoError(t, i.Refeed(&tape.Entry{Seq: 1, At: at, Kind: tape.KindAttempt, Attempt: &attempt}))
	require.NoError(t, i.Refeed(&tape.Entry{Seq: 2, At: at, Kind: tape.KindFetch, Entities: []string{id}, Fetch: &fetch}))

	const struck = "xxxxxx-xxxx-1111"
	entries := i.Read(past(t), tape.Filter{}).Entries
	a, f := entries[0].Attempt, entries[1].Fetch
	require.Equal(t, []string{"https://p.example.com/" + struck, "redirect to /" + struck + " not followed", "/[secret]", struck},
		[]string{a.URL, a.Error, a.ResponseHeader[0].Value, string(a.ResponseBody)})
	require.Equal(t, []string{"https://p.example.com/" + struck, "redirect to /" + struck}, []string{f.URL, f.Error})
}

// TestSecretsStaySecret: one that was rotated out is still struck, and a new one at
// once.
func TestSecretsStaySecret(t *testing.T) {
	t.Parallel()
	i := registry(t, integration.Options{Name: "default", Clock: integration.Manual}).Default()
	before, after := "whsec_hush-before", "whsec_hush-after"
	i.Do(&integration.Call{Kind: tape.KindControl}, func(w *world.World, _ *integration.Call) {
		_, err := w.Webhooks().Add(delivery.NewEndpoint{URL: "https://p.example.com/hooks", Secret: &before})
		require.NoError(t, err)
	})
	x := taped(t, i, tape.Exchange{Method: "GET", Path: "/" + before})
	require.Equal(t, "/xxxxx_xxxx-xxxxxx", x.Path)
	i.Do(&integration.Call{Kind: tape.KindControl}, func(w *world.World, _ *integration.Call) {
		_, err := w.Webhooks().RotateSecret(w.Webhooks().List()[0].ID, &after)
		require.NoError(t, err)
	})
	require.Equal(t, "/xxxxx_xxxx-xxxxx", taped(t, i, tape.Exchange{Method: "GET", Path: "/" + after}).Path, "the new one")
	require.Equal(t, "/xxxxx_xxxx-xxxxxx", taped(t, i, tape.Exchange{Method: "GET", Path: "/" + before}).Path, "the old one")
}
