package verify_test

import (
	"net/http"
	"slices"
	"strings"
)

// wireMutants speak wrongly on the wire.
func wireMutants() []mutant {
	return []mutant{
		{"request.body", "what came of a body is taken for the whole", asks("POST /Company/Create", func(x *exchange) { x.cut, x.touched = nil, true })},
		{"wire.request-names", "names are matched to the letter", demands("POST /User/Register", "wire.request-names", "redirectUrl")},
		{"wire.paths", "paths are found in one letter case", answers("GET /company/*, GET /company/*/Status", func(x *exchange) {
			if strings.HasPrefix(x.req.URL.Path, "/company/") && !strings.HasSuffix(x.req.URL.Path, "/status") {
				x.refuse(http.StatusNotFound, "$", "error.unknown-path")
			}
		})},
		{"wire.paths", "a slash at the end is too much", stateless(on("GET /Company/List/", nil, func(x *exchange) { x.refuse(http.StatusNotFound, "$", "error.unknown-path") }))},
		{"wire.head", "HEAD is no method", becomes("HEAD /Company/List", 200, 405)},
		{"wire.accept", "every answer is application/json", answers("GET /Company/List", func(x *exchange) { x.header.Set("Content-Type", "application/json; charset=utf-8") })},
		{"wire.response-names", "answers in PascalCase", pascal("POST /Company/Create", "companyId")},
		{"wire.token", "the token tells its scope", tells("POST /Authentication/Token", "scope", "all")},
		{"wire.token", "the lifetime is a text", tells("POST /Authentication/Token", "expiresInSeconds", "3600")},
		{"wire.company-list", "no reference in the list", lacks("GET /Company/List", "companies.*.referenceId")},
		{"wire.company-list", "the list tells the status", tells("GET /Company/List", "companies.*.status", "Verified")},
		{"wire.company-status", "the status tells the company", tells("GET /Company/*/Status", "companyId", "x")},
		{"wire.location", "another name for the id", pascal("POST /Company/*/Locations", "locationId")},
		{"wire.location-list", "addresses are flat", tells("GET /Company/*/Locations", "locations.*.address", "410 Hill Street")},
		{"wire.bank-link", "the link has an end", tells("POST /Company/*/ExternalAuthLink", "expiresAt", "2027-01-01T00:00:00Z")},
		{"wire.registration", "the registration tells its status", tells("POST /User/Register", "status", "Pending")},
		{"wire.registration", "the address in PascalCase", pascal("POST /User/Register", "registrationUrl")},
		{"wire.user-status", "no mask while no account is linked", answers("GET /User/*/Status", func(x *exchange) {
			if x.got("accountMask") == nil {
				x.change("accountMask", gone{})
			}
		})},
		{"wire.payment", "the payer is called registrationId", answers("POST /Payment/Create", func(x *exchange) {
			x.change("registrationId", x.got("registrationPersonId"))
			x.change("registrationPersonId", gone{})
		})},
		{"wire.card-auth", "the authorisation tells its amount", tells("POST /Payment/Card/Auth", "amount", 5000)},
		{"wire.saved-card", "the charged amount is a text", tells("POST /Payment/ChargeSavedCard", "chargedAmount", "5000")},
		{"wire.empty-answers", "a cancellation answers an object", answers("PUT /Payment/*/Cancel", func(x *exchange) { x.tell("{}") })},
		{"wire.payment-status", "the amount is a number", tells("GET /Payment/*/Status", "amount", 5000)},
		{"wire.payment-methods", "no year of expiry", lacks("GET /Payment/CardPaymentMethods/*", "paymentMethods.*.expYear")},
		{"wire.no-extra-members", "a list tells its length", tells("GET /Company/List", "total", 1)},
		{"wire.field-order", "members come in any order", answers("GET /User/*/Status", func(x *exchange) { x.body = encoded(decoded(x.body)) })},
		{"wire.list-order", "the newest comes first", tells("GET /Company/List", "companies", reversed)},
		{"wire.null", "a mask that is not there is empty", tells("GET /User/*/Status", "accountMask", swaps(nil, ""))},
		{"wire.dates", "moments in local time", tells("GET /Payment/*/Status", "creationDate", func(v any) any {
			return strings.Replace(v.(string), "Z", "+00:00", 1)
		})},
		{"error.status", "201 for what was created", becomes("POST /User/Register", 200, 201)},
		{"error.status", "202 for what was refunded", becomes("POST /Payment/Refund/*", 200, 202)},
		{"error.body", "refusals are texts", answers("POST /Company/Create, GET /Company/*/Status, GET /Nothing, DELETE /Company/Create", func(x *exchange) {
			if !x.ok() {
				x.body = []byte(http.StatusText(x.status))
				x.header.Set("Content-Type", "text/plain")
			}
		})},
		{"error.findings", "nobody is told how to mend it", answers("POST /Company/Create", func(x *exchange) { x.change("findings.*.fix", "") })},
		{"error.findings", "a payment's problems are not told one by one", answers("POST /Payment/Create", func(x *exchange) {
			if !x.ok() {
				x.change("findings", []any{})
			}
		})},
		{"error.secrets", "a refusal repeats the ssn", answers("POST /Company/Create", func(x *exchange) {
			if !x.ok() {
				x.change("findings.*.received", x.member("owner.ssn"))
			}
		})},
		{"error.secrets", "the tape keeps document numbers", tattles("/Company/Create")},
		{"error.unknown-path", "every path is an operation", allowed("GET /Companies, GET /Company/List/x, GET /v1/Company/List")},
		{"error.method", "the right methods are not told", answers("GET /Company/Create, POST /Company/List, PATCH /Payment/Create", func(x *exchange) { x.header.Del("Allow") })},
		{"error.unknown-ids", "a foreign payer is an unknown path", becomes("POST /Payment/Create", 400, 404)},
		{"error.unchanged", "a refused payment is kept", keeps("POST /Payment/Create", 400, map[string]any{"amount": 100})},
		{"error.advice", "nobody is advised", answers("POST /Company/Create", func(x *exchange) { x.header.Del("Sandbox-Warning") })},
		{"limit.rate", "fifty calls and no more", limited("GET /Company/List", 50)},
		{"limit.amount", "amounts are floating-point numbers", tells("GET /Payment/*/Status", "amount.value", rounded)},
		{"limit.charge", "charges end at 2^30", refuses("POST /Payment/ChargeSavedCard", "limit.charge", "amount", func(x *exchange) bool { return number(x.member("amount")) > 1<<30 })},
		{"limit.attachment", "files of any size are taken", allowed("POST /Payment/Create")},
		{"limit.verification", "a verification never ends", tells("GET /Company/*/Status", "status", swaps("Verified", "Unverified"))},
	}
}

func reversed(v any) any {
	list, _ := v.([]any)
	slices.Reverse(list)
	return list
}
