package api_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

func TestCompanyIsFoundAgain(t *testing.T) {
	t.Parallel()
	s := start(t, integration.Options{Seed: 7})
	first, locations := s.company("gym-1")
	require.Len(t, locations, 2)
	guide := strings.NewReplacer(`"companyReferenceId"`, `"CompanyReferenceId"`, `"name"`, `"Name"`, `"owner"`, `"Owner"`, `"ssn"`, `"Ssn"`, `"zipCode"`, `"ZipCode"`).
		Replace(companyJSON(t, "gym-2", "websiteUrl", gone{}, "employees", gone{}, "locations", gone{}))
	second := s.ok(http.MethodPost, "/company/create", guide)
	require.Equal(t, []any{}, second["locationIds"])

	all := list(s.ok(http.MethodGet, "/Company/List", ""), "companies")
	require.Equal(t, []map[string]any{
		{"id": first, "name": "Veum Dental Care", "referenceId": "gym-1"},
		{"id": second["companyId"], "name": "Veum Dental Care", "referenceId": "gym-2"},
	}, all)
	for _, path := range []string{"/Company/gym-1/Status", "/company/" + first + "/status", "/COMPANY/gym-1/STATUS/"} {
		require.Equal(t, map[string]any{"status": "Verified"}, s.ok(http.MethodGet, path, ""), path)
	}
	for query, id := range map[string]any{
		"": first, "?companyId=" + first: first, "?companyReferenceId=gym-2": second["companyId"],
		"?CompanyReferenceId=gym-2": second["companyId"],
	} {
		require.Equal(t, map[string]any{"CompanyId": id, "Status": "Verified"}, s.ok(http.MethodGet, "/company/status"+query, ""), query)
	}
	s.refused(http.StatusNotFound, http.MethodGet, "/company/status?companyReferenceId=gym-3", "")
	s.refused(http.StatusNotFound, http.MethodGet, "/Company/gym-3/Status", "")
	s.refused(http.StatusNotFound, http.MethodGet, "/Company/GYM-1/Status", "") // references are the caller's own, letter for letter
}

func TestNoCompanyYet(t *testing.T) {
	t.Parallel()
	s := start(t, integration.Options{Seed: 7})
	s.refused(http.StatusNotFound, http.MethodGet, "/company/status", "")
	require.Equal(t, `{"companies":[]}`, s.call(http.MethodGet, "/Company/List", "").Body.String())
}

func TestCompanyRules(t *testing.T) {
	t.Parallel()
	s := start(t, integration.Options{Seed: 7})
	s.company("taken")
	for name, c := range map[string]struct {
		pairs []any
		want  []string
	}{
		"reference missing":      {[]any{"companyReferenceId", gone{}}, []string{"/companyReferenceId company.create.reference"}},
		"reference null":         {[]any{"companyReferenceId", nil}, []string{"/companyReferenceId company.create.reference"}},
		"reference empty":        {[]any{"companyReferenceId", ""}, []string{"/companyReferenceId company.create.reference"}},
		"reference taken":        {[]any{"companyReferenceId", "taken"}, []string{"/companyReferenceId company.create.reference-unique"}},
		"owner missing":          {[]any{"owner", gone{}}, []string{"/owner company.create.owner"}},
		"owner null":             {[]any{"owner", nil}, []string{"/owner company.create.owner"}},
		"owner no object":        {[]any{"owner", "me"}, []string{"/owner request.type"}},
		"owner mail an employee": {[]any{"employees.1.emailAddress", "DANE.heidenreich2@example.com"}, []string{"/owner/emailAddress company.create.owner-email-unique"}},
		"employee mails alike":   {[]any{"employees.1.emailAddress", "Leola.Mraz3@example.org"}, []string{"/employees/1/emailAddress company.create.employee-email-unique"}},
		"employee no name":       {[]any{"employees.0.name", gone{}}, []string{"/employees/0/name company.create.employee-fields"}},
		"employee no mail":       {[]any{"employees.0.emailAddress", gone{}}, []string{"/employees/0/emailAddress company.create.employee-fields"}},
		"employee no number":     {[]any{"employees.0.contactNumber", nil}, []string{"/employees/0/contactNumber company.create.employee-fields"}},
		"employee no title":      {[]any{"employees.2.title", ""}, []string{"/employees/2/title company.create.employee-fields"}},
		"employees an object":    {[]any{"employees", map[string]any{}}, []string{"/employees request.type"}},
		"type unknown":           {[]any{"companyType", "Cooperative"}, []string{"/companyType company.create.type"}},
		"type missing":           {[]any{"companyType", gone{}}, []string{"/companyType company.create.type"}},
		"ssn three":              {[]any{"owner.ssn", "123"}, []string{"/owner/ssn company.create.owner-ssn"}},
		"ssn nine":               {[]any{"owner.ssn", "123456789"}, []string{"/owner/ssn company.create.owner-ssn"}},
		"ssn letters":            {[]any{"owner.ssn", "12a4"}, []string{"/owner/ssn company.create.owner-ssn"}},
		"ssn other digits":       {[]any{"owner.ssn", "١٢٣٤"}, []string{"/owner/ssn company.create.owner-ssn"}},
		"ssn a number":           {[]any{"owner.ssn", 1234}, []string{"/owner/ssn request.type"}},
		"ssn missing":            {[]any{"owner.ssn", gone{}}, []string{"/owner/ssn company.create.owner-ssn"}},
		"location state":         {[]any{"locations.1.state", "Ohio"}, []string{"/locations/1/state location.state"}},
		"location zip":           {[]any{"locations.0.zipCode", "1234"}, []string{"/locations/0/zipCode location.zip"}},
		"name unknown magic":     {[]any{"name", "KYB REJEKT Gym"}, []string{"/name company.create.kyb-prefix"}},
		"owner state":            {[]any{"owner.state", "ca"}, []string{"/owner/state company.create.owner.state"}},
		"owner zip":              {[]any{"owner.zipCode", "12345678"}, []string{"/owner/zipCode company.create.owner.zip"}},
	} {
		body := companyJSON(t, "fresh", c.pairs...)
		p := s.refused(http.StatusBadRequest, http.MethodPost, "/Company/Create", body)
		require.Equal(t, c.want, p.clauses(), name)
		require.Len(t, p.Errors, 1, name)
	}
	require.Len(t, list(s.ok(http.MethodGet, "/Company/List", ""), "companies"), 1)
}

