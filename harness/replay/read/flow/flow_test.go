package flow_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/read/flow"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
)

// execution is a file of some nodes and their runs.
func execution(nodes, runs string) string {
	return `{"workflowData":{"nodes":[` + nodes + `]},"data":{"resultData":{"runData":{` + runs + `}}}}`
}

// node is one that makes calls.
func node(name, method, address, more string) string {
	return fmt.Sprintf(`{"name":%q,"type":"n8n-nodes-base.httpRequest","parameters":{"method":%q,"url":%q%s}}`, name, method, address, more)
}

// given is a run that began at a second and gave items.
func given(second int, from, items string) string {
	return fmt.Sprintf(`{"startTime":17726615%02d000,"executionTime":300,"source":[{"previousNode":%q}],"data":{"main":[[%s]]}}`, second, from, items)
}

func calls(t *testing.T, text string) []recording.Exchange {
	t.Helper()
	require.True(t, flow.Is([]byte(text)))
	p, err := flow.N8N(&source.File{Name: "e.json", Data: []byte(text)}, nil)
	require.NoError(t, err)
	return p.Exchanges
}

// TestRunsAreJoinedWithTheirNodes: what a node sends, for each run of it by its time, with what plain references hold.
func TestRunsAreJoinedWithTheirNodes(t *testing.T) {
	t.Parallel()
	body := `,"sendBody":true,"jsonBody":"={ \"amount\": 7900, \"registrationId\": \"{{ $json.registrationId }}\", \"paymentMethodId\": \"{{ $json.paymentMethods[0].id }}\", \"reference\": \"{{ $('Order').first().json['no'] }}\" }"`
	list := calls(t, execution(
		node("Charge", "POST", "https://pay.example/Payment/ChargeSavedCard", body)+","+node("Cards", "GET", "=https://pay.example/Payment/CardPaymentMethods/{{ $json.registrationId }}?companyReferenceId=a", "")+`,{"name":"Order","type":"n8n-nodes-base.set"}`,
		`"Charge":[`+given(23, "Cards", `{"json":{"error":"The connection was aborted, perhaps the server is offline"}}`)+","+given(56, "Wait", `{"json":{"paymentRequestId":"p-2","registrationId":"r-1","status":"success","chargedAmount":7900}}`)+`],`+
			`"Order":[`+given(20, "", `{"json":{"no":"o-7"}}`)+`],`+
			`"Cards":[`+given(21, "Gone", `{"json":{"registrationId":"r-1","paymentMethods":[{"id":"pm_1"}]}}`)+`]`))
	require.Len(t, list, 3)
	require.Equal(t, "/Payment/CardPaymentMethods/r-1", list[0].Path, "the answer says it again")
	require.Equal(t, "companyReferenceId=a", list[0].Query)
	require.JSONEq(t, `{"amount":7900,"registrationId":"r-1","paymentMethodId":"pm_1","reference":"o-7"}`, string(list[1].Body))
	require.Equal(t, recording.NeverArrived, list[1].Answer.Known)
	require.JSONEq(t, `{"amount":7900,"registrationId":"r-1","paymentMethodId":"{{Wait.0.0.json.paymentMethods.0.id}}","reference":"o-7"}`, string(list[2].Body), "what is not shown stays open")
	require.Equal(t, 200, list[2].Answer.Status)
	require.True(t, list[1].Begin.Before(list[2].Begin))
}

// TestExpressionsAreNotEvaluated: a body that is made by one is a variable, and a literal one stays as it is.
func TestExpressionsAreNotEvaluated(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`={{ JSON.stringify($json.member) }}`:      `{"email":"a@b.example"}`,
		`={{ $json.member }}`:                      `{"email":"a@b.example"}`,
		`={{ JSON.stringify($json.nobody) }}`:      `{{Form.0.0.JSON.stringify.json.nobody}}`,
		`={{ { amount: $json.price * 100 } }}`:     `{{Form.0.0.amount.json.price.100}}`,
		`={{ $now.toISO() }}`:                      `{{Register.0.0.now.toISO}}`,
		`{ "email": "{{ no template }}" }`:         `{ "email": "{{ no template }}" }`,
		`={ "amount": {{ $json.price }} }`:         `{ "amount": 85.5 }`,
		`={ "amount": {{ $json.price.toFixed() }}`: `{ "amount": {{Form.0.0.json.price.toFixed}}`,
	} {
		list := calls(t, execution(node("Register", "POST", "https://pay.example/User/Register", fmt.Sprintf(`,"sendBody":true,"jsonBody":%q`, body)),
			`"Form":[`+given(1, "", `{"json":{"member":{"email":"a@b.example"},"price":85.5}}`)+`],"Register":[`+given(2, "Form", `{"json":{"registrationId":"r"}}`)+`]`))
		require.Equal(t, want, string(list[0].Body), body)
	}
}

