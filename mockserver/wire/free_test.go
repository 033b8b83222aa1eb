package wire_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/wire"
)

func TestMaskFree(t *testing.T) {
	t.Parallel()
	tests := map[string]string{
		`{"a":{"clientSecret":"s3cret-A","b":[{"SSN":"123-45-6789"}]},"amount":5000}`: `{"a":{"clientSecret":"x1xxxx-x","b":[{"SSN":"111-11-1111"}]},"amount":5000}`,
		`{"accountNumber":123,"name":"secret"}`:                                       `{"accountNumber":111,"name":"secret"}`,
		`{"password":{"old":"abc","new":["d"]},"b":"c"}`:                              `{"password":{"xxx":"xxx","xxx":["x"]},"b":"c"}`,
		`{"secret":"ab`: `{"secret":"ab`,
		`[]`:            `[]`,
		``:              ``,
	}
	for body, want := range tests {
		b := []byte(body)
		wire.MaskFree(b)
		require.Equal(t, want, string(b), body)
	}
}