func TestCompanyFormats(t *testing.T) {
	t.Parallel()
	s := start(t, integration.Options{Seed: 7})
	n := 0
	for member, values := range map[string]map[string]bool{
		"zipCode":           {"12345": true, "12345-": true, "12345-6789": true, "1234": false, "12345-678": false, "123456789": false, "12345 6789": false, "1234٥": false, "12345-67890": false, " 12345": false, "": false},
		"state":             {"CA": true, "ca": false, "Ca": false, "CAL": false, "C": false, "C1": false, "ÇA": false, "": false},
		"emailAddress":      {"a@b.co": true, "a.b+c@x-y.example.com": true, `"odd one"@example.com`: true, "a@b": false, "a b@c.com": false, "@c.com": false, "a@": false, "a@b..com": false, "a@-b.com": false, "Pat <a@b.com>": false, "a@b.com,c@d.com": false, "a@[127.0.0.1]": false, "": false},
		"contactNumber":     {"+12025550123": true, "2025550123": true, "(202) 555-0123": true, "+442079460958": true, "12": false, "+1202555": false, "+1202555012345678": false, "call me": false, "": false},
		"owner.dateOfBirth": {"1980-02-29": true, "2024-02-29": true, "2023-02-29": false, "2026-02-30": false, "1900-02-29": false, "2000-02-29": true, "0000-01-01": false, "1980-1-1": false, "1980-13-01": false, "01/02/1980": false, "1980-01-01T00:00:00Z": false},
		"companyType":       {"ForProfit": true, "forprofit": true, "FORPROFIT": true, "nonprofit": true, "SoleProprietorship": true, "llc": true, "Corporation": true, "Partnership": true, "For Profit": false, "forproﬁt": false},
	} {
		for value, good := range values {
			n++
			body := companyJSON(t, "f-"+time.Duration(n).String(), member, value)
			w := s.call(http.MethodPost, "/Company/Create", body)
			if good {
				require.Equal(t, http.StatusOK, w.Code, "%s %q: %s", member, value, w.Body)
				require.Empty(t, w.Header().Get("Sandbox-Warning"))
				continue
			}
			p := readProblem(t, http.StatusBadRequest, w)
			require.Len(t, p.clauses(), 1, "%s %q", member, value)
			require.Equal(t, "/"+strings.ReplaceAll(member, ".", "/"), p.Findings[0].Pointer)
			require.Equal(t, kernel.Spec, p.Findings[0].Source)
		}
	}
}

