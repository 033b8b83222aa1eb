package wire_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/wire"
)

// TestPersonalDataIsStruck: what has the form of a card's number or of a social
// security number does not get as far as the world, and the caller is told where it
// stood. A struck body tells the same, so that it can be played again.
func TestPersonalDataIsStruck(t *testing.T) {
	t.Parallel()
	body := `{"text":"SSN 123-45-6789","metadata":{"a":["4111 1111 1111 1111",{"n":5500005555555559}]},"ssn":"123-45-6789","clientSecret":"4111111111111111","title":"4111111111111111"}`
	var e everything
	b := []byte(body)
	r := wire.Decode(b, &e, wire.Options{})
	require.Equal(t, body, string(b), "the body is left to the caller")
	require.NoError(t, errOf(r))
	require.Equal(t, "SSN 111-11-1111", *e.Text)
	require.JSONEq(t, `{"a":["4111 1100 0000 1111",{"n":5500000000005559}]}`, e.Metadata)
	require.Equal(t, []string{"123-45-6789", "4111111111111111"}, []string{*e.SSN, e.Secret}, "where it belongs it is taken")
	pointers := map[string]string{}
	for _, f := range r.Findings {
		if f.Clause == "request.personal-data" {
			require.True(t, f.Advisory)
			pointers[f.Pointer] = f.Received
		}
	}
	require.Equal(t, map[string]string{
		"/text": "a social security number, struck: 111-11-1111", "/metadata/a/0": "a card number, struck: 4111 1100 0000 1111",
		"/metadata/a/1/n": "a card number, struck: 5500000000005559", "/title": "a card number, struck: 4111110000001111",
	}, pointers)
	r.Mask(b)
	require.JSONEq(t, `{"text":"SSN 111-11-1111","metadata":{"a":["4111 1100 0000 1111",{"n":5500000000005559}]},"ssn":"111-11-1111","clientSecret":"1111111111111111","title":"4111110000001111"}`, string(b))

	var again everything
	second := wire.Decode(b, &again, wire.Options{})
	require.Equal(t, r, second, "a struck body tells the same")
	require.Equal(t, e.Metadata, again.Metadata)
}

// TestPersonalDataInABrokenBody: what cannot be read is not kept either.
func TestPersonalDataInABrokenBody(t *testing.T) {
	t.Parallel()
	b := []byte(`{"text":"4111 1111 1111 1111","amount":}`)
	var e everything
	r := wire.Decode(b, &e, wire.Options{})
	require.Error(t, errOf(r))
	r.Mask(b)
	require.Contains(t, string(b), "4111 1100 0000 1111")
}

// TestTheReferenceIsNoSecretInAnAddress: the order's own reference stands in most return
// addresses. Struck from the call, nobody could tell two orders apart.
func TestTheReferenceIsNoSecretInAnAddress(t *testing.T) {
	t.Parallel()
	const id, other = "01M8J0YN4GFVXTBTBF4TX82FAF", "01M8J0YNCAT20NMDV2QP231H8A"
	for body, want := range map[string][]string{
		`{"returnUrl":"https://shop.test/back?ref=` + id + `","reference":"` + id + `"}`:                               nil,
		`{"Reference":"` + id + `","returnUrl":"https://shop.test/orders/` + id + `?t=` + other + `"}`:                 {other},
		`{"reference":"` + id + `","returnUrl":"https://shop.test/back?token=` + id + `"}`:                             {id},
		`{"metadata":{"reference":"` + id + `"},"returnUrl":"https://shop.test/back?ref=` + id + `"}`:                  {id},
		`{"shortDescription":"reference","emailAddress":"` + id + `","returnUrl":"https://shop.test/?ref=` + id + `"}`: {id},
		`{"reference":null,"returnUrl":"https://shop.test/back?ref=` + id + `"}`:                                       {id},
		`{"returnUrl":"https://shop.test/back?ref=` + id + `"}`:                                                        {id},
	} {
		found, told := wire.Addresses([]byte(body))
		require.Equal(t, want, found, body)
		require.Len(t, told, len(want), body)
	}
}

func errOf(r wire.Result) error {
	if r.Err == nil {
		return nil
	}
	return r.Err
}
