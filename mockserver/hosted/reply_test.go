package hosted_test

import (
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"github.com/stretchr/testify/require"
)

// reply is an answer that has been read.
type reply struct {
	status int
	header http.Header
	body   string
}

func (r reply) location() string { return r.header.Get("Location") }

// shows says whether the page has an element with the data-testid.
func (r reply) shows(id string) bool { return strings.Contains(r.body, `data-testid="`+id+`"`) }

func (h *house) send(req *http.Request) reply {
	h.tb.Helper()
	resp, err := h.client.Do(req)
	require.NoError(h.tb, err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	require.NoError(h.tb, err)
	return reply{resp.StatusCode, resp.Header, string(body)}
}

func (h *house) get(address string) reply {
	h.tb.Helper()
	req, err := http.NewRequestWithContext(h.tb.Context(), http.MethodGet, address, nil)
	require.NoError(h.tb, err)
	return h.send(req)
}

// follow posts a form and gives the page to which the answer leads.
func (h *house) follow(address string, values ...string) reply {
	h.tb.Helper()
	r := h.post(address, values...)
	require.Equal(h.tb, http.StatusSeeOther, r.status, r.body)
	return h.get(h.url + r.location())
}

var tokenPattern = regexp.MustCompile(`name="csrf" value="([^"]+)"`)

// tokenOf reads the token of the form on a page.
func (h *house) tokenOf(address string) string {
	h.tb.Helper()
	m := tokenPattern.FindStringSubmatch(h.get(address).body)
	require.NotNil(h.tb, m, "a form at "+address)
	return m[1]
}

// post sends the form of a page with its token; the values are name, value, ….
func (h *house) post(address string, values ...string) reply {
	h.tb.Helper()
	return h.postAs(address, h.tokenOf(address), values...)
}

func (h *house) postAs(address, token string, values ...string) reply {
	h.tb.Helper()
	form := url.Values{"csrf": {token}}
	for i := 0; i+1 < len(values); i += 2 {
		form.Set(values[i], values[i+1])
	}
	return h.postBody(address, "application/x-www-form-urlencoded", form.Encode())
}

func (h *house) postBody(address, media, body string) reply {
	h.tb.Helper()
	req, err := http.NewRequestWithContext(h.tb.Context(), http.MethodPost, address, strings.NewReader(body))
	require.NoError(h.tb, err)
	req.Header.Set("Content-Type", media)
	return h.send(req)
}
