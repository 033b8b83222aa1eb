package steps

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"net/http"
	"strings"
	"time"

	"github.com/cucumber/godog"

	"paysandbox/harness/partner"
)

// clauseTag begins the tags that name the clauses of a scenario.
const clauseTag = "@clause:"

// story is one scenario under way: who plays, what was made, what was answered.
// No two scenarios share one.
type story struct {
	world   Config
	name    string
	seed    uint64
	clauses []string
	// wish describes the integration that the first call will create.
	wish partner.NewIntegration
	// chosen are the service's choices that are no defaults, by knob.
	chosen map[string]string
	// partners are the partner and, where there is one, another partner.
	partners map[string]*actor
	hook     *partner.Receiver
	// known are the ids that were answered, by what they name: "payment",
	// "other payment", "company's reference".
	known map[string]string
	// answer is the last one of the partner API, and before the one before it.
	answer, before *partner.Answer
	// expected says that a step has asked for the last answer to be a refusal; unexpected
	// is an earlier refusal for which none has.
	expected   bool
	unexpected *partner.Answer
	// sent is the last body that was sent, and act the action that sent it.
	sent any
	act  action
	// page is the one of the service's pages that a person has before them.
	page *partner.Page
	// refusal is the last one of the control API.
	refusal *partner.Answer
	// saved are the answers to all calls that only read when the sandbox was saved, by path.
	saved map[string]string
	// inFile is set where what was saved comes back by its file.
	inFile bool
	// deeds are the calls that were made since then.
	deeds []deed
	// header holds names and values for the next raw request.
	header []string
	now    time.Time
	// mistake is the first one of the service among calls that were drawn.
	mistake error
	// changes shape what is made on the way to a state, by its noun.
	changes map[string][][2]string
}

// actor is a partner with its own integration.
type actor struct {
	client *partner.Client
	stage  *partner.Stage
}

type storyKey struct{}

// of gives the story of a scenario.
func of(ctx context.Context) *story {
	s, _ := ctx.Value(storyKey{}).(*story)
	return s
}

// begin makes the story of a scenario. Its seed follows from the text, so that
// the same scenario plays the same way every time.
func begin(world Config) godog.BeforeScenarioHook {
	return func(ctx context.Context, sc *godog.Scenario) (context.Context, error) {
		h := fnv.New64a()
		_, _ = h.Write([]byte(sc.Uri + "\x00" + sc.Name))
		s := &story{world: world, name: sc.Name, known: map[string]string{}, partners: map[string]*actor{}}
		for _, step := range sc.Steps {
			_, _ = h.Write([]byte("\x00" + step.Text))
		}
		for _, tag := range sc.Tags {
			_, _ = h.Write([]byte("\x00" + tag.Name))
			if id, ok := strings.CutPrefix(tag.Name, clauseTag); ok {
				s.clauses = append(s.clauses, id)
			}
		}
		s.seed = (h.Sum64() ^ world.Seed) >> 1
		s.known["unknown"] = "00000000-1111-4222-8333-444444444444"
		s.known["new reference"], s.known["other new reference"] = s.reference("loc-001"), s.reference("loc-002")
		s.wish = partner.NewIntegration{Seed: s.seed, Environment: "sandbox", Clock: partner.Clock{Mode: "manual"}, Latitude: map[string]string{}}
		for _, tag := range sc.Tags {
			s.pin(tag.Name)
		}
		return context.WithValue(ctx, storyKey{}, s), nil
	}
}

// reference makes a reference the run's own where the service is shared.
func (s *story) reference(text string) string {
	if s.world.ControlURL != "" {
		return text
	}
	return fmt.Sprintf("%s-%s-%x", text, s.world.Run, s.seed)
}

// end closes what the scenario has opened.
func end(ctx context.Context, _ *godog.Scenario, _ error) (context.Context, error) {
	s := of(ctx)
	if s == nil {
		return ctx, nil
	}
	var err error
	if s.hook != nil {
		err = errors.Join(err, s.hook.Close())
	}
	for _, who := range [...]string{partnerName, otherName} {
		if a := s.partners[who]; a != nil && a.stage != nil {
			err = errors.Join(err, a.stage.Delete(context.WithoutCancel(ctx)))
		}
	}
	return ctx, err
}

// The actors of a story.
const (
	partnerName = "partner"
	otherName   = "other partner"
)

