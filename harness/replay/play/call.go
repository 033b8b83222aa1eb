package play

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// call makes one call and binds what its answer shows.
func (p *player) call(ctx context.Context, c *Call) (Answered, error) {
	operation, _ := p.sandbox.Routes.Match(c.Exchange.Method, c.Exchange.Path)
	a := Answered{N: c.N, Operation: operation}
	r, err := p.request(ctx, c, operation)
	if err != nil {
		return a, err
	}
	begin, body := p.serviceTime(), []byte(nil)
	if p.sent == nil { // what is recorded of a play stays as the sandbox gives it
		p.pages.ask(c, operation, r)
	} else {
		if body, err = io.ReadAll(r.Body); err != nil {
			return a, fmt.Errorf("read the request: %w", err)
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		if p.unasked(c) {
			p.keep(c, r, body, begin, c.Exchange.Answer)
			return a, nil
		}
	}
	answer, err := p.sandbox.HTTP.Do(r)
	if err != nil {
		return a, err
	}
	if err := p.take(c, &a, answer); err != nil {
		return a, err
	}
	if p.sent != nil {
		p.keep(c, r, body, begin, recording.Answer{Known: recording.Whole, Status: a.Status, Header: listed(answer.Header), Body: a.Body})
	}
	return a, nil
}

// take takes a call's answer, and binds what it shows.
func (p *player) take(c *Call, a *Answered, answer *http.Response) (err error) {
	defer func() { _ = answer.Body.Close() }()
	a.Status = answer.StatusCode
	a.Seq, _ = strconv.ParseUint(answer.Header.Get("Sandbox-Exchange"), 10, 64)
	for _, name := range meaningful {
		if v := answer.Header.Get(name); v != "" {
			a.Header = append(a.Header, tape.Header{Name: name, Value: v})
		}
	}
	if a.Body, err = io.ReadAll(io.LimitReader(answer.Body, mostAnswer)); err != nil {
		return fmt.Errorf("read the answer: %w", err)
	}
	if p.answered += int64(len(a.Body)); p.sandbox.Most > 0 && p.answered > p.sandbox.Most {
		return fmt.Errorf("%w: more than %d MiB", ErrTooMuch, p.sandbox.Most>>20)
	}
	if p.sent == nil {
		a.Paged, a.Body = p.pages.on != nil, p.pages.cut(c, a)
	}
	if len(c.Stands) > 0 {
		p.stand(c.N+1, c.Stands, a.Body)
	}
	if c.Exchange.Answer.Known == recording.Whole {
		p.run.Links.Answer(c.N+1, a.Operation, c.Exchange.Answer.Body, a.Body)
	}
	return nil
}

// meaningful are the headers of an answer that are kept.
var meaningful = []string{"Content-Type", "Retry-After", "Idempotent-Replayed", "Allow", "WWW-Authenticate", "Sandbox-Warning"}

// dropped are headers that belong to a connection, or that the sandbox would act upon.
var dropped = []string{
	"host", "content-length", "connection", "keep-alive", "transfer-encoding", "accept-encoding", "te", "upgrade", "trailer",
	"proxy-connection", "expect", "origin", "cookie",
}

// sent says whether a header of the recording, in small letters, is sent again.
func sent(name string) bool {
	return name != "" && name[0] != ':' && !strings.HasPrefix(name, "sandbox-") && !strings.HasPrefix(name, "sec-") && !slices.Contains(dropped, name)
}

func (p *player) request(ctx context.Context, c *Call, operation string) (*http.Request, error) {
	path, query, header, body := p.run.Links.Request(p.sandbox.Routes, &c.Exchange)
	if trail.OperationNamed(operation).Token {
		body = p.credentials(body, c.Admitted)
	}
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	if query != "" {
		path += "?" + query
	}
	r, err := http.NewRequestWithContext(ctx, c.Exchange.Method, p.sandbox.Base+path, bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("make the request: %w", err)
	}
	for _, h := range header {
		if sent(strings.ToLower(h.Name)) {
			r.Header.Add(h.Name, h.Value)
		}
	}
	if token := correlate.Bearer(header); token != "" {
		if v, ok := p.run.Links.Find(correlate.Token, token); ok {
			r.Header.Set("Authorization", "Bearer "+v)
		}
	}
	if p.hand == nil {
		r.Header.Set("Sandbox-Integration", p.stage.made.ID)
	}
	if c.Fault != "" && p.hand == nil && (p.sent == nil || !c.Broken) {
		r.Header.Set("Sandbox-Fault", c.Fault)
	}
	return r, nil
}

// credentials puts the world's own into the body of a token call: the client's id, so
// that the world answers it, and the secret where it was the right one.
func (p *player) credentials(body []byte, right bool) []byte {
	var sent map[string]any
	if json.Unmarshal(body, &sent) != nil {
		return body
	}
	for name := range sent {
		switch strings.ToLower(name) {
		case "clientid":
			if _, text := sent[name].(string); text {
				sent[name] = p.stage.made.ClientID
			}
		case "clientsecret":
			if right {
				sent[name] = p.stage.made.ClientSecret
			}
		}
	}
	return trail.Quote(sent)
}
