package world_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/world"
)

// goodCompany is a company that breaks no rule, with one employee and location.
func goodCompany(reference string) *world.NewCompany {
	return &world.NewCompany{
		CompanyReferenceID: reference, Name: "Fit Gym", EmailAddress: "office@fitgym.example.com", TaxID: "12-3456789", TaxIDType: "EIN",
		StreetNumberAndName: "415 Grand Ave", ApartmentNumber: "Suite 2", ZipCode: "94610", City: "Oakland", State: "CA",
		ContactNumber: "+12025550123", WebsiteURL: "https://fitgym.example.com", CompanyType: "ForProfit",
		Owner: &world.Owner{
			Name: "Dana Reyes", EmailAddress: "dana@fitgym.example.com", ContactNumber: "+12025550124", SSN: "6789",
			DateOfBirth: "1980-02-29", StreetNumberAndName: "12 Lake St", ZipCode: "94606", City: "Oakland", State: "CA",
		},
		Employees: []world.Employee{{Name: "Lee", EmailAddress: "lee@fitgym.example.com", ContactNumber: "+12025550125", Title: "Manager"}},
		Locations: []world.NewLocation{{Name: "Downtown", StreetNumberAndName: "100 Main St", City: "Oakland", State: "CA", ZipCode: "94607"}},
	}
}

// begun is a world with an input in hand.
func begun(cfg world.Config) *world.World {
	w := world.New(cfg)
	w.Begin(world.Input{Now: time.Date(2026, 3, 2, 17, 0, 0, 0, time.UTC).UnixNano(), Base: "http://sandbox.test/pages/default"})
	return w
}

// TestCompanyRules breaks one member at a time.
func TestCompanyRules(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		clause, pointer string
		spoil           func(c *world.NewCompany)
	}{
		{"company.create.reference", "/companyReferenceId", func(c *world.NewCompany) { c.CompanyReferenceID = "" }},
		{"company.create.reference", "/companyReferenceId", func(c *world.NewCompany) { c.CompanyReferenceID = " \t" }},
		{"company.create.email", "/emailAddress", func(c *world.NewCompany) { c.EmailAddress = "office@localhost" }},
		{"company.create.contact-number", "/contactNumber", func(c *world.NewCompany) { c.ContactNumber = "12" }},
		{"company.create.state", "/state", func(c *world.NewCompany) { c.State = "Ca" }},
		{"company.create.zip", "/zipCode", func(c *world.NewCompany) { c.ZipCode = "9461" }},
		{"company.create.zip", "/zipCode", func(c *world.NewCompany) { c.ZipCode = "94610-12" }},
		{"company.create.type", "/companyType", func(c *world.NewCompany) { c.CompanyType = "Club" }},
		{"company.create.owner", "/owner", func(c *world.NewCompany) { c.Owner = nil }},
		{"company.create.owner-ssn", "/owner/ssn", func(c *world.NewCompany) { c.Owner.SSN = "678" }},
		{"company.create.owner-ssn", "/owner/ssn", func(c *world.NewCompany) { c.Owner.SSN = "67890" }},
		{"company.create.owner-ssn", "/owner/ssn", func(c *world.NewCompany) { c.Owner.SSN = "678a" }},
		{"company.create.owner-date-of-birth", "/owner/dateOfBirth", func(c *world.NewCompany) { c.Owner.DateOfBirth = "1981-02-29" }},
		{"company.create.owner-email-unique", "/owner/emailAddress", func(c *world.NewCompany) { c.Owner.EmailAddress = "LEE@fitgym.example.com" }},
		{"company.create.employee-fields", "/employees/0/title", func(c *world.NewCompany) { c.Employees[0].Title = "" }},
		{"company.create.employee-email-unique", "/employees/1/emailAddress", func(c *world.NewCompany) { c.Employees = append(c.Employees, c.Employees[0]) }},
		{"location.zip", "/locations/0/zipCode", func(c *world.NewCompany) { c.Locations[0].ZipCode = "x" }},
		{"company.create.kyb-prefix", "/name", func(c *world.NewCompany) { c.Name = "KYB REJCT Gym" }},
	} {
		t.Run(row.clause+" "+row.pointer, func(t *testing.T) {
			t.Parallel()
			w := begun(world.Config{Seed: 1})
			c := goodCompany("gym")
			row.spoil(c)
			_, err := w.CreateCompany(c)
			var refused *kernel.Error
			require.ErrorAs(t, err, &refused)
			require.Equal(t, kernel.Invalid, refused.Code)
			require.Len(t, refused.Findings, 1, "%v", refused.Findings)
			require.Equal(t, row.clause, refused.Findings[0].Clause)
			require.Equal(t, row.pointer, refused.Findings[0].Pointer)
			require.NotContains(t, refused.Findings[0].Received, "678", "an SSN is never shown")
			require.Empty(t, w.ListCompanies().Companies, "nothing is created on failure")
			fresh := begun(world.Config{Seed: 1})
			good, err := w.CreateCompany(goodCompany("gym"))
			require.NoError(t, err)
			same, err := fresh.CreateCompany(goodCompany("gym"))
			require.NoError(t, err)
			require.Equal(t, same, good, "a refusal draws nothing from the seed")
		})
	}
}

