package access_test

import (
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/integration/access"
	"paysandbox/mockserver/tape"
)

// FuzzRead gives foreign tokens: none that nobody has signed is valid, and what is said of
// them can be shown.
func FuzzRead(f *testing.F) {
	foreign, err := jwt.NewWithClaims(jwt.SigningMethodHS256, jwt.MapClaims{"integration": "default", "jti": "a\nb", "exp": time.Unix(1<<40, 0).Unix()}).SignedString([]byte("another"))
	require.NoError(f, err)
	f.Add(foreign)
	f.Add("eyJhbGciOiJub25lIn0.eyJpbnRlZ3JhdGlvbiI6ImRlZmF1bHQifQ.")
	f.Add("a.b.c")
	keys := access.NewKeys("default", "client", "secret", 1)
	f.Fuzz(func(t *testing.T, token string) {
		read := access.Read(token, func(id string) *access.Keys {
			if id == "default" {
				return keys
			}
			return nil
		})
		require.NotEqual(t, tape.AuthValid, read.Verdict, "nobody finds a signature by chance")
		require.NotEmpty(t, read.Verdict)
		require.False(t, strings.ContainsFunc(read.ID, func(c rune) bool { return c < ' ' || c > '~' }))
		require.LessOrEqual(t, len(read.ID), 128)
		_, _ = access.Bearer(token)
	})
}
