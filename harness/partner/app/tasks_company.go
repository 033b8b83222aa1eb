package app

import (
	"context"
	"fmt"
	"net/http"
)

// createCompany registers a company. What the task leaves open comes from
// invented data.
func (a *App) createCompany(ctx context.Context, j *job) error {
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
	if refused(err, http.StatusBadRequest) && a.adoptCompany(ctx, reference) {
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
func (a *App) companyBody(j *job) (object, error) {
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

func (a *App) askCompany(ctx context.Context, j *job) error {
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
func (j *job) company() string {
	return or(j.text("companyReferenceId"), j.text("companyId"))
}

func (a *App) addLocation(ctx context.Context, j *job) error {
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

func (a *App) listLocations(ctx context.Context, j *job) error {
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

func (a *App) linkBank(ctx context.Context, j *job) error {
	return a.post(ctx, j, at("/Company/", j.company(), "/ExternalAuthLink"), object{"mobileNumber": a.onPaper(j.text("mobileNumber"))}, nil)
}

// mayCharge says whether a company may be charged for, and a payer be charged:
// errNotYet while that is open, errNever when it is settled that they may not.
func (a *App) mayCharge(ctx context.Context, j *job, company, registration string) error {
	if err := a.mayBePaid(ctx, j, company); err != nil {
		return err
	}
	return a.mayBeAsked(ctx, j, registration)
}

// mayBeAsked is the payer's half of it; payers without a registration may.
func (a *App) mayBeAsked(ctx context.Context, j *job, registration string) error {
	if registration == "" || a.careless().chargesUnregistered() {
		return nil
	}
	status, err := a.payerStatus(ctx, registration)
	if err == nil && status != registered {
		j.waitFor(registration, 0)
		return fmt.Errorf("payer %s is %s: %w", registration, status, errNotYet)
	}
	return err
}

// mayBePaid is the company's half.
func (a *App) mayBePaid(ctx context.Context, j *job, name string) error {
	c, known := a.book.company(name)
	if !known || a.careless().chargesUnverified() {
		return nil
	}
	status, err := a.companyStatus(ctx, c)
	switch {
	case err != nil || status == verified:
		return err
	case status == rejected && a.careless().chargesRejected():
		return nil
	case status == rejected:
		return fmt.Errorf("company %s is %s: %w", c.reference, status, errNever)
	}
	j.waitFor(or(c.id, c.reference), patientLooks) // an event will tell
	return fmt.Errorf("company %s is %s: %w", c.reference, status, errNotYet)
}
