package steps

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/cucumber/godog"

	"paysandbox/harness/partner"
)

func machineSteps() []Step {
	const area = "machine"
	const moving = `(payment|card authorisation|refund|terminal payment|debit authorisation|plan|consent)`
	return []Step{
		staged(area, `a `+moving+` that is "([^"]*)"`, bind2((*story).reachState)),
		staged(area, `a `+moving+` that is "([^"]*)" with:`, bind3((*story).reachStateWith)),
		staged(area, `"([^"]*)" happens to the `+moving, bind2((*story).happens)),
		staged(area, `"([^"]*)" is tried on the `+moving, bind2((*story).isTried)),
		staged(area, `the move is refused`, bind((*story).moveRefused)),
		staged(area, `the payment fails with "([^"]*)"`, bind1((*story).failsWith)),
		step(area, `the (payment|card authorisation|company|payer|plan|consent) is "([^"]*)"`, bind2((*story).statusIs)),
		staged(area, `the (refund|terminal payment|debit authorisation) is "([^"]*)"`, bind2((*story).statusIs)),
	}
}

// makeAll brings several things into being, unless they are there already.
func (s *story) makeAll(ctx context.Context, nouns ...string) error {
	for _, noun := range nouns {
		var err error
		switch _, has := s.known[strings.TrimPrefix(noun, "registered ")]; {
		case has:
		case noun == "registered payer":
			err = s.givenRegistered(ctx, "a")
		default:
			err = s.make(ctx, "a", noun, s.changes[noun])
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// insist performs an action of the partner that must succeed.
func (s *story) insist(ctx context.Context, phrase string) error {
	if err := s.perform(ctx, partnerName, phrase, "", nil); err != nil {
		return err
	}
	_, err := s.ok()
	return err
}

func machineOf(noun string) (machine, error) {
	all := machines()
	if i := slices.IndexFunc(all, func(m machine) bool { return m.Noun == noun }); i >= 0 {
		return all[i], nil
	}
	return machine{}, fmt.Errorf("no resource is called %q", noun)
}

// reachStateWith is reachState of a resource with changes to its body.
func (s *story) reachStateWith(ctx context.Context, noun, state string, t *godog.Table) error {
	changes, err := pairsOf(t)
	if err != nil {
		return err
	}
	s.changes = map[string][][2]string{noun: changes, noun + " request": changes}
	return s.reachState(ctx, noun, state)
}

// reachState brings a resource into being and takes it to a state.
func (s *story) reachState(ctx context.Context, noun, state string) error {
	m, err := machineOf(noun)
	if err != nil {
		return err
	}
	way, ok := m.Ways[state]
	if !ok {
		return fmt.Errorf("no way leads a %s to %q", noun, state)
	}
	if err := s.begin(ctx, &m.First); err != nil {
		return err
	}
	for _, event := range way {
		if err := s.happens(ctx, event, noun); err != nil {
			return err
		}
	}
	return nil
}

// happens takes a step of a resource that must be legal.
func (s *story) happens(ctx context.Context, event, noun string) error {
	a, err := s.tries(ctx, event, noun, nil)
	if err == nil && a.Status != http.StatusOK {
		err = fmt.Errorf("%s of the %s: status %d: %s", event, noun, a.Status, a.Body)
	}
	return err
}

// isTried takes a step that may be refused.
func (s *story) isTried(ctx context.Context, event, noun string) error {
	a, err := s.tries(ctx, event, noun, nil)
	s.refusal = a
	return err
}

func (s *story) tries(ctx context.Context, event, noun string, with any) (*partner.Answer, error) {
	m, err := machineOf(noun)
	if err != nil {
		return nil, err
	}
	stage, err := s.stage(ctx)
	if err != nil {
		return nil, err
	}
	id, err := s.idOf(ctx, m)
	if err != nil {
		return nil, err
	}
	if body, ok := pages[noun+" "+event]; ok {
		event, with = body.event, body.with
	}
	path := m.Control + id + "/" + event
	a, err := stage.Try(ctx, path, with)
	s.done("the control call "+path, a, func(ctx context.Context) (*partner.Answer, error) { return stage.Try(ctx, path, with) })
	return a, err
}

// page is a step that a person takes on a page, with what is typed.
type page struct {
	event string
	with  any
}

// pages are the steps of a card authorisation that need a card.
var pages = map[string]page{
	"card authorisation authorise":      {"authorise", map[string]string{"number": "approved"}},
	"card authorisation challenge-card": {"authorise", map[string]string{"number": "challenge-passes"}},
}

func (s *story) moveRefused(context.Context) error {
	if s.refusal == nil {
		return errNoAnswer
	}
	if s.refusal.Status != http.StatusConflict {
		return fmt.Errorf("expected status 409, received %d: %s", s.refusal.Status, s.refusal.Body)
	}
	return nil
}

func (s *story) failsWith(ctx context.Context, code string) error {
	a, err := s.tries(ctx, "fail", "payment", map[string]string{"returnCode": code})
	if err == nil && a.Status != http.StatusOK {
		err = fmt.Errorf("fail with %s: status %d: %s", code, a.Status, a.Body)
	}
	return err
}

var errNoTrace = errors.New("the tape has no trace of it")

// idOf is the id of a resource: what the partner was told or the scenario has said, or else
// what the tape says was made last.
func (s *story) idOf(ctx context.Context, m machine) (string, error) {
	if id, ok := s.known[m.Noun]; ok {
		return id, nil
	}
	if m.Tape == "" {
		return "", fmt.Errorf("the scenario has no %s yet", m.Noun)
	}
	id, _, err := s.traced(ctx, m.Tape)
	return id, err
}

// traced reads the tape for the last resource of a machine and its state.
func (s *story) traced(ctx context.Context, name string) (id, state string, err error) {
	stage, err := s.stage(ctx)
	if err != nil {
		return "", "", err
	}
	entries, err := stage.Tape(ctx, "transition")
	if err != nil {
		return "", "", err
	}
	for _, e := range entries {
		if t := e.Transition; t != nil && t.Machine == name && (t.From == "" || t.Entity == id) {
			id, state = t.Entity, t.To
		}
	}
	if id == "" {
		return "", "", errNoTrace
	}
	return id, state, nil
}

func (s *story) statusIs(ctx context.Context, noun, expected string) error {
	m, err := machineOf(noun)
	if err != nil {
		return err
	}
	received, err := s.status(ctx, m)
	if err == nil && received != expected {
		err = fmt.Errorf("expected the %s to be %q, it is %q", noun, expected, received)
	}
	return err
}

func (s *story) status(ctx context.Context, m machine) (string, error) {
	if m.Read == "" {
		_, state, err := s.traced(ctx, m.Tape)
		return state, err
	}
	path, err := s.path(m.Read)
	if err != nil {
		return "", err
	}
	actor, err := s.me(ctx, partnerName)
	if err != nil {
		return "", err
	}
	a, err := actor.client.Call(ctx, http.MethodGet, path, nil)
	if err != nil {
		return "", err
	}
	if err := s.understand(ctx, a); err != nil {
		return "", err
	}
	if a.Status != http.StatusOK {
		return "", fmt.Errorf("read the status of the %s: %d %s", m.Noun, a.Status, a.Body)
	}
	v, err := reach(a.Body, "status")
	if err != nil {
		return "", fmt.Errorf("read the status of the %s: %s: %w", m.Noun, a.Body, err)
	}
	return shown(v), nil
}

// machine is a resource with states, as the partner and the stage see it.
type machine struct {
	// Noun names it in steps and in what the story knows.
	Noun string
	// Control is its place in the control API.
	Control string
	// Read is the path that tells its status, Tape its machine's name on the tape.
	Read, Tape string
	First      first
	// Ways are the events that lead from the first state to each other one.
	Ways map[string][]string
}

// first is what brings a resource into its first state.
type first struct {
	Make    []string
	State   map[string]string
	Pending string
	Do      string
	Accept  string
}

//go:embed machines.yaml
var machineText []byte

// machines are all of them.
var machines = sync.OnceValue(func() []machine { return load[machine](machineText) })

// begin brings a resource into its first state.
func (s *story) begin(ctx context.Context, f *first) error {
	if err := s.makeAll(ctx, f.Make...); err != nil {
		return err
	}
	for noun, state := range f.State {
		if err := s.reachState(ctx, noun, state); err != nil {
			return err
		}
	}
	if f.Pending != "" {
		return s.make(ctx, "a", f.Pending, [][2]string{{"transactionStatus", "Pending"}})
	}
	if f.Do != "" {
		if err := s.insist(ctx, f.Do); err != nil {
			return err
		}
	}
	if f.Accept != "" {
		return s.happens(ctx, "accept", f.Accept)
	}
	return nil
}
