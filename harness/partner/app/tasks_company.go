package app

import (
	"context"
	"fmt"
	"net/http"
)

// createCompany registers a company. What the task leaves open comes from
// invented data.
func (a *App) createCompany(ctx context.Context, j *Job) error {
	body, err := a.companyBody(j)
	if err != nil {
		return err
	}
	var got struct {
		CompanyID   string   `json:"companyId"`
		LocationIDs []string `json:"locationIds"`
	}
	reference := shown(body["companyReferenceId"])
	err = a.post(ctx, j, "/Company/Create", body, &got)
	if Refused(err, http.StatusBadRequest) && a.adoptCompany(ctx, reference) {
		j.made = reference
		return nil
	}
	if err != nil {
		return err
	}
	a.book.addCompany(reference, got.CompanyID, got.LocationIDs)
	j.made = reference
	a.o.Say("company " + reference + " is created")
	return nil
}

// adoptCompany looks for a company that was created by an attempt whose answer
// was lost: then the repetition is refused because the reference is taken.
func (a *App) adoptCompany(ctx context.Context, reference string) bool {
	if _, known := a.book.company(reference); known {
		return false
	}
	var list struct {
		Companies []struct{ ID, ReferenceID string }
	}
	if a.get(ctx, "/Company/List", nil, &list) != nil {
		return false
	}
	for _, c := range list.Companies {
		if c.ReferenceID == reference {
			a.book.addCompany(reference, c.ID, nil)
			return a.readLocations(ctx, reference) == nil
		}
	}
	return false
}

// companyBody is drawn once for a job.
func (a *App) companyBody(j *Job) (object, error) {
	if j.body != nil {
		return j.body, nil
	}
	a.drawing.Lock()
	invented := a.people.Company()
	a.drawing.Unlock()
	body, err := asObject(invented)
	if err != nil {
		return nil, err
	}
	if j.with("locations") == nil {
		invented.Locations = invented.Locations[:1]
	}
	address := object{
		"streetNumberAndName": invented.StreetNumberAndName, "city": invented.City, "state": invented.State, "zipCode": invented.ZipCode,
	}
	for name, v := range j.task.With {
		body[name] = v
	}
	if locations, ok := body["locations"].([]any); ok {
		for i := range locations {
			if l, ok := locations[i].(map[string]any); ok {
				locations[i] = fill(l, address)
			}
		}
	}
	j.body = body
	return body, nil
}

func (a *App) askCompany(ctx context.Context, j *Job) error {
	name := j.company()
	status, err := a.readCompany(ctx, name)
	if err == nil {
		a.o.Say("company " + name + " is " + status)
		c, _ := a.book.company(name)
		a.kept.hurry(or(c.id, c.reference))
	}
	return err
}

// company is how a task names a company; "" is the default one.
func (j *Job) company() string {
	return or(j.text("companyReferenceId"), j.text("companyId"))
}

func (a *App) addLocation(ctx context.Context, j *Job) error {
	reference := j.company()
	body := j.pick("name", "streetNumberAndName", "apartmentNumber", "zipCode", "city", "state")
	if j.body == nil {
		a.drawing.Lock()
		at := a.people.Company().AddressBody
		a.drawing.Unlock()
		j.body = object{
			"name": "Second house", "streetNumberAndName": at.StreetNumberAndName, "city": at.City, "state": at.State, "zipCode": at.ZipCode,
		}
	}
	var got struct {
		LocationID string `json:"locationId"`
	}
	if err := a.post(ctx, j, at("/Company/", reference, "/Locations"), fill(body, j.body), &got); err != nil {
		return err
	}
	a.book.addCompany(reference, "", []string{got.LocationID})
	j.made = got.LocationID
	return nil
}

func (a *App) listLocations(ctx context.Context, j *Job) error {
	return a.readLocations(ctx, j.company())
}

func (a *App) readLocations(ctx context.Context, reference string) error {
	var got struct {
		Locations []struct{ ID string } `json:"locations"`
	}
	if err := a.get(ctx, at("/Company/", reference, "/Locations"), nil, &got); err != nil {
		return err
	}
	ids := make([]string, len(got.Locations))
	for i, l := range got.Locations {
		ids[i] = l.ID
	}
	a.book.addCompany(reference, "", ids)
	return nil
}

func (a *App) linkBank(ctx context.Context, j *Job) error {
	return a.post(ctx, j, at("/Company/", j.company(), "/ExternalAuthLink"), object{"mobileNumber": j.text("mobileNumber")}, nil)
}

// mayCharge says whether a company may be charged for, and a payer be charged:
// errNotYet while that is open, errNever when it is settled that they may not.
func (a *App) mayCharge(ctx context.Context, j *Job, company, registration string) error {
	if err := a.mayBePaid(ctx, j, company); err != nil {
		return err
	}
	return a.mayBeAsked(ctx, j, registration)
}

// mayBeAsked is the payer's half of it; payers without a registration may.
func (a *App) mayBeAsked(ctx context.Context, j *Job, registration string) error {
	if registration == "" {
		return nil
	}
	status, err := a.payerStatus(ctx, registration)
	if err != nil {
		return err
	}
	if err := a.policy.mayBeAsked(status); err != nil {
		j.waitFor(registration, 0)
		return fmt.Errorf("payer %s is %s: %w", registration, status, err)
	}
	return nil
}

func payerMayBeAsked(status string) error {
	if status != registered {
		return errNotYet
	}
	return nil
}

// mayBePaid is the company's half.
func (a *App) mayBePaid(ctx context.Context, j *Job, name string) error {
	c, known := a.book.company(name)
	if !known {
		return nil
	}
	status, err := a.companyStatus(ctx, c)
	if err != nil {
		return err
	}
	if err := a.policy.mayBePaid(status); err != nil {
		looks := patientLooks // an event will tell
		if a.o.Polls {
			looks = 0
		}
		j.waitFor(or(c.id, c.reference), looks)
		return fmt.Errorf("company %s is %s: %w", c.reference, status, err)
	}
	return nil
}

func companyMayBePaid(status string) error {
	switch status {
	case verified:
		return nil
	case rejected:
		return errNever // that is final
	default:
		return errNotYet
	}
}
