package source_test

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
)

// TestPercentSigns: one that begins no escape is sent as one that stands for itself.
func TestPercentSigns(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		"http://h/Company/50%off/Status": "/Company/50%25off/Status", "http://h/a%": "/a%25", "http://h/%4%zz": "/%254%25zz", "http://h/%%41": "/%25%41",
		"http://h/a%20b": "/a%20b", "{{base}}/Company/100%/Status?x=50%": "/Company/100%25/Status",
	} {
		var x recording.Exchange
		require.NoError(t, source.SetAddress(&x, raw), raw)
		require.Equal(t, want, x.Path, raw)
		_, err := url.ParseRequestURI(x.Path)
		require.NoError(t, err)
	}
}
