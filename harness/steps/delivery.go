package steps

import (
	"context"
	"errors"
	"fmt"
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
	return sameMembers(v, t)
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
