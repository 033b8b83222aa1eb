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
		"https://p.example.com/hooks":                                                 nil,
		"https://p.example.com/hooks/payments-and-refunds-of-the-gym?v=1":             nil,
		"https://p.example.com/hooks/3f0c4a53-9d3e-4f1f-8e9d-8c117b0c5b0e":            nil,
		"https://p.example.com/hooks?token=abc&v=1":                                   {"abc"},
		"https://p.example.com/hooks?Client_Secret=a%20b&sig=":                        {"a%20b"},
		"https://hooks.example.com/services/T0A1/B0C2/x9Kd83jfLq02mzPw7Rt5Vb":         {"x9Kd83jfLq02mzPw7Rt5Vb"},
		"https://p.example.com/?a=x9Kd83jfLq02mzPw7Rt5Vb&api-key=k1#token=not-called": {"x9Kd83jfLq02mzPw7Rt5Vb", "k1"},
		"": nil,
	} {
		require.Equal(t, want, secret.InAddress(address), address)
		require.True(t, len(want) == 0 || secret.MayBeInAddress([]byte(address)), address)
	}
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
