package mockserver_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/fixtures"
	"paysandbox/harness/conform"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/mocktest"
)

// witness calls a sandbox and holds every exchange to the sandbox's own document.
type witness struct {
	t         *testing.T
	sandbox   *mocktest.Sandbox
	token     string
	validator *conform.Validator
	// any admits every status that the document has, not just the one that is usual.
	any bool
	// done are the operations that have answered 200, as METHOD and path.
	done map[string]bool
}

func newWitness(t *testing.T, choices ...latitude.Choice) *witness {
	t.Helper()
	c := &witness{t: t, sandbox: mocktest.Start(t, mocktest.Options{Settings: latitude.Settings{}.Choose(choices...)}), done: map[string]bool{}}
	_, document := c.send(http.MethodGet, "/openapi.json", "")
	require.NoError(t, conform.Check(document))
	var err error
	c.validator, err = conform.NewValidator(document)
	require.NoError(t, err)
	return c
}

func (c *witness) send(method, path, body string, header ...string) (*http.Response, []byte) {
	c.t.Helper()
	req, err := http.NewRequestWithContext(c.t.Context(), method, c.sandbox.URL+path, strings.NewReader(body))
	require.NoError(c.t, err)
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	if c.token != "" {
		req.Header.Set("Authorization", "Bearer "+c.token)
	}
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	res, err := http.DefaultClient.Do(req)
	require.NoError(c.t, err)
	defer res.Body.Close()
	out, err := io.ReadAll(res.Body)
	require.NoError(c.t, err)
	return res, out
}

// call expects a status and an exchange as documented. template is the path as
// the route table writes it; args take the place of its parameters and follow as
// a query.
func (c *witness) call(status int, method, template, body string, args ...string) map[string]string {
	c.t.Helper()
	path := template
	for strings.Contains(path, "{") {
		from, to := strings.IndexByte(path, '{'), strings.IndexByte(path, '}')
		path, args = path[:from]+args[0]+path[to+1:], args[1:]
	}
	if len(args) > 0 {
		path += "?" + args[0]
	}
	if c.any {
		c.sandbox.Advance(c.t, time.Second) // beyond every rate limit
	}
	res, out := c.send(method, path, body)
	if !c.any {
		require.Equal(c.t, status, res.StatusCode, "%s %s: %s", method, path, out)
	}
	require.NoError(c.t, c.validator.Exchange(method, path, res.StatusCode, res.Header, []byte(body), out), "%s", out)
	if res.StatusCode == http.StatusOK {
		c.done[method+" "+template] = true
	}
	var answer map[string]any
	if json.Unmarshal(out, &answer) != nil {
		return nil
	}
	texts := map[string]string{}
	for name, value := range answer {
		if text, ok := value.(string); ok {
			texts[strings.ToLower(name[:1])+name[1:]] = text
		}
	}
	return texts
}

// control calls the control API of the default integration.
func (c *witness) control(path, body string) map[string]any {
	c.t.Helper()
	res, out := c.send(http.MethodPost, "/_sandbox/integrations/default"+path, body)
	if !c.any {
		require.Equal(c.t, http.StatusOK, res.StatusCode, "%s: %s", path, out)
	}
	var answer map[string]any
	require.NoError(c.t, json.Unmarshal(out, &answer))
	return answer
}

// payload is a canonical body with some members changed.
func payload(t *testing.T, name string, changes ...string) string {
	t.Helper()
	raw, err := fixtures.Payload(name)
	require.NoError(t, err)
	var body map[string]any
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	require.NoError(t, d.Decode(&body))
	for i := 0; i < len(changes); i += 2 {
		body[changes[i]] = changes[i+1]
	}
	out, err := json.Marshal(body)
	require.NoError(t, err)
	return string(out)
}

