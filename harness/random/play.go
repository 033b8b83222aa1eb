package random

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"paysandbox/harness/partner"
	"paysandbox/harness/schema"
)

// Player makes the calls that are drawn, for one integration.
type Player struct {
	Client  *partner.Client
	Stage   *partner.Stage
	Visitor *partner.Visitor

	// armed says that a fault may wait for calls of the partner API.
	armed bool
}

// everyFault is after how many calls that were drawn no fault waits any more: one that
// meets all calls would leave nothing to see.
const everyFault = 15

// Play makes calls to both APIs and to pages as they are drawn from the service's own
// descriptions, with what is known under the names of members. mistake is the first answer
// that is a mistake of the service's own.
func (p *Player) Play(ctx context.Context, n int, number uint64, known map[string]string) (mistake, err error) {
	described, err := p.describe(ctx, "/openapi.json")
	if err != nil {
		return nil, err
	}
	control, err := p.describe(ctx, "/_sandbox/openapi.json")
	if err != nil {
		return nil, err
	}
	p.Client.HTTP = sentOnce(p.Client.HTTP)
	source := New(number, described, control)
	source.Know("integration", p.Stage.Integration)
	for _, name := range sorted(known) {
		source.Know(name, known[name])
	}
	for i := range n {
		if i%everyFault == everyFault-1 {
			if err := p.Stage.Remove(ctx, "/faults"); err != nil {
				return mistake, err
			}
			p.armed = false
		}
		c := source.Next()
		answer, err := p.make(ctx, &c)
		if err != nil {
			return mistake, fmt.Errorf("call %d, %s %s: %w", i+1, c.Method, c.Target, err)
		}
		if answer == nil {
			continue
		}
		if mistaken(&c, answer) && mistake == nil {
			mistake = fmt.Errorf("call %d, %s %s %s: the service answers %d: %s", i+1, c.Method, c.Target, c.Body, answer.Status, answer.Body)
		}
		source.Learn(&c, answer.Status, answer.Body)
		if err := p.after(ctx, &c, answer); err != nil {
			return mistake, err
		}
	}
	return mistake, p.Stage.Remove(ctx, "/faults")
}

// mistaken says that an answer is neither what a call asks for nor a refusal of it, and
// that no fault was asked for.
func mistaken(c *Call, answer *partner.Answer) bool {
	if answer.Header.Get(faultHeader) != "" {
		return false
	}
	other := c.To == Partner && answer.Status != http.StatusOK && answer.Status < http.StatusBadRequest && c.Method != http.MethodOptions
	return answer.Status >= http.StatusInternalServerError || other
}

// describe reads one of the two descriptions.
func (p *Player) describe(ctx context.Context, path string) (*schema.Document, error) {
	answer, err := p.Stage.Ask(ctx, http.MethodGet, path, nil)
	if err != nil {
		return nil, err
	}
	return schema.Read(answer.Body)
}

// make makes one call that was drawn. The answer is nil when the call cannot be written
// down, or when a fault has kept it back.
func (p *Player) make(ctx context.Context, c *Call) (*partner.Answer, error) {
	var answer *partner.Answer
	var err error
	switch c.To {
	case Page:
		answer, err = p.visit(ctx, c)
	case Control:
		answer, err = p.Stage.Ask(ctx, c.Method, c.Target, c.Body, c.Header...)
	default:
		var body any
		if c.Body != nil {
			body = c.Body
		}
		answer, err = p.Client.Call(ctx, c.Method, c.Target, body, c.Header...)
	}
	var broken *url.Error
	unsent := errors.As(err, &broken) && broken.Op == "parse"
	troubled := c.To == Partner && (p.armed || slices.Contains(c.Header, faultHeader)) && (broken != nil || errors.Is(err, io.ErrUnexpectedEOF))
	if ctx.Err() == nil && (unsent || troubled) {
		return nil, nil //nolint:nilnil // nothing came, or a part of it.
	}
	return answer, err
}

// visit opens a page, or sends its form.
func (p *Player) visit(ctx context.Context, c *Call) (*partner.Answer, error) {
	if c.Method == http.MethodGet {
		page, err := p.Visitor.Open(ctx, c.Target)
		if err != nil {
			return nil, err
		}
		return &page.Answer, nil
	}
	to, err := url.Parse(c.Target)
	if err != nil {
		return nil, err
	}
	page, err := p.Visitor.Send(ctx, to, partner.FormMedia, string(c.Body))
	if err != nil {
		return nil, err
	}
	return &page.Answer, nil
}

// after lets what is under way come back, and gets another token where one is over.
func (p *Player) after(ctx context.Context, c *Call, answer *partner.Answer) error {
	p.armed = p.armed || strings.HasSuffix(c.Operation, "armFault") && answer.Status < http.StatusMultipleChoices
	if answer.Status == http.StatusUnauthorized || strings.HasSuffix(c.Operation, "revokeTokens") {
		p.Client.ForgetToken()
	}
	_, err := p.Stage.Get(ctx, "/tape?kind=attempt&limit=1")
	return err
}
