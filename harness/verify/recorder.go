package verify

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"paysandbox/harness/trail"
	"paysandbox/harness/verify/given"
	"paysandbox/harness/verify/words"
	"paysandbox/mockserver/tape"
)

// most bounds what is read of an answer, in bytes: one more than the longest that
// the API gives, so that what is longer breaks off for whoever reads it.
const most = 16 << 20

// controlPath begins the paths of the control API.
const controlPath = "/_sandbox/integrations"

// stay is an integration that a scenario has made.
type stay struct {
	id string
	// secrets are those of its webhook endpoints, by their ids.
	secrets map[string][]string
	// client is its client secret.
	client string
}

// trace is what passed over the wire in one scenario.
type trace struct {
	mu    sync.Mutex
	stays []*stay
	// last is the last exchange with the partner API, and seq its number on the
	// tape, 0 when the service does not say.
	last *tape.Exchange
	seq  uint64
	// sentences are those of the pages that were opened and of the control API's refusals,
	// if somebody listens.
	listens   bool
	sentences []string
	// answers are those of pages and of the control API, as texts, if somebody records them.
	records bool
	answers []string
	// made are the ids of companies and payments that calls have made.
	made []string
}

// recorder is a transport that notes what passes, scenario by scenario. The scenario
// is found in the request's context.
type recorder struct {
	next    http.RoundTripper
	silence *silence
}

type traceKey struct{}

// RoundTrip makes the call, notes it, and gives the answer as it came.
func (t recorder) RoundTrip(req *http.Request) (*http.Response, error) {
	tr, _ := req.Context().Value(traceKey{}).(*trace)
	if tr == nil {
		return t.next.RoundTrip(req)
	}
	sent := bodyOf(req)
	res, err := t.next.RoundTrip(req)
	if err != nil {
		t.silence.heard(req, err)
		tr.partner(req, sent, nil, nil)
		return nil, err
	}
	got, err := readAnswer(res)
	_ = res.Body.Close()
	t.silence.heard(req, err)
	res.Body = io.NopCloser(io.MultiReader(bytes.NewReader(got), failing{err}))
	switch {
	case strings.Contains(req.URL.Path, "/_sandbox/"):
		tr.said(req, res, got, refusal)
		tr.control(req, sent, res.StatusCode, got)
	case bytes.HasPrefix(got, []byte("<!DOCTYPE html>")) || bytes.HasPrefix(got, []byte("<!doctype html>")):
		tr.said(req, res, got, page)
	default:
		tr.partner(req, sent, res, got)
	}
	return res, nil
}

// readAnswer reads a body that is not too long to be one of this API, or the beginning of
// one that is.
func readAnswer(res *http.Response) ([]byte, error) {
	const kept = 4 << 10
	long := fmt.Errorf("the answer is longer than %d MiB, and was not read to its end", most>>20)
	if res.ContentLength > most {
		got, err := io.ReadAll(io.LimitReader(res.Body, kept))
		return got, cmp.Or(err, long)
	}
	got, err := io.ReadAll(io.LimitReader(res.Body, most+1))
	if err == nil && len(got) > most {
		return bytes.Clone(got[:kept]), long
	}
	return got, err
}

// failing gives an error where an answer broke off.
type failing struct{ err error }

// Read gives the error, or the end.
func (f failing) Read([]byte) (int, error) {
	if f.err != nil {
		return 0, f.err
	}
	return 0, io.EOF
}

// bodyOf reads a copy of a request's body.
func bodyOf(req *http.Request) []byte {
	if req.GetBody == nil {
		return nil
	}
	copied, err := req.GetBody()
	if err != nil {
		return nil
	}
	defer func() { _ = copied.Close() }()
	raw, _ := io.ReadAll(copied)
	return raw
}

// partner notes an exchange with the partner API.
func (t *trace) partner(req *http.Request, sent []byte, res *http.Response, got []byte) {
	x := &tape.Exchange{
		Method: req.Method, Path: req.URL.EscapedPath(), Query: req.URL.RawQuery,
		Request: tape.Request{Header: headers(req.Header), Body: sent},
	}
	var seq uint64
	if res != nil {
		x.Response = tape.Response{Status: res.StatusCode, Header: headers(res.Header), Body: got}
		seq, _ = strconv.ParseUint(res.Header.Get("Sandbox-Exchange"), 10, 64)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last, t.seq = x, seq
	t.made = append(t.made, madeBy(x)...)
}

// said notes what a page or a refusal of the control API says, and the whole answer.
func (t *trace) said(req *http.Request, res *http.Response, got []byte, sentences func(*http.Response, []byte) []string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.listens {
		t.sentences = append(t.sentences, sentences(res, got)...)
	}
	if t.records {
		t.answers = append(t.answers, given.Answer(req, res.StatusCode, got))
	}
}

func refusal(res *http.Response, got []byte) []string { return words.Refusal(res.StatusCode, got) }

func page(res *http.Response, got []byte) []string {
	return append(words.Page(string(got)), "page: Content-Type: "+res.Header.Get("Content-Type"))
}

// madeBy are the ids of a company or a payment that a call has made: those of its answer
// that it has not named itself.
func madeBy(x *tape.Exchange) []string {
	if x.Method != http.MethodPost || x.Response.Status/100 != 2 {
		return nil
	}
	answer := trail.ReadBody(x.Response.Body)
	return slices.DeleteFunc([]string{answer.Text("companyId"), answer.Text("paymentRequestId")}, func(id string) bool {
		return id == "" || strings.Contains(x.Path+x.Query, id) || bytes.Contains(x.Request.Body, []byte(id))
	})
}

// headers are in the order of their names.
func headers(h http.Header) []tape.Header {
	var list []tape.Header
	for _, name := range slices.Sorted(maps.Keys(h)) {
		for _, v := range h[name] {
			list = append(list, tape.Header{Name: name, Value: v})
		}
	}
	return list
}

// control notes the integrations that were made, and the secrets of their
// webhook endpoints.
func (t *trace) control(req *http.Request, sent []byte, status int, got []byte) {
	if req.Method != http.MethodPost || status >= http.StatusMultipleChoices {
		return
	}
	_, rest, of := strings.Cut(req.URL.Path, controlPath)
	parts := strings.Split(strings.Trim(rest, "/"), "/")
	answer := trail.ReadBody(got)
	if !of || answer == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if parts[0] == "" {
		t.stays = append(t.stays, &stay{
			id: answer.Text("id"), client: answer.Text("clientSecret"), secrets: map[string][]string{"": {answer.Text("webhookSecret")}},
		})
		return
	}
	if len(parts) < 2 || parts[1] != "webhooks" {
		return
	}
	for _, s := range t.stays {
		if s.id == parts[0] {
			id := answer.Text("id")
			s.secrets[id] = append(s.secrets[id], secretOf(sent, answer.Text("secret")))
		}
	}
}

// secretOf is the secret that was asked for, or else the one that was drawn.
func secretOf(sent []byte, drawn string) string {
	if asked, given := trail.ReadBody(sent).Get("secret").(string); given {
		return asked
	}
	return drawn
}

// values are the secrets that must not be told.
func (t *trace) values() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var list []string
	for _, s := range t.stays {
		list = append(list, s.client)
		for _, id := range slices.Sorted(maps.Keys(s.secrets)) {
			list = append(list, s.secrets[id]...)
		}
	}
	return list
}

// traced puts a trace into a context.
func traced(ctx context.Context, t *trace) context.Context {
	return context.WithValue(ctx, traceKey{}, t)
}