// me gives the partner that a step names, and makes its integration when it
// acts for the first time.
func (s *story) me(ctx context.Context, who string) (*actor, error) {
	if a := s.partners[who]; a != nil {
		return a, nil
	}
	a := &actor{client: &partner.Client{Base: s.world.BaseURL, HTTP: s.http()}}
	if s.world.ControlURL == "" {
		if who != partnerName {
			return nil, ErrNeedsControl
		}
		a.client.ID, a.client.Secret = s.world.ClientID, s.world.ClientSecret
		return s.enter(who, a), nil
	}
	if err := s.admit(ctx, a, who); err != nil {
		return nil, err
	}
	return s.enter(who, a), nil
}

// enter makes an actor part of the story.
func (s *story) enter(who string, a *actor) *actor {
	s.partners[who] = a
	if who == partnerName {
		s.known["client id"], s.known["client secret"] = a.client.ID, a.client.Secret
	}
	return a
}

// admit creates the integration of an actor.
func (s *story) admit(ctx context.Context, a *actor, who string) error {
	a.stage = &partner.Stage{Base: s.world.ControlURL, Token: s.world.ControlToken, HTTP: s.http()}
	wish := s.wish
	wish.Name = fmt.Sprintf("%s %x", who, s.seed)
	if who == otherName {
		wish.Seed++
	}
	made, err := a.stage.Create(ctx, wish)
	if err != nil {
		return err
	}
	a.stage.Integration = made.ID
	a.client.Integration, a.client.ID, a.client.Secret = made.ID, made.ClientID, made.ClientSecret
	s.chosen = made.Latitude
	s.known["page of an unknown payment"] = s.world.BaseURL + "/pages/" + made.ID + "/pay/" + s.known["unknown"]
	s.known["page that is not there"] = s.world.BaseURL + "/pages/" + made.ID + "/colour"
	return nil
}

func (s *story) http() *http.Client {
	if s.world.HTTP == nil {
		return http.DefaultClient
	}
	return s.world.HTTP
}

// stage gives the control API of the partner's integration.
func (s *story) stage(ctx context.Context) (*partner.Stage, error) {
	if s.world.ControlURL == "" {
		return nil, ErrNeedsControl
	}
	a, err := s.me(ctx, partnerName)
	if err != nil {
		return nil, err
	}
	return a.stage, nil
}

// control makes one call of the control API that must succeed.
func (s *story) control(ctx context.Context, path string, body any) (*partner.Answer, error) {
	stage, err := s.stage(ctx)
	if err != nil {
		return nil, err
	}
	a, err := stage.Do(ctx, path, body)
	s.done("the control call "+path, a, func(ctx context.Context) (*partner.Answer, error) { return stage.Do(ctx, path, body) })
	return a, err
}

// heard notes an answer of the partner API.
func (s *story) heard(ctx context.Context, a *partner.Answer) error {
	if s.answer != nil && s.answer.Status >= http.StatusBadRequest && !s.expected {
		s.unexpected = s.answer
	}
	s.expected = false
	s.before, s.answer = s.answer, a
	if t, err := time.Parse(time.RFC3339, a.Header.Get("Sandbox-Time")); err == nil {
		s.now = t
	}
	return s.understand(ctx, a)
}

// tests calls the control API, as whoever tests an integration would, with the headers that were given for it; ' stands for
// a quotation mark. What is answered is the story's last answer.
func (s *story) tests(ctx context.Context, method, path, body string) error {
	stage, err := s.stage(ctx)
	if err != nil {
		return err
	}
	s.known["integration"] = stage.Integration
	var out []byte
	if strings.Contains(path+body, "{delivery}") || strings.Contains(path+body, "{event}") {
		if err := s.knowDelivery(ctx, stage); err != nil {
			return err
		}
	}
	if body != "" {
		out = []byte(s.inText(unescaped.Replace(body)))
	}
	header := s.header
	s.header = nil
	answer, err := stage.Ask(ctx, method, s.inText(path), out, header...)
	if err != nil {
		return err
	}
	s.partners[partnerName].client.ForgetToken() // a reset leaves the token good, and nobody can see why
	return s.heard(ctx, answer)
}

// knowDelivery notes the newest delivery and its event, if there is one, for calls that
// name them.
func (s *story) knowDelivery(ctx context.Context, stage *partner.Stage) error {
	a, err := stage.Get(ctx, "/deliveries")
	if err != nil {
		return err
	}
	for name, member := range map[string]string{"delivery": "id", "event": "eventId"} {
		if v, err := reach(a.Body, "deliveries[0]."+member); err == nil {
			s.known[name] = shown(v)
		}
	}
	return nil
}