// TestCompanyProblemsAtOnce: one 400 holds every problem, nothing is created,
// and the ids that follow are what they would have been.
func TestCompanyProblemsAtOnce(t *testing.T) {
	t.Parallel()
	s, twin := start(t, integration.Options{Seed: 7}), start(t, integration.Options{Seed: 7})
	bad := companyJSON(t, "", "state", "ca", "zipCode", "1", "emailAddress", "x", "contactNumber", "1", "companyType", "?", "owner.ssn", "98765",
		"owner.dateOfBirth", "2026-02-30", "owner.emailAddress", "y", "employees.0.title", gone{}, "employees.1.emailAddress", "z", "locations.1.zipCode", 5)
	p := s.refused(http.StatusBadRequest, http.MethodPost, "/Company/Create", bad)
	require.ElementsMatch(t, []string{
		"/companyReferenceId company.create.reference", "/state company.create.state", "/zipCode company.create.zip", "/emailAddress company.create.email",
		"/contactNumber company.create.contact-number", "/companyType company.create.type", "/owner/ssn company.create.owner-ssn",
		"/owner/dateOfBirth company.create.owner-date-of-birth", "/owner/emailAddress company.create.owner-email",
		"/employees/0/title company.create.employee-fields", "/employees/1/emailAddress company.create.employee-email", "/locations/1/zipCode request.type",
	}, p.clauses())
	require.Len(t, p.Errors, 12)
	require.Contains(t, p.Errors, "employees[0].title")
	require.Contains(t, p.Errors, "owner.ssn")
	for _, f := range p.Findings {
		require.NotContains(t, f.Received, "98765")
	}
	require.Equal(t, "/console/-/entries/2", p.Instance)
	require.Empty(t, list(s.ok(http.MethodGet, "/Company/List", ""), "companies"))
	require.Empty(t, s.entries(tape.KindTransition, tape.KindEvent, tape.KindMessage, tape.KindTimer))

	id, locations := s.company("next")
	twinID, twinLocations := twin.company("next")
	require.Equal(t, twinID, id)
	require.Equal(t, twinLocations, locations)
}

// TestCompanyRequired: what only the documentation requires is advice, and a
// refusal under --strict.
func TestCompanyRequired(t *testing.T) {
	t.Parallel()
	body := `{"companyReferenceId":"bare","emailAddress":"a@b.co","contactNumber":"2025550123","companyType":"LLC","state":"CA","zipCode":"12345",
		"owner":{"emailAddress":"o@b.co","contactNumber":"2025550124","ssn":"1234","state":"CA","zipCode":"12345"},"employees":[],"locations":[{"state":"CA","zipCode":"12345"}]}`
	want := []string{"/name", "/taxId", "/taxIdType", "/streetNumberAndName", "/city", "/owner/name", "/owner/dateOfBirth", "/owner/streetNumberAndName", "/owner/city", "/locations/0/name", "/locations/0/streetNumberAndName", "/locations/0/city"}
	s := start(t, integration.Options{Seed: 7})
	w := s.call(http.MethodPost, "/Company/Create", body)
	require.Equal(t, http.StatusOK, w.Code, w.Body.String())
	require.Contains(t, w.Header().Get("Sandbox-Warning"), "company.create.name /name")
	findings := s.entries(tape.KindFinding)
	require.Len(t, findings, 1)
	pointers := []string{}
	for _, f := range findings[0].Findings {
		require.True(t, f.Advisory)
		require.NotEqual(t, "spec", f.Source)
		pointers = append(pointers, f.Pointer)
	}
	require.ElementsMatch(t, want, pointers)

	strict := start(t, integration.Options{Seed: 7, Strict: true})
	p := strict.refused(http.StatusBadRequest, http.MethodPost, "/Company/Create", body)
	require.Len(t, p.clauses(), len(want))
	require.Empty(t, list(strict.ok(http.MethodGet, "/Company/List", ""), "companies"))
	strict.company("whole")
}

func TestCompanyVerification(t *testing.T) {
	t.Parallel()
	s := start(t, integration.Options{Seed: 7})
	s.company("r", "name", "KYB REJECT Gym") // environment sandbox verifies every company
	require.Equal(t, "Verified", s.ok(http.MethodGet, "/Company/r/Status", "")["status"])
	require.Len(t, s.entries(tape.KindEvent), 1)

	r := start(t, integration.Options{Seed: 7, Environment: world.Rehearsal})
	r.company("good")
	r.company("bad", "name", "KYB REJECT Gym")
	for _, ref := range []string{"good", "bad"} {
		require.Equal(t, "Unverified", r.ok(http.MethodGet, "/Company/"+ref+"/Status", "")["status"])
	}
	require.Empty(t, r.entries(tape.KindEvent))
	r.pass(24 * time.Hour)
	r.token = r.grant("sandbox-client", "sandbox-secret")
	require.Equal(t, "Verified", r.ok(http.MethodGet, "/Company/good/Status", "")["status"])
	require.Equal(t, "Rejected", r.ok(http.MethodGet, "/Company/bad/Status", "")["status"])
	require.Len(t, r.entries(tape.KindEvent), 2)
	require.Contains(t, string(r.entries(tape.KindEvent)[0].Event.Body), `"Event":"COMPANY_VERIFICATION_STATUS_CHANGED"`)
}

// TestUnreadableElement: what could not be read is not judged twice.
func TestUnreadableElement(t *testing.T) {
	t.Parallel()
	s := start(t, integration.Options{Seed: 7})
	p := s.refused(http.StatusBadRequest, http.MethodPost, "/Company/Create", companyJSON(t, "x", "employees.0", nil, "locations.1", "here"))
	require.Equal(t, []string{"/employees/0 request.type", "/locations/1 request.type"}, p.clauses())
}
