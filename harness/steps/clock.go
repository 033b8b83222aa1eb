package steps

import (
	"context"
	"fmt"
	"time"
)

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
	s.cast[partnerName].client.ForgetToken()
	v, err := reach(a.Body, "now")
	if err != nil {
		return err
	}
	if s.now, err = time.Parse(time.RFC3339Nano, shown(v)); err != nil {
		return fmt.Errorf("read the clock: %w", err)
	}
	return nil
}
