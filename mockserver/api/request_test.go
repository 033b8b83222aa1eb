package api_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/integration"
)

// TestIntegers: every way of writing a number has a declared answer.
func TestIntegers(t *testing.T) {
	t.Parallel()
	s := start(t, integration.Options{Seed: 7})
	s.company("gym")
	payer := s.payer("+12025550123", "good")
	card := s.card(payer, "4242424242424242")
	rest := map[string]string{
		"/Payment/Create":          `,"contactNumber":"2025550123"}`,
		"/Payment/ChargeSavedCard": `,"registrationId":"` + payer + `","paymentMethodId":"` + card + `"}`,
		"/CardPayment":             `,"mobileNumber":"+12025550123"}`,
		"/Payment/Card/Auth":       `,"contactNumber":"2025550123"}`,
	}
	for literal, want := range map[string]string{
		"1": "", "5000": "", "2147483647": "",
		"5000.0": "request.integer", "5e3": "request.integer", "5E+3": "request.integer", "0.5": "request.integer", "1e400": "request.integer", "-0.0": "request.integer", "1e-1": "request.integer",
		"0": "amount-range", "-0": "amount-range", "-1": "amount-range", "-9223372036854775808": "amount-range",
		"9223372036854775808": "request.integer-range", "-9223372036854775809": "request.integer-range", strings.Repeat("9", 400): "request.integer-range",
		`"5000"`: "request.type", `""`: "request.type", "true": "request.type", "[5]": "request.type", `{"value":5}`: "request.type",
		"null": "amount", "00": "request.json", "05": "request.json", "+5": "request.json", ".5": "request.json", "5.": "request.json", "0x5": "request.json", "NaN": "request.json", "1_000": "request.json", "٥": "request.json",
	} {
		for path, tail := range rest {
			w := s.call(http.MethodPost, path, `{"amount":`+literal+tail)
			if want == "" {
				require.Equal(t, http.StatusOK, w.Code, "%s %s: %s", path, literal, w.Body)
				continue
			}
			p := readProblem(t, http.StatusBadRequest, w)
			require.Len(t, p.Errors, 1, "%s %s", path, literal)
			expected := want
			if path == "/Payment/ChargeSavedCard" && literal == "-9223372036854775808" {
				expected = "request.integer-range"
			}
			require.True(t, strings.HasSuffix(p.clauses()[0], expected), "%s %s: %s", path, literal, p.clauses()[0])
		}
	}
	for literal, wide := range map[string]bool{"2147483648": true, "4294967297": true, "9223372036854775807": true} {
		require.Equal(t, wide, s.call(http.MethodPost, "/Payment/Create", `{"amount":`+literal+rest["/Payment/Create"]).Code == http.StatusOK)
		p := s.refused(http.StatusBadRequest, http.MethodPost, "/Payment/ChargeSavedCard", `{"amount":`+literal+rest["/Payment/ChargeSavedCard"])
		require.Equal(t, []string{"/amount request.integer-range"}, p.clauses())
	}
	lines := list(s.ok(http.MethodGet, "/Transaction/Report?status=Created", ""), "transactions")
	w := s.call(http.MethodGet, "/Payment/"+lines[len(lines)-1]["externalTransferId"].(string)+"/Status", "")
	require.Regexp(t, `"value":(2147483648|4294967297|9223372036854775807),`, w.Body.String()) // not rounded
}

