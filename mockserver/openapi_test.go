package mockserver_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/conform"
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
