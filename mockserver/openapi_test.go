package mockserver_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/conform"
	"paysandbox/harness/sampling"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/mocktest"
)

// TestEveryOperationAnswersAsDocumented plays each operation of the partner API
// until it has answered 200, and holds each exchange to the document.
func TestEveryOperationAnswersAsDocumented(t *testing.T) {
	t.Parallel()
	c := newWitness(t)
	c.tokens()
	company := c.companies()
	payer := c.payers(company)
	c.payments(company, payer)
	c.accounts()
	c.plans(payer)
	for _, op := range c.sandbox.Server.Operations() {
		require.True(t, c.done[op.Method+" "+op.Path], "%s has not answered 200 in this test", op.ID)
	}
}

// TestEveryRefusalIsAsDocumented sends each operation what it must refuse.
func TestEveryRefusalIsAsDocumented(t *testing.T) {
	t.Parallel()
	c := newWitness(t)
	const nobody = "3f0c4a53-9d3e-4f1f-8e9d-8c117b0c5b0e"
	path := strings.NewReplacer("{companyReferenceId}", nobody, "{registrationId}", nobody, "{paymentRequestId}", nobody, "{planId}", nobody, "{consentId}", nobody)
	refuse := func(status int, method, at, body string, header ...string) {
		t.Helper()
		res, out := c.send(method, at, body, header...)
		require.Equal(t, status, res.StatusCode, "%s %s: %s", method, at, out)
		require.NoError(t, c.validator.Exchange(method, at, status, res.Header, []byte(body), out))
	}
	for _, op := range c.sandbox.Server.Operations() {
		if !op.Open {
			refuse(http.StatusUnauthorized, op.Method, path.Replace(op.Path), "")
		}
	}
	c.tokens()
	for _, op := range c.sandbox.Server.Operations() {
		at := path.Replace(op.Path)
		if strings.Contains(op.Path, "{") && op.Request == nil {
			refuse(http.StatusNotFound, op.Method, at+"?CompanyId="+nobody, "")
		}
		if op.Request != nil {
			refuse(http.StatusBadRequest, op.Method, at, "{")
			refuse(http.StatusUnsupportedMediaType, op.Method, at, "{}", "Content-Type", "text/html")
		}
	}
}

// TestDescriptionFollowsTheChoices plays each operation under every alternative of every
// knob, and holds each exchange to the description that the integration then serves: to
// its token, by the control API, and by name.
func TestDescriptionFollowsTheChoices(t *testing.T) {
	t.Parallel()
	var list []latitude.Choice
	for _, k := range latitude.Knobs() {
		list = append(list, k.Choices()[1:]...)
	}
	for _, choice := range sampling.Every(t, 15, list) {
		t.Run(choice.String(), func(t *testing.T) {
			t.Parallel()
			c := newWitness(t, choice)
			c.any = true
			c.tokens()
			_, byToken := c.send(http.MethodGet, "/openapi.json", "")
			require.Equal(t, choice.Name(), choicesOf(t, byToken)[choice.Knob().Name()])
			_, byControl := c.send(http.MethodGet, "/_sandbox/integrations/default/openapi.json", "")
			require.Equal(t, string(byToken), string(byControl))
			company := c.companies()
			payer := c.payers(company)
			c.payments(company, payer)
			c.accounts()
			c.plans(payer)
			if choice.Knob() != latitude.TokenLifetime {
				require.Greater(t, len(c.done), 30, "the operations were played")
			}
			for range 12 { // one limit is ten a second
				res, out := c.send(http.MethodGet, "/Company/List", "")
				require.NoError(t, c.validator.Exchange(http.MethodGet, "/Company/List", res.StatusCode, res.Header, nil, out))
			}
		})
	}
}

// choicesOf are the choices that a description says it follows.
func choicesOf(t *testing.T, document []byte) map[string]string {
	t.Helper()
	var d struct {
		Info struct {
			Choices map[string]string `json:"x-choices"`
		}
	}
	require.NoError(t, json.Unmarshal(document, &d))
	return d.Info.Choices
}

// TestTwoIntegrationsTwoDescriptions: each is described as itself, whoever asks first.
func TestTwoIntegrationsTwoDescriptions(t *testing.T) {
	t.Parallel()
	c := newWitness(t)
	_, made := c.send(http.MethodPost, "/_sandbox/integrations", `{"latitude":{"response-names":"pascal"}}`)
	var other struct{ ID, ClientID, ClientSecret string }
	require.NoError(t, json.Unmarshal(made, &other))
	_, named := c.send(http.MethodGet, "/openapi.json?integration="+other.ID, "")
	require.Equal(t, map[string]string{"response-names": "pascal"}, choicesOf(t, named))
	_, own := c.send(http.MethodGet, "/openapi.json", "")
	require.Empty(t, choicesOf(t, own))
	granted := c.call(http.StatusOK, http.MethodPost, "/Authentication/Token", payload(t, "token", "clientId", c.sandbox.ClientID, "clientSecret", c.sandbox.ClientSecret))
	c.token = granted["accessToken"]
	_, own = c.send(http.MethodGet, "/openapi.json", "")
	require.Empty(t, choicesOf(t, own))
	res, _ := c.send(http.MethodGet, "/openapi.json?integration=nobody", "", "Authorization", "")
	require.Equal(t, http.StatusNotFound, res.StatusCode)
}

// TestControlDocumentIsSound holds the control API's own document to OpenAPI.
func TestControlDocumentIsSound(t *testing.T) {
	t.Parallel()
	sandbox := mocktest.Start(t, mocktest.Options{})
	c := &witness{t: t, sandbox: sandbox}
	_, document := c.send(http.MethodGet, "/_sandbox/openapi.json", "")
	require.NoError(t, conform.Check(document))
	page, _ := c.send(http.MethodGet, "/_sandbox/docs", "")
	require.Equal(t, http.StatusOK, page.StatusCode)
}
