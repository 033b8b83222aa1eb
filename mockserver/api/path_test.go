package api_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/api"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/openapi"
)

// TestEveryPathEveryMethod: the methods of the table answer, all others are 405
// with Allow, in every spelling.
func TestEveryPathEveryMethod(t *testing.T) {
	t.Parallel()
	s := start(t, integration.Options{Seed: 7})
	methods := map[string][]string{}
	fill := strings.NewReplacer("{", "x-", "}", "")
	for _, op := range s.api.Operations() {
		path := strings.ToLower(op.Path)
		methods[path] = append(methods[path], op.Method)
		if op.Method == http.MethodGet {
			methods[path] = append(methods[path], http.MethodHead)
		}
	}
	require.NotEmpty(t, methods)
	for path, known := range methods {
		sort.Strings(known)
		known = slices.Compact(known)
		for _, spelling := range []string{fill.Replace(path), strings.ToUpper(fill.Replace(path)), fill.Replace(path) + "/"} {
			for _, method := range []string{"GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "LINK", "get"} {
				w := s.call(method, spelling, "")
				if slices.Contains(known, method) {
					require.NotEqual(t, http.StatusMethodNotAllowed, w.Code, "%s %s", method, spelling)
					continue
				}
				require.Equal(t, http.StatusMethodNotAllowed, w.Code, "%s %s: %s", method, spelling, w.Body)
				require.Equal(t, strings.Join(known, ", "), w.Header().Get("Allow"), "%s %s", method, spelling)
			}
		}
	}
}

func TestUnknownPathsNameTheNearest(t *testing.T) {
	t.Parallel()
	s := start(t, integration.Options{Seed: 7})
	for _, c := range []struct{ method, path, near string }{
		{"POST", "/Payment/Creat", "POST /Payment/Create"},
		{"POST", "/payments/create", "POST /Payment/Create"},
		{"GET", "/Company/Lists", "GET /Company/List"},
		{"GET", "/Payments", "POST /Payment/Create"},
		{"GET", "/api/v1/company/lists", "GET /Company/List"},
		{"POST", "/v2.1/payment/creat", "POST /Payment/Create"},
		{"POST", "/company/x/location", "POST /Company/{companyReferenceId}/Locations"},
		{"GET", "/company/x/location", "GET /Company/{companyReferenceId}/Locations"},
		{"GET", "/user/1/state", "GET /User/{registrationId}/Status"},
		{"POST", "/auth/tokens", "POST /auth/token"},
		{"POST", "/card-payment", "POST /CardPayment"},
		{"POST", "/CardPayment/Register", "POST /CardPayment"},
		{"POST", "/Payment/CardAuth", "POST /Payment/Card/Auth"},
		{"POST", "/Payments", "POST /Payment/Create"},
		{"GET", "http://example.com//Company/List", "/Company/List"},
		{"GET", "/Company//List", "/Company/List"},
		{"GET", "/Company/List//", "/Company/List"},
	} {
		p := s.refused(http.StatusNotFound, c.method, c.path, "")
		require.Contains(t, p.Detail, c.near, c.path)
	}
	for _, path := range []string{"/", "/xyz", "/" + strings.Repeat("a/", 2000), "/" + strings.Repeat("é", 500), "/v1/api/rest/of/something/else"} {
		s.refused(http.StatusNotFound, http.MethodGet, path, "")
	}
	s.refused(http.StatusNotFound, http.MethodGet, "/nothing", "", "Authorization", "")
}

// TestDoubleSlashIsNoRedirect: a redirect would turn POST into GET.
func TestDoubleSlashIsNoRedirect(t *testing.T) {
	t.Parallel()
	s := start(t, integration.Options{Seed: 7})
	for _, path := range []string{"//User/Register", "/User//Register", "/User/./Register", "/x/../User/Register", "/User/Register//"} {
		w := s.call(http.MethodPost, "http://example.com"+path, `{"redirectUrl":"https://p.co"}`)
		require.Equal(t, http.StatusNotFound, w.Code, path)
		require.Empty(t, w.Header().Get("Location"))
	}
}

