package journey

import (
	"context"
	"fmt"
	"strings"

	"github.com/cucumber/godog"

	"paysandbox/harness/partner"
)

func companyIntents() []Step {
	return []Step{
		step(`the partner registers `+company+`, `+quoted, bind2((*story).registersCompany)),
		step(`the partner registers `+company+`, `+quoted+`, with:`, bind3((*story).registersCompanyWith)),
		step(company+`, `+quoted+`, is a customer of the partner`, bind2((*story).hasCustomer)),
		step(`the partner asks how the verification of `+company+` stands`, bind1((*story).asksVerification)),
		step(`the partner adds the location `+quoted+` to `+company, bind2((*story).addsLocation)),
		step(`the partner lists the locations of `+company, bind1((*story).listsLocations)),
		step(`the partner asks for a bank link for `+company, bind1((*story).asksBankLink)),
	}
}

// registersCompany registers a company without locations and employees.
func (s *story) registersCompany(ctx context.Context, noun, name string) error {
	return s.newCompany(ctx, noun, name, nil)
}

// registersCompanyWith takes locations and employees from a table.
func (s *story) registersCompanyWith(ctx context.Context, noun, name string, t *godog.Table) error {
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

func (s *story) newCompany(ctx context.Context, noun, name string, more map[string]any) error {
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
	return s.performs(ctx, &intent{
		Task: partner.Task{Do: partner.DoCreateCompany, Say: say, With: with},
		fits: func(c *call) bool {
			return text(c.asked, "name") == name || text(c.asked, "companyReferenceId") == f.ref
		},
		bind: func(c *call) {
			f.ref, f.id = text(c.asked, "companyReferenceId"), text(c.answers, "companyId")
			ids, _ := member(c.answers, "locationIds").([]any)
			for i := range min(len(places), len(ids)) {
				f.locations[places[i]], _ = ids[i].(string)
			}
		},
		names: func() map[string]string {
			names := map[string]string{f.id: name}
			for _, place := range places {
				names[f.locations[place]] = place
			}
			return names
		},
	})
}

// hasCustomer registers a company, which the provider verifies at once.
func (s *story) hasCustomer(ctx context.Context, noun, name string) error {
	if err := s.registersCompany(ctx, noun, name); err != nil {
		return err
	}
	s.tells("the provider verifies " + name)
	return s.decides(ctx, "verifies", noun)
}

func (s *story) asksVerification(ctx context.Context, noun string) error {
	f, err := s.firm(noun)
	if err != nil {
		return err
	}
	return s.performs(ctx, &intent{
		Task: partner.Task{
			Do: partner.DoCompanyStatus, Say: "ask how the verification of " + f.name + " stands",
			With: map[string]any{"companyReferenceId": f.ref},
		},
		operations: []string{partner.DoCompanyStatus, "getDefaultCompanyStatus"},
		fits: func(c *call) bool {
			return c.about(f.ref) || c.about(f.id) || c.Query == "" && strings.EqualFold(text(c.answers, "companyId"), f.id)
		},
	})
}

func (s *story) addsLocation(ctx context.Context, place, noun string) error {
	f, err := s.firm(noun)
	if err != nil {
		return err
	}
	return s.performs(ctx, &intent{
		Task: partner.Task{
			Do: partner.DoAddLocation, Say: fmt.Sprintf("add the location %s to %s", place, f.name),
			With: map[string]any{"companyReferenceId": f.ref, "name": place},
		},
		fits:  func(c *call) bool { return (c.about(f.ref) || c.about(f.id)) && text(c.asked, "name") == place },
		bind:  func(c *call) { f.locations[place] = text(c.answers, "locationId") },
		names: func() map[string]string { return map[string]string{f.locations[place]: place} },
	})
}

func (s *story) listsLocations(ctx context.Context, noun string) error {
	f, err := s.firm(noun)
	if err != nil {
		return err
	}
	return s.performs(ctx, &intent{
		Task: partner.Task{
			Do: partner.DoListLocations, Say: "list the locations of " + f.name,
			With: map[string]any{"companyReferenceId": f.ref},
		},
		fits: func(c *call) bool { return c.about(f.ref) || c.about(f.id) },
	})
}

// asksBankLink asks for a link that goes to a number of the company's own.
func (s *story) asksBankLink(ctx context.Context, noun string) error {
	f, err := s.firm(noun)
	if err != nil {
		return err
	}
	mobile := s.human("The " + noun).Mobile
	return s.performs(ctx, &intent{
		Task: partner.Task{
			Do: partner.DoBankLink, Say: fmt.Sprintf("ask for a bank link for %s, to %s", f.name, mobile),
			With: map[string]any{"companyReferenceId": f.ref, "mobileNumber": mobile},
		},
		fits:  func(c *call) bool { return c.about(f.ref) || c.about(f.id) },
		names: func() map[string]string { return map[string]string{mobile: f.name} },
	})
}