// tokens gets the tokens, by either path.
func (c *witness) tokens() {
	c.t.Helper()
	credentials := payload(c.t, "token", "clientId", c.sandbox.ClientID, "clientSecret", c.sandbox.ClientSecret)
	c.call(http.StatusUnauthorized, http.MethodPost, "/auth/token", payload(c.t, "token", "clientSecret", "wrong"))
	c.call(http.StatusBadRequest, http.MethodPost, "/auth/token", `{}`)
	c.call(http.StatusOK, http.MethodPost, "/auth/token", credentials)
	c.token = c.call(http.StatusOK, http.MethodPost, "/Authentication/Token", credentials)["accessToken"]
}

// companies gives the reference, the id and the location of a company.
func (c *witness) companies() map[string]string {
	c.t.Helper()
	const reference = "loc-001" // the payload's
	id := c.call(http.StatusOK, http.MethodPost, "/Company/Create", payload(c.t, "company-create"))["companyId"]
	c.call(http.StatusBadRequest, http.MethodPost, "/Company/Create", payload(c.t, "company-create", "state", "California"))
	location := c.call(http.StatusOK, http.MethodPost, "/Company/{companyReferenceId}/Locations", payload(c.t, "location-add"), reference)["locationId"]
	c.call(http.StatusOK, http.MethodPost, "/Company/{companyReferenceId}/ExternalAuthLink", payload(c.t, "external-auth-link"), reference)
	c.call(http.StatusOK, http.MethodGet, "/Company/{companyReferenceId}/Locations", "", reference)
	c.call(http.StatusOK, http.MethodGet, "/Company/{companyReferenceId}/Status", "", id)
	c.call(http.StatusNotFound, http.MethodGet, "/Company/{companyReferenceId}/Status", "", "nobody")
	c.call(http.StatusOK, http.MethodGet, "/Company/List", "")
	c.call(http.StatusOK, http.MethodGet, "/company/status", "")
	return map[string]string{"id": id, "location": location}
}

// payers gives the id of a payer who is registered and has authorised debits.
func (c *witness) payers(company map[string]string) string {
	c.t.Helper()
	payer := c.call(http.StatusOK, http.MethodPost, "/User/Register", payload(c.t, "user-register"))["registrationId"]
	c.call(http.StatusOK, http.MethodGet, "/User/{registrationId}/Status", "", payer)
	c.control("/registrations/"+payer+"/complete", `{"persona":"good"}`)
	c.call(http.StatusOK, http.MethodGet, "/User/{registrationId}/Status", "", payer)
	c.call(http.StatusOK, http.MethodPost, "/User/{registrationId}/DebitAuth", payload(c.t, "debit-auth", "companyId", company["id"]), payer)
	c.call(http.StatusOK, http.MethodGet, "/User/{registrationId}/DebitAuth", "", payer, "CompanyId="+company["id"])
	c.call(http.StatusNotFound, http.MethodGet, "/User/{registrationId}/Status", "", company["id"])
	return payer
}

