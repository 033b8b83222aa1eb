package diagnose_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/diagnose"
	"paysandbox/harness/replay/recording"
)

// TestTheIDThatACallLacks is named, with the call that answered one of the kind: not what it has sent itself, nor of many.
func TestTheIDThatACallLacks(t *testing.T) {
	t.Parallel()
	const lacks = `{"findings":[{"pointer":"","clause":"payment.create.payer","source":"spec","expected":"registrationId, contactNumber or emailAddress","received":"absent","fix":"send one"}]}`
	tell := func(line, body string, answers ...string) string {
		in := newInput()
		for _, a := range answers {
			in.call("registerUser", "POST /User/Register", whole(200, a), 200, a)
		}
		operation, status := "createPayment", 400
		if body == "" {
			operation, status = "getPaymentStatus", 404
			body = "{}"
		}
		return diagnose.Of(&in.call(operation, line, whole(status, "{}"), status, body).Input).Lines[4]
	}
	require.Contains(t, tell("POST /Payment/Create", lacks, `{"registrationId":"R-1"}`), "send one: registrationId in call 1's answer, R-1")
	require.Contains(t, tell("POST /Payment/Create", lacks, `{"registrationId":"R-1"}`, `{"registrationId":"R-2"}`), "call 1's answer, R-1, or registrationId in call 2's answer, R-2")
	require.NotContains(t, tell("POST /Payment/Create", lacks, `{"registrationId":"1"}`, `{"registrationId":"2"}`, `{"registrationId":"3"}`, `{"registrationId":"4"}`), "answer")
	require.NotContains(t, tell("POST /Payment/Create", lacks, `{"companyId":"C-1"}`), "call 1's answer")
	require.Contains(t, tell("GET /Payment/P-2/Status", "", `{"paymentRequestId":"P-1"}`), "paymentRequestId in call 1's answer, P-1")
	require.NotContains(t, tell("GET /Payment/P-1/Status", "", `{"paymentRequestId":"P-1"}`), "call 1's answer")
}

// TestAVerificationTakesItsTime: a company may stay Unverified for a day; longer, the service is late, where one clock tells so.
func TestAVerificationTakesItsTime(t *testing.T) {
	t.Parallel()
	const id = "42cd9c81-2314-42a5-97e3-50f4ab405951"
	after := func(d time.Duration, status string, change func(x *recording.Exchange)) diagnose.Diagnosis {
		in := newInput().call("createCompany", "POST /Company/Create", whole(200, `{"companyId":"`+id+`"}`), 200, "{}").last(func(x *recording.Exchange) { x.Begin = time.Unix(1e9, 0) })
		in.call("getCompanyStatus", "GET /Company/"+id+"/Status", whole(200, `{"status":"`+status+`"}`), 200, "{}").last(func(x *recording.Exchange) { x.Begin = time.Unix(1e9, 0).Add(d) })
		if change != nil {
			in.last(change)
		}
		return diagnose.Of(&in.Input)
	}
	soon := after(2*time.Hour, "Unverified", nil)
	require.Equal(t, diagnose.Nobody, soon.Side)
	require.Contains(t, soon.Lines[1], "is Unverified at call 2, the last that shows its status, 2h0m after call 1 made it: a verification takes up to 24 hours, here until 2001-09-10 01:46 UTC")
	require.Contains(t, soon.Lines[4], "up to 24 hours is usual")
	late := after(25*time.Hour, "Unverified", nil)
	require.Equal(t, diagnose.Service, late.Side)
	require.Equal(t, "company.kyb.verified", late.Fault.Clause)
	require.Equal(t, []int{1, 2}, late.Fault.Calls)
	other := after(25*time.Hour, "Unverified", func(x *recording.Exchange) { x.Place.Source = "b.har" })
	require.Equal(t, diagnose.Nobody, other.Side, "two clocks")
	require.Contains(t, other.Lines[1], "when it was made the files do not tell")
	require.NotContains(t, after(2*time.Hour, "Verified", nil).Lines[1], "24 hours")
}

