package correlate_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/replay/play/playtest"
	"paysandbox/harness/replay/recording"
	"paysandbox/mockserver/mocktest"
	"paysandbox/mockserver/tape"
)

const (
	was, is     = "6f1c2b9e-4d3a-4e57-9a61-0c8d5b7e2f10", "0b7e2f10-4d3a-4e57-9a61-6f1c2b9e0c8d"
	link, there = "https://pay.example/p/abcdefgh", "http://127.0.0.1/p/ijklmnop"
)

// TestWhatIsShownIsPutInLater: an id and a link that an answer shows, in the path, the
// query, a header and the body of later calls; amounts and what the client chose never.
func TestWhatIsShownIsPutInLater(t *testing.T) {
	t.Parallel()
	var l correlate.Links
	l.Answer(1, "createPayment", []byte(`{"paymentRequestId":"`+was+`","url":"`+link+`","amount":5000}`), []byte(`{"paymentRequestId":"`+is+`","url":"`+there+`","amount":7000}`))
	x := recording.Exchange{
		Method: "GET", Path: "/Payment/" + was + "/Status", Query: "paymentRequestId=" + was + "&amount=5000", Header: []tape.Header{{Name: "X-Payment", Value: was}},
		Body: []byte(`{"id":"` + was + `", "amount": 5000,"url":"` + link + `"}`),
	}
	path, query, header, body := l.Request(playtest.Routes(t, mocktest.Start(t, mocktest.Options{}).URL), &x)
	require.Equal(t, "/Payment/"+is+"/Status", path)
	require.Equal(t, "paymentRequestId="+is+"&amount=5000", query)
	require.Equal(t, is, header[0].Value)
	require.Equal(t, `{"id":"`+is+`", "amount": 5000,"url":"`+there+`"}`, string(body))
	require.Equal(t, string(x.Body), string(l.Back(body)))
	require.Equal(t, was, x.Header[0].Value, "the recording stays as it is")

	const other = "0f0f0f0f-4d3a-4e57-9a61-0c8d5b7e2f10"
	l.Answer(2, "getPaymentStatus", []byte(`{"id":"`+other+`"}`), []byte(`{"id":"`+is+`"}`))
	_, known := l.Find(correlate.Payment, other)
	require.False(t, known, "what stands for one payment stands for no other that is only shown")
	l.Answer(3, "createPayment", []byte(`{"paymentRequestId":"`+other+`"}`), []byte(`{"paymentRequestId":"`+is+`"}`))
	_, known = l.Find(correlate.Payment, other)
	require.True(t, known, "which of two that were made is the same, is told otherwise")
}

// TestLinksAreByTypeAndValue: the first word counts; an id in capitals is the same id;
// what is short agrees by chance; a value of two types stands for two.
func TestLinksAreByTypeAndValue(t *testing.T) {
	t.Parallel()
	var l correlate.Links
	l.Bind(correlate.Company, was, is, "a")
	l.Bind(correlate.Company, was, "another", "b")
	l.Bind(correlate.Payment, was, "of a payment", "c")
	l.Bind(correlate.Reference, "gym-1", "gym-2", "d")
	l.Bind(correlate.Company, "", "nothing", "e")
	found := func(t correlate.Type, v string) string { with, _ := l.Find(t, v); return with }
	require.Equal(t, is, found(correlate.Company, "6F1C2B9E-4D3A-4E57-9A61-0C8D5B7E2F10"))
	require.Equal(t, "of a payment", found(correlate.Payment, was))
	require.Equal(t, is, found(correlate.Plan, was), "mixed up there, mixed up here")
	require.Equal(t, "gym-2", found(correlate.Reference, "gym-1"))
	require.Empty(t, found(correlate.Plan, "gym-1"))
	require.Len(t, l.All(), 3)
}

// TestRoutesAreMatched: fixed words before parameters, in any case of letters; what no
// operation has is told.
func TestRoutesAreMatched(t *testing.T) {
	t.Parallel()
	r := playtest.Routes(t, mocktest.Start(t, mocktest.Options{}).URL)
	operation, params := r.Match("GET", "/Payment/"+was+"/Status")
	require.Equal(t, "getPaymentStatus", operation)
	require.Equal(t, was, params[0].Text)
	require.Equal(t, correlate.Payment, params[0].Type)
	operation, _ = r.Match("GET", "/company/LIST")
	require.Equal(t, "listCompanies", operation)
	operation, _ = r.Match("GET", "/nothing")
	require.Empty(t, operation)
	require.True(t, r.Knows("/Company/List"))
	require.False(t, r.Knows("/nothing"))
}

// TestAnUndoneLinkIsNotFound in answers, but made where the script says it itself.
func TestAnUndoneLinkIsNotFound(t *testing.T) {
	t.Parallel()
	var l correlate.Links
	l.Undo([]correlate.Value{{Type: correlate.Payment, Text: strings.ToUpper(was)}})
	l.Answer(3, "createPayment", []byte(`{"paymentRequestId":"`+was+`"}`), []byte(`{"paymentRequestId":"`+is+`"}`))
	require.Empty(t, l.All())
	one := correlate.Link{Type: correlate.Payment, Recorded: was, Replayed: is, Call: 4, Where: "/id"}
	l.Stand(one)
	require.Equal(t, []correlate.Link{one}, l.All())
}

// TestATokenThatIsGrantedAnew: what the script says stands for a token from then on, and for nothing else.
func TestATokenThatIsGrantedAnew(t *testing.T) {
	t.Parallel()
	var l correlate.Links
	for _, kind := range []correlate.Type{correlate.Token, correlate.Payment} {
		l.Stand(correlate.Link{Type: kind, Recorded: "{{a}}" + string(kind), Replayed: "one"})
		l.Bind(kind, "{{a}}"+string(kind), "found", "")
		found, _ := l.Find(kind, "{{a}}"+string(kind))
		require.Equal(t, "one", found, "the first word counts")
		l.Stand(correlate.Link{Type: kind, Recorded: "{{a}}" + string(kind), Replayed: "two"})
	}
	token, _ := l.Find(correlate.Token, "{{a}}"+string(correlate.Token))
	require.Equal(t, "two", token)
	payment, _ := l.Find(correlate.Payment, "{{a}}"+string(correlate.Payment))
	require.Equal(t, "one", payment)
}

// TestAShortIdIsKnownByItsMember: one that agrees with other texts by chance stands in a member that tells what it is, and nowhere else.
func TestAShortIdIsKnownByItsMember(t *testing.T) {
	t.Parallel()
	var l correlate.Links
	l.Bind(correlate.Card, "pm_7", "pm_dc3cdb2ce2fa46d5", "/paymentMethods/0/id")
	l.Bind(correlate.Reference, "gym", "gym-2", "/companyReferenceId")
	sent := `{"paymentMethodId": "PM_7","shortDescription":"pm_7","companyReferenceId":"gym"}`
	require.Equal(t, `{"paymentMethodId": "pm_dc3cdb2ce2fa46d5","shortDescription":"pm_7","companyReferenceId":"gym"}`, string(l.Body([]byte(sent))))
}
