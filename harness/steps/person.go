package steps

import (
	"context"
	"fmt"
	"net/http"

	"paysandbox/harness/partner"
)

func personSteps() []Step {
	const area = "person"
	return []Step{
		staged(area, `the payer completes the registration`, bind((*story).completes)),
		staged(area, `the payer completes the registration at the bank "([^"]*)"`, bind1((*story).completesAt)),
		staged(area, `the payer fails the identity check`, bind((*story).failsIdentity)),
		staged(area, `the verification ends as "([^"]*)"`, bind1((*story).verified)),
		staged(area, `the verification cannot end again`, bind((*story).notVerifiedAgain)),
		staged(area, `the payer types the card "([^"]*)"`, bind1((*story).typesCard)),
		staged(area, `the payer (passes|fails) the challenge`, bind1((*story).answersChallenge)),
		staged(area, `the payer's next page is "([^"]*)"`, bind1((*story).nextPage)),
		staged(area, `the payer's next page tells of "([^"]*)" under the key "([^"]*)"`, bind2((*story).nextPageTells)),
		staged(area, `the payer's link to the payment (is open|has expired)`, bind1((*story).payerLink)),
		staged(area, `the company links its bank`, bind((*story).linksBank)),
	}
}

func (s *story) completes(ctx context.Context) error { return s.complete(ctx, nil) }

func (s *story) completesAt(ctx context.Context, bank string) error {
	return s.complete(ctx, map[string]string{"persona": bank})
}

func (s *story) failsIdentity(ctx context.Context) error {
	return s.complete(ctx, map[string]string{"outcome": "kyc-failed"})
}

// complete plays the registration page; where the browser would go is noted.
func (s *story) complete(ctx context.Context, with any) error {
	a, err := s.control(ctx, "/registrations/"+s.known["payer"]+"/complete", with)
	if err != nil {
		return err
	}
	v, err := reach(a.Body, "redirectUrl")
	s.known["payer's next page"] = shown(v)
	return err
}

func (s *story) verified(ctx context.Context, outcome string) error {
	_, err := s.control(ctx, "/companies/"+s.known["company"]+"/kyb", map[string]string{"outcome": outcome})
	return err
}

func (s *story) notVerifiedAgain(ctx context.Context) error {
	stage, err := s.stage(ctx)
	if err != nil {
		return err
	}
	if s.refusal, err = stage.Try(ctx, "/companies/"+s.known["company"]+"/kyb", map[string]string{"outcome": "rejected"}); err != nil {
		return err
	}
	return s.moveRefused(ctx)
}

func (s *story) savesCard(ctx context.Context, card string) error {
	a, err := s.control(ctx, "/payment-methods", map[string]string{"registrationId": s.known["payer"], "card": card})
	if err != nil {
		return err
	}
	v, err := reach(a.Body, "id")
	s.known["card"] = shown(v)
	return err
}

func (s *story) typesCard(ctx context.Context, card string) error {
	a, err := s.control(ctx, "/cards/"+s.known["card authorisation"]+"/authorise", map[string]string{"number": card})
	if err != nil {
		return err
	}
	v, err := reach(a.Body, "returnUrl")
	s.known["payer's next page"] = shown(v)
	return err
}

func (s *story) answersChallenge(ctx context.Context, how string) error {
	_, err := s.control(ctx, "/cards/"+s.known["card authorisation"]+"/challenge", map[string]bool{"pass": how == "passes"})
	return err
}

func (s *story) linksBank(ctx context.Context) error {
	_, err := s.control(ctx, "/companies/"+s.known["company"]+"/bank-link", nil)
	return err
}

// payerLink opens the page whose address the payment's creation has answered.
func (s *story) payerLink(ctx context.Context, how string) error {
	address, err := s.member("url")
	if err != nil {
		return err
	}
	page := partner.Client{HTTP: s.world.HTTP}
	a, err := page.Send(ctx, http.MethodGet, shown(address), nil)
	if err != nil {
		return err
	}
	want := map[string]int{"is open": http.StatusOK, "has expired": http.StatusGone}[how]
	if a.Status != want {
		return fmt.Errorf("expected the payer's page with status %d, received %d", want, a.Status)
	}
	return nil
}

func (s *story) nextPage(_ context.Context, address string) error {
	expected, received := s.inText(address), s.known["payer's next page"]
	if received != expected {
		return fmt.Errorf("expected the payer to go to %q, received %q", expected, received)
	}
	return nil
}

// nextPageTells decrypts what was added to the address.
func (s *story) nextPageTells(_ context.Context, status, key string) error {
	told, err := partner.ReadReturn(s.known["payer's next page"], key)
	if err != nil {
		return err
	}
	if told.Status != status || told.PaymentRequestID != s.known["payment"] || told.Amount == 0 {
		return fmt.Errorf("expected the address to tell of %q, received %+v", status, told)
	}
	return nil
}
