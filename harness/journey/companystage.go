package journey

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"paysandbox/harness/partner"
)

func companyStage() []Step {
	return []Step{
		step(`the provider (verifies|rejects) `+company, bind2((*story).decides)),
		step(company+` links its bank`, bind1((*story).linksBank)),
	}
}

// decides ends a verification. One that ended like this by itself is fine: where
// everything is verified at once there is nothing to decide.
func (s *story) decides(ctx context.Context, how, noun string) error {
	outcome, status := "verified", "Verified"
	if how == "rejects" {
		outcome, status = "rejected", "Rejected"
	}
	f, err := s.firm(noun)
	if err != nil {
		return err
	}
	_, err = s.control(ctx, f.path()+"/kyb", map[string]string{"outcome": outcome})
	var refused *partner.Refused
	if errors.As(err, &refused) && refused.Answer.Status == http.StatusConflict {
		if now := s.state(f.id); now != status {
			return fmt.Errorf("expected %s to become %s: it is %s already", f.name, status, now)
		}
		return nil
	}
	return err
}

// path is the company's in the control API, by the reference: it is good whatever
// else the service lets a path name.
func (f *firm) path() string { return "/companies/" + url.PathEscape(f.ref) }

func (s *story) linksBank(ctx context.Context, noun string) error {
	f, err := s.firm(noun)
	if err != nil {
		return err
	}
	_, err = s.control(ctx, f.path()+"/bank-link", nil)
	return err
}
