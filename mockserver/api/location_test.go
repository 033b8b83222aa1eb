package api_test

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/tape"
)

const locationBody = `{"name":"Uptown","streetNumberAndName":"9 High St","apartmentNumber":"2","zipCode":"94607-1234","city":"Oakland","state":"CA"}`

func TestLocationIsFoundAgain(t *testing.T) {
	t.Parallel()
	s := start(t, integration.Options{Seed: 7})
	id, first := s.company("gym")
	added := s.ok(http.MethodPost, "/Company/gym/Locations", locationBody)["locationId"]
	guide := s.ok(http.MethodPost, "/company/"+id+"/locations", `{"Name":"Guide","StreetNumberAndName":"1 A St","ZipCode":"12345","City":"X","State":"NY"}`)["locationId"]

	got := list(s.ok(http.MethodGet, "/Company/gym/Locations", ""), "locations")
	require.Len(t, got, 4)
	require.Equal(t, []any{first[0], first[1], added, guide}, []any{got[0]["id"], got[1]["id"], got[2]["id"], got[3]["id"]})
	require.Equal(t, map[string]any{"id": added, "name": "Uptown", "address": map[string]any{
		"streetNumberAndName": "9 High St", "apartmentNumber": "2", "city": "Oakland", "zipCode": "94607-1234", "state": "CA", "country": "US",
	}}, got[2])
	require.Equal(t, got, list(s.ok(http.MethodGet, "/company/"+id+"/locations/", ""), "locations"))

	// A payment can be asked for at it, and tells its company.
	payment := s.pay("contactNumber", "+12025550150", "locationId", added)
	require.Equal(t, "Veum Dental Care", s.ok(http.MethodGet, "/Transaction/PaymentRequest/"+payment, "")["recipientName"])
}

func TestLocationRules(t *testing.T) {
	t.Parallel()
	s, twin := start(t, integration.Options{Seed: 7}), start(t, integration.Options{Seed: 7})
	s.company("gym")
	twin.company("gym")
	p := s.refused(http.StatusBadRequest, http.MethodPost, "/Company/gym/Locations", `{"name":7,"state":"cal","zipCode":"1","city":{}}`)
	require.Equal(t, []string{"/name request.type", "/city request.type", "/state location.state", "/zipCode location.zip"}, sortedBy(p.clauses(), "/name", "/city", "/state", "/zipCode"))
	p = s.refused(http.StatusBadRequest, http.MethodPost, "/Company/gym/Locations", `{}`)
	require.Equal(t, []string{"/state location.state", "/zipCode location.zip"}, p.clauses())
	require.Len(t, p.Findings, 5) // name, street and city are advice
	s.refused(http.StatusNotFound, http.MethodPost, "/Company/no/Locations", locationBody)
	s.refused(http.StatusNotFound, http.MethodPost, "/Company/no/Locations", `{}`)
	s.refused(http.StatusNotFound, http.MethodGet, "/Company/no/Locations", "")
	require.Len(t, list(s.ok(http.MethodGet, "/Company/gym/Locations", ""), "locations"), 2)
	require.Equal(t, twin.ok(http.MethodPost, "/Company/gym/Locations", locationBody), s.ok(http.MethodPost, "/Company/gym/Locations", locationBody))
}

// TestOddReferences: whatever text a reference is, paths with it escaped name
// the company.
func TestOddReferences(t *testing.T) {
	t.Parallel()
	s := start(t, integration.Options{Seed: 7})
	for _, ref := range []string{
		"a/b", "a b", "100%", "%2F", "a+b", "a?b#c", "größe", "店", "List", "Create", "Status", ".", "..", "{companyReferenceId}",
		"a/", "/", "//", "\x00", `"quoted"`, "a;b,c", "🏋️", "00000000-0000-0000-0000-000000000000",
	} {
		s.company(ref)
		path := "/Company/" + url.PathEscape(ref)
		if ref == "." || ref == ".." {
			path = "/Company/" + map[string]string{".": "%2E", "..": "%2E%2E"}[ref]
		}
		require.Equal(t, "Verified", s.ok(http.MethodGet, path+"/Status", "")["status"], ref)
		require.Len(t, list(s.ok(http.MethodGet, path+"/locations/", ""), "locations"), 2, ref)
		require.NotEmpty(t, s.ok(http.MethodPost, path+"/Locations", locationBody), ref)
		require.Equal(t, "Verified", s.ok(http.MethodGet, "/company/status?companyReferenceId="+url.QueryEscape(ref), "")["Status"], ref)
	}
}

func TestExternalAuthLink(t *testing.T) {
	t.Parallel()
	s := start(t, integration.Options{Seed: 7})
	id, _ := s.company("gym")
	seen := map[any]bool{}
	for _, path := range []string{"/Company/gym/ExternalAuthLink", "/company/" + id + "/externalauthlink"} {
		link := s.ok(http.MethodPost, path, `{"mobileNumber":"+12025550123"}`)["externalAuthLinkUrl"]
		require.Contains(t, link, "http://example.com/pages/default/bank-link/")
		require.False(t, seen[link])
		seen[link] = true
	}
	messages := s.entries(tape.KindMessage)
	require.Equal(t, "+12025550123", messages[len(messages)-1].Message.To)
	for _, number := range []string{"", "2025550123", "+1202555012345678", "+0123456789", "+1 202 555 0123", "+12", "x"} {
		p := s.refused(http.StatusBadRequest, http.MethodPost, "/Company/gym/ExternalAuthLink", change(t, `{}`, "mobileNumber", number))
		require.Equal(t, []string{"/mobileNumber company.link.mobile-number"}, p.clauses(), number)
	}
	s.refused(http.StatusBadRequest, http.MethodPost, "/Company/gym/ExternalAuthLink", `{}`)
	s.refused(http.StatusNotFound, http.MethodPost, "/Company/no/ExternalAuthLink", `{"mobileNumber":"+12025550123"}`)
}
