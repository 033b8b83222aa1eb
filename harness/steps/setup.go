package steps

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
)

func setupSteps() []Step {
	const area = "setup"
	return []Step{
		staged(area, `an integration in environment "([^"]*)"`, bind1((*story).plays)),
		staged(area, `a strict integration`, bind((*story).isStrict)),
		staged(area, `the service's choice of "([^"]*)" is "([^"]*)"`, bind2((*story).chooses)),
		staged(area, `the clock starts at "([^"]*)"`, bind1((*story).startsAt)),
		staged(area, `the sandbox is saved( in a file)?`, bind1((*story).saves)),
		staged(area, `the sandbox goes back to what was saved`, bind((*story).goesBack)),
		staged(area, `the sandbox goes back and the same is done again`, bind((*story).doesAgain)),
		staged(area, `the fault "([^"]*)" waits for "([^"]*)"`, bind2((*story).armsFault)),
		staged(area, `the fault "([^"]*)" meets "([^"]*)" for ([0-9]+) (second|minute|hour|day)s?`, bind4((*story).armsOutage)),
		staged(area, `the next call is met by the fault "([^"]*)"`, bind1((*story).asksFault)),
		staged(area, `the tester calls "([A-Z]+) ([^"]*)"(?: with "([^"]*)")?`, bind3((*story).tests)),
		staged(area, `the status key "([^"]*)"`, bind1((*story).hasStatusKey)),
		staged(area, `a tape of ([0-9]+) entries`, bind1((*story).keeps)),
	}
}

func (s *story) plays(_ context.Context, environment string) error {
	s.wish.Environment = environment
	return nil
}

func (s *story) isStrict(context.Context) error {
	s.wish.Strict = true
	return nil
}

func (s *story) chooses(_ context.Context, knob, choice string) error {
	s.wish.Latitude[knob] = choice
	return nil
}

func (s *story) startsAt(_ context.Context, moment string) error {
	s.wish.Clock.Start = moment
	return nil
}

func (s *story) hasStatusKey(_ context.Context, key string) error {
	s.wish.StatusKey = key
	return nil
}

func (s *story) keeps(_ context.Context, entries int) error {
	s.wish.TapeEntries = entries
	return nil
}

// asksFault has the next raw request ask the sandbox itself for a fault.
func (s *story) asksFault(ctx context.Context, fault string) error {
	return s.setsHeader(ctx, "Sandbox-Fault", fault)
}

// armsFault has the next calls of an operation go wrong; the effect is a JSON object
// in which ' stands for a quotation mark.
func (s *story) armsFault(ctx context.Context, effect, operation string) error {
	return s.arms(ctx, effect, operation, 0)
}

// armsOutage has the calls of an operation go wrong until a time is over.
func (s *story) armsOutage(ctx context.Context, effect, operation string, n int, unit string) error {
	return s.arms(ctx, effect, operation, time.Duration(n)*spans[unit])
}

func (s *story) arms(ctx context.Context, effect, operation string, long time.Duration) error {
	body := map[string]any{
		"match":  map[string]string{"operation": operation},
		"effect": json.RawMessage(strings.ReplaceAll(effect, "'", `"`)),
	}
	if long > 0 {
		body["for"] = long.String()
	}
	_, err := s.control(ctx, "/faults", body)
	return err
}

func givenSteps() []Step {
	const area = "given"
	const nouns = `(a|another) (company|payer|payment request|card authorisation|plan|terminal payment|link token)`
	return []Step{
		step(area, nouns, bind2((*story).given)),
		step(area, nouns+` with ([a-zA-Z.\[\]0-9]+) "([^"]*)"`, bind4((*story).givenWith)),
		staged(area, `(a|another) registered payer`, bind1((*story).givenRegistered)),
		staged(area, `a registered payer at the bank "([^"]*)"`, bind1((*story).givenRegisteredAt)),
		staged(area, `a saved card "([^"]*)"`, bind1((*story).savesCard)),
		staged(area, `a debit authorisation up to ([0-9]+)`, bind1((*story).givenDebit)),
		staged(area, `another partner`, bind((*story).givenOther)),
		step("terminal", `([0-9]+) terminal payments`, bind1((*story).givenTerminals)),
	}
}

// makes is the action that brings a noun into being.
func makes(noun string) string {
	switch noun {
	case "company", "payer", "terminal payment":
		return "registers a " + noun
	case "payment request":
		return "requests a payment"
	case "plan":
		return "makes a plan"
	default:
		return "asks for a " + noun
	}
}

func (s *story) given(ctx context.Context, article, noun string) error {
	return s.make(ctx, article, noun, nil)
}

