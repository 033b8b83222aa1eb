package steps

import "net/http"

func companyActions() []action {
	return []action{
		{
			phrase: "registers a company", method: http.MethodPost, path: "/Company/Create", body: "company-create",
			fill:  []pair{{"companyReferenceId", "new reference"}},
			keep:  []pair{{"companyId", "company"}, {"?locationIds[0]", "location"}},
			after: keepReference,
		},
		{phrase: "lists the companies", method: http.MethodGet, path: "/Company/List"},
		{phrase: "asks for the company's status", method: http.MethodGet, path: "/Company/{company's reference}/Status"},
		{phrase: "asks for the company's status by its id", method: http.MethodGet, path: "/Company/{company}/Status"},
		{phrase: "asks for the status of an unknown company", method: http.MethodGet, path: "/Company/no-such-company/Status"},
		{phrase: "asks for the default company's status", method: http.MethodGet, path: "/company/status"},
		{
			phrase: "adds a location", method: http.MethodPost, path: "/Company/{company's reference}/Locations", body: "location-add",
			keep: []pair{{"locationId", "location"}},
		},
		{phrase: "adds a location by the company's id", method: http.MethodPost, path: "/Company/{company}/Locations", body: "location-add"},
		{phrase: "adds a location to an unknown company", method: http.MethodPost, path: "/Company/no-such-company/Locations", body: "location-add"},
		{phrase: "lists the locations", method: http.MethodGet, path: "/Company/{company's reference}/Locations"},
		{phrase: "lists the locations by the company's id", method: http.MethodGet, path: "/Company/{company}/Locations"},
		{phrase: "lists the locations of an unknown company", method: http.MethodGet, path: "/Company/no-such-company/Locations"},
		{
			phrase: "asks for a bank link", method: http.MethodPost, path: "/Company/{company's reference}/ExternalAuthLink", body: "external-auth-link",
			keep: []pair{{"externalAuthLinkUrl", "bank link"}},
		},
		{phrase: "asks for a bank link by the company's id", method: http.MethodPost, path: "/Company/{company}/ExternalAuthLink", body: "external-auth-link"},
		{phrase: "asks for a bank link of an unknown company", method: http.MethodPost, path: "/Company/no-such-company/ExternalAuthLink", body: "external-auth-link"},
	}
}

// keepReference notes the reference with which a company was registered.
func keepReference(s *story, as string, b body) {
	if ref, ok := b["companyReferenceId"].(string); ok {
		s.known[as+"company's reference"] = ref
	}
}
