package steps

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"paysandbox/harness/partner"
)

func eventSteps() []Step {
	const area = "event"
	return []Step{
		staged(area, `a webhook receiver`, bind((*story).receives)),
		staged(area, `a webhook receiver with the secret "([^"]*)"`, bind1((*story).receivesWith)),
		staged(area, `a webhook receiver for "([^"]*)"`, bind1((*story).receivesOnly)),
		staged(area, `a webhook receiver that waits for the partner's call`, bind((*story).receivesHeld)),
		staged(area, `the event has come after the answer`, bind((*story).cameAfter)),
		staged(area, `the receiver answers "([^"]*)"`, bind1((*story).receiverAnswers)),
		staged(area, `the receiver has got ([0-9]+) deliver(?:y|ies)`, bind1((*story).hasGot)),
		staged(area, `the deliveries tell of "([^"]*)"`, bind1((*story).tellOf)),
		staged(area, `the last delivery's `+memberName+` is "([^"]*)"`, bind2((*story).deliveryIs)),
		staged(area, `the last delivery has exactly the members:`, bind1((*story).deliveryHas)),
		staged(area, `the last delivery's Data has exactly the members:`, bind1((*story).deliveryDataHas)),
		staged(area, `the last delivery's header "([^"]*)" is "([^"]*)"`, bind2((*story).deliveryHeader)),
		staged(area, `every delivery is signed( in capitals)? with "([^"]*)"`, bind2((*story).isSigned)),
		staged(area, `no delivery is signed`, bind((*story).isUnsigned)),
		staged(area, `the deliveries have the same body`, bind((*story).sameBodies)),
	}
}

// receives registers a receiver without a secret.
func (s *story) receives(ctx context.Context) error {
	none := ""
	return s.listen(ctx, &none, nil)
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
	none := ""
	return s.listen(ctx, &none, []string{event})
}

func (s *story) listen(ctx context.Context, secret *string, events []string) error {
	stage, err := s.stage(ctx)
	if err != nil {
		return err
	}
	if s.hook, err = partner.NewReceiver(context.WithoutCancel(ctx)); err != nil {
		return err
	}
	_, err = stage.Do(ctx, "/webhooks", map[string]any{"url": s.hook.URL, "secret": secret, "events": events})
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