// TestBodies: bodies that are not the JSON object that they should be.
func TestBodies(t *testing.T) {
	t.Parallel()
	s := start(t, integration.Options{Seed: 7})
	deep := strings.Repeat(`{"a":`, 64) + "1" + strings.Repeat("}", 64)
	for name, c := range map[string]struct{ body, clause string }{
		"blank":             {" \n\t ", "request.empty-body"},
		"array":             {`[{"redirectUrl":"https://p.co"}]`, "request.object"},
		"string":            {`"x"`, "request.object"},
		"null":              {`null`, "request.object"},
		"truncated":         {`{"redirectUrl":"https://p.co"`, "request.json"},
		"truncated escape":  {`{"redirectUrl":"https://p.co\u00`, "request.json"},
		"two objects":       {`{"redirectUrl":"https://p.co"} {}`, "request.json"},
		"trailing comma":    {`{"redirectUrl":"https://p.co",}`, "request.json"},
		"single quotes":     {`{'redirectUrl':'https://p.co'}`, "request.json"},
		"comment":           {`{/* no */"redirectUrl":"https://p.co"}`, "request.json"},
		"BOM":               {"\ufeff" + `{"redirectUrl":"https://p.co"}`, "request.utf8"},
		"not UTF-8":         {"{\"redirectUrl\":\"https://p.co\",\"email\":\"\xff\"}", "request.utf8"},
		"UTF-16":            {"{\x00\"\x00r\x00\"\x00", "request.json"},
		"lone surrogate":    {`{"redirectUrl":"\ud800"}`, "request.json"},
		"control character": {"{\"redirectUrl\":\"a\x01b\"}", "request.json"},
		"too deep":          {`{"redirectUrl":"https://p.co","x":` + deep + `}`, "request.depth"},
	} {
		p := s.refused(http.StatusBadRequest, http.MethodPost, "/User/Register", c.body)
		require.Equal(t, []string{" " + c.clause}, p.clauses(), name)
		require.Equal(t, "urn:paysandbox:problem:malformed-body", p.Type, name)
		require.Contains(t, p.Errors, "$", name)
	}
	p := s.refused(http.StatusBadRequest, http.MethodPost, "/User/Register", "")
	require.Equal(t, []string{" request.empty-body"}, p.clauses())
	require.Equal(t, http.StatusOK, s.call(http.MethodPost, "/User/Register", " {\"redirectUrl\":\"https://p.co\",\"x\":"+strings.Repeat("[", 63)+strings.Repeat("]", 63)+"}\n").Code)
}

func TestDuplicateMembers(t *testing.T) {
	t.Parallel()
	s := start(t, integration.Options{Seed: 7})
	for body, want := range map[string]string{
		`{"redirectUrl":"https://a.co","redirectUrl":"https://a.co"}`:      "/redirectUrl request.duplicate-member",
		`{"redirectUrl":"https://a.co","RedirectURL":"https://b.co"}`:      "/redirectUrl request.duplicate-member",
		`{"redirectUrl":"https://a.co","redirect\u0055rl":"https://b.co"}`: "/redirectUrl request.duplicate-member",
	} {
		require.Equal(t, []string{want}, s.refused(http.StatusBadRequest, http.MethodPost, "/User/Register", body).clauses(), body)
	}
	p := s.refused(http.StatusBadRequest, http.MethodPost, "/Company/Create", strings.Replace(companyJSON(t, "x"), `"ssn":"6068"`, `"ssn":"6068","SSN":"6069"`, 1))
	require.Equal(t, []string{"/owner/ssn request.duplicate-member"}, p.clauses())
	require.NotContains(t, p.Findings[0].Received, "6069")
}

func TestUnknownMembers(t *testing.T) {
	t.Parallel()
	s := start(t, integration.Options{Seed: 7})
	w := s.call(http.MethodPost, "/User/Register", `{"redirectUrl":"https://p.co","mobilNumber":"+12025550123","ключ":1,"a/b~c":2}`)
	require.Equal(t, http.StatusOK, w.Code)
	require.Equal(t, "request.unknown-member /mobilNumber, request.unknown-member /????????, request.unknown-member /a~1b~0c", strings.NewReplacer("/????,", "/????????,").Replace(w.Header().Get("Sandbox-Warning")))
	strict := start(t, integration.Options{Seed: 7, Strict: true})
	p := strict.refused(http.StatusBadRequest, http.MethodPost, "/User/Register", `{"redirectUrl":"https://p.co","mobilNumber":"x"}`)
	require.Contains(t, p.Findings[0].Fix, "mobileNumber")
	many := `{"redirectUrl":"https://p.co"`
	for n := range 300 {
		many += `,"m` + strings.Repeat("x", n) + `":1`
	}
	w = s.call(http.MethodPost, "/User/Register", many+"}")
	require.Equal(t, http.StatusOK, w.Code)
	require.Contains(t, w.Header().Get("Sandbox-Warning"), "more on the tape")
	require.Less(t, len(w.Header().Get("Sandbox-Warning")), 4096)
}

