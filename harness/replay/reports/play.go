package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"strings"

	"paysandbox/fixtures"
)

// stage is a sandbox of its own with all that stands around it.
type stage struct {
	ctx      context.Context
	story    *story
	base     string // of the sandbox
	control  string
	proxy    *proxy
	receiver *receiver
	values   map[string]string
	manual   bool
	stop     func()
}

// secret signs the webhooks of all stories.
const secret = "whsec-of-the-shop" //nolint:gosec // test data of the corpus

// start starts a sandbox for a story.
func start(ctx context.Context, binary string, s *story, manual bool) (*stage, error) {
	r, err := startReceiver(ctx)
	if err != nil {
		return nil, err
	}
	args := []string{"serve", "--addr", "127.0.0.1:0", "--announce", "json", "--quiet", "--log-level", "error", "--webhook-url", r.address, "--webhook-secret", secret}
	if manual {
		args = append(args, "--clock", "manual")
	}
	cmd := exec.CommandContext(ctx, binary, append(args, s.Serve...)...) //nolint:gosec // our own binary
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	line, err := bufio.NewReader(out).ReadBytes('\n')
	if err != nil {
		return nil, fmt.Errorf("the sandbox did not start: %w", err)
	}
	var told struct{ BaseURL, ControlURL, ClientID, ClientSecret string }
	if err := json.Unmarshal(line, &told); err != nil {
		return nil, err
	}
	p, err := startProxy(ctx, told.BaseURL)
	if err != nil {
		return nil, err
	}
	st := &stage{
		ctx: ctx, story: s, base: told.BaseURL, control: told.BaseURL + "/_sandbox/integrations/default/", proxy: p, receiver: r, manual: manual,
		values: map[string]string{"client": told.ClientID, "secret": told.ClientSecret},
		stop:   func() { _ = p.server.Close(); _ = cmd.Process.Kill(); _ = cmd.Wait() },
	}
	r.now = st.now
	return st, st.findHook()
}

// findHook keeps the id of the partner's endpoint.
func (s *stage) findHook() error {
	var list struct{ Webhooks []struct{ ID string } }
	answer, err := s.post("webhooks", "")
	if err == nil {
		err = json.Unmarshal(answer, &list)
	}
	if err == nil && len(list.Webhooks) > 0 {
		s.values["hook"] = list.Webhooks[0].ID
	}
	return err
}

// request is a call that a tool is to make.
type request struct {
	Method  string            `json:"method"`
	URL     string            `json:"url"`
	Headers map[string]string `json:"headers"`
	Body    string            `json:"body,omitempty"`
}

// tool makes the partner's calls and records them.
type tool interface {
	call(r *request) error
	// files gives what it recorded, by name.
	files() (map[string][]byte, error)
}

// play plays the story with a tool.
func (s *stage) play(t tool) error {
	for i := range s.story.Steps {
		one := &s.story.Steps[i]
		for range max(1, one.Times) {
			if err := s.step(one, t); err != nil {
				return fmt.Errorf("step %d (%s%s): %w", i+1, one.Call, one.Control, err)
			}
		}
	}
	return s.quiet()
}

func (s *stage) step(one *step, t tool) error {
	if err := s.pass(one); err != nil {
		return err
	}
	switch {
	case one.Control != "":
		path, body, _ := strings.Cut(s.fill(one.Control), " ")
		answer, err := s.post(path, body)
		if err != nil {
			return err
		}
		return s.keep(one, answer)
	case one.Call != "":
		return s.call(one, t)
	case one.Heard > 0:
		return s.until(func() bool { return s.receiver.count() >= one.Heard })
	}
	return nil
}

// pass lets time pass before a step. Under a manual clock calls are a second apart.
func (s *stage) pass(one *step) error {
	by := one.After
	if by == "" && s.manual && one.Call != "" {
		by = "1s"
	}
	if by == "" {
		return nil
	}
	_, err := s.post("clock/advance", fmt.Sprintf(`{"by":%q}`, by))
	return err
}

// call makes a call and keeps what its answer says.
func (s *stage) call(one *step, t tool) error {
	method, path, _ := strings.Cut(s.fill(one.Call), " ")
	r := &request{Method: method, URL: "http://" + s.proxy.address + path, Headers: map[string]string{}}
	body, err := s.body(one)
	if err != nil {
		return err
	}
	if r.Body = body; body != "" {
		r.Headers["Content-Type"] = "application/json"
	}
	if token := s.values["token"]; one.Token != "none" && token != "" && !strings.Contains(path, "oken") {
		r.Headers["Authorization"] = "Bearer " + token
	}
	if s.story.Tool != "playwright" && s.story.Tool != "devtools" { // a browser says who it is
		r.Headers["User-Agent"] = "shop/1.0"
	}
	for name, value := range one.Headers {
		r.Headers[name] = s.fill(value)
	}
	s.proxy.mu.Lock()
	s.proxy.next = one.Answer
	before := len(s.proxy.calls)
	s.proxy.mu.Unlock()
	if err := t.call(r); err != nil {
		return err
	}
	s.proxy.mu.Lock()
	defer s.proxy.mu.Unlock()
	if len(s.proxy.calls) <= before {
		return errors.New("the tool made no call")
	}
	if x := &s.proxy.calls[len(s.proxy.calls)-1]; x.status >= 200 && x.status < 300 && one.Answer == nil {
		return s.keep(one, x.answer)
	}
	return nil
}

// body is the body of a call.
func (s *stage) body(one *step) (string, error) {
	if one.Raw != "" || one.As == "" && len(one.Set) == 0 {
		return s.fill(one.Raw), nil
	}
	object := map[string]any{}
	if one.As != "" {
		text, err := fixtures.Payload(one.As)
		if err != nil {
			return "", err
		}
		if err := json.Unmarshal(text, &object); err != nil {
			return "", err
		}
	}
	for _, name := range one.Without {
		delete(object, name)
	}
	for name, value := range one.Set {
		in := object
		parts := strings.Split(name, ".")
		for _, part := range parts[:len(parts)-1] {
			in, _ = in[part].(map[string]any)
		}
		if in == nil {
			return "", fmt.Errorf("there is no %s", name)
		}
		in[parts[len(parts)-1]] = value
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(object); err != nil {
		return "", err
	}
	return s.fill(strings.TrimSpace(b.String())), nil
}

func (s *stage) keep(one *step, answer []byte) error {
	for name, path := range one.Save {
		var value any
		if err := json.Unmarshal(answer, &value); err != nil {
			return fmt.Errorf("the answer is %q: %w", answer, err)
		}
		for part := range strings.SplitSeq(path, ".") {
			switch v := value.(type) {
			case map[string]any:
				value = v[part]
			case []any:
				value = v[0]
			}
		}
		text, ok := value.(string)
		if !ok {
			return fmt.Errorf("the answer has no %s: %s", path, answer)
		}
		s.values[name] = text
	}
	return nil
}

func (s *stage) fill(text string) string {
	for name, value := range s.values {
		text = strings.ReplaceAll(text, "{"+name+"}", value)
	}
	return text
}