// TestAnswersOfRuns: refusals stand in messages, lists are given out one by one, and a node makes a call for each item.
func TestAnswersOfRuns(t *testing.T) {
	t.Parallel()
	refused := `{"json":{"error":{"message":"400 - \"{\\\"status\\\":400,\\\"title\\\":\\\"no\\\"}\"","name":"AxiosError","status":400}},"pairedItem":{"item":1}}`
	list := calls(t, execution(node("Pay", "POST", "https://pay.example/Payment/Create", `,"sendBody":true,"bodyParameters":{"parameters":[{"name":"amount","value":"={{ $json.cents }}"},{"name":"reference","value":"a"}]},"sendHeaders":true,"headerParameters":{"parameters":[{"name":"Authorization","value":"=Bearer {{ $json.token }}"}]}`),
		`"In":[`+given(1, "", `{"json":{"cents":500}},{"json":{"cents":"85.00"}}`)+`],"Pay":[`+given(2, "In", `{"json":{"paymentRequestId":"p"},"pairedItem":{"item":0}},`+refused)+`]`))
	require.Len(t, list, 2)
	require.JSONEq(t, `{"amount":500,"reference":"a"}`, string(list[0].Body))
	require.JSONEq(t, `{"amount":"85.00","reference":"a"}`, string(list[1].Body))
	require.Equal(t, "***", source.Header(list[0].Header, "Authorization"), "it had one, which is not shown")
	require.Equal(t, 400, list[1].Answer.Status)
	require.JSONEq(t, `{"status":400,"title":"no"}`, string(list[1].Answer.Body))

	list = calls(t, execution(node("Pay", "PUT", "https://pay.example/Payment/p/Cancel", `,"options":{"response":{"response":{"fullResponse":true}}}`)+","+node("Err", "GET", "https://pay.example/Company/List", ""),
		`"Pay":[`+given(2, "In", `{"json":{"statusCode":400,"headers":{"date":"Mon"},"body":{"a":1}}}`)+`],"Err":[{"startTime":1772661503000,"error":{"httpCode":"404","messages":["404 - {\"b\":2}"]}},{"startTime":1772661504000,"error":{"httpCode":"ECONNABORTED","description":"timeout of 30000ms exceeded"}},{"startTime":1772661505000,"data":{"main":[[{"json":{"id":1}},{"json":{"id":2}}]]}}]`))
	require.Len(t, list, 4)
	require.Equal(t, 400, list[0].Answer.Status)
	require.JSONEq(t, `{"a":1}`, string(list[0].Answer.Body))
	require.JSONEq(t, `{"b":2}`, string(list[1].Answer.Body))
	require.Equal(t, recording.NeverArrived, list[2].Answer.Known)
	require.JSONEq(t, `[{"id":1},{"id":2}]`, string(list[3].Answer.Body))
}

// TestWebhooksOfNodes: what a node has received, in a list of executions.
func TestWebhooksOfNodes(t *testing.T) {
	t.Parallel()
	text := "[" + execution(node("Status", "GET", "https://pay.example/Payment/p/Status", "")+`,{"name":"Hook","type":"n8n-nodes-base.webhook","parameters":{}}`,
		`"Hook":[`+given(1, "", `{"json":{"headers":{"x-hmac-signature":"sha256=00"},"body":{"Event":"PAYMENT_STATUS_CHANGED","Data":{"PaymentId":"p"}},"webhookUrl":"https://n8n.example/webhook/1"}}`)+`]`) + "]"
	p, err := flow.N8N(&source.File{Name: "e.json", Data: []byte(text)}, nil)
	require.NoError(t, err)
	require.Len(t, p.Received, 1)
	require.True(t, p.Received[0].Reprinted)
	require.Equal(t, "sha256=00", source.Header(p.Received[0].Header, "X-HMAC-Signature"))
	_, err = flow.N8N(&source.File{Name: "e.json", Data: []byte(execution("", ""))}, nil)
	require.ErrorContains(t, err, "no node of it has made a call")
}

// TestAttackReferencesThatMultiply: what references put in is bounded for all calls of a file.
func TestAttackReferencesThatMultiply(t *testing.T) {
	t.Parallel()
	body := "=" + strings.Repeat("{{ $json.a }}", 2000)
	list := calls(t, execution(node("Pay", "POST", "https://pay.example/Payment/Create", fmt.Sprintf(`,"jsonBody":%q`, body)),
		`"In":[`+given(1, "", `{"json":{"a":"`+strings.Repeat("a", 200_000)+`"}}`)+`],"Pay":[`+given(2, "In", `{"json":{}}`)+`]`))
	require.True(t, list[0].BodyMissing, "it is larger than a body may be")
}

func FuzzFlow(f *testing.F) {
	f.Add([]byte(execution(node("Pay", "POST", "=https://pay.example/{{ $json.a[0]['b'] }}", `,"jsonBody":"={{ JSON.stringify($node[\"In\"].json) }}"`), `"In":[`+given(1, "", `{"json":{"a":[{"b":"Payment/Create"}]}}`)+`],"Pay":[`+given(2, "In", `{"json":{"error":{"message":"400 - {}"}}}`)+`]`)))
	f.Add([]byte(`{"data":[` + execution("", "") + `]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		p, err := flow.N8N(&source.File{Name: "e.json", Data: text}, nil)
		if err != nil {
			require.Nil(t, p)
			return
		}
		require.LessOrEqual(t, len(p.Exchanges)+len(p.Received), source.MaxEntries)
	})
}
