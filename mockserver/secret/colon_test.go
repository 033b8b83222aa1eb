package secret_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/secret"
)

// TestCardsBehindSigns that mostly stand between numbers of their own, such as times.
func TestCardsBehindSigns(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"4111:1111:1111:1111":            "4111:1100:0000:1111",
		"4111;1111;1111;1111":            "4111;1100;0000;1111",
		"4111=1111=1111=1111":            "4111=1100=0000=1111",
		"pan=3782:822463:10005&x=1":      "pan=3782:820000:00005&x=1",
		"4111:1111:1111:1112":            "4111:1111:1111:1112",
		"4111:1111:1111:1111:1111":       "4111:1111:1111:1111:1111",
		"[4111:1111:1111:1111]":          "[4111:1111:1111:1111]",
		"219:09:9999":                    "219:09:9999",
		"2026-03-02T17:00:00Z":           "2026-03-02T17:00:00Z",
		"4111:1111":                      "4111:1111",
		"4242:4242:4242:4242:0:0:0:1":    "4242:4242:4242:4242:0:0:0:1",
		`{"a":4111,"b":1111,"c":"1111"}`: `{"a":4111,"b":1111,"c":"1111"}`,
	} {
		struck := secret.Text(text)
		require.Equal(t, want, struck, text)
		require.Equal(t, want, secret.Text(struck))
	}
}
