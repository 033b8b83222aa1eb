package mockserver_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
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

// TestNothingPersonalIsTaped sends card numbers, a social security number and a
// webhook's address with a token, wherever there is room for them: nothing of it is
// on the tape, in an event or in what a page shows, and the tape played again is the
// same.
func TestNothingPersonalIsTaped(t *testing.T) {
	t.Parallel()
	s, err := mockserver.New(rehearsalOptions(21))
	require.NoError(t, err)
	d := newDriver(s)
	for n := range 12 {
		moves()[n%len(moves())](d, n)
	}
	const card, spaced, ssn, token = "4111111111111111", "5500 0055 5555 5559", "123-45-6789", "x9Kd83jfLq02mzPw7Rt5Vb"
	for _, c := range []struct{ method, path, body string }{
		{"POST", "/Payment/Create", `{"amount":5000,"contactNumber":"` + ssn + `","shortDescription":"card ` + card + `","metadata":{"card":"` + spaced + `","n":` + card + `}}`},
		{"POST", "/Company/Create", `{"name":"Gym ` + ssn + `","companyReferenceId":"` + ssn + `","taxId":"` + ssn + `"}`},
		{"POST", "/User/Register", `{"redirectUrl":"https://p.example.com/?c=` + card + `","email":"` + ssn + `@example.com"`},
		{"GET", "/Company/" + ssn + "/Status?companyReferenceId=" + card + "&note=5500+0055+5555+5559", ""},
		{"GET", "/Company/5500%200055%205555%205559/Status", ""},
		{"POST", "/_sandbox/integrations/default/notes", `{"kind":"note","text":"` + spaced + ` ` + ssn + `","data":{"a":"` + card + `"}}`},
		{"POST", "/_sandbox/integrations/default/webhooks", `{"url":"https://hooks.example.com/services/` + token + `?client_secret=hunter2-hunter2"}`},
		{"POST", "/_sandbox/integrations/default/webhooks", `{"url":"https://hooks.example.com/h?key=abc12&sig=x1"}`},
		{"GET", "/pages/default/portal/" + ssn, ""},
		{"POST", "/Payment/Create", `{"amount":5000,"shortDescription":"Bearer 8f3Kd0qLmZ7tRw2x","metadata":{"log":"{\"password\": \"Tr0ub4dor&3\"}","key":"` + "sk_" + `live_4eC39HqLyjWDarjtT1zdp7dc"}}`},
		{"POST", "/_sandbox/integrations/default/notes", `{"kind":"note","text":"Basic dXNlcjpwYXNz"}`},
	} {
		d.call(c.method, c.path, c.body)
	}
	for n := range 12 {
		moves()[n%len(moves())](d, n)
	}
	file := written(t, s)
	for _, hidden := range []string{card, spaced, ssn, token, "hunter2", "=abc12", "sig=x1\"", "8f3Kd0q", "ub4dor", "4eC39Hq", "dXNlcjpw", "5500+0055+5555", "5500%200055%205555%205559"} {
		require.NotContains(t, file, hidden)
	}
	require.Contains(t, file, `card 4111110000001111`)
	require.Contains(t, file, `a card number, struck: 5500 0000 0000 5559`)
	require.Contains(t, file, "https://hooks.example.com/services/")
	requireReplay(t, s, 21)
	s.Registry().Close()
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

// TestPersonalDataElsewhereIsTold: what was struck of a path, a query, a header, a note
// or a page's form is told on the tape, and to the caller of an API in the answer; the
// tape played again tells the same.
func TestPersonalDataElsewhereIsTold(t *testing.T) {
	t.Parallel()
	s, err := mockserver.New(rehearsalOptions(22))
	require.NoError(t, err)
	d := newDriver(s)
	for n := range 4 {
		moves()[n%len(moves())](d, n)
	}
	const card = "4111111111111111"
	for _, c := range []struct{ method, path, header, body, pointer string }{
		{"GET", "/Company/" + card + "/Status", "", "", "path"},
		{"GET", "/Company/List?note=" + card, "", "", "query:note"},
		{"GET", "/Company/List", card, "", "header:User-Agent"},
		{"POST", "/_sandbox/integrations/default/notes", "", `{"kind":"note","data":{"a":"` + card + `"}}`, "/data/a"},
		{"POST", "/_sandbox/integrations/default/notes?x=" + card, "", `{"kind":"note"}`, "query:x"},
	} {
		require.Contains(t, warned(s, d, c.method, c.path, c.header, c.body), "request.personal-data "+c.pointer, c.path)
		require.NotContains(t, written(t, s), card)
	}
	require.Equal(t, "request.personal-data /redirectUrl", warned(s, d, "POST", "/User/Register", "", `{"redirectUrl":"https://x.example/b?access_token=`+d.token+`"}`), "by its name and by its form, told once")
	require.Contains(t, written(t, s), `"received":"a card number, struck: 4111110000001111"`)
	requireReplay(t, s, 22)
	s.Registry().Close()
}

// warned makes a call of an agent and gives the warning of its answer.
func warned(s *mockserver.Server, d *driver, method, path, agent, body string) string {
	r := httptest.NewRequest(method, "http://localhost"+path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+d.token)
	r.Header.Set("User-Agent", agent)
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, r)
	return w.Header().Get("Sandbox-Warning")
}

// TestSecretsInOtherEncodingsAreToldAndStruck: the integration's own secrets in Base64,
// hexadecimal digits and escapes, in a body, a header and a query, on each surface: the tape
// holds none, the caller is told, and the tape played again tells the same.
func TestSecretsInOtherEncodingsAreToldAndStruck(t *testing.T) {
	t.Parallel()
	s, err := mockserver.New(rehearsalOptions(23))
	require.NoError(t, err)
	d := newDriver(s)
	for n := range 4 {
		moves()[n%len(moves())](d, n)
	}
	var escaped strings.Builder
	for _, c := range []byte(spilt) {
		escaped.WriteString("%" + hex.EncodeToString([]byte{c}))
	}
	encodings := []string{
		base64.StdEncoding.EncodeToString([]byte(spilt)), base64.URLEncoding.EncodeToString([]byte("x:" + spilt + "?>")),
		hex.EncodeToString([]byte(spilt)), strings.ToUpper(hex.EncodeToString([]byte(spilt))), escaped.String(),
	}
	for _, written := range encodings {
		for _, c := range []struct{ method, path, header, body string }{
			{"GET", "/Company/List?note=" + written, "", ""},
			{"GET", "/Company/List", written, ""},
			{"POST", "/Company/Create", "", `{"name":"Gym ` + written + `"}`},
			{"POST", "/_sandbox/integrations/default/notes", "", `{"kind":"note","data":{"a":"` + written + `"}}`},
		} {
			require.Contains(t, warned(s, d, c.method, c.path, c.header, c.body), "request.personal-data", "%s %s", c.path, c.body)
		}
	}
	file := written(t, s)
	for _, hidden := range append(encodings, spilt) {
		require.NotContains(t, file, hidden)
	}
	require.Contains(t, file, "a secret of this integration in another encoding, struck")
	requireReplay(t, s, 23)
	s.Registry().Close()
}
