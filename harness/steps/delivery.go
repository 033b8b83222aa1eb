package steps

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strconv"
	"strings"

	"github.com/cucumber/godog"

	"paysandbox/harness/partner"
)

var errNoDelivery = errors.New("nothing has been delivered")

// deliveries waits until n have come in, and until nothing is under way.
func (s *story) deliveries(ctx context.Context, n int) ([]partner.Delivery, error) {
	if s.hook == nil {
		return nil, errNoReceiver
	}
	stage, err := s.stage(ctx)
	if err != nil {
		return nil, err
	}
	patience, cancel := context.WithTimeout(ctx, s.world.patience())
	defer cancel()
	for {
		// A look at the tape lets what is under way come back and what waits
		// behind it go out.
		if _, err := stage.Tape(ctx, "attempt"); err != nil {
			return nil, err
		}
		got := s.hook.Deliveries()
		if len(got) >= n || patience.Err() != nil {
			return got, nil
		}
		s.hook.Wait(patience, len(got)+1)
	}
}

func bodies(list []partner.Delivery) string {
	var texts []string
	for _, d := range list {
		texts = append(texts, string(d.Body))
	}
	return strings.Join(texts, " ")
}

var errBeforeAnswer = errors.New("expected the event after the answer, the call was not answered until the receiver had answered")

// last gives the newest delivery.
func (s *story) last(ctx context.Context) (partner.Delivery, error) {
	got, err := s.delivered(ctx)
	if err != nil {
		return partner.Delivery{}, err
	}
	return got[len(got)-1], nil
}

// delivered gives all deliveries, of which there has to be one.
func (s *story) delivered(ctx context.Context) ([]partner.Delivery, error) {
	got, err := s.deliveries(ctx, 1)
	if err == nil && len(got) == 0 {
		err = errNoDelivery
	}
	return got, err
}

func (s *story) deliveryIs(ctx context.Context, name, words string) error {
	d, err := s.last(ctx)
	if err != nil {
		return err
	}
	v, err := reach(d.Body, name)
	if err != nil {
		return fmt.Errorf("%w in %s", err, d.Body)
	}
	if expected := s.expand(words); shown(v) != expected {
		return fmt.Errorf("expected %s to be %q, received %s", name, expected, d.Body)
	}
	return nil
}

func (s *story) deliveryHas(ctx context.Context, t *godog.Table) error {
	return s.deliveryMembers(ctx, "", t)
}

func (s *story) deliveryDataHas(ctx context.Context, t *godog.Table) error {
	return s.deliveryMembers(ctx, "Data", t)
}

func (s *story) deliveryMembers(ctx context.Context, of string, t *godog.Table) error {
	d, err := s.last(ctx)
	if err != nil {
		return err
	}
	v, err := reach(d.Body, of)
	if err != nil {
		return err
	}
	return s.sameMembers(v, t)
}

func (s *story) deliveryHeader(ctx context.Context, name, value string) error {
	d, err := s.last(ctx)
	if err == nil && d.Header.Get(name) != value {
		err = fmt.Errorf("expected the header %s to be %q, received %q", name, value, d.Header.Get(name))
	}
	return err
}

func (s *story) isSigned(ctx context.Context, capitals, secret string) error {
	got, err := s.delivered(ctx)
	if err != nil {
		return err
	}
	for i := range got {
		expected, received := partner.Signature(secret, got[i].Body), got[i].Header.Get("X-HMAC-Signature")
		if capitals != "" {
			expected = "sha256=" + strings.ToUpper(strings.TrimPrefix(expected, "sha256="))
		}
		if received != expected {
			return fmt.Errorf("expected the signature %q of %s, received %q", expected, got[i].Body, received)
		}
	}
	return nil
}

func (s *story) isWronglySigned(ctx context.Context, secret string) error {
	got, err := s.delivered(ctx)
	if err != nil {
		return err
	}
	for i := range got {
		if got[i].Signed(secret) {
			return fmt.Errorf("expected no right signature, received %q of %s", got[i].Header.Get("X-HMAC-Signature"), got[i].Body)
		}
	}
	return nil
}

func (s *story) isUnsigned(ctx context.Context) error {
	got, err := s.delivered(ctx)
	if err != nil {
		return err
	}
	for i := range got {
		if v, ok := got[i].Header["X-Hmac-Signature"]; ok {
			return fmt.Errorf("expected no signature, received %q", v)
		}
	}
	return nil
}

func (s *story) sameBodies(ctx context.Context) error {
	got, err := s.deliveries(ctx, 2)
	if err != nil {
		return err
	}
	for i := range got {
		if string(got[i].Body) != string(got[0].Body) {
			return fmt.Errorf("expected the same body each time, received %s", bodies(got))
		}
	}
	return nil
}

