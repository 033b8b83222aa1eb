package hosted_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/budget"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

const nobody = "5f0c5b0e-3f0c-4a53-9d3e-6f1f0e9d8c33"

func TestUnknownAddresses(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	paths := []string{
		"", "pages", "pages/", "pages/default", "pages/default/", "pages/default/pay", "pages/default/pay/", "pages/default/nothing/" + nobody,
		"pages/default/pay/" + nobody + "/more", "pages/nowhere/pay/" + nobody, "pages/default/portal/" + h.company + "/payments",
		"pages/default/portal/" + h.company + "/payments/" + nobody, "pages/default/portal/" + nobody,
		"pages/default/portal/" + h.company + "/payments/" + nobody + "/attachments/" + nobody,
		"pages/%2e%2e/pay/x", "pages/default/pay/%00", "pages/default/pay/" + strings.Repeat("9", 3000),
	}
	for _, kind := range []string{"register", "pay", "card", "debit", "consent", "bank-link", "portal"} {
		paths = append(paths, "pages/default/"+kind+"/"+nobody, "pages/default/"+kind+"/no-uuid", "pages/default/"+kind+"/<b>")
	}
	for _, path := range paths {
		r := h.get(h.url + "/" + path)
		require.Equal(t, http.StatusNotFound, r.status, path)
		require.True(t, r.shows("notice-not-found"), path)
		require.NotContains(t, r.body, "<b>", path)
	}
}

func TestUnknownLinkTakesNoForm(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	for _, kind := range []string{"register", "pay", "card", "debit", "consent", "bank-link"} {
		r := h.postAs(h.address(kind, nobody), "token", "answer", "accept")
		require.Equal(t, http.StatusNotFound, r.status, kind)
	}
}

func TestMethods(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	pay := h.address("pay", h.payment(world.NewPayment{}))
	portal := h.address("portal", h.company)
	tests := []struct {
		method, address, allow string
		status                 int
	}{
		{http.MethodHead, pay, "", http.StatusOK},
		{http.MethodPut, pay, "GET, HEAD, POST", http.StatusMethodNotAllowed},
		{http.MethodDelete, pay, "GET, HEAD, POST", http.StatusMethodNotAllowed},
		{http.MethodOptions, pay, "GET, HEAD, POST", http.StatusMethodNotAllowed},
		{http.MethodPost, portal, "GET, HEAD", http.StatusMethodNotAllowed},
		{http.MethodHead, portal, "", http.StatusOK},
		{http.MethodHead, h.address("pay", nobody), "", http.StatusNotFound},
	}
	for _, tc := range tests {
		req, err := http.NewRequestWithContext(t.Context(), tc.method, tc.address, nil)
		require.NoError(t, err)
		r := h.send(req)
		require.Equal(t, tc.status, r.status, tc.method)
		require.Equal(t, tc.allow, r.header.Get("Allow"))
		if tc.method == http.MethodHead {
			require.Empty(t, r.body)
			require.NotEqual(t, "0", r.header.Get("Content-Length"))
		}
	}
}

// TestEveryPathEveryMethod: each page answers its own methods, in every spelling
// that reaches it, and names them when another one comes.
func TestEveryPathEveryMethod(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	id := h.payment(world.NewPayment{})
	const both, look = "GET, HEAD, POST", "GET, HEAD"
	for path, allow := range map[string]string{
		"register/" + nobody: both, "pay/" + id: both, "card/" + nobody: both, "debit/" + nobody: both, "consent/" + nobody: both,
		"bank-link/" + nobody: both, "portal/" + h.company: look, "portal/" + h.company + "/payments/" + id: both,
		"portal/" + h.company + "/payments/" + id + "/attachments/" + nobody: look,
	} {
		for _, spelling := range []string{path, path + "/", strings.Replace(path, "a", "%61", 1)} {
			for _, method := range []string{"GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "LINK", "get"} {
				req, err := http.NewRequestWithContext(t.Context(), method, h.url+"/pages/default/"+spelling, nil)
				require.NoError(t, err)
				r := h.send(req)
				if strings.Contains(allow+",", method+",") {
					require.NotEqual(t, http.StatusMethodNotAllowed, r.status, "%s %s", method, spelling)
					continue
				}
				require.Equal(t, http.StatusMethodNotAllowed, r.status, "%s %s", method, spelling)
				require.Equal(t, allow, r.header.Get("Allow"), "%s %s", method, spelling)
			}
		}
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPut, h.url+"/pages/default/"+strings.ToUpper(path), nil)
		require.NoError(t, err)
		require.Equal(t, http.StatusNotFound, h.send(req).status, path)
	}
}

func TestEveryAnswerIsGuarded(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	away := h.address("pay", h.payment(world.NewPayment{ReturnURL: "https://partner.example.com/paid"}))
	home := h.address("pay", h.payment(world.NewPayment{}))
	for address, action := range map[string]string{away: "form-action 'self' http: https:;", home: "form-action 'self';"} {
		r := h.get(address)
		policy := r.header.Get("Content-Security-Policy")
		require.Contains(t, policy, "default-src 'none'; style-src 'self'; img-src 'self'; form-action ")
		require.Contains(t, policy, action)
		require.Contains(t, policy, "frame-ancestors *")
		require.Empty(t, r.header.Get("X-Frame-Options"))
		require.Equal(t, "nosniff", r.header.Get("X-Content-Type-Options"))
		require.Equal(t, "no-store", r.header.Get("Cache-Control"))
		require.Empty(t, r.header.Get("Set-Cookie"))
		require.NotEmpty(t, r.header.Get("Sandbox-Exchange"))
		require.NotContains(t, r.body, "<script")
		require.NotContains(t, r.body, "src=")
	}
}

