package partner

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"paysandbox/mockserver/tape"
)

// Stage plays everybody but the partner: payers, banks, the provider and time,
// through the sandbox's control API.
type Stage struct {
	// Base is the sandbox's address without a slash at the end.
	Base string
	// Token opens the control API where it wants one.
	Token string
	// Integration is the id of the integration that is played for.
	Integration string
	// HTTP makes the calls; nil means http.DefaultClient.
	HTTP *http.Client
}

// NewIntegration describes an integration to be created.
type NewIntegration struct {
	Name        string            `json:"name,omitempty"`
	Seed        uint64            `json:"seed"`
	Environment string            `json:"environment,omitempty"`
	Clock       Clock             `json:"clock"`
	Latitude    map[string]string `json:"latitude,omitempty"`
	Strict      bool              `json:"strict"`
	// StatusKey encrypts what is added to a returnUrl.
	StatusKey string `json:"statusKey,omitempty"`
	// TapeEntries is how many entries its tape keeps, 0 for the sandbox's usual number.
	TapeEntries int `json:"tapeEntries,omitempty"`
}

// Clock is a clock's mode, "real" or "manual", and where it starts.
type Clock struct {
	Mode  string `json:"mode"`
	Start string `json:"start,omitempty"`
}

// Integration is a created integration with its credentials.
type Integration struct {
	ID            string `json:"id"`
	ClientID      string `json:"clientId"`
	ClientSecret  string `json:"clientSecret"`
	WebhookSecret string `json:"webhookSecret"`
	// Latitude are the knobs that are not at their default.
	Latitude map[string]string `json:"latitude"`
}

// Create makes a fresh, isolated integration.
func (s *Stage) Create(ctx context.Context, n NewIntegration) (Integration, error) {
	var i Integration
	a, err := s.send(ctx, http.MethodPost, "/_sandbox/integrations", n)
	if err != nil {
		return i, err
	}
	return i, a.Read(&i)
}

// Delete removes the integration.
func (s *Stage) Delete(ctx context.Context) error {
	_, err := s.send(ctx, http.MethodDelete, "/_sandbox/integrations/"+url.PathEscape(s.Integration), nil)
	return err
}

// Do calls the control API of the integration, for example
// "/payments/{id}/approve". An answer of 400 or more is an error.
func (s *Stage) Do(ctx context.Context, path string, body any) (*Answer, error) {
	return s.send(ctx, http.MethodPost, "/_sandbox/integrations/"+url.PathEscape(s.Integration)+path, body)
}

// Get reads from the control API of the integration.
func (s *Stage) Get(ctx context.Context, path string) (*Answer, error) {
	return s.send(ctx, http.MethodGet, "/_sandbox/integrations/"+url.PathEscape(s.Integration)+path, nil)
}

// Ask makes a call of the control API, of the integration's part unless the path begins
// with /_sandbox, with a body that goes out as it is. A refusal is an answer like others.
func (s *Stage) Ask(ctx context.Context, method, path string, body []byte, header ...string) (*Answer, error) {
	if !strings.HasPrefix(path, "/_sandbox") {
		path = "/_sandbox/integrations/" + url.PathEscape(s.Integration) + path
	}
	var sent any
	if body != nil {
		sent = body
	}
	a, err := s.send(ctx, method, path, sent, header...)
	var refused *Refused
	if errors.As(err, &refused) {
		return refused.Answer, nil
	}
	return a, err
}

// Remove removes what the control API of the integration has under a path, for
// example "/faults/outage". That it is gone already is no error.
func (s *Stage) Remove(ctx context.Context, path string) error {
	_, err := s.send(ctx, http.MethodDelete, "/_sandbox/integrations/"+url.PathEscape(s.Integration)+path, nil)
	var refused *Refused
	if errors.As(err, &refused) && refused.Answer.Status == http.StatusNotFound {
		return nil
	}
	return err
}

// Refused is a control call that was answered with 400 or more.
type Refused struct {
	// Method and Path tell the call.
	Method, Path string
	// Answer is what came back.
	Answer *Answer
}

// Error tells the call and its answer.
func (r *Refused) Error() string {
	return fmt.Sprintf("%s %s: status %d: %s", r.Method, r.Path, r.Answer.Status, r.why())
}

// why is the answer in words: of problem details what they say, else what came.
func (r *Refused) why() string {
	var p Problem
	if err := json.Unmarshal(r.Answer.Body, &p); err != nil || p.Title == "" && p.Detail == "" {
		return shown(r.Answer.Body)
	}
	said := []string{strings.TrimSuffix(p.Title, ".")}
	if p.Detail != "" && p.Detail != p.Title {
		said = append(said, strings.TrimSuffix(p.Detail, "."))
	}
	for _, f := range p.Findings {
		said = append(said, strings.TrimSpace(f.Pointer+" expected "+f.Expected+", received "+f.Received)+"; "+f.Fix)
	}
	return shown([]byte(strings.Join(slices.DeleteFunc(said, func(s string) bool { return s == "" }), ": ")))
}

// Try is Do, but an answer of 400 or more is no error.
func (s *Stage) Try(ctx context.Context, path string, body any) (*Answer, error) {
	a, err := s.Do(ctx, path, body)
	var refused *Refused
	if errors.As(err, &refused) {
		return refused.Answer, nil
	}
	return a, err
}

// Tape reads the entries of a kind, for example "transition".
func (s *Stage) Tape(ctx context.Context, kind string) ([]tape.Entry, error) {
	return s.tape(ctx, url.Values{"kind": {kind}})
}

// AwaitTape reads the entries of a kind, and waits for the first of them.
func (s *Stage) AwaitTape(ctx context.Context, kind string, patience time.Duration) ([]tape.Entry, error) {
	return s.tape(ctx, url.Values{"kind": {kind}, "wait": {patience.String()}})
}

func (s *Stage) tape(ctx context.Context, query url.Values) ([]tape.Entry, error) {
	a, err := s.Get(ctx, "/tape?"+query.Encode())
	if err != nil {
		return nil, err
	}
	_, entries, err := tape.Read(bytes.NewReader(a.Body))
	return entries, err
}

func (s *Stage) send(ctx context.Context, method, path string, body any, header ...string) (*Answer, error) {
	c := Client{Base: s.Base, HTTP: s.HTTP}
	if s.Token != "" {
		header = append([]string{"Authorization", "Bearer " + s.Token}, header...)
	}
	if method == http.MethodPost && body == nil {
		body = json.RawMessage("{}")
	}
	a, err := c.Send(ctx, method, path, body, header...)
	if err != nil {
		return nil, err
	}
	if a.Status >= http.StatusBadRequest {
		return nil, &Refused{Method: method, Path: path, Answer: a}
	}
	return a, nil
}
