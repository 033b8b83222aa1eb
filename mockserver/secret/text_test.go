package secret_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/secret"
)

// TestLogText hides people and keeps ids: an id of many digits was cut to pieces once.
func TestLogText(t *testing.T) {
	t.Parallel()
	const hidden = secret.LogHidden
	for text, want := range map[string]string{
		"GET /payment/12345678-1234-4321-8765-1234567890ab/status": "GET /payment/12345678-1234-4321-8765-1234567890ab/status",
		"trace 0123456789abcdef0123456789abcdef ended":             "trace 0123456789abcdef0123456789abcdef ended",
		"card 4111 1111 1111 1111":                                 "card " + hidden,
		"phone +1 415-555-0132":                                    "phone " + hidden,
		"SSN 123-45-6789":                                          "SSN " + hidden,
		"number 12345678123443218765123456789012":                  "number " + hidden,
		"12345678-1234-4321-8765-123456789012":                     hidden,
		"mail ann.lee+x@example.com":                               "mail " + hidden,
		"mail deadbeefdeadbeefdeadbeefdeadbe@a.io":                 "mail " + hidden,
		"Bearer eyJhbGciOi.eyJqdGkiOi.c2ln":                        "Bearer " + hidden,
		"entry 470 of 20000":                                       "entry 470 of 20000",
	} {
		require.Equal(t, want, secret.LogText(text), text)
	}
}
