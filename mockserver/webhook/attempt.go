package webhook

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"paysandbox/mockserver/delivery"
	"paysandbox/mockserver/secret"
	"paysandbox/mockserver/tape"
)

const (
	// keptAnswer is how much of an answer's body is kept, in bytes; skippedAnswer
	// how much more is read for the connection's sake.
	keptAnswer, skippedAnswer = 4 << 10, 64 << 10
	// keptValue is how much of a header's value is kept, in bytes.
	keptValue = 1 << 10
)

// keptHeaders are those headers of an answer that say what happens next.
var keptHeaders = [...]string{"Content-Type", "Location", "Retry-After"}

// result is an attempt and what is not on the tape.
type result struct {
	tape.Attempt
	retryAfter string
	// unanswered is true when the receiver was waited for in vain.
	unanswered bool
}

// attempt makes one attempt.
func (s *Sender) attempt(ctx context.Context, scope string, d delivery.View) result {
	style := s.opts.Style(scope, d)
	l := compose(&d, style.UpperHex)
	r := result{Attempt: tape.Attempt{
		Delivery: d.ID.String(), Endpoint: d.Endpoint.String(), Event: d.EventID.String(), Number: d.Attempt,
		Profile: tape.Profiles(l.profiles.String()), URL: shown(d.URL), Header: l.header(&d, style, s.opts.Version), Body: l.body,
	}}
	began := s.opts.Now()
	s.send(ctx, &r, d.URL, &l)
	took := s.opts.Now().Sub(began)
	r.Took = int64(took)
	s.latencies.put(attemptKey{d.ID, d.Attempt}, took)
	s.opts.Observe(r.Endpoint, r.Status, took)
	if r.Error != "" {
		s.opts.Log.DebugContext(ctx, "webhook attempt failed", "delivery", r.Delivery, "endpoint", r.Endpoint,
			"attempt", r.Number, "status", r.Status, "error", r.Error)
	}
	return r
}

// send posts a request and notes what came back.
func (s *Sender) send(ctx context.Context, r *result, address string, l *request) {
	ctx, cancel := context.WithTimeout(fresh(ctx), s.opts.Timeout)
	defer cancel()
	body := s.body(ctx, l)
	req, err := newRequest(ctx, r, address, body, len(l.body))
	if err != nil {
		r.Error = err.Error()
		return
	}
	carrier := s.kept
	if l.cut || l.slow {
		carrier = s.once
	}
	resp, err := carrier.RoundTrip(req)
	if err == nil {
		defer resp.Body.Close()
	}
	half, cut := body.(*cutBody)
	switch {
	case cut && (err == nil || half.cut.Load()): // an answer came too early
		r.Body = l.body[:len(l.body)/2]
		r.Error = fmt.Sprintf("connection cut on purpose after %d of %d bytes", len(r.Body), len(l.body))
	case err != nil:
		r.unanswered = true
		r.Error = explain(err, s.opts.Timeout)
	default:
		s.answered(r, resp)
	}
}

// body reads a request at its pace.
func (s *Sender) body(ctx context.Context, l *request) io.Reader {
	switch {
	case l.cut:
		return &cutBody{rest: l.body[:len(l.body)/2]}
	case l.slow:
		return newSlowBody(ctx, l.body, s.opts.SlowFor)
	default:
		return bytes.NewReader(l.body)
	}
}

// newRequest writes an HTTP request of size bytes. A header goes out exactly as it is
// named.
func newRequest(ctx context.Context, r *result, address string, body io.Reader, size int) (*http.Request, error) {
	u, err := parseTarget(address)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, u.String(), body)
	if err != nil {
		return nil, errAddress
	}
	req.ContentLength = int64(size)
	req.Header = make(http.Header, len(r.Header)+1)
	req.Header[headerAgent] = nil // not that of the library
	for _, h := range r.Header {
		req.Header[h.Name] = []string{h.Value}
	}
	return req, nil
}

// answered notes an answer. What its body lacks does not make it another one.
func (s *Sender) answered(r *result, resp *http.Response) {
	if resp.StatusCode < 100 { // the library lets 000 pass
		r.Error = notHTTP
		return
	}
	r.Status = resp.StatusCode
	for _, name := range keptHeaders {
		r.keep(resp, name)
	}
	r.retryAfter = printable(resp.Header.Get("Retry-After"), keptValue)
	if strings.Contains(r.retryAfter, ":") { // a time: by the receiver's own clock
		r.keep(resp, "Date")
	}
	if resp.StatusCode >= 300 && resp.StatusCode < 400 {
		r.Error = redirected(resp.Header.Get("Location"))
	}
	if resp.StatusCode == http.StatusSwitchingProtocols {
		return // what follows is not a body
	}
	var err error
	r.ResponseBody, err = io.ReadAll(io.LimitReader(resp.Body, keptAnswer))
	r.ResponseBody = []byte(secret.Text(string(r.ResponseBody)))
	if err == nil && len(r.ResponseBody) == keptAnswer {
		_, err = io.CopyN(io.Discard, resp.Body, skippedAnswer)
	}
	if err != nil && !errors.Is(err, io.EOF) && r.Error == "" {
		r.Error = "the answer broke off: " + explain(err, s.opts.Timeout)
	}
}

// keep puts a header of the answer on the tape.
func (r *result) keep(resp *http.Response, name string) {
	if v := resp.Header.Get(name); v != "" {
		r.ResponseHeader = append(r.ResponseHeader, tape.Header{Name: name, Value: printable(v, keptValue)})
	}
}

func redirected(location string) string {
	if location == "" {
		return "redirect not followed"
	}
	return "redirect to " + printable(shown(location), keptText) + " not followed"
}

// printable makes a foreign text fit for the tape: valid, one line, not long.
func printable(s string, limit int) string {
	if len(s) > limit {
		s = s[:limit]
	}
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, ""))
}
