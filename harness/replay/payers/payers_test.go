package payers_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/payers"
	"paysandbox/harness/replay/recording"
)

const payer = "c37c84e7-3ca1-4dcf-9dab-607ab2b2b628"

func call(method, path, query, sent, told string) recording.Exchange {
	return recording.Exchange{Method: method, Path: path, Query: query, Body: []byte(sent), Answer: recording.Answer{Known: recording.Whole, Status: 200, Body: []byte(told)}}
}

// TestADebitAuthorisation: by which calls it was asked for and is shown, of one company.
func TestADebitAuthorisation(t *testing.T) {
	t.Parallel()
	const path = "/User/" + payer + "/DebitAuth"
	r := &recording.Recording{Exchanges: []recording.Exchange{
		call("POST", path, "", `{"limit":5000,"enabled":true}`, `{}`),
		call("GET", path, "companyId=A", "", `{"enabled":true,"limit":5000}`),
		call("POST", "/Payment/Create", "", `{"amount":6000,"registrationId":"`+payer+`"}`, `{"paymentRequestId":"P-1"}`),
		call("GET", path, "companyId=A", "", `{"enabled":false,"limit":0}`),
		call("GET", "/Payment/p-1/Status", "", "", `{"id":"p-1","status":"Pending"}`),
	}}
	asked, made := payers.Asked(r)
	require.Equal(t, []payers.Authorisation{{Call: 1, Payer: payer, Limit: 5000}}, asked)
	require.Equal(t, map[string]int{"p-1": 2}, made)
	require.Equal(t, 1, payers.ReadsOf(r).Authorised(r, payer, "a", 0, 5, true))
	require.Equal(t, 3, payers.ReadsOf(r).Authorised(r, payer, "a", 0, 5, false))
	require.Equal(t, -1, payers.ReadsOf(r).Authorised(r, payer, "b", 0, 5, true))
	require.True(t, payers.Waits(r, 2, "P-1"))
	require.Empty(t, payers.Debtor(&r.Exchanges[2]))
}

// TestPayersShown: the last call that shows the status of each, in the order in which they are shown first.
func TestPayersShown(t *testing.T) {
	t.Parallel()
	r := &recording.Recording{Exchanges: []recording.Exchange{
		call("GET", "/User/B/Status", "", "", `{"status":"Pending"}`),
		call("GET", "/User/A/Status", "", "", `{"status":"Pending"}`),
		call("GET", "/user/b/status", "", "", `{"status":"Registered"}`),
	}}
	last, order := payers.Shown(r)
	require.Equal(t, map[string]int{"a": 1, "b": 2}, last)
	require.Equal(t, []string{"b", "a"}, order)
}