func TestMediaTypes(t *testing.T) {
	t.Parallel()
	s := start(t, integration.Options{Seed: 7})
	for media, status := range map[string]int{
		"application/json": 200, "text/json": 200, "application/vnd.x+json": 200, "APPLICATION/JSON": 200, "application/json; charset=utf-8": 200, `application/json; charset="UTF-8"`: 200,
		"application/json;odata=verbose": 200, "application/json; charset=iso-8859-1": 415, "text/plain": 415, "application/xml": 415, "application/x-www-form-urlencoded": 415,
		"application/+json": 415, "text/vnd.x+json": 415, "application/jsonp": 415, "json": 415, "*/*": 415, "": 415, ";": 415, "application/json; charset": 415,
	} {
		w := s.call(http.MethodPost, "/User/Register", `{"redirectUrl":"https://p.co"}`, "Content-Type", media)
		require.Equal(t, status, w.Code, media)
		if status != http.StatusOK {
			p := readProblem(t, status, w)
			require.Equal(t, []string{"header:Content-Type request.media-type"}, p.clauses())
		}
	}
}

func TestAccept(t *testing.T) {
	t.Parallel()
	s := start(t, integration.Options{Seed: 7})
	const j, tj, p = "application/json; charset=utf-8", "text/json; charset=utf-8", "text/plain; charset=utf-8"
	for accept, want := range map[string]string{
		"": j, "*/*": j, "application/json": j, "text/json": tj, "text/plain": p, "text/*": tj, "TEXT/PLAIN": p, "application/xml": j, "image/png, text/plain;q=0.1": p,
		"text/plain;q=0.5, application/json": j, "application/json;q=0, text/plain": p, "nonsense": j, "text/html,application/xhtml+xml,*/*;q=0.8": j, "application/*": j,
	} {
		w := s.call(http.MethodGet, "/Company/List", "", "Accept", accept)
		require.Equal(t, want, w.Header().Get("Content-Type"), accept)
		require.Equal(t, `{"companies":[]}`, w.Body.String(), accept)
		s.refused(http.StatusNotFound, http.MethodGet, "/Company/x/Status", "", "Accept", accept) // problems keep their type
	}
}

// TestBodyLimit: exactly 10 MiB are read, one byte more is refused.
func TestBodyLimit(t *testing.T) {
	t.Parallel()
	s := start(t, integration.Options{Seed: 7})
	body := `{"redirectUrl":"https://p.co"}`
	exact := body + strings.Repeat(" ", 10485760-len(body))
	require.Equal(t, http.StatusOK, s.call(http.MethodPost, "/User/Register", exact).Code)
	p := s.refused(http.StatusRequestEntityTooLarge, http.MethodPost, "/User/Register", exact+" ")
	require.Equal(t, []string{" request.size"}, p.clauses())
	s.refused(http.StatusUnauthorized, http.MethodPost, "/User/Register", exact+" ", "Authorization", "")
}

// TestEveryBody: each operation with a body has the same limit and media types,
// and refuses before it looks at what it is about.
func TestEveryBody(t *testing.T) {
	t.Parallel()
	s := start(t, integration.Options{Seed: 7})
	large := strings.Repeat(" ", 10485761)
	n := 0
	for _, op := range s.api.Operations() {
		if op.Request == nil {
			continue
		}
		n++
		s.refused(http.StatusRequestEntityTooLarge, op.Method, op.Path, large)
		s.refused(http.StatusUnsupportedMediaType, op.Method, op.Path, "{}", "Content-Type", "application/xml")
		p := s.refused(http.StatusBadRequest, op.Method, op.Path, `{"a":`)
		require.Equal(t, []string{" request.json"}, p.clauses())
	}
	require.Greater(t, n, 15)
}

// brokenReader ends before the announced length.
type brokenReader struct{ io.Reader }

func (brokenReader) Close() error { return nil }
func (b brokenReader) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if err == io.EOF {
		return n, io.ErrUnexpectedEOF
	}
	return n, err
}

// brokenOff sends a body that ends before its announced length.
func (s *sandbox) brokenOff() *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, "/User/Register", brokenReader{strings.NewReader(`{"redirectUrl":`)})
	r.Header.Set("Authorization", "Bearer "+s.token)
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	s.api.ServeHTTP(w, r)
	return w
}

func TestIncompleteBody(t *testing.T) {
	t.Parallel()
	s := start(t, integration.Options{Seed: 7})
	require.Equal(t, []string{" request.body"}, readProblem(t, http.StatusBadRequest, s.brokenOff()).clauses())
}
