package task

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"paysandbox/harness/partner"
)

// way is how a task is done with the partner API.
type way struct {
	method, path string
	// by are the members that a call is known by, of the body or of the path.
	by []string
	// own are the members and headers that a call wants besides what the task names.
	own []string
}

const (
	// key is the header that calls about money want.
	key = "an Idempotency-Key header"
	// anAddress is what an address consists of.
	anAddress = "streetNumberAndName, city, state, zipCode"
)

// ways are by the Do constants. What is no single call is not among them.
var ways = map[string]way{
	partner.DoCreateCompany: {http.MethodPost, "/Company/Create", []string{"name"}, []string{
		"emailAddress", "contactNumber", "taxId", "taxIdType", anAddress, "owner (name, emailAddress, contactNumber, ssn, dateOfBirth, " + anAddress + ")",
	}},
	partner.DoCompanyStatus:   {http.MethodGet, "/Company/{companyReferenceId}/Status", nil, nil},
	partner.DoAddLocation:     {http.MethodPost, "/Company/{companyReferenceId}/Locations", nil, []string{anAddress}},
	partner.DoListLocations:   {http.MethodGet, "/Company/{companyReferenceId}/Locations", nil, nil},
	partner.DoBankLink:        {http.MethodPost, "/Company/{companyReferenceId}/ExternalAuthLink", []string{"companyReferenceId"}, nil},
	partner.DoRegisterUser:    {http.MethodPost, "/User/Register", []string{"mobileNumber", "email"}, []string{"redirectUrl"}},
	partner.DoUserStatus:      {http.MethodGet, "/User/{registrationId}/Status", nil, nil},
	partner.DoDebitAuth:       {http.MethodPost, "/User/{registrationId}/DebitAuth", []string{"registrationId", "limit"}, nil},
	partner.DoCreatePayment:   {http.MethodPost, "/Payment/Create", []string{"amount", "registrationId", "dueDate", "locationId", "companyReferenceId"}, []string{"reference", "returnUrl", key}},
	partner.DoPaymentStatus:   {http.MethodGet, "/Payment/{paymentRequestId}/Status", nil, nil},
	partner.DoCancelPayment:   {http.MethodPut, "/Payment/{paymentRequestId}/Cancel", nil, nil},
	partner.DoRefundPayment:   {http.MethodPost, "/Payment/Refund/{paymentRequestId}", []string{"paymentRequestId", "amount", "attachment"}, []string{key}},
	partner.DoAuthoriseCard:   {http.MethodPost, "/Payment/Card/Auth", []string{"amount", "registrationId"}, []string{"returnUrl", key}},
	partner.DoPaymentMethods:  {http.MethodGet, "/Payment/CardPaymentMethods/{registrationId}", nil, nil},
	partner.DoChargeSavedCard: {http.MethodPost, "/Payment/ChargeSavedCard", []string{"amount", "registrationId"}, []string{key}},
	partner.DoCardPayment:     {http.MethodPost, "/CardPayment", []string{"amount", "mobileNumber"}, []string{key}},
	partner.DoCreatePlan:      {http.MethodPost, "/PaymentPlan/Create", []string{"amount"}, nil},
	partner.DoAddPlanPayer:    {http.MethodPost, "/PaymentPlan/{planId}/Payers", nil, nil},
	partner.DoActivatePlan:    {http.MethodPut, "/PaymentPlan/{planId}/Activate", nil, nil},
	partner.DoPausePlan:       {http.MethodPut, "/PaymentPlan/{planId}/Pause", nil, nil},
	partner.DoCancelPlan:      {http.MethodPut, "/PaymentPlan/{planId}/Cancel", nil, nil},
	partner.DoListConsents:    {http.MethodGet, "/Consent/List", nil, nil},
	partner.DoDeclineConsent:  {http.MethodPut, "/Consent/{consentId}/Decline", nil, nil},
	partner.DoReport:          {http.MethodGet, "/Transaction/Report", nil, nil},
}

// spoken is what a task says to a person: in words, as a call, and with the values
// that have to be sent, so that it can be done by hand. Lines after the first are
// indented.
func spoken(t *partner.Task) string {
	w, ok := ways[t.Do]
	if !ok {
		return t.Say + each(t)
	}
	path, rest := w.address(t)
	text := t.Say + "\n    " + w.method + " " + path
	if len(rest) > 0 {
		text += "\n    send: " + pairs(t.With, rest)
	}
	if len(w.own) > 0 {
		text += "\n    and your own: " + strings.Join(w.own, ", ")
	}
	return text + besides(t)
}

// besides is what a person has to know besides the call.
func besides(t *partner.Task) string {
	text := ""
	if t.With["locations"] != nil {
		text += "\n    each location with your own: " + anAddress
	}
	if t.Do == partner.DoReport {
		text += "\n    and the same with cursor set to nextCursor, as long as hasMore is true"
	}
	if t.Wait {
		text += fmt.Sprintf("\n    not before GET /Company/%v/Status tells Verified and GET /User/%v/Status tells Registered;"+
			" never when the company is Rejected", t.With["companyReferenceId"], t.With["registrationId"])
	}
	return text
}

// address is the path of a task's call, and the members that go into its body.
func (w *way) address(t *partner.Task) (path string, rest []string) {
	path = w.path
	query := url.Values{}
	for _, name := range w.order(t.With) {
		value := url.PathEscape(fmt.Sprint(t.With[name]))
		switch {
		case strings.Contains(path, "{"+name+"}"):
			path = strings.ReplaceAll(path, "{"+name+"}", value)
		case w.method == http.MethodGet:
			query.Set(name, fmt.Sprint(t.With[name]))
		default:
			rest = append(rest, name)
		}
	}
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	return path, rest
}

// order gives the names of members, those first by which a call is known.
func (w *way) order(with map[string]any) []string {
	var names []string
	for _, name := range w.by {
		if with[name] != nil {
			names = append(names, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(with)) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// each is the call of a task that takes several.
func each(t *partner.Task) string {
	ids, _ := t.With["paymentRequestIds"].([]any)
	text := ""
	for _, id := range ids {
		text += fmt.Sprintf("\n    GET /Payment/%v/Status", id)
	}
	return text
}

// pairs writes members as name "Northside Gym", amount 5000.
func pairs(with map[string]any, names []string) string {
	list := make([]string, len(names))
	for i, name := range names {
		list[i] = name + " " + valueText(with[name])
	}
	return strings.Join(list, ", ")
}

// valueText writes a value as JSON does, on one line.
func valueText(v any) string {
	var b bytes.Buffer
	out := json.NewEncoder(&b)
	out.SetEscapeHTML(false)
	if out.Encode(v) != nil {
		return fmt.Sprint(v)
	}
	return strings.TrimSpace(b.String())
}
