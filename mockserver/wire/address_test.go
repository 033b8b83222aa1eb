package wire_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/wire"
)

func TestPageBase(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ host, proto, forwarded, want string }{
		{"127.0.0.1:8484", "", "", "http://127.0.0.1:8484/pages/i"},
		{"[::1]:8484", "", "", "http://[::1]:8484/pages/i"},
		{"sandbox:1", "https", "", "https://sandbox:1/pages/i"},
		{"inner:1", "https", "pay.example.com", "https://pay.example.com/pages/i"},
		{`evil"><script>`, "", "", "http://localhost/pages/i"},
		{"a b", "", "", "http://localhost/pages/i"},
		{"x", "", "y/../z", "http://localhost/pages/i"},
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Host = row.host
		r.Header.Set("X-Forwarded-Proto", row.proto)
		r.Header.Set("X-Forwarded-Host", row.forwarded)
		require.Equal(t, row.want, wire.PageBase(r, "i"), "%+v", row)
	}
}