func (s *story) givenWith(ctx context.Context, article, noun, member, words string) error {
	return s.make(ctx, article, noun, [][2]string{{member, words}})
}

// make brings something into being and insists on success.
func (s *story) make(ctx context.Context, article, noun string, changes [][2]string) error {
	as := ""
	if article == "another" {
		as = "other "
		// A second one is somebody else's number.
		if noun == "payer" {
			changes = append([][2]string{{"mobileNumber", "+12025550177"}, {"email", "nothing"}}, changes...)
		}
	}
	if noun == "payer" {
		changes = append([][2]string{{"amount", "nothing"}, {"period", "nothing"}}, changes...)
	}
	if err := s.perform(ctx, partnerName, makes(noun), as, changes); err != nil {
		return err
	}
	_, err := s.ok()
	return err
}

func (s *story) givenRegistered(ctx context.Context, article string) error {
	as := ""
	if article == "another" {
		as = "other "
	}
	if err := s.make(ctx, article, "payer", nil); err != nil {
		return err
	}
	_, err := s.control(ctx, "/registrations/"+s.known[as+"payer"]+"/complete", nil)
	return err
}

func (s *story) givenRegisteredAt(ctx context.Context, bank string) error {
	if err := s.make(ctx, "a", "payer", nil); err != nil {
		return err
	}
	return s.completesAt(ctx, bank)
}

// givenDebit lets the payer authorise debits of the company.
func (s *story) givenDebit(ctx context.Context, limit string) error {
	if err := s.perform(ctx, partnerName, "asks for a debit authorisation", "", [][2]string{{"limit", limit}}); err != nil {
		return err
	}
	if _, err := s.ok(); err != nil {
		return err
	}
	return s.happens(ctx, "accept", "debit authorisation")
}

func (s *story) givenOther(ctx context.Context) error {
	_, err := s.me(ctx, otherName)
	return err
}

// givenTerminals registers many payments at once.
func (s *story) givenTerminals(ctx context.Context, n int) error {
	for range n {
		if err := s.make(ctx, "a", "terminal payment", nil); err != nil {
			return err
		}
	}
	return nil
}

func clockSteps() []Step {
	const area = "clock"
	return []Step{
		staged(area, `([0-9]+) (second|minute|hour|day)s? pass(?:es)?`, bind2((*story).passes)),
		staged(area, `the clock reaches "([^"]*)"`, bind1((*story).reaches)),
	}
}

// spans are the units of time.
var spans = map[string]time.Duration{"second": time.Second, "minute": time.Minute, "hour": time.Hour, "day": 24 * time.Hour}

func (s *story) passes(ctx context.Context, n int, unit string) error {
	return s.advance(ctx, map[string]string{"by": (time.Duration(n) * spans[unit]).String()})
}

func (s *story) reaches(ctx context.Context, moment string) error {
	return s.advance(ctx, map[string]string{"to": moment})
}

func (s *story) advance(ctx context.Context, move map[string]string) error {
	a, err := s.control(ctx, "/clock/advance", move)
	if err != nil {
		return err
	}
	s.partners[partnerName].client.ForgetToken()
	v, err := reach(a.Body, "now")
	if err != nil {
		return err
	}
	if s.now, err = time.Parse(time.RFC3339Nano, shown(v)); err != nil {
		return fmt.Errorf("read the clock: %w", err)
	}
	return nil
}

// Config says against which service the scenarios run. It is the same for all of
// them.
type Config struct {
	// BaseURL is the service's address without a slash at the end.
	BaseURL string
	// ControlURL is the address of the sandbox that has the control API, mostly
	// BaseURL; empty for a service without one. Each scenario then shares the
	// credentials below, and the steps that need the control API fail with
	// ErrNeedsControl.
	ControlURL string
	// ControlToken opens the control API where it wants one.
	ControlToken string
	// ClientID and ClientSecret are used when there is no control API.
	ClientID, ClientSecret string
	// MayAdd says that answers may have members that nothing describes: the specification
	// does not forbid them.
	MayAdd bool
	// Run tells runs against a shared service apart: it is part of every
	// reference that a scenario chooses when there is no control API.
	Run string
	// Seed is mixed into every scenario's own seed.
	Seed uint64
	// HTTP makes the calls; nil means http.DefaultClient.
	HTTP *http.Client
	// Patience is how long a step waits for a webhook; 0 means 5 s.
	Patience time.Duration
}

// ErrNeedsControl says that a step cannot be played without the control API.
var ErrNeedsControl = errors.New("the step needs the sandbox's control API, which the target does not have")

func (c *Config) patience() time.Duration {
	if c.Patience == 0 {
		return 5 * time.Second
	}
	return c.Patience
}
