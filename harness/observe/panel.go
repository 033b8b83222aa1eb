package observe

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"paysandbox/harness/observe/trouble"
	"paysandbox/harness/partner"
	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// panel speaks to the control API of the observed integration.
type panel struct{ stage *partner.Stage }

// send makes one call; an answer of 400 or more is an error.
func (p panel) send(ctx context.Context, method, path string, body any) (*partner.Answer, error) {
	c := partner.Client{Base: p.stage.Base, HTTP: p.stage.HTTP}
	full := p.path(path)
	a, err := c.Send(ctx, method, full, body, "User-Agent", trouble.Agent, "Authorization", p.credentials())
	if err == nil && a.Status >= http.StatusBadRequest {
		err = &partner.Refused{Method: method, Path: full, Answer: a}
	}
	return a, err
}

func (p panel) path(path string) string {
	return "/_sandbox/integrations/" + url.PathEscape(p.stage.Integration) + path
}

// credentials is the Authorization header; empty sends none.
func (p panel) credentials() string {
	if p.stage.Token == "" {
		return ""
	}
	return "Bearer " + p.stage.Token
}

// note leaves a note on the tape.
func (p panel) note(ctx context.Context, kind, text string, data any) error {
	_, err := p.send(ctx, http.MethodPost, "/notes", trail.NewNote(kind, text, data))
	return err
}

// read reads the tape behind an entry, and waits for the first one to come.
func (p panel) read(ctx context.Context, since uint64, wait time.Duration) (tape.Meta, []tape.Entry, error) {
	path := "/tape?since=" + strconv.FormatUint(since, 10)
	if wait > 0 {
		path += "&wait=" + strconv.FormatInt(max(wait.Milliseconds(), 1), 10) + "ms"
	}
	return p.entries(ctx, path)
}

// head reads the first entry of the tape, if there is one.
func (p panel) head(ctx context.Context) (tape.Meta, []tape.Entry, error) {
	return p.entries(ctx, "/tape?limit=1")
}

// entries reads a part of the tape.
func (p panel) entries(ctx context.Context, path string) (tape.Meta, []tape.Entry, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, p.stage.Base+p.path(path), http.NoBody)
	if err != nil {
		return tape.Meta{}, nil, fmt.Errorf("read the tape: %w", err)
	}
	req.Header.Set("User-Agent", trouble.Agent)
	if c := p.credentials(); c != "" {
		req.Header.Set("Authorization", c)
	}
	client := p.stage.HTTP
	if client == nil {
		client = http.DefaultClient
	}
	res, err := client.Do(req)
	if err != nil {
		return tape.Meta{}, nil, fmt.Errorf("read the tape: %w", err)
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode != http.StatusOK {
		return tape.Meta{}, nil, fmt.Errorf("read the tape: status %d", res.StatusCode)
	}
	meta, entries, err := tape.Read(res.Body)
	if err != nil {
		return meta, nil, fmt.Errorf("read the tape: %w", err)
	}
	meta.Ending = tape.Whole // a stream has no last line, and this is no file
	return meta, entries, nil
}

// underway counts the deliveries that a receiver is working on.
func (p panel) underway(ctx context.Context) (int, error) {
	a, err := p.send(ctx, http.MethodGet, "/deliveries?state=in-flight", nil)
	if err != nil {
		return 0, err
	}
	var list struct {
		Deliveries []json.RawMessage `json:"deliveries"`
	}
	err = a.Read(&list)
	return len(list.Deliveries), err
}

// arm arms a fault or sets a profile.
func (p panel) arm(ctx context.Context, a *trouble.Action) error {
	if a.Fault == "" {
		return p.profile(ctx, a.Endpoint, trouble.Profile{Name: a.Trouble.Profile, Next: a.Trouble.Next, ForStatus: a.Trouble.ForStatus})
	}
	match := map[string]string{}
	if a.Operation != "" {
		match["operation"] = a.Operation
	}
	if a.Method != "" {
		match["method"] = a.Method
	}
	count := a.Trouble.Count
	if a.Do == trouble.GoOn {
		match["entity"], count = a.Entity, a.Trouble.Until
	}
	_, err := p.send(ctx, http.MethodPost, "/faults", map[string]any{
		"name": a.Fault, "match": match, "effect": a.Trouble.Effect, "count": count,
	})
	return err
}

// lift removes a fault or takes a profile back. A fault or an endpoint that is gone is no error.
func (p panel) lift(ctx context.Context, a *trouble.Action) error {
	var err error
	if a.Fault == "" {
		err = p.profile(ctx, a.Endpoint, trouble.Profile{})
	} else {
		_, err = p.send(ctx, http.MethodDelete, "/faults/"+url.PathEscape(a.Fault), nil)
	}
	if refused := (*partner.Refused)(nil); errors.As(err, &refused) && refused.Answer.Status == http.StatusNotFound {
		return nil
	}
	return err
}

func (p panel) profile(ctx context.Context, endpoint string, to trouble.Profile) error {
	_, err := p.send(ctx, http.MethodPost, "/webhooks/"+url.PathEscape(endpoint)+"/profile", to)
	return err
}

// resend sends a delivery once more.
func (p panel) resend(ctx context.Context, delivery string) error {
	_, err := p.send(ctx, http.MethodPost, "/deliveries/"+url.PathEscape(delivery)+"/resend", map[string]any{})
	return err
}