func TestFormsThatAreNotTaken(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	id := h.payment(world.NewPayment{})
	pay := h.address("pay", id)
	other := h.tokenOf(h.address("pay", h.payment(world.NewPayment{})))
	const form = "application/x-www-form-urlencoded"
	tests := map[string]struct {
		media, body, verdict string
		status               int
	}{
		"no token":       {form, "answer=deny", "csrf-wrong", http.StatusForbidden},
		"another page's": {form, "answer=deny&csrf=" + other, "csrf-wrong", http.StatusForbidden},
		"multipart":      {"multipart/form-data; boundary=x", "--x--", "form-unsupported", http.StatusUnsupportedMediaType},
		"json":           {"application/json", "{}", "form-unsupported", http.StatusUnsupportedMediaType},
		"no media type":  {"", "answer=deny", "form-unsupported", http.StatusUnsupportedMediaType},
		"too large":      {form, "answer=" + strings.Repeat("a", 64<<10), "form-too-large", http.StatusRequestEntityTooLarge},
		"broken coding":  {form, "answer=%zz", "form-malformed", http.StatusBadRequest},
		"not UTF-8":      {form, "answer=%ff", "form-malformed", http.StatusBadRequest},
		"too many":       {form, strings.Repeat("a=1&", 300), "form-malformed", http.StatusBadRequest},
	}
	for name, tc := range tests {
		r := h.postBody(pay, tc.media, tc.body)
		require.Equal(t, tc.status, r.status, name)
		require.True(t, r.shows("notice-form-refused"), name)
		require.Equal(t, tc.verdict, h.last().Exchange.Auth, name)
		require.Equal(t, "Pending", h.status(id), name)
	}
}

// TestAFormWithoutRoom: where the memory is spent a page says so, and an answer counts once
// there is room.
func TestAFormWithoutRoom(t *testing.T) {
	t.Parallel()
	memory := budget.New(8 << 20)
	h := houseWith(t, integration.Options{Seed: 7, Clock: integration.Manual, Budget: memory})
	id := h.payment(world.NewPayment{})
	pay := h.address("pay", id)
	answer := "answer=deny&csrf=" + h.tokenOf(pay)
	memory.Force(8 << 20)
	r := h.postBody(pay, "application/x-www-form-urlencoded", answer)
	require.Equal(t, http.StatusInsufficientStorage, r.status)
	require.Contains(t, r.body, "The sandbox has no memory left")
	require.Equal(t, "Pending", h.status(id))
	memory.Give(8 << 20)
	r = h.postBody(pay, "application/x-www-form-urlencoded", answer)
	require.Less(t, r.status, http.StatusBadRequest, r.body)
	require.NotEqual(t, "Pending", h.status(id))
}

func TestTextsAreEscaped(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	const nasty = `"><script>alert(1)</script>'`
	h.company = h.newCompany(nasty)
	id := h.payment(world.NewPayment{CompanyID: h.company, Purpose: world.Purpose{ShortDescription: nasty, Reference: nasty}, ReturnURL: "https://partner.example.com/?a=" + "%22%3E%3Cscript"})
	for _, r := range []reply{
		h.get(h.address("pay", id)), h.get(h.address("portal", h.company)), h.get(h.address("portal", h.company, "payments", id)),
		h.post(h.address("pay", id), "bank", nasty, "routing", nasty, "answer", nasty), h.get(h.address("pay", nasty)),
	} {
		require.NotContains(t, r.body, "<script")
		require.NotContains(t, strings.ReplaceAll(r.body, nasty, "NASTY"), "NASTY")
	}
}

func TestEveryVisitIsOnTheTape(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	id := h.payment(world.NewPayment{})
	r := h.get(h.address("pay", id))
	e := h.last()
	require.Equal(t, "pages.pay", e.Exchange.Operation)
	require.Equal(t, []string{id}, e.Entities)
	require.Equal(t, tape.AuthNoneNeeded, e.Exchange.Auth)
	require.Equal(t, http.StatusOK, e.Exchange.Response.Status)
	require.Empty(t, e.Exchange.Response.Body, "a look leaves no body")
	require.Less(t, len(r.body), 16<<10, "pages stay small")

	token := h.tokenOf(h.address("pay", id))
	h.post(h.address("pay", id), "answer", "approve", "bank", "own", "routing", "110000000", "account", "55", "secret", "4242424242424242")
	e = h.last()
	require.Equal(t, "csrf-ok", e.Exchange.Auth)
	require.Equal(t, http.StatusBadRequest, e.Exchange.Response.Status)
	require.NotEmpty(t, e.Exchange.Response.Body)
	require.NotContains(t, string(e.Exchange.Response.Body), token)
	require.NotContains(t, string(e.Exchange.Request.Body), token)
	require.NotContains(t, string(e.Exchange.Request.Body), "secret", "fields that the page does not have are left out")
}
