// Package call asks the control API from inside the process, as a program would by
// HTTP: what a person presses is a control call like any other, and so on the tape.
//
// It owns the request that is made, the answer that is kept of it, and the command
// by which anybody can do the same. It must not know what the calls mean.
package call

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"paysandbox/mockserver/console/feed"
	"paysandbox/mockserver/fault"
	"paysandbox/mockserver/tape"
)

// Prefix is where the control API lives.
const Prefix = "/_sandbox"

// maxAnswer bounds what is kept of an answer.
const maxAnswer = 16 << 20

var errLarge = errors.New("the answer is too large to be shown")

// Caller asks the control API.
type Caller struct {
	// Handler is the control API.
	Handler http.Handler
	// Token is the control token; "" where there is none.
	Token string
}

// Answer is what a call came to.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
	// Curl is the command that does the same.
	Curl string
}

// Error is a refusal.
type Error struct {
	Status   int
	Detail   string
	Findings []tape.Finding
}

// Error is one line for people.
func (e *Error) Error() string {
	said := fmt.Sprintf("the control API answered %d: %s", e.Status, e.Detail)
	if list := e.Problems(); len(list) > 0 {
		said += ": " + strings.Join(list, " ")
	}
	return said
}

// Problems says what was wrong, and how to mend it: a sentence or two for each finding.
func (e *Error) Problems() (list []string) {
	for _, f := range e.Findings {
		said := strings.TrimPrefix(f.Pointer, "/")
		if _, name, found := strings.Cut(said, ":"); found {
			said = name
		}
		said += " is to be " + f.Expected
		if f.Received != "" {
			said += ", and is " + f.Received
		}
		if said += "."; f.Fix != "" {
			said += " Fix: " + f.Fix + "."
		}
		list = append(list, strings.TrimSpace(said))
	}
	return list
}

// OK says whether the call was carried out.
func (a *Answer) OK() bool { return a.Status >= 200 && a.Status < 300 }

// Err is the refusal, nil when the call was carried out.
func (a *Answer) Err() error {
	if a.OK() {
		return nil
	}
	p := feed.ProblemOf(a.Body)
	if p.Detail == "" {
		p.Detail = p.Title
	}
	return &Error{a.Status, p.Detail, p.Findings}
}

// Do makes a call for the person behind a request. path begins after Prefix; body is
// JSON, nil for none.
func (c Caller) Do(r *http.Request, method, path string, body []byte) Answer {
	a := c.Send(r, method, Prefix+path, body)
	a.Curl = c.curl(r, method, path, body)
	return a
}

// Send makes a call of any API of the sandbox for the person behind a request; extra
// are headers, name and value in turn.
func (c Caller) Send(r *http.Request, method, target string, body []byte, extra ...string) (a Answer) {
	req, err := http.NewRequestWithContext(r.Context(), method, target, bytes.NewReader(body))
	if err != nil {
		return Answer{Status: http.StatusBadRequest, Body: []byte(`{"detail":"the address cannot be called"}`)}
	}
	req.Host, req.RemoteAddr, req.TLS, req.RequestURI = r.Host, r.RemoteAddr, r.TLS, req.URL.RequestURI()
	for _, name := range []string{"X-Forwarded-Proto", "X-Forwarded-Host"} {
		if v := r.Header.Get(name); v != "" {
			req.Header.Set(name, v)
		}
	}
	req.Header.Set("User-Agent", feed.Agent)
	if c.Token != "" {
		req.Header.Set("Authorization", "Bearer "+c.Token)
	}
	if len(body) > 0 {
		req.Header.Set("Content-Type", "application/json")
	}
	for n := 0; n+1 < len(extra); n += 2 {
		req.Header.Set(extra[n], extra[n+1])
	}
	w := recorder{header: http.Header{}, status: http.StatusOK}
	c.Handler.ServeHTTP(&w, req)
	a.Status, a.Header, a.Body = w.status, w.header, w.body.Bytes()
	return a
}

// Partner makes a call of the partner API as Send does. Trouble that is armed for the
// application does not meet it, and does not count it.
func (c Caller) Partner(r *http.Request, method, target string, body []byte, extra ...string) Answer {
	return c.Send(r, method, target, body, append(extra, fault.Header, fault.None)...)
}

// Stands is the partner API for who stands in for the application: its calls are marked as the
// console's, and meet no trouble that is armed for the application.
func Stands(partner http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Header.Set(fault.Header, fault.None)
		r.Header.Set("User-Agent", strings.TrimSpace(r.UserAgent()+" ("+feed.Agent+")"))
		partner.ServeHTTP(w, r)
	})
}

// recorder keeps an answer.
type recorder struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (w *recorder) Header() http.Header { return w.header }

func (w *recorder) WriteHeader(status int) { w.status = status }

func (w *recorder) Write(b []byte) (int, error) {
	if w.body.Len()+len(b) > maxAnswer {
		return 0, errLarge
	}
	return w.body.Write(b)
}

// Get reads something of the control API into a value.
func (c Caller) Get(r *http.Request, path string, into any) error {
	a := c.Do(r, http.MethodGet, path, nil)
	if err := a.Err(); err != nil {
		return err
	}
	return json.Unmarshal(a.Body, into)
}

// curl writes the call as a command; the token stands in $TOKEN.
func (c Caller) curl(r *http.Request, method, path string, body []byte) string {
	var b strings.Builder
	b.WriteString("curl -X " + method + " " + feed.Quote(Base(r)+Prefix+path))
	if c.Token != "" {
		b.WriteString(` -H "Authorization: Bearer $TOKEN"`)
	}
	if len(body) > 0 {
		b.WriteString(" -H 'Content-Type: application/json' -d " + feed.Quote(string(body)))
	}
	return b.String()
}

// Base is the address under which a request has reached the sandbox.
func Base(r *http.Request) string {
	u := url.URL{Scheme: "http", Host: r.Host}
	if r.TLS != nil {
		u.Scheme = "https"
	}
	if p := r.Header.Get("X-Forwarded-Proto"); p == "https" || p == "http" {
		u.Scheme = p
	}
	if h := r.Header.Get("X-Forwarded-Host"); h != "" && !strings.ContainsAny(h, "/\\@,? #") {
		u.Host = h
	}
	return u.String()
}
