package secret_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"paysandbox/harness/sampling"
	"paysandbox/mockserver/secret"
)

func TestInAddress(t *testing.T) {
	t.Parallel()
	for address, want := range map[string][]string{
		"https://p.example.com/hooks":                                                                      nil,
		"https://p.example.com/hooks/payments-and-refunds-of-the-gym?v=1":                                  nil,
		"https://p.example.com/hooks/3f0c4a53-9d3e-4f1f-8e9d-8c117b0c5b0e":                                 nil,
		"https://p.example.com/hooks?token=abc&v=1":                                                        {"?token=abc"},
		"https://p.example.com/hooks?Client_Secret=a%20b&sig=":                                             {"?Client_Secret=a%20b"},
		"https://hooks.example.com/services/T0A1/B0C2/x9Kd83jfLq02mzPw7Rt5Vb":                              {"x9Kd83jfLq02mzPw7Rt5Vb"},
		"https://p.example.com/?a=x9Kd83jfLq02mzPw7Rt5Vb&api-key=k1#token=not-called":                      {"x9Kd83jfLq02mzPw7Rt5Vb", "&api-key=k1"},
		"https://p.example.com/?a=x9Kd83jfLq0%32mzPw7Rt5%56b&b=QWxhZGRpbjpvcGVuIHNlc2FtZTE5OQ==":           {"x9Kd83jfLq0%32mzPw7Rt5%56b", "QWxhZGRpbjpvcGVuIHNlc2FtZTE5OQ=="},
		"https://p.example.com/hooks/a%2Fx9Kd83jfLq02mzPw7Rt5Vb?note=the%20season%20of%202026%20for%20all": {"a%2Fx9Kd83jfLq02mzPw7Rt5Vb"},
		"": nil,
	} {
		require.Equal(t, want, secret.InAddress(address), address)
		require.True(t, len(want) == 0 || secret.MayBeInAddress([]byte(address)), address)
	}
}

// TestShortSecretsOfAddresses are struck behind their names alone, however a body writes them.
func TestShortSecretsOfAddresses(t *testing.T) {
	t.Parallel()
	v := secret.NewValues("eyJ")
	v.Add(secret.InAddress("https://p.example.com/h?key=ab1&sig=c2d3e")...)
	text := `{"url":"https://p.example.com/h?key=ab1\u0026sig=c2d3e","a":"/h?key=ab1&sig=c2d3e","id":"ab1","n":"c2d3e"}`
	for n := range v.Words() {
		text = string(v.Words()[n].Body([]byte(text)))
	}
	require.Equal(t, `{"url":"https://p.example.com/h?key=xx1\u0026sig=x1x1x","a":"/h?key=xx1&sig=x1x1x","id":"ab1","n":"c2d3e"}`, text)
}

// TestMayBeInAddress: where the cheap look finds nothing, there is nothing, in the whole
// text or in a word of it.
func TestMayBeInAddress(t *testing.T) {
	t.Parallel()
	require.False(t, secret.MayBeInAddress([]byte("https://p.example.com/hooks/payments")))
	sampling.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOfN(rapid.SampledFrom([]string{"https", "://", "/", "?", "#", "=", "&", " ", "\n", "token", "p.example.com", "x9Kd83jfLq02mzPw7Rt5Vb", "a"}), 0, 12)
		text := strings.Join(parts.Draw(t, "parts"), "")
		found := secret.InAddress(text)
		for _, word := range strings.Fields(text) {
			found = append(found, secret.InAddress(word)...)
		}
		require.True(t, len(found) == 0 || secret.MayBeInAddress([]byte(text)), "%q holds %q", text, found)
	})
}

// FuzzAddress: an address is anything. What was struck of it holds no secret, keeps its
// length and its ways, and is left as it is when it is struck again.
func FuzzAddress(f *testing.F) {
	for _, text := range []string{"https://h.example/services/T0A1/x9Kd83jfLq02mzPw7Rt5Vb?token=a%20b&v=1#t", "/?%zz=1&card=4111+1111&n=4111%201111%201111%201111", "a=Bearer+8f3Kd0qLmZ7tRw2x", "?a=xx&sig=x", "//////?&&=&pwd==", "https://h.example/x%39Kd83jfLq02mzPw7Rt5V%62"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		list := secret.InAddress(text)
		require.True(t, len(list) == 0 || secret.MayBeInAddress([]byte(text)))
		struck := secret.Address(text)
		require.Len(t, struck, len(text))
		require.Equal(t, struck, secret.Address(struck), "the second time changes nothing")
		for _, left := range secret.InAddress(struck) {
			if left[0] == '?' || left[0] == '&' { // it stands behind its name
				_, left, _ = strings.Cut(left, "=")
			}
			require.Empty(t, strings.Trim(left, "x"))
		}
		query := secret.Query(text)
		require.Equal(t, query, secret.Query(query))
		require.Equal(t, strings.Count(text, "&"), strings.Count(query, "&"))
		left, found := secret.StruckQuery(text)
		again, _ := secret.StruckQuery(left)
		require.Equal(t, left, again)
		require.True(t, found || left == text)
	})
}