func TestCompanyInSandboxIsVerifiedAtOnce(t *testing.T) {
	t.Parallel()
	w := begun(world.Config{})
	c, err := w.CreateCompany(goodCompany("gym"))
	require.NoError(t, err)
	for _, ref := range []string{"gym", c.CompanyID, strings.ToUpper(c.CompanyID)} {
		s, err := w.CompanyStatus(ref)
		require.NoError(t, err)
		require.Equal(t, "Verified", s.Status)
	}
	records, _ := w.Take()
	var sent []string
	for _, r := range records {
		switch r.Kind {
		case kernel.RecordTransition:
			sent = append(sent, r.From+">"+r.To)
		case kernel.RecordEvent:
			sent = append(sent, string(r.Body))
		case kernel.RecordMessage:
			sent = append(sent, r.Message.Template+" to "+r.Message.To)
		case kernel.RecordTimer, kernel.RecordFindings:
			sent = append(sent, r.Name)
		}
	}
	require.Equal(t, []string{
		">Unverified", "Unverified>Verified",
		`{"Live":false,"Event":"COMPANY_VERIFICATION_STATUS_CHANGED","Data":{"CompanyId":"` + c.CompanyID +
			`","Status":"Verified","Timestamp":"2026-03-02T17:00:00Z"}}`,
		"company-verified to office@fitgym.example.com",
	}, sent)
}

func TestCompanyInRehearsalTakesItsTime(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name, status string
		atLeast      time.Duration
	}{
		{"Fit Gym", "Verified", time.Hour}, {"KYB REJECT Gym", "Rejected", time.Hour}, {"KYB SLOW Gym", "Verified", 24 * time.Hour},
	} {
		w := begun(world.Config{Environment: world.Rehearsal, Seed: 5})
		c := goodCompany("gym")
		c.Name = row.name
		_, err := w.CreateCompany(c)
		require.NoError(t, err)
		at := w.Now()
		w.Advance(at.Add(row.atLeast - time.Nanosecond).UnixNano())
		s, err := w.CompanyStatus("gym")
		require.NoError(t, err)
		require.Equal(t, "Unverified", s.Status)
		w.Advance(at.Add(24 * time.Hour).UnixNano())
		s, err = w.CompanyStatus("gym")
		require.NoError(t, err)
		require.Equal(t, row.status, s.Status, row.name)
		var illegal *kernel.Error
		require.ErrorAs(t, w.DecideKYB("gym", "verified"), &illegal)
		require.Equal(t, kernel.IllegalTransition, illegal.Code)
		require.Equal(t, row.status, illegal.State)
	}
}

func TestCompanyVerifiedAfterReads(t *testing.T) {
	t.Parallel()
	w := begun(world.Config{
		Environment: world.Rehearsal, Settings: latitude.Settings{}.Choose(latitude.KYBRehearsalAfterReads),
	})
	_, err := w.CreateCompany(goodCompany("gym"))
	require.NoError(t, err)
	var seen []string
	for range latitude.KYBRehearsalAfterReads.Number() + 1 {
		s, err := w.CompanyStatus("gym")
		require.NoError(t, err)
		seen = append(seen, s.Status)
	}
	require.Equal(t, "Unverified", seen[0])
	require.Equal(t, "Verified", seen[len(seen)-1])
}

func TestReferencesThatShareAHashChainAreAllFound(t *testing.T) {
	t.Parallel()
	w := begun(world.Config{})
	for n := range 3000 {
		_, err := w.CreateCompany(goodCompany("ref-" + strconv.Itoa(n)))
		require.NoError(t, err)
	}
	for n := range 3000 {
		_, err := w.CompanyStatus("ref-" + strconv.Itoa(n))
		require.NoError(t, err)
	}
	_, err := w.CompanyStatus("ref-3000")
	require.Error(t, err)
	list := w.ListCompanies().Companies
	require.Len(t, list, 3000)
	require.Equal(t, "ref-0", list[0].ReferenceID)
	require.Equal(t, "ref-2999", list[2999].ReferenceID)
}

func TestLocationsAreListedInOrderWithTheirAddress(t *testing.T) {
	t.Parallel()
	w := begun(world.Config{})
	c, err := w.CreateCompany(goodCompany("gym"))
	require.NoError(t, err)
	added, err := w.AddLocation("gym", &world.NewLocation{
		Name: "Uptown", StreetNumberAndName: "9 Hill Rd", ApartmentNumber: "B", City: "Reno", State: "NV", ZipCode: "89501-1234",
	})
	require.NoError(t, err)
	list, err := w.ListLocations(c.CompanyID)
	require.NoError(t, err)
	require.Len(t, list.Locations, 2)
	require.Equal(t, c.LocationIDs[0], list.Locations[0].ID)
	require.Equal(t, world.LocationEntry{ID: added.LocationID, Name: "Uptown", Address: world.Address{
		StreetNumberAndName: "9 Hill Rd", ApartmentNumber: "B", City: "Reno", ZipCode: "89501-1234", State: "NV", Country: "US",
	}}, list.Locations[1])
}