// TestACompanyWhoseBodyIsNotShown: the only one that was made so is the only one that is read; of two nothing is known.
func TestACompanyWhoseBodyIsNotShown(t *testing.T) {
	t.Parallel()
	for n, side := range map[int]diagnose.Side{1: diagnose.Service, 2: diagnose.Nobody} {
		in := newInput()
		for range n {
			in.call("createCompany", "POST /Company/Create", whole(200, "{}"), 200, "{}").last(func(x *recording.Exchange) { x.Begin, x.Body, x.BodyMissing = time.Unix(1e9, 0), nil, true })
		}
		in.call("getCompanyStatus", "GET /Company/site-7/Status", whole(200, `{"status":"Unverified"}`), 200, "{}").last(func(x *recording.Exchange) { x.Begin = time.Unix(1e9, 0).Add(25 * time.Hour) })
		require.Equal(t, side, diagnose.Of(&in.Input).Side, n)
	}
}

// TestTheEndOfAVerification: one that a webhook tells of after more than a day is the service's, where one clock tells so; so is a
// webhook of one that has not ended, where its signature proves who sent it.
func TestTheEndOfAVerification(t *testing.T) {
	t.Parallel()
	const id = "42cd9c81-2314-42a5-97e3-50f4ab405951"
	made := time.Date(2026, 3, 2, 17, 0, 0, 0, time.UTC)
	told := func(status string, after time.Duration, signature recording.Signature, source string) diagnose.Diagnosis {
		in := newInput().call("createCompany", "POST /Company/Create", whole(200, `{"companyId":"`+id+`"}`), 200, "{}").last(func(x *recording.Exchange) { x.Begin = made })
		in.Recording.Received = []recording.Received{{
			Place: recording.Place{Source: source}, Signature: signature, Status: 204,
			Body: []byte(`{"Live":true,"Event":"COMPANY_VERIFICATION_STATUS_CHANGED","Data":{"CompanyId":"` + id + `","Status":"` + status + `","Timestamp":"` + made.Add(after).Format(time.RFC3339) + `"}}`),
		}}
		return diagnose.Of(&in.Input)
	}
	late := told("Verified", 33*time.Hour, recording.Unchecked, "a.har")
	require.Equal(t, diagnose.Service, late.Side)
	require.Equal(t, "company.kyb.verified", late.Fault.Clause)
	require.Equal(t, []int{1}, late.Fault.Webhooks)
	require.Contains(t, late.Lines[1], "was told to be Verified, 33h0m after call 1 made it")
	for what, d := range map[string]diagnose.Diagnosis{
		"in time":                    told("Verified", 24*time.Hour+time.Minute, recording.Unchecked, "a.har"),
		"by another clock":           told("Verified", 33*time.Hour, recording.Unchecked, "b.log"),
		"by a signature of nobody's": told("Verified", 33*time.Hour, recording.Wrong, "a.har"),
	} {
		require.NotEqual(t, diagnose.Service, d.Side, what)
	}
	endless := told("Unverified", time.Second, recording.Valid, "a.har")
	require.Equal(t, diagnose.Service, endless.Side)
	require.Equal(t, "event.company", endless.Fault.Clause)
	require.Equal(t, diagnose.Undecidable, told("Unverified", time.Second, recording.Unchecked, "a.har").Side)
}

// TestAPayerWhoWasRegisteredTwice and finished the second: the first, who stays Pending, is not waited for.
func TestAPayerWhoWasRegisteredTwice(t *testing.T) {
	t.Parallel()
	tell := func(second string) string {
		in := newInput()
		for i, phone := range []string{"+12025550147", second} {
			in.call("registerUser", "POST /User/Register", whole(200, fmt.Sprintf(`{"registrationId":"R-%d"}`, i+1)), 200, "{}").last(func(x *recording.Exchange) { x.Body = []byte(`{"mobileNumber":"` + phone + `"}`) })
		}
		in.call("getRegistrationStatus", "GET /User/R-2/Status", whole(200, `{"status":"Registered"}`), 200, "{}")
		return diagnose.Of(&in.call("getRegistrationStatus", "GET /User/R-1/Status", whole(200, `{"status":"Pending"}`), 200, "{}").Input).Lines[1]
	}
	require.Contains(t, tell("+12025550147"), "whom call 2 has registered with the same contact, as far as it is shown, is Registered")
	require.NotContains(t, tell("+12025550148"), "same contact")
}
