package redact_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/report/redact"
)

// FuzzText: texts are what a service or an application has said. A value that was told is
// never left, what is struck stays so, and each line is judged by itself.
func FuzzText(f *testing.F) {
	f.Add("Authorization: Bearer abcdefgh\n{\"ssn\":\"123\"} 4111 1111 1111 1111", "s3cr3t value")
	f.Add("password=abc&x=s3cr3t+value eyJhbGciOiJIUzI1NiJ9.e30.c2ln", "s3cr3t value")
	f.Add(`{\"cvv\":\"1\",\"a\":\"s3cr3t \u0026\"}`, "s3cr3t &")
	f.Fuzz(func(t *testing.T, text, value string) {
		r := redact.New(value)
		got := r.Text(text)
		if len(value) >= 4 && !strings.Contains("[redacted card ]", value) && !strings.ContainsAny(value, "[]\" ") {
			require.NotContains(t, got, value)
		}
		plain := redact.New()
		once := plain.Text(text)
		require.Equal(t, once, plain.Text(once), "the second time changes nothing")
		if !strings.Contains(text, "\r") {
			lines := strings.Split(text, "\n")
			for i := range lines {
				lines[i] = plain.Text(lines[i])
			}
			require.Equal(t, strings.Join(lines, "\n"), once)
		}
	})
}
