package secret_test

import (
	"testing"

	"github.com/stretchr/testify/require"

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
	}
}
