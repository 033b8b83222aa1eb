package play

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"paysandbox/harness/partner"
	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/replay/recording"
	"paysandbox/mockserver/tape"
)

// Record plays a script to a fresh world of a sandbox and gives what it answered there as
// a recording, with the moves that were not possible. Where the service itself had failed,
// it is asked again.
func (s *Sandbox) Record(ctx context.Context, script *Script) (*recording.Recording, []string, error) {
	p, err := s.begin(ctx, script)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = p.stage.Delete(context.WithoutCancel(ctx)) }()
	r, err := p.recorded(ctx, script)
	return r, p.run.Impossible(), err
}

// ByHand is how a script is played to a service whose control API is closed or lacking.
type ByHand struct {
	ClientID, ClientSecret string
	// Due is what time brings in the course of the script.
	Due []Due
	// Now is the service's time, UTC.
	Now func() time.Time
	// Do returns when somebody has seen to it that a task is done.
	Do func(ctx context.Context, t Task) error
}

// Due is something that time alone brings: a resource, by its recorded id, comes to a
// state; or a call, from 0, finds that its token or link has expired (then Entity is "").
type Due struct {
	At                  time.Time
	Machine, Entity, To string
	Call                int
}

// Task is what somebody has to do at the service.
type Task struct {
	// What is it in a sentence.
	What string
	// IDs are the resources that it is about: each by its recorded id and the service's.
	IDs []correlate.Link
	// Page is the address of the page on which it is done, "" where none is known.
	Page string
}

// RecordByHand is Record for a service that has no control API: what other people do and
// what takes its time is left to whoever carries the tasks out.
func (s *Sandbox) RecordByHand(ctx context.Context, script *Script, hand *ByHand) (*recording.Recording, error) {
	p := s.player(script, &stage{Stage: &partner.Stage{}, made: partner.Integration{ClientID: hand.ClientID, ClientSecret: hand.ClientSecret}})
	p.hand = hand
	return p.recorded(ctx, script)
}

// Tasks tells what RecordByHand leaves to people, in order.
func (h *ByHand) Tasks(script *Script) []string {
	var list []string
	last := script.World.Start
	for i := range script.Steps {
		s := &script.Steps[i]
		if due := h.due(last, s.At); len(due) > 0 {
			list = append(list, passing(s.At.Sub(last), due))
		}
		if s.Move != nil {
			list = append(list, s.Text())
		}
		if s.At.After(last) {
			last = s.At
		}
	}
	return list
}

// passing tells a while and what it brings.
func passing(by time.Duration, due []Due) string {
	var brings []string
	for _, d := range due {
		text := strings.TrimSpace(d.Machine+" "+d.Entity) + " becomes " + d.To
		if d.Entity == "" {
			text = fmt.Sprintf("what call %d sends has expired", d.Call+1)
		}
		brings = append(brings, text)
	}
	return fmt.Sprintf("%s pass, by the end of which %s", by, strings.Join(brings, ", "))
}

// due is what comes between two times.
func (h *ByHand) due(after, to time.Time) []Due {
	var list []Due
	for _, d := range h.Due {
		if d.At.After(after) && !d.At.After(to) {
			list = append(list, d)
		}
	}
	return list
}

func (p *player) recorded(ctx context.Context, script *Script) (*recording.Recording, error) {
	p.sent = &recording.Recording{
		Sources:  []recording.Source{{Name: p.sandbox.Base, Format: "target"}},
		Services: []recording.Service{{Host: p.sandbox.Base, Why: "the calls were made to it"}},
	}
	err := p.all(ctx, script.Steps, nil)
	p.sent.Services[0].Calls = len(p.sent.Exchanges)
	return p.sent, err
}

// serviceTime is what the clock of the service says.
func (p *player) serviceTime() time.Time {
	if p.hand != nil {
		return p.hand.Now().UTC()
	}
	return p.clock.UTC()
}

// keep adds a call and its answer to the recording that is made.
func (p *player) keep(c *Call, r *http.Request, body []byte, begin time.Time, answer recording.Answer) {
	base := ""
	if u, err := url.Parse(p.sandbox.Base); err == nil {
		base = u.EscapedPath()
	}
	p.sent.Exchanges = append(p.sent.Exchanges, recording.Exchange{
		Place: recording.Place{Source: p.sandbox.Base, Entry: len(p.sent.Exchanges) + 1}, Link: c.Exchange.Link,
		Begin: begin, End: p.serviceTime(), Method: r.Method, Scheme: r.URL.Scheme, Host: r.URL.Host,
		Path: strings.TrimPrefix(r.URL.EscapedPath(), base), Query: r.URL.RawQuery, Header: listed(r.Header), Body: body, Answer: answer,
	})
}

// listed are headers in the order of their names, without those that a sandbox alone knows.
func listed(h http.Header) []tape.Header {
	var list []tape.Header
	for name, values := range h {
		for _, v := range values {
			if !strings.HasPrefix(name, "Sandbox-") {
				list = append(list, tape.Header{Name: name, Value: v})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b tape.Header) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// unasked says whether a call cannot be made again: a service that nobody can ask to fail
// would carry out what was not carried out where it was recorded.
func (p *player) unasked(c *Call) bool { return p.hand != nil && c.Fault != "" && !c.Broken }

// pass lets the time come at which a script goes on.
func (p *player) pass(ctx context.Context, to time.Time) error {
	due := p.hand.due(p.clock, to)
	by := to.Sub(p.clock)
	p.clock = to
	if len(due) == 0 {
		return nil
	}
	t := Task{What: passing(by, due)}
	for _, d := range due {
		t.IDs = append(t.IDs, p.ids(d.Entity)...)
	}
	return p.hand.Do(ctx, t)
}

// asked lets somebody carry a move out.
func (p *player) asked(ctx context.Context, s *Step) error {
	m := s.Move
	t := Task{What: s.Text()}
	seen := map[string]bool{}
	for _, word := range append(strings.Split(m.Path, "/"), m.Entity) {
		for _, id := range p.ids(word) {
			if !seen[id.Replayed] {
				seen[id.Replayed] = true
				t.IDs = append(t.IDs, id)
				t.Page = p.page(id.Replayed, t.Page)
			}
		}
	}
	return p.hand.Do(ctx, t)
}

// ids are the service's id of a recorded one, none where it is not known.
func (p *player) ids(recorded string) []correlate.Link {
	if at, ok := p.run.Links.Find("", recorded); ok {
		return []correlate.Link{{Recorded: recorded, Replayed: at}}
	}
	return nil
}

// page is the address that the answer which made a resource has shown, else the other one.
func (p *player) page(id, otherwise string) string {
	for i := range p.run.Answers {
		shown, page := false, ""
		correlate.Walk(p.run.Answers[i].Body, func(_ []string, v any) {
			text, _ := v.(string)
			shown = shown || strings.EqualFold(text, id)
			if strings.HasPrefix(text, "http://") || strings.HasPrefix(text, "https://") {
				page = text
			}
		})
		if shown && page != "" {
			return page
		}
	}
	return otherwise
}