func TestHead(t *testing.T) {
	t.Parallel()
	s := start(t, integration.Options{Seed: 7})
	s.company("gym")
	for _, path := range []string{"/Company/List", "/Company/gym/Status", "/company/status", "/Company/no/Status"} {
		get, head := s.call(http.MethodGet, path, ""), s.call(http.MethodHead, path, "")
		require.Equal(t, get.Code, head.Code)
		require.Empty(t, head.Body.String())
		require.Equal(t, get.Header().Get("Content-Length"), head.Header().Get("Content-Length"))
		require.Equal(t, get.Header().Get("Content-Type"), head.Header().Get("Content-Type"))
	}
}

// TestConditionalHeaders are ignored: answers have no validators and are whole.
func TestConditionalHeaders(t *testing.T) {
	t.Parallel()
	s := start(t, integration.Options{Seed: 7})
	whole := s.call(http.MethodGet, "/Company/List", "")
	for _, h := range [][2]string{{"If-None-Match", "*"}, {"If-Match", `"x"`}, {"If-Modified-Since", "Mon, 02 Mar 2099 17:00:00 GMT"}, {"Range", "bytes=0-1"}, {"Expect", "100-continue"}, {"Accept-Encoding", "gzip"}, {"X-Http-Method-Override", "DELETE"}} {
		w := s.call(http.MethodGet, "/Company/List", "", h[0], h[1])
		require.Equal(t, http.StatusOK, w.Code, h[0])
		require.Equal(t, whole.Body.String(), w.Body.String(), h[0])
		require.Empty(t, w.Header().Get("ETag")+w.Header().Get("Last-Modified"))
	}
}

// TestOverTheWire: chunked bodies, a closed-off length and HEAD through a real
// server.
func TestOverTheWire(t *testing.T) {
	t.Parallel()
	s := start(t, integration.Options{Seed: 7})
	server := httptest.NewServer(s.api)
	defer server.Close()
	pipe, in := io.Pipe()
	go func() {
		for _, part := range []string{`{"redirect`, `Url":"https`, `://p.co"}`} {
			_, _ = io.WriteString(in, part)
		}
		_ = in.Close()
	}()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+"/User/Register", pipe)
	require.NoError(t, err)
	r.Header.Set("Authorization", "Bearer "+s.token)
	r.Header.Set("Content-Type", "application/json")
	answer, err := server.Client().Do(r)
	require.NoError(t, err)
	body, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
	require.Equal(t, http.StatusOK, answer.StatusCode, string(body))
	require.Contains(t, string(body), server.URL+"/pages/default/register/")
	require.Equal(t, answer.ContentLength, int64(len(body)))
}

// TestHeadersOfEveryAnswer: the exchange's number, the virtual time, the surface.
func TestHeadersOfEveryAnswer(t *testing.T) {
	t.Parallel()
	s := start(t, integration.Options{Seed: 7})
	last := ""
	for _, c := range []struct{ path, surface string }{{"/Company/List", ""}, {"/Transaction/Report", "docs"}, {"/PaymentPlan/List", "provisional"}, {"/Company/x/Status", ""}, {"/nothing", ""}} {
		w := s.call(http.MethodGet, c.path, "", "X-Request-Id", "req-1")
		require.Equal(t, c.surface, w.Header().Get("Sandbox-Surface"), c.path)
		require.Equal(t, "2026-03-02T17:00:00Z", w.Header().Get("Sandbox-Time"))
		require.Equal(t, "Mon, 02 Mar 2026 17:00:00 GMT", w.Header().Get("Date"))
		require.Equal(t, "req-1", w.Header().Get("X-Request-Id"))
		require.NotEqual(t, last, w.Header().Get("Sandbox-Exchange"))
		last = w.Header().Get("Sandbox-Exchange")
	}
}

func TestSurfaces(t *testing.T) {
	t.Parallel()
	s := start(t, integration.Options{Seed: 7})
	for surface, want := range map[openapi.Surface][]int{openapi.Spec: {404, 404, 200}, openapi.Docs: {200, 404, 200}, openapi.Provisional: {200, 200, 200}, "": {200, 200, 200}} {
		s.api = api.New(api.Options{Registry: s.reg, Surface: surface, Wall: s.reg.Default().Options().Start.Local})
		for n, path := range []string{"/Transaction/Report", "/PaymentPlan/List", "/Company/List"} {
			require.Equal(t, want[n], s.call(http.MethodGet, path, "").Code, "%s %s", surface, path)
		}
	}
}
