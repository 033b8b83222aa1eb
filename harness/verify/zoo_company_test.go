package verify_test

import (
	"net/http"
	"strings"
)

// companyMutants break what is owed about companies and their locations.
func companyMutants() []mutant {
	const (
		create    = "POST /Company/Create"
		status    = "GET /Company/*/Status"
		locations = "GET /Company/*/Locations"
		kyb       = "POST " + control + "/companies/*/kyb"
	)
	return []mutant{
		{"company.create", "the ids of the locations are not told", tells(create, "locationIds", []any{})},
		{"company.create", "the company's id is a number", tells(create, "companyId", 17)},
		{"company.create", "a company needs a location", demands(create, "company.create", "locations")},
		{"company.create.nothing-on-failure", "a company with a wrong zip code is kept", keeps(create, 400, map[string]any{"zipCode": "90012", "state": "CA"})},
		{"company.create.all-problems", "one problem at a time", answers(create, func(x *exchange) {
			for name := range x.problems() {
				x.change("errors", map[string]any{name: []string{"is not allowed"}})
				break
			}
		})},
		{"company.create.website", "a website is required", demands(create, "company.create.website", "websiteUrl")},
		{"company.create.apartment", "an apartment number is required", demands(create, "company.create.apartment", "apartmentNumber")},
		{"company.create.owner-document", "a document is a passport", refuses(create, "company.create.owner-document", "owner.documentType", func(x *exchange) bool { return x.text("owner.documentType") != "Passport" })},
		{"company.list", "a list of one", tells("GET /Company/List", "companies", func(v any) any {
			list, _ := v.([]any)
			return list[:min(1, len(list))]
		})},
		{"company.list", "references are not listed", tells("GET /Company/List", "companies.*.referenceId", "")},
		{"company.list.own", "everybody's companies are listed", shared()},
		{"company.status", "the id names no company", answers(status, func(x *exchange) {
			if len(strings.Split(x.req.URL.Path, "/")[2]) == 36 {
				x.refuse(http.StatusNotFound, "companyReferenceId", "company.status.unknown")
			}
		})},
		{"company.status.unknown", "an unknown company is Verified", allowed(status)},
		{"company.status.unknown", "a location is added to a foreign company", allowed("POST /Company/*/Locations")},
		{"company.status.unknown", "a foreign company gets a bank link", allowed("POST /Company/*/ExternalAuthLink")},
		{"company.status.sandbox", "companies wait in the sandbox, too", tells(status, "status", swaps("Verified", "Unverified"))},
		{"company.status.default", "the last company stands for all", remembering(func() (string, func(x *exchange), func(x *exchange)) {
			last := map[string]any{}
			return create + ", GET /company/status", nil, func(x *exchange) {
				key := x.req.Header.Get("Sandbox-Integration")
				if id := x.got("companyId"); id != nil {
					last[key] = id
				} else if x.ok() {
					x.change("CompanyId", last[key])
				}
			}
		})},
		{"company.status.pascal", "in camelCase", answers("GET /company/status", func(x *exchange) {
			if x.ok() {
				x.tell(strings.NewReplacer("CompanyId", "companyId", "Status", "status").Replace(string(x.body)))
			}
		})},
		{"company.kyb.start", "a company begins Verified", tells(status, "status", "Verified")},
		{"company.kyb.verified", "a company waits for ever", tells(status, "status", swaps("Verified", "Unverified"))},
		{"company.kyb.rejected", "nobody is rejected", tells(status, "status", swaps("Rejected", "Verified"))},
		{"company.kyb.final", "a verification can end again", becomes(kyb, 409, 200)},
		{"company.kyb.final", "a verified company is Rejected later", tells(status, "status", swaps("Verified", "Rejected"))},
		{"company.bank-link.mail", "no mail", unsent("company-verified", "")},
		{"company.bank-link.mail", "a mail without the portal", onTape(func(e map[string]any) bool {
			if reached(e, "message.template") == "company-verified" {
				put(e, []string{"message", "params"}, []any{})
			}
			return true
		})},
		{"company.bank-link.account", "a linked bank is forgotten", tells("GET /Transaction/Report", "transactions.*.recipientAccount", nil)},
		{"location.add", "the id names no company", answers("POST /Company/*/Locations", func(x *exchange) {
			if len(strings.Split(x.req.URL.Path, "/")[2]) == 36 {
				x.refuse(http.StatusNotFound, "companyReferenceId", "company.status.unknown")
			}
		})},
		{"location.list", "locations that were added later are not listed", tells(locations, "locations", func(v any) any {
			list, _ := v.([]any)
			return list[:min(1, len(list))]
		})},
		{"location.list", "the newest comes first", tells(locations, "locations", reversed)},
		{"location.address", "no apartment", tells(locations, "locations.*.address.apartmentNumber", "")},
		{"location.address", "no state", lacks(locations, "locations.*.address.state")},
		{"location.country", "another name for the country", tells(locations, "locations.*.address.country", "USA")},
		{"company.link", "the link is a path", tells("POST /Company/*/ExternalAuthLink", "externalAuthLinkUrl", "/bank-link")},
		{"company.link.once", "the same link again", first("POST /Company/*/ExternalAuthLink", "externalAuthLinkUrl")},
	}
}

// text reads a text of the call.
func (x *exchange) text(member string) string {
	text, _ := x.member(member).(string)
	return text
}

// problems are the errors of a refusal.
func (x *exchange) problems() map[string]any {
	list, _ := x.got("errors").(map[string]any)
	return list
}

// shared lists everybody's companies to everybody.
func shared() kind {
	return remembering(func() (string, func(x *exchange), func(x *exchange)) {
		var all []any
		return "POST /Company/Create, GET /Company/List", nil, func(x *exchange) {
			switch {
			case !x.ok():
			case x.req.Method == http.MethodPost:
				all = append(all, map[string]any{"id": x.got("companyId"), "name": x.text("name"), "referenceId": x.text("companyReferenceId")})
			default:
				x.change("companies", all)
			}
		}
	})
}
