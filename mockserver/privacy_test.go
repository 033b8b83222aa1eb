package mockserver_test

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver"
	"paysandbox/mockserver/tape"
)

// written is the tape of the default integration as a file.
func written(t *testing.T, s *mockserver.Server) string {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var file bytes.Buffer
	r := s.Registry().Default().Read(ctx, tape.Filter{})
	require.NoError(t, tape.Write(&file, r.Meta, slices.Values(r.Entries)))
	return file.String()
}

// TestNoSecretOfAQueryIsTaped: whatever its spelling, on each of the surfaces.
func TestNoSecretOfAQueryIsTaped(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/Company/x/Status", "/pages/default/portal/x", "/_sandbox/integrations/default/notes"} {
		for _, name := range []string{"client_secret", "clientSecret", "client-secret", "access_token", "Password"} {
			s := server(t, tape.Limits{})
			r := httptest.NewRequest(http.MethodPost, "http://localhost"+path+"?"+name+"=hunter22", http.NoBody)
			s.Handler().ServeHTTP(httptest.NewRecorder(), r)
			file := written(t, s)
			require.Contains(t, file, name+"=xxxxxxxx", path)
			require.NotContains(t, file, "hunter22", path)
		}
	}
}
