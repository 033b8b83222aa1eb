package plans_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/plans"
	"paysandbox/harness/replay/recording"
)

const (
	plan    = "c85262aa-9971-492f-a13f-a04666724930"
	given   = "ab02aeef-8d52-4e32-873f-2ad202a86a45"
	payer   = "c37c84e7-3ca1-4dcf-9dab-607ab2b2b628"
	payment = "7b049036-27f9-4c91-8387-0d85485603b9"
)

// log is a recording of a plan that begins on 4 August, whose only payer took the consent back on the 20th.
func log(more ...recording.Exchange) *recording.Recording {
	call := func(day int, method, path, sent, told string) recording.Exchange {
		return recording.Exchange{
			Method: method, Path: path, Body: []byte(sent), Begin: time.Date(2026, 8, day, 16, 0, 0, 0, time.UTC),
			Answer: recording.Answer{Known: recording.Whole, Status: 200, Body: []byte(told)},
		}
	}
	r := &recording.Recording{Exchanges: append([]recording.Exchange{
		call(3, "POST", "/PaymentPlan/Create", `{"amount":3900,"startDate":"2026-08-04","intervalValue":1,"intervalUnit":"Month"}`, `{"paymentPlanId":"`+plan+`"}`),
		call(3, "POST", "/PaymentPlan/"+plan+"/Payers", `{"registrationId":"`+payer+`"}`, `{"consentId":"`+given+`"}`),
		call(20, "PUT", "/Consent/"+given+"/Decline", "", ""),
	}, more...)}
	r.Received = []recording.Received{{At: time.Date(2026, 9, 4, 18, 0, 1, 0, time.UTC), Body: []byte(`{"Event":"PAYMENT_STATUS_CHANGED","Data":{"PaymentId":"` + payment + `","RegistrationId":"` + payer + `","Amount":3900,"Status":"Processing"}}`)}}
	return r
}

// TestWrongly: a plan has collected on one of its dates from a payer who had taken the consent back.
func TestWrongly(t *testing.T) {
	t.Parallel()
	list := plans.Wrongly(log())
	require.Len(t, list, 1)
	c := list[0]
	require.Equal(t, []any{1, 2, payment, payer, given, int64(3900), "2026-09-04"}, []any{c.Heard, c.Call, c.Payment, c.Payer, c.Consent, c.Cents, c.Due.Format(time.DateOnly)})

	other := log()
	other.Received[0].At = other.Received[0].At.AddDate(0, 0, 3)
	require.Empty(t, plans.Wrongly(other), "not one of its dates")
	other = log()
	other.Exchanges = other.Exchanges[:2]
	require.Empty(t, plans.Wrongly(other), "the consent stands")
	require.Empty(t, plans.Wrongly(log(recording.Exchange{
		Method: "POST", Path: "/Payment/Create", Answer: recording.Answer{Known: recording.Whole, Status: 200, Body: []byte(`{"paymentRequestId":"` + payment + `"}`)},
	})), "a call asked for it")
	require.Empty(t, plans.Wrongly(log(recording.Exchange{
		Method: "GET", Path: "/Consent/List", Answer: recording.Answer{Known: recording.Whole, Status: 200, Body: []byte(`{"consents":[{"consentId":"11111111-8d52-4e32-873f-2ad202a86a45","registrationId":"` + payer + `","status":"Accepted"}]}`)},
	})), "another consent stands")
}

// TestWronglyInPause: a plan has collected on one of its dates while it was paused.
func TestWronglyInPause(t *testing.T) {
	t.Parallel()
	at := func(day int, path, told string) recording.Exchange {
		return recording.Exchange{Method: "PUT", Path: path, Begin: time.Date(2026, 8, day, 16, 0, 0, 0, time.UTC), Answer: recording.Answer{Known: recording.Whole, Status: 200, Body: []byte(told)}}
	}
	r := log()
	r.Exchanges[2] = at(20, "/PaymentPlan/"+plan+"/Pause", "")
	list := plans.Wrongly(r)
	require.Len(t, list, 1)
	require.Equal(t, []any{2, plan, ""}, []any{list[0].Call, list[0].Plan, list[0].Consent})
	r.Exchanges = append(r.Exchanges, at(25, "/PaymentPlan/"+plan+"/Activate", ""))
	require.Empty(t, plans.Wrongly(r), "it goes on")
	r.Exchanges[3] = at(25, "/PaymentPlan/"+plan, `{"paymentPlanId":"`+plan+`","status":"Active"}`)
	require.Empty(t, plans.Wrongly(r), "it is shown as active")
}

