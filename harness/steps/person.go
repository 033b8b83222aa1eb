package steps

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/cucumber/godog"

	"paysandbox/harness/partner"
)

func personSteps() []Step {
	const area = "person"
	return []Step{
		staged(area, `the payer completes the registration(?: at the bank "([^"]*)")?`, bind1((*story).completesAt)),
		staged(area, `the payer fails the identity check`, bind((*story).failsIdentity)),
		staged(area, `the verification ends as "([^"]*)"`, bind1((*story).verified)),
		staged(area, `the verification cannot end again`, bind((*story).notVerifiedAgain)),
		staged(area, `the payer types the card "([^"]*)"`, bind1((*story).typesCard)),
		staged(area, `the payer (passes|fails) the challenge`, bind1((*story).answersChallenge)),
		staged(area, `the payer's next page is "([^"]*)"`, bind1((*story).nextPage)),
		staged(area, `the payer's next page tells of "([^"]*)" under the key "([^"]*)"`, bind2((*story).nextPageTells)),
		staged(area, `the payer's link to the payment (is open|has expired)`, bind1((*story).payerLink)),
		staged(area, `the company links its bank`, bind((*story).linksBank)),
		staged(area, `(?:he|she|the payer|the company) opens the (.+)`, bind1((*story).opens)),
		staged(area, `(?:he|she|the payer|the company) follows "([^"]*)"`, bind1((*story).follows)),
		staged(area, `the page looks again by itself after seconds "([^"]*)" and then stays`, bind1((*story).looksAgain)),
		staged(area, `(?:he|she|the payer|the company) answers the page with:`, bind1((*story).answersPage)),
		staged(area, `the company looks at the payment in its back office`, bind((*story).looksAtPayment)),
		staged(area, `the page's ([a-z0-9-]+|payment-\{payment\}) is "([^"]*)"`, bind2((*story).pagePartIs)),
		staged(area, `the page's header "([^"]*)" is "([^"]*)"`, bind2((*story).pageHeader)),
		staged(area, `the page says "([^"]*)"`, bind1((*story).pageSays)),
		staged(area, `the page is, with all that it can send:`, bind1((*story).pageIs)),
		staged(area, `the page does not say "([^"]*)"`, bind1((*story).pageSaysNot)),
		staged(area, `the page answers with the status ([0-9]+)`, bind1((*story).pageStatus)),
		staged(area, `the payer has left for "([^"]*)"`, bind1((*story).hasLeftFor)),
	}
}

func (s *story) completesAt(ctx context.Context, bank string) error {
	if bank == "" {
		return s.complete(ctx, nil)
	}
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

func (s *story) visitor() *partner.Visitor { return &partner.Visitor{HTTP: s.world.HTTP} }

// opens opens a page whose address the story knows, or that of a message's link.
func (s *story) opens(ctx context.Context, what string) error {
	address, known := s.known[what]
	if template, isLink := strings.CutPrefix(what, "link of the message "); isLink {
		list, err := s.messages(ctx, strings.Trim(template, `"`))
		if err != nil {
			return err
		}
		for _, m := range list {
			for _, p := range m.Params {
				if p.Name == "link" {
					address, known = p.Value, true
				}
			}
		}
	}
	if !known {
		return fmt.Errorf("nobody has told of a %s", what)
	}
	var err error
	s.page, err = s.visitor().Open(ctx, address)
	return err
}

var errNoPage = errors.New("no page is open")

func (s *story) follows(ctx context.Context, link string) error {
	if s.page == nil {
		return errNoPage
	}
	address, err := s.page.Link(link)
	if err != nil {
		return err
	}
	s.page, err = s.visitor().Open(ctx, address)
	return err
}

// looksAtPayment opens the payment's page in the company's back office, to which the
// company comes by a bank link that it has used.
func (s *story) looksAtPayment(ctx context.Context) error {
	if err := s.insist(ctx, "asks for a bank link"); err != nil {
		return err
	}
	if err := s.opens(ctx, "bank link"); err != nil {
		return err
	}
	var err error
	if s.page, err = s.visitor().Submit(ctx, s.page, url.Values{"bank": {"good"}}); err != nil {
		return err
	}
	portal, err := s.page.Link("link-portal")
	if err != nil {
		return err
	}
	s.known["back office"] = portal
	s.page, err = s.visitor().Open(ctx, portal+"/payments/"+s.known["payment"])
	return err
}

func (s *story) answersPage(ctx context.Context, t *godog.Table) error {
	if s.page == nil {
		return errNoPage
	}
	pairs, err := pairsOf(t)
	if err != nil {
		return err
	}
	fields := url.Values{}
	for _, p := range pairs {
		fields.Set(p[0], p[1])
	}
	s.page, err = s.visitor().Submit(ctx, s.page, fields)
	return err
}

func (s *story) pagePartIs(_ context.Context, part, expected string) error {
	if s.page == nil {
		return errNoPage
	}
	received, err := s.page.Part(s.inText(part))
	if expected = s.inText(expected); err == nil && received != expected {
		err = fmt.Errorf("expected the page's %s to be %q, received %q", part, expected, received)
	}
	return err
}

func (s *story) pageSays(_ context.Context, words string) error {
	if s.page == nil {
		return errNoPage
	}
	if words = s.inText(words); !strings.Contains(s.page.Text(), words) {
		return fmt.Errorf("expected the page to say %q, received status %d: %s", words, s.page.Status, s.page.Text())
	}
	return nil
}

func (s *story) pageSaysNot(ctx context.Context, words string) error {
	if s.page == nil {
		return errNoPage
	}
	if s.pageSays(ctx, words) == nil {
		return fmt.Errorf("expected the page not to say %q, received %s", words, s.page.Text())
	}
	return nil
}

func (s *story) pageStatus(_ context.Context, status int) error {
	if s.page == nil {
		return errNoPage
	}
	if s.page.Status != status {
		return fmt.Errorf("expected the page with status %d, received %d: %s", status, s.page.Status, s.page.Text())
	}
	return nil
}

func (s *story) pageHeader(_ context.Context, name, expected string) error {
	if s.page == nil {
		return errNoPage
	}
	if received := s.page.Header.Get(name); received != expected {
		return fmt.Errorf("expected the page's header %s to be %q, received %q", name, expected, received)
	}
	return nil
}

func (s *story) hasLeftFor(_ context.Context, address string) error {
	if s.page == nil {
		return errNoPage
	}
	if expected := s.inText(address); s.page.Away != expected {
		return fmt.Errorf("expected the payer to be sent to %q, received %q: %s", expected, s.page.Away, s.page.Text())
	}
	return nil
}