func eventSteps() []Step {
	const area = "event"
	return []Step{
		staged(area, `a webhook receiver`, bind((*story).receives)),
		staged(area, `a webhook receiver with the secret "([^"]*)"`, bind1((*story).receivesWith)),
		staged(area, `a webhook receiver for "([^"]*)"`, bind1((*story).receivesOnly)),
		staged(area, `a webhook receiver that waits for the partner's call`, bind((*story).receivesHeld)),
		staged(area, `the deliveries go wrong by "([^"]*)"`, bind1((*story).goWrong)),
		staged(area, `the event has come after the answer`, bind((*story).cameAfter)),
		staged(area, `the receiver answers "([^"]*)"`, bind1((*story).receiverAnswers)),
		staged(area, `the receiver has got ([0-9]+) deliver(?:y|ies)`, bind1((*story).hasGot)),
		staged(area, `the deliveries tell of "([^"]*)"`, bind1((*story).tellOf)),
		staged(area, `the last delivery's `+memberName+` is "([^"]*)"`, bind2((*story).deliveryIs)),
		staged(area, `the last delivery has exactly the members:`, bind1((*story).deliveryHas)),
		staged(area, `the last delivery's Data has exactly the members:`, bind1((*story).deliveryDataHas)),
		staged(area, `the last delivery's header "([^"]*)" is "([^"]*)"`, bind2((*story).deliveryHeader)),
		staged(area, `every delivery is signed( in capitals)? with "([^"]*)"`, bind2((*story).isSigned)),
		staged(area, `no delivery is rightly signed with "([^"]*)"`, bind1((*story).isWronglySigned)),
		staged(area, `no delivery is signed`, bind((*story).isUnsigned)),
		staged(area, `the deliveries have the same body`, bind((*story).sameBodies)),
	}
}

// receives registers a receiver without a secret.
func (s *story) receives(ctx context.Context) error {
	return s.listen(ctx, new(""), nil)
}

// receivesHeld registers a receiver that answers nothing while the partner's call
// is under way. A service that tells before it answers has to wait in vain.
func (s *story) receivesHeld(ctx context.Context) error {
	if err := s.receives(ctx); err != nil {
		return err
	}
	s.hook.Hold(s.world.patience())
	return nil
}

func (s *story) receivesWith(ctx context.Context, secret string) error {
	return s.listen(ctx, &secret, nil)
}

func (s *story) receivesOnly(ctx context.Context, event string) error {
	return s.listen(ctx, new(""), []string{event})
}

func (s *story) listen(ctx context.Context, secret *string, events []string) error {
	stage, err := s.stage(ctx)
	if err != nil {
		return err
	}
	if s.hook, err = partner.NewReceiver(context.WithoutCancel(ctx)); err != nil {
		return err
	}
	maps.Copy(s.known, filesOf(s.hook))
	a, err := stage.Do(ctx, "/webhooks", map[string]any{"url": s.hook.URL, "secret": secret, "events": events})
	if err != nil {
		return err
	}
	v, err := reach(a.Body, "id")
	s.known["webhook"] = shown(v)
	return err
}

// goWrong has the sandbox deliver otherwise than it should, on purpose.
func (s *story) goWrong(ctx context.Context, profile string) error {
	_, err := s.control(ctx, "/webhooks/"+s.known["webhook"]+"/profile", map[string]string{"profile": profile})
	return err
}

var errNoReceiver = errors.New("the scenario has no webhook receiver")

// receiverAnswers sets the statuses of the next answers; the last one stays.
func (s *story) receiverAnswers(_ context.Context, list string) error {
	if s.hook == nil {
		return errNoReceiver
	}
	var statuses []int
	for text := range strings.SplitSeq(list, ", ") {
		n, err := strconv.Atoi(text)
		if err != nil {
			return fmt.Errorf("%q is no status: %w", text, err)
		}
		statuses = append(statuses, n)
	}
	s.hook.Answer(statuses...)
	return nil
}

func (s *story) hasGot(ctx context.Context, n int) error {
	got, err := s.deliveries(ctx, n)
	if err == nil && len(got) != n {
		err = fmt.Errorf("expected %d deliveries, received %d: %s", n, len(got), bodies(got))
	}
	return err
}

// cameAfter expects that no delivery has had to wait for the end of the call.
func (s *story) cameAfter(ctx context.Context) error {
	if s.hook == nil {
		return errNoReceiver
	}
	if s.hook.Release() {
		return errBeforeAnswer
	}
	return s.hasGot(ctx, 1)
}

// tellOf compares the statuses that the deliveries tell, in their order.
func (s *story) tellOf(ctx context.Context, expected string) error {
	got, err := s.deliveries(ctx, len(strings.Split(expected, ", ")))
	if err != nil {
		return err
	}
	var told []string
	for i := range got {
		v, err := reach(got[i].Body, "Data.Status")
		if err != nil {
			return err
		}
		told = append(told, shown(v))
	}
	if received := strings.Join(told, ", "); received != expected {
		return fmt.Errorf("expected the deliveries to tell of %q, received %q", expected, received)
	}
	return nil
}