// TestWronglyAfterTheEnd: a plan has collected after it was canceled, after its last day, and after its last occurrence.
func TestWronglyAfterTheEnd(t *testing.T) {
	t.Parallel()
	why := func(change func(r *recording.Recording)) string {
		r := log()
		change(r)
		list := plans.Wrongly(r)
		if len(list) == 0 {
			return ""
		}
		return list[0].Why
	}
	plain := func(r *recording.Recording, more string) {
		r.Exchanges = r.Exchanges[:2]
		r.Exchanges[0].Body = []byte(`{"amount":3900,"startDate":"2026-08-04","intervalValue":1,"intervalUnit":"Month"` + more + `}`)
	}
	require.Equal(t, "although it was over since call 3", why(func(r *recording.Recording) {
		r.Exchanges[2].Path = "/PaymentPlan/" + plan + "/Cancel"
	}))
	require.Contains(t, why(func(r *recording.Recording) { plain(r, `,"endDate":"2026-08-31"`) }), "its last date is 2026-08-31")
	require.Contains(t, why(func(r *recording.Recording) { plain(r, `,"occurrences":1`) }), "its last date is 2026-08-04")
	require.Empty(t, why(func(r *recording.Recording) { plain(r, `,"occurrences":2`) }))
	require.Empty(t, why(func(r *recording.Recording) { plain(r, `,"endDate":"2026-09-04"`) }))
}

// TestTooEarly: a payment was collected on the day before the one that it was asked for.
func TestTooEarly(t *testing.T) {
	t.Parallel()
	early := func(due string, at time.Time, status string) bool {
		r := &recording.Recording{Exchanges: []recording.Exchange{{
			Method: "POST", Path: "/Payment/Create", Body: []byte(`{"amount":1,"dueDate":"` + due + `"}`), Answer: recording.Answer{Known: recording.Whole, Status: 200, Body: []byte(`{"paymentRequestId":"` + payment + `"}`)},
		}}}
		r.Received = []recording.Received{{At: at, Body: []byte(`{"Event":"PAYMENT_STATUS_CHANGED","Data":{"PaymentId":"` + payment + `","Status":"` + status + `"}}`)}}
		return len(plans.TooEarly(r)) == 1
	}
	at := time.Date(2026, 10, 15, 18, 0, 1, 0, time.UTC)
	require.True(t, early("2026-10-16", at, "Processing"))
	require.False(t, early("2026-10-15", at, "Processing"))
	require.False(t, early("2026-10-16", at, "Scheduled"))
	require.False(t, early("2026-10-16", at.Add(6*time.Hour), "Processing"), "it is that day in UTC")
}

// TestWronglyOfAnother: where another plan collects as much on the same dates, it may have been that.
func TestWronglyOfAnother(t *testing.T) {
	t.Parallel()
	const other = "d85262aa-9971-492f-a13f-a04666724930"
	r := log()
	r.Exchanges[2].Path = "/PaymentPlan/" + plan + "/Pause"
	require.Len(t, plans.Wrongly(r), 1)
	r.Received[0].Body = bytes.Replace(r.Received[0].Body, []byte(payer), []byte("00000000-3ca1-4dcf-9dab-607ab2b2b628"), 1)
	require.Empty(t, plans.Wrongly(r), "a payer of no plan that is shown")

	r = log()
	r.Exchanges[2].Path = "/PaymentPlan/" + plan + "/Pause"
	second := r.Exchanges[0]
	second.Answer.Body = []byte(`{"paymentPlanId":"` + other + `"}`)
	joined := r.Exchanges[1]
	joined.Path, joined.Answer.Body = "/PaymentPlan/"+other+"/Payers", []byte(`{"consentId":"bb02aeef-8d52-4e32-873f-2ad202a86a45"}`)
	r.Exchanges = append(r.Exchanges, second, joined)
	require.Empty(t, plans.Wrongly(r), "the payer pays both")
}
