package story

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/cucumber/godog"

	"paysandbox/harness/journey/task"
	"paysandbox/harness/partner"
	"paysandbox/harness/trail"
)

func companyIntents() []Step {
	return []Step{
		step(`the partner registers `+company+`, `+quoted, bind2((*Story).registersCompany)),
		step(`the partner registers `+company+`, `+quoted+`, with:`, bind3((*Story).registersCompanyWith)),
		step(company+`, `+quoted+`, is a customer of the partner`, bind2((*Story).hasCustomer)),
		step(`the partner asks how the verification of `+company+` stands`, bind1((*Story).asksVerification)),
		step(`the partner adds the location `+quoted+` to `+company, bind2((*Story).addsLocation)),
		step(`the partner lists the locations of `+company, bind1((*Story).listsLocations)),
		step(`the partner asks for a bank link for `+company, bind1((*Story).asksBankLink)),
	}
}

// registersCompany registers a company without locations and employees.
func (s *Story) registersCompany(ctx context.Context, noun, name string) error {
	return s.newCompany(ctx, noun, name, nil)
}

// registersCompanyWith takes locations and employees from a table.
func (s *Story) registersCompanyWith(ctx context.Context, noun, name string, t *godog.Table) error {
	var locations, employees []any
	for _, row := range t.Rows {
		switch what, value := row.Cells[0].Value, row.Cells[1].Value; what {
		case "location":
			locations = append(locations, map[string]any{"name": value})
		case "employee":
			h := s.human(value)
			employees = append(employees, map[string]any{
				"name": h.Name, "emailAddress": h.Email, "contactNumber": h.Mobile, "title": "Manager",
			})
		default:
			return fmt.Errorf("a company has locations and employees, not %q", what)
		}
	}
	return s.newCompany(ctx, noun, name, map[string]any{"locations": locations, "employees": employees})
}

func (s *Story) newCompany(ctx context.Context, noun, name string, more map[string]any) error {
	f := &firm{name: name, ref: noun + "-" + s.tag, locations: map[string]string{}}
	s.companies[noun] = f
	with := map[string]any{"name": name, "companyReferenceId": f.ref, "companyType": "ForProfit"}
	say := "register the company " + name
	var places []string
	if list, _ := more["locations"].([]any); len(list) > 0 {
		with["locations"] = list
		for _, l := range list {
			place, _ := l.(map[string]any)["name"].(string)
			places = append(places, place)
		}
		say += ", with locations " + strings.Join(places, " and ")
	}
	if list, _ := more["employees"].([]any); len(list) > 0 {
		with["employees"] = list
		say += fmt.Sprintf(" and %d employees", len(list))
	}
	return s.Perform(ctx, &task.Intent{
		Task: partner.Task{Do: partner.DoCreateCompany, Say: say, With: with},
		Fits: func(c *trail.Call) bool {
			return c.Sent().Text("name") == name || c.Sent().Text("companyReferenceId") == f.ref
		},
		Bind: func(c *trail.Call) {
			f.ref, f.id = c.Sent().Text("companyReferenceId"), c.Answered().Text("companyId")
			ids, _ := c.Answered().Get("locationIds").([]any)
			for i := range min(len(places), len(ids)) {
				f.locations[places[i]], _ = ids[i].(string)
			}
		},
		Names: func() map[string]string {
			names := map[string]string{f.id: name}
			for _, place := range places {
				names[f.locations[place]] = place
			}
			return names
		},
	})
}

// hasCustomer registers a company, which the provider verifies at once.
func (s *Story) hasCustomer(ctx context.Context, noun, name string) error {
	if err := s.registersCompany(ctx, noun, name); err != nil {
		return err
	}
	s.Tell("the provider verifies " + name)
	return s.decides(ctx, "verifies", noun)
}

func (s *Story) asksVerification(ctx context.Context, noun string) error {
	f, err := s.firm(noun)
	if err != nil {
		return err
	}
	return s.Perform(ctx, &task.Intent{
		Task: partner.Task{
			Do: partner.DoCompanyStatus, Say: "ask how the verification of " + f.name + " stands",
			With: map[string]any{"companyReferenceId": f.ref},
		},
		Operations: []string{partner.DoCompanyStatus, "getDefaultCompanyStatus"},
		Fits: func(c *trail.Call) bool {
			return c.About(f.ref) || c.About(f.id) || c.Exchange.Query == "" && strings.EqualFold(c.Answered().Text("companyId"), f.id)
		},
	})
}

func (s *Story) addsLocation(ctx context.Context, place, noun string) error {
	f, err := s.firm(noun)
	if err != nil {
		return err
	}
	return s.Perform(ctx, &task.Intent{
		Task: partner.Task{
			Do: partner.DoAddLocation, Say: fmt.Sprintf("add the location %s to %s", place, f.name),
			With: map[string]any{"companyReferenceId": f.ref, "name": place},
		},
		Fits:  func(c *trail.Call) bool { return (c.About(f.ref) || c.About(f.id)) && c.Sent().Text("name") == place },
		Bind:  func(c *trail.Call) { f.locations[place] = c.Answered().Text("locationId") },
		Names: func() map[string]string { return map[string]string{f.locations[place]: place} },
	})
}

func (s *Story) listsLocations(ctx context.Context, noun string) error {
	f, err := s.firm(noun)
	if err != nil {
		return err
	}
	return s.Perform(ctx, &task.Intent{
		Task: partner.Task{
			Do: partner.DoListLocations, Say: "list the locations of " + f.name,
			With: map[string]any{"companyReferenceId": f.ref},
		},
		Fits: func(c *trail.Call) bool { return c.About(f.ref) || c.About(f.id) },
	})
}

// asksBankLink asks for a link that goes to a number of the company's own.
func (s *Story) asksBankLink(ctx context.Context, noun string) error {
	f, err := s.firm(noun)
	if err != nil {
		return err
	}
	mobile := s.human("The " + noun).Mobile
	return s.Perform(ctx, &task.Intent{
		Task: partner.Task{
			Do: partner.DoBankLink, Say: fmt.Sprintf("ask for a bank link for %s, to %s", f.name, mobile),
			With: map[string]any{"companyReferenceId": f.ref, "mobileNumber": mobile},
		},
		Fits:  func(c *trail.Call) bool { return c.About(f.ref) || c.About(f.id) },
		Names: func() map[string]string { return map[string]string{mobile: f.name} },
	})
}

func companyStage() []Step {
	return []Step{
		step(`the provider (verifies|rejects) `+company, bind2((*Story).decides)),
		step(company+` links its bank`, bind1((*Story).linksBank)),
	}
}

// decides ends a verification. One that ended like this by itself is fine: where
// everything is verified at once there is nothing to decide.
func (s *Story) decides(ctx context.Context, how, noun string) error {
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
		if now := s.Tape.State(f.id); now != status {
			return fmt.Errorf("expected %s to become %s: it is %s already", f.name, status, now)
		}
		return nil
	}
	return err
}

// path is the company's in the control API, by the reference: it is good whatever
// else the service lets a path name.
func (f *firm) path() string { return "/companies/" + url.PathEscape(f.ref) }

func (s *Story) linksBank(ctx context.Context, noun string) error {
	f, err := s.firm(noun)
	if err != nil {
		return err
	}
	_, err = s.control(ctx, f.path()+"/bank-link", nil)
	return err
}
