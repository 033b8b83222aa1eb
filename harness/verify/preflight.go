package verify

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"paysandbox/harness/check/service"
	"paysandbox/harness/partner"
)

// mostSkew is how far the target's clock may be from ours.
const mostSkew = 5 * time.Minute

// ground is what the preflight has found out about a target.
type ground struct {
	// control is the address of the control API, empty where there is none.
	control string
	// document is the target's own description, nil where it has none.
	document *service.Document
	notes    []string
}

// preflight asks the target what has to be true before anything can be judged.
func (p *Plan) preflight(ctx context.Context, client *http.Client) (*ground, error) {
	g := &ground{}
	if err := p.enter(ctx, client); err != nil {
		return nil, err
	}
	if err := p.findControl(ctx, client, g); err != nil {
		return nil, err
	}
	if g.control == "" {
		if p.ClientID == "" {
			return nil, fmt.Errorf("%w: a target without control API needs a client id and a client secret", ErrConfig)
		}
		return g, nil
	}
	if err := p.hooks(ctx, client, g.control); err != nil {
		return nil, err
	}
	p.describe(ctx, client, g)
	return g, nil
}

// enter reaches the target, tries the credentials where there are some, and
// compares the clocks.
func (p *Plan) enter(ctx context.Context, client *http.Client) error {
	c := partner.Client{Base: p.BaseURL, HTTP: client}
	if p.ClientID == "" {
		a, err := c.Send(ctx, http.MethodGet, "/", nil)
		if err != nil {
			return unreachable(p.BaseURL, err)
		}
		return p.skew(a)
	}
	a, err := c.Send(ctx, http.MethodPost, "/Authentication/Token", partner.TokenRequest{ClientID: p.ClientID, ClientSecret: p.ClientSecret})
	switch {
	case err != nil:
		return unreachable(p.BaseURL, err)
	case a.Status == http.StatusBadRequest || a.Status == http.StatusUnauthorized || a.Status == http.StatusForbidden:
		return fmt.Errorf("%w: the target refuses the credentials of %q with status %d: look at the client id and the client secret", ErrConfig, p.ClientID, a.Status)
	case a.Status >= http.StatusMultipleChoices:
		return fmt.Errorf("%w: %s answers a request for a token with status %d: is that the service's address?", ErrTarget, p.BaseURL, a.Status)
	}
	return p.skew(a)
}

func unreachable(at string, err error) error {
	return fmt.Errorf("%w: %s cannot be reached: %w", ErrTarget, at, err)
}

// skew compares the clocks by the answer's Date. A sandbox says with Sandbox-Time
// that its time is its own.
func (p *Plan) skew(a *partner.Answer) error {
	told, err := http.ParseTime(a.Header.Get("Date"))
	if err != nil || a.Header.Get("Sandbox-Time") != "" {
		return nil //nolint:nilerr // a service that tells no time is not asked for it
	}
	if by := p.Now().Sub(told).Abs(); by > mostSkew {
		return fmt.Errorf("%w: the target's clock and this machine's are %s apart: set the one that is wrong", ErrConfig, by.Round(time.Second))
	}
	return nil
}

// findControl asks for the control API. One that was named has to be there.
func (p *Plan) findControl(ctx context.Context, client *http.Client, g *ground) error {
	if p.ControlURL == NoControl {
		g.notes = append(g.notes, "Without control API, as asked: clauses that need it were not reached.")
		return nil
	}
	at, named := p.ControlURL, p.ControlURL != "" || p.ControlToken != ""
	if at == "" {
		at = p.BaseURL
	}
	status, err := p.askControl(ctx, client, at)
	switch {
	case err == nil && status == http.StatusOK:
		g.control = at
	case named:
		return p.noControl(at, status, err)
	case status == http.StatusUnauthorized:
		g.notes = append(g.notes, "The target has a control API that wants a token; without it, clauses that need it were not reached.")
	default:
		g.notes = append(g.notes, "The target has no control API: clauses that need it were not reached.")
	}
	return nil
}

// noControl says why a control API that was named cannot be used.
func (p *Plan) noControl(at string, status int, err error) error {
	switch {
	case err != nil:
		return unreachable(at, err)
	case status == http.StatusUnauthorized && p.ControlToken != "":
		return fmt.Errorf("%w: the control API at %s refuses the control token", ErrConfig, at)
	case status == http.StatusUnauthorized:
		return fmt.Errorf("%w: the control API at %s wants a control token", ErrConfig, at)
	default:
		return fmt.Errorf("%w: there is no control API at %s", ErrConfig, at)
	}
}

// askControl lists the integrations. 200 stands for a control API that is open, 401
// for one that is not, and everything else for none.
func (p *Plan) askControl(ctx context.Context, client *http.Client, at string) (int, error) {
	c := partner.Client{Base: at, HTTP: client}
	var header []string
	if p.ControlToken != "" {
		header = []string{"Authorization", "Bearer " + p.ControlToken}
	}
	a, err := c.Send(ctx, http.MethodGet, controlPath, nil, header...)
	switch {
	case err != nil:
		return 0, err
	case a.Status == http.StatusForbidden:
		return http.StatusUnauthorized, nil
	case a.Status == http.StatusOK && !strings.Contains(a.Header.Get("Content-Type"), "json"):
		return http.StatusNotFound, nil
	default:
		return a.Status, nil
	}
}

// hooks registers a webhook receiver of this machine, which the target tries to
// reach, with an integration of its own.
func (p *Plan) hooks(ctx context.Context, client *http.Client, control string) (err error) {
	stage := partner.Stage{Base: control, Token: p.ControlToken, HTTP: client}
	made, err := stage.Create(ctx, partner.NewIntegration{Name: "preflight", Seed: p.Seed, Clock: partner.Clock{Mode: "manual"}})
	if err != nil {
		return fmt.Errorf("%w: its control API makes no integration: %w", ErrTarget, err)
	}
	stage.Integration = made.ID
	receiver, err := partner.NewReceiver(ctx)
	if err != nil {
		return fmt.Errorf("start a webhook receiver: %w", err)
	}
	defer func() {
		err = errors.Join(err, receiver.Close(), stage.Delete(context.WithoutCancel(ctx)))
	}()
	a, err := stage.Do(ctx, "/webhooks", map[string]any{"url": receiver.URL})
	if err != nil {
		return fmt.Errorf("%w: it registers no webhook receiver: %w", ErrTarget, err)
	}
	var answer struct {
		Probe *struct {
			Reachable bool
			Error     string
		}
	}
	if err := a.Read(&answer); err != nil {
		return fmt.Errorf("%w: its control API: %w", ErrTarget, err)
	}
	if answer.Probe != nil && !answer.Probe.Reachable {
		return fmt.Errorf("%w: the target cannot reach the webhook receivers at %s (%s): run this on a machine that it can call, or without its control API",
			ErrConfig, receiver.URL, answer.Probe.Error)
	}
	return nil
}

// describe reads the target's description of itself. Without one, answers are
// held to the scenarios only, and the report says so.
func (p *Plan) describe(ctx context.Context, client *http.Client, g *ground) {
	c := partner.Client{Base: g.control, HTTP: client}
	a, err := c.Send(ctx, http.MethodGet, "/openapi.json", nil)
	if err == nil && a.Status == http.StatusOK {
		g.document, err = service.ReadDocument(a.Body)
	}
	if err != nil || g.document == nil {
		g.notes = append(g.notes, "The target has no OpenAPI description that can be read: answers were not held to it.")
	}
}
