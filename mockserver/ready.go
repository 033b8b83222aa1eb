package mockserver

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"time"

	"paysandbox/fixtures"
	"paysandbox/mockserver/control"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/world"
)

// ready keeps the ready worlds that have been asked for without choices of their own.
type ready struct {
	mu   sync.Mutex
	kept map[readyKey]*integration.Snapshot
}

// readyKey is all that tells one from another.
type readyKey struct {
	name, id, address string
	environment       world.Environment
}

// mostReady is how many are kept: an address is what a caller says.
const mostReady = 64

// Ready gives the ready world with the name, made under the options' id, by their seed,
// environment, choices and start; its clock stands, and its links lead to the address, such as
// http://127.0.0.1:8484. nil is none of the name. It is made by the calls that fixtures lists, once
// for those who choose nothing but its environment; but where secrets follow from one of the process, each who
// asks gets its own: nobody may know the links of another.
func (s *Server) Ready(name string, o integration.Options, address string) (*integration.Snapshot, error) {
	w, err := fixtures.ReadyWorld(name)
	if err != nil {
		return nil, nil //nolint:nilnil // none is no error.
	}
	if o.Environment == "" {
		o.Environment = world.Sandbox
	}
	secret := len(o.Secret)+len(s.opts.Integration.Secret) > 0
	if secret && o.Secret == nil {
		o.Secret = []byte(rand.Text())
	}
	key := readyKey{w.Name, o.ID, address, o.Environment}
	if secret || !s.usual(&o) {
		return s.build(&w, o, address)
	}
	s.ready.mu.Lock()
	defer s.ready.mu.Unlock()
	if known := s.ready.kept[key]; known != nil {
		return known, nil
	}
	made, err := s.build(&w, o, address)
	if err == nil {
		if len(s.ready.kept)%mostReady == 0 {
			s.ready.kept = map[readyKey]*integration.Snapshot{}
		}
		s.ready.kept[key] = made
	}
	return made, err
}

// usual says whether nothing is chosen but an environment.
func (s *Server) usual(o *integration.Options) bool {
	return o.Seed == 0 && o.Settings == s.registry.Default().Settings() && !o.Strict && o.Start.IsZero() && o.StatusKey == "" && o.WebhookURL == "" && o.WebhookSecret == ""
}

// apart makes a sandbox of its own, in which nothing leaves and time stands, and gives
// what run makes of its default integration.
func (s *Server) apart(o integration.Options, run func(fresh *Server) error) (*integration.Snapshot, error) {
	if o.Secret == nil {
		o.Secret = s.opts.Integration.Secret
	}
	o.Clock, o.Budget, o.Tape = integration.Manual, nil, s.opts.Integration.Tape
	fresh, err := New(Options{Integration: o, Surface: "", Log: s.opts.Log, Wall: s.opts.Wall, Version: s.opts.Version, Carrier: nowhere{}})
	if err != nil {
		return nil, err
	}
	defer fresh.registry.Close()
	if err := run(fresh); err != nil {
		return nil, err
	}
	return fresh.registry.Default().Snapshot(), nil
}

// build makes a ready world call by call.
func (s *Server) build(w *fixtures.World, o integration.Options, address string) (*integration.Snapshot, error) {
	return s.apart(o, func(fresh *Server) error {
		b := builder{server: fresh, address: cmp.Or(address, "http://localhost"), known: map[string]string{}}
		_, now, _ := fresh.registry.Default().Clock()
		b.known["nextWeek"] = now.Add(7 * 24 * time.Hour).Format(time.DateOnly)
		for n := range w.Steps {
			if step := &w.Steps[n]; step.If == "" || step.If == string(o.Environment) {
				if err := b.step(step); err != nil {
					return fmt.Errorf("ready world %s, step %d: %w", w.Name, n+1, err)
				}
			}
		}
		return nil
	})
}

// readyHeader marks the calls of a ready world, which are no partner's.
const readyHeader = "Sandbox-World"

// builder makes the calls of a ready world.
type builder struct {
	server  *Server
	address string
	known   map[string]string
}

func (b *builder) step(step *fixtures.WorldStep) error {
	body, err := step.JSON()
	if err != nil {
		return err
	}
	line := step.Call
	if line == "" {
		method, path, _ := strings.Cut(step.Control, " ")
		line = method + " " + control.Prefix + "/integrations/" + b.server.registry.Default().ID + path
	}
	method, path, _ := strings.Cut(b.filled(line), " ")
	r, err := http.NewRequestWithContext(context.Background(), method, b.address+path, strings.NewReader(b.filled(string(body))))
	if err != nil {
		return err
	}
	if step.Call != "" {
		if err := b.sign(r); err != nil {
			return err
		}
	}
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	b.server.route(w, r, everything)
	if w.Code >= http.StatusMultipleChoices {
		return fmt.Errorf("%s answered %d: %s", line, w.Code, w.Body)
	}
	return b.keep(step.Keep, w.Body.Bytes())
}

// sign lets the call come from the integration's own client, without a token call.
func (b *builder) sign(r *http.Request) error {
	var t world.Token
	i := b.server.registry.Default()
	i.Do(&integration.Call{Silent: true}, func(w *world.World, _ *integration.Call) { t = w.IssueToken() })
	token, err := i.Sign(t)
	r.Header.Set("Authorization", "Bearer "+token)
	r.Header.Set(readyHeader, "ready")
	return err
}

func (b *builder) filled(text string) string {
	for name, value := range b.known {
		text = strings.ReplaceAll(text, "{"+name+"}", value)
	}
	return text
}

func (b *builder) keep(names map[string]string, answer []byte) error {
	if len(names) == 0 {
		return nil
	}
	var members map[string]any
	if err := json.Unmarshal(answer, &members); err != nil {
		return err
	}
	for name, member := range names {
		value, ok := members[member].(string)
		if !ok {
			return fmt.Errorf("the answer has no %s", member)
		}
		b.known[name] = value
	}
	return nil
}
