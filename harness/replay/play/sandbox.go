package play

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"paysandbox/harness/check/service"
	"paysandbox/harness/partner"
	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// Sandbox is where scripts are played. It is safe for concurrent use.
type Sandbox struct {
	// Base is its address without a slash at the end; Control is that of its control API,
	// "" for the same, and Token opens it.
	Base, Control, Token string
	HTTP                 *http.Client
	Routes               *correlate.Routes
	// Most bounds the answers of one play together, in bytes; 0 for no bound.
	Most int64
	// Document is its OpenAPI description.
	Document *service.Document
	// Tape reads what an integration of a sandbox of this process has on its tape behind an entry,
	// as the control API would write it; nil, or false, for reading it there.
	Tape func(integration string, since uint64) (tape.Meta, []tape.Entry, bool)
}

// Open reads the description of a sandbox and makes it ready.
func Open(ctx context.Context, base, token string, client *http.Client) (*Sandbox, error) {
	s := &Sandbox{Base: strings.TrimSuffix(base, "/"), Token: token, HTTP: client}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.Base+"/openapi.json", http.NoBody)
	if err != nil {
		return nil, fmt.Errorf("open the sandbox: %w", err)
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	a, err := s.HTTP.Do(r)
	if err != nil {
		return nil, fmt.Errorf("open the sandbox: %w", err)
	}
	defer func() { _ = a.Body.Close() }()
	description, err := io.ReadAll(io.LimitReader(a.Body, mostAnswer))
	if err != nil {
		return nil, fmt.Errorf("open the sandbox: %w", err)
	}
	if s.Routes, err = correlate.ReadRoutes(description); err != nil {
		return nil, err
	}
	s.Document, err = service.ReadDocument(description)
	return s, err
}

// mostAnswer bounds what is read of an answer, in bytes.
const mostAnswer = 32 << 20

// stage is a fresh integration.
type stage struct {
	*partner.Stage
	made    partner.Integration
	sandbox *Sandbox
}

func (s *Sandbox) fresh(ctx context.Context, w *World) (*stage, error) {
	control := &partner.Stage{Base: cmp.Or(s.Control, s.Base), Token: s.Token, HTTP: s.HTTP}
	made, err := control.Create(ctx, partner.NewIntegration{
		Name: "replay", Seed: w.Seed, Environment: w.Environment, Latitude: w.Latitude, Strict: w.Strict,
		Clock: partner.Clock{Mode: "manual", Start: w.Start.UTC().Format(time.RFC3339Nano)},
	})
	if err != nil {
		return nil, fmt.Errorf("make a fresh world: %w", err)
	}
	control.Integration = made.ID
	return &stage{control, made, s}, nil
}

// tape reads the world's tape from an entry on.
func (s *stage) tape(ctx context.Context, since uint64) (tape.Meta, []tape.Entry, error) {
	if s.sandbox.Tape != nil {
		if meta, entries, ok := s.sandbox.Tape(s.made.ID, since); ok {
			return meta, entries, nil
		}
	}
	a, err := s.Get(ctx, fmt.Sprintf("/tape?since=%d", since))
	if err != nil {
		return tape.Meta{}, nil, fmt.Errorf("read the world's tape: %w", err)
	}
	return tape.Read(bytes.NewReader(a.Body))
}

// payer is whom a payment is asked of, "" where the control API does not tell.
func (s *stage) payer(ctx context.Context, payment string) string {
	a, err := s.Get(ctx, "/entities/"+url.PathEscape(payment))
	if err != nil {
		return ""
	}
	for _, r := range trail.ReadBody(a.Body).List("relations") {
		if r.Text("relation") == "payer" {
			return r.Text("id")
		}
	}
	return ""
}