// payments plays payments, cards and refunds.
func (c *witness) payments(company map[string]string, payer string) {
	c.t.Helper()
	create := payload(c.t, "payment-create", "locationId", company["location"], "registrationId", payer)
	paid := c.call(http.StatusOK, http.MethodPost, "/Payment/Create", create)["paymentRequestId"]
	c.control("/payments/"+paid+"/approve", "{}")
	c.sandbox.Advance(c.t, time.Minute)
	c.call(http.StatusBadRequest, http.MethodPut, "/Payment/{paymentRequestId}/Cancel", "", paid)
	const half = `{"amount":100,"description":"one half"}`
	c.call(http.StatusOK, http.MethodPost, "/Payment/Refund/{paymentRequestId}", half, paid)
	c.call(http.StatusOK, http.MethodPost, "/Payment/Refund", half, "paymentRequestId="+paid)
	for _, method := range []string{http.MethodPut, http.MethodPost} {
		open := c.call(http.StatusOK, http.MethodPost, "/Payment/Create", create)["paymentRequestId"]
		c.call(http.StatusOK, method, "/Payment/{paymentRequestId}/Cancel", "", open)
	}
	c.call(http.StatusOK, http.MethodGet, "/Payment/{paymentRequestId}/Status", "", paid)
	c.call(http.StatusOK, http.MethodGet, "/Transaction/PaymentRequest/{paymentRequestId}", "", paid)
	c.call(http.StatusOK, http.MethodPost, "/Payment/Card/Auth", payload(c.t, "card-auth", "locationId", company["location"], "registrationId", payer))
	card, _ := c.control("/payment-methods", `{"registrationId":"`+payer+`","card":"4242424242424242"}`)["id"].(string)
	c.call(http.StatusOK, http.MethodGet, "/Payment/CardPaymentMethods/{registrationId}", "", payer)
	charge := payload(c.t, "charge-saved-card", "locationId", company["location"], "registrationId", payer, "paymentMethodId", card)
	c.call(http.StatusOK, http.MethodPost, "/Payment/ChargeSavedCard", charge)
	c.call(http.StatusBadRequest, http.MethodPost, "/Payment/ChargeSavedCard", strings.Replace(charge, "{", `{"tip":1,`, 1))
	c.call(http.StatusOK, http.MethodPost, "/CardPayment", payload(c.t, "card-payment", "merchantId", company["id"]))
	c.call(http.StatusOK, http.MethodGet, "/Transaction/Report", "", "companyId="+company["id"])
}

// accounts links a payer's account, once well and once badly.
func (c *witness) accounts() {
	c.t.Helper()
	payer := c.call(http.StatusOK, http.MethodPost, "/User/Register", `{"redirectUrl":"https://partner.example.com/"}`)["registrationId"]
	token := c.call(http.StatusOK, http.MethodPost, "/Account/LinkToken", `{"verificationId":"`+payer+`"}`)["tokenId"]
	c.call(http.StatusOK, http.MethodPut, "/Account/Link", `{"tokenId":"`+token+`","publicToken":"public-nobody"}`)
	c.call(http.StatusOK, http.MethodPut, "/Account/Link", `{"tokenId":"`+token+`","publicToken":"public-good"}`)
}

// plans plays a recurring plan and its consents.
func (c *witness) plans(payer string) {
	c.t.Helper()
	plan := c.call(http.StatusOK, http.MethodPost, "/PaymentPlan/Create", payload(c.t, "plan-create"))["paymentPlanId"]
	c.call(http.StatusBadRequest, http.MethodPut, "/PaymentPlan/{planId}/Activate", "", plan)
	join := `{"registrationId":"` + payer + `"}`
	consent := c.call(http.StatusOK, http.MethodPost, "/PaymentPlan/{planId}/Payers", join, plan)["consentId"]
	c.control("/consents/"+consent+"/accept", "{}")
	c.call(http.StatusOK, http.MethodPut, "/PaymentPlan/{planId}/Activate", "", plan)
	c.call(http.StatusOK, http.MethodGet, "/PaymentPlan/{planId}", "", plan)
	c.call(http.StatusOK, http.MethodGet, "/PaymentPlan/List", "")
	c.call(http.StatusOK, http.MethodGet, "/Consent/List", "", "planId="+plan)
	c.call(http.StatusOK, http.MethodGet, "/Consent/{consentId}", "", consent)
	c.call(http.StatusOK, http.MethodPut, "/PaymentPlan/{planId}/Pause", "", plan)
	c.call(http.StatusOK, http.MethodDelete, "/PaymentPlan/{planId}/Payers/{registrationId}", "", plan, payer)
	c.call(http.StatusOK, http.MethodPut, "/PaymentPlan/{planId}/Cancel", "", plan)
	other := c.call(http.StatusOK, http.MethodPost, "/Payment/Recurring", payload(c.t, "recurring", "registrationUserId", payer))["paymentPlanId"]
	refused := c.call(http.StatusOK, http.MethodPost, "/PaymentPlan/{planId}/Payers", `{"phoneNumber":"+12025550188"}`, other)["consentId"]
	c.call(http.StatusOK, http.MethodPut, "/Consent/{consentId}/Decline", "", refused)
}
