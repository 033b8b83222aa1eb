package app_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/partner"
	"paysandbox/harness/partner/app"
	"paysandbox/harness/partner/tour"
	"paysandbox/mockserver/tape"
)

// difference is a fact about an application that holds for a careless variant
// and not for the careful application.
type difference struct {
	variant app.Carelessness
	// differs plays something and says whether the carelessness shows.
	differs func(b *bench) bool
}

// TestVariantsDiffer: each careless variant, and the careful application does
// not. Which clause that breaks is for the checks to say. What needs no more than the
// tour to show itself needs no row.
func TestVariantsDiffer(t *testing.T) {
	t.Parallel()
	all := append(append(callDifferences(), moneyDifferences()...), hookDifferences()...)
	shown := map[app.Carelessness]bool{
		// These are shown elsewhere: hooks_test.go, call_test.go, and with wall time.
		"webhook.duplicate": true, "webhook.parallel-duplicate": true, "token.single-flight": true,
		"webhook.quick": true, "client.timeout": true, "privacy.output": true,
	}
	for _, d := range all {
		shown[d.variant] = true
		t.Run(string(d.variant), func(t *testing.T) {
			t.Parallel()
			require.True(t, d.differs(start(t, careless(d.variant))), "the variant is as careful as the application")
			require.False(t, d.differs(start(t)), "the careful application is careless")
		})
	}
	for _, v := range app.Careless() {
		if !shown[v.Name] {
			require.NotEqual(t, toured(t), toured(t, careless(v.Name)), "%s leaves no trace on the tape, and no clause can see it: "+
				"of a call's headers, only the capturedHeaders of mockserver/api are there", v.Name)
		}
	}
}

// toured are the calls of an application that does all there is.
func toured(t *testing.T, changes ...with) []string {
	t.Helper()
	b := start(t, changes...)
	_ = tour.Play(t.Context(), b.App, b.stage) // a careless one may come to no end
	return b.called()
}

// last is the last call of an operation.
func last(b *bench, operation string) tape.Entry {
	calls := b.exchanges(operation)
	require.NotEmpty(b.tb, calls, operation)
	return calls[len(calls)-1]
}

func member(b *bench, operation, name string) any { return body(b.tb, last(b, operation))[name] }

func callDifferences() []difference {
	const create = "createPayment"
	paysAfter := func(b *bench, times int, effect map[string]any) []tape.Entry {
		b.gym()
		b.slept = nil
		b.arm(create, times, effect)
		_ = b.try(create, map[string]any{"companyReferenceId": "gym", "amount": 5000, "contactNumber": "+12025550142"})
		return b.exchanges(create)
	}
	return []difference{
		{"token.reuse", func(b *bench) bool { b.gym(); b.payment(1); return len(b.exchanges("createToken")) > 1 }},
		{"token.refresh", func(b *bench) bool {
			b.gym()
			b.box.Advance(b.tb, 2*time.Hour)
			b.payment(1)
			return b.exchanges(create)[0].Exchange.Response.Status == http.StatusUnauthorized
		}},
		{"token.recover", func(b *bench) bool { return len(paysAfter(b, 1, map[string]any{"tokenRevoked": "token"})) == 1 }},
		{"token.out-of-urls", func(b *bench) bool {
			b.gym()
			b.do(partner.DoCompanyStatus, map[string]any{"companyReferenceId": "gym"})
			return strings.Contains(last(b, "getCompanyStatus").Exchange.Query, "token")
		}},
		{"token.server-side", func(b *bench) bool { b.gym(); return header(last(b, "createToken"), "Origin") != "" }},
		{"client.user-agent", func(b *bench) bool { b.gym(); return header(last(b, "createCompany"), "User-Agent") == "" }},
		{"outcome.resolved", func(b *bench) bool {
			calls := paysAfter(b, 1, map[string]any{"commitThenDrop": true})
			return header(calls[0], "Idempotency-Key") != header(calls[1], "Idempotency-Key") &&
				body(b.tb, calls[0])["reference"] != body(b.tb, calls[1])["reference"]
		}},
		{"idempotency.same-key", func(b *bench) bool {
			calls := paysAfter(b, 1, map[string]any{"status": 500})
			return header(calls[0], "Idempotency-Key") != header(calls[1], "Idempotency-Key")
		}},
		{"retry.backoff", func(b *bench) bool {
			paysAfter(b, 3, map[string]any{"status": 500})
			return b.slept[0] == b.slept[2]
		}},
		{"retry.pause", func(b *bench) bool {
			paysAfter(b, 3, map[string]any{"status": 500})
			return b.slept[0]+b.slept[1]+b.slept[2] == 0
		}},
		{"retry.after", func(b *bench) bool {
			paysAfter(b, 1, map[string]any{"status": 429, "retryAfter": 20})
			return b.slept[0] < 20*time.Second
		}},
		{"retry.not-4xx", func(b *bench) bool { return len(paysAfter(b, 1, map[string]any{"status": 400})) > 1 }},
		{"retry.bounded", func(b *bench) bool { return len(paysAfter(b, 9, map[string]any{"status": 500})) > 8 }},
		{"polling.gentle", func(b *bench) bool { b.gym(); b.payment(1); return len(b.exchanges("getPaymentStatus")) > 5 }},
	}
}

func moneyDifferences() []difference {
	const create = "createPayment"
	sends := func(name string, odd func(any) bool) func(b *bench) bool {
		return func(b *bench) bool {
			b.gym()
			id := b.payer(map[string]any{"mobileNumber": "+12025550142", "email": "dana@example.org"})
			b.play("/registrations/"+id+"/complete", nil)
			b.do(create, map[string]any{"companyReferenceId": "gym", "amount": 1999, "registrationId": id})
			return odd(member(b, create, name))
		}
	}
	has := func(part string) func(any) bool {
		return func(v any) bool { s, _ := v.(string); return strings.Contains(s, part) }
	}
	return []difference{
		{"reference.present", sends("reference", func(v any) bool { return v == nil })},
		{"reference.unique", func(b *bench) bool {
			b.gym()
			b.payment(1)
			first := member(b, create, "reference")
			b.payment(2)
			return first == member(b, create, "reference")
		}},
		{"idempotency.key", func(b *bench) bool { b.gym(); b.payment(1); return header(last(b, create), "Idempotency-Key") == "" }},
		{"idempotency.opaque", func(b *bench) bool {
			b.gym()
			b.payment(1)
			return header(last(b, create), "Idempotency-Key") == "payment-1-1"
		}},
		{"idempotency.fresh-key", func(b *bench) bool {
			b.gym()
			id := b.payment(5000)
			b.do(partner.DoRefundPayment, map[string]any{"paymentRequestId": id, "amount": 100})
			return header(last(b, create), "Idempotency-Key") == header(last(b, "refundPayment"), "Idempotency-Key")
		}},
		{"amount.cents", func(b *bench) bool {
			b.gym()
			_ = b.try(create, map[string]any{"companyReferenceId": "gym", "amount": 1999, "contactNumber": "+12025550142"})
			return member(b, create, "amount") == 19.99
		}},
		{"intent.amount", func(b *bench) bool {
			b.gym()
			b.payment(5000)
			return member(b, create, "amount") == float64(50)
		}},
		{"intent.split", func(b *bench) bool { return slices.Equal(b.Split(10_000, 3), []int64{3333, 3333, 3333}) }},
		{"intent.location", func(b *bench) bool {
			b.gym()
			b.do(partner.DoAddLocation, map[string]any{"companyReferenceId": "gym", "name": "Pool"})
			b.do(partner.DoAddLocation, map[string]any{"companyReferenceId": "gym", "name": "Sauna"})
			var made struct{ LocationID string }
			require.NoError(b.tb, json.Unmarshal(last(b, "addLocation").Exchange.Response.Body, &made))
			second := made.LocationID
			b.do(create, map[string]any{"locationId": second, "amount": 1999, "contactNumber": "+12025550142"})
			return member(b, create, "locationId") != second
		}},
		{"intent.due-date", func(b *bench) bool {
			b.gym()
			b.do(create, map[string]any{"companyReferenceId": "gym", "amount": 1999, "contactNumber": "+12025550142", "dueDate": "2030-02-28"})
			return member(b, create, "dueDate") == "2030-03-01"
		}},
		{"phone.e164", func(b *bench) bool {
			b.gym()
			_ = b.try(partner.DoCardPayment, map[string]any{"amount": 500, "mobileNumber": "+12025550142"})
			return member(b, "registerCardPayment", "mobileNumber") == "(202) 555-0142"
		}},
		{"body.known-members", sends("currency", func(v any) bool { return v != nil })},
		{"body.known-values", sends("feePayer", func(v any) bool { return v != "client" })},
		{"privacy.urls", sends("returnUrl", has("12025550142"))},
		{"privacy.references", sends("reference", has("dana@example.org"))},
		{"privacy.free-text", sends("shortDescription", has("dana@example.org"))},
		{"company.verified-first", func(b *bench) bool {
			b.do(partner.DoCreateCompany, map[string]any{"companyReferenceId": "gym"})
			b.do(create, map[string]any{"companyReferenceId": "gym", "amount": 1, "contactNumber": "+12025550142"})
			return b.Pending() == 0
		}},
		{"company.rejected", func(b *bench) bool {
			b.do(partner.DoCreateCompany, map[string]any{"companyReferenceId": "gym"})
			b.do(create, map[string]any{"companyReferenceId": "gym", "amount": 1, "contactNumber": "+12025550142"})
			b.play("/companies/gym/kyb", map[string]any{"outcome": "rejected"})
			return len(b.exchanges(create)) > 0
		}},
		{"payer.registered-first", func(b *bench) bool {
			b.gym()
			id := b.payer(map[string]any{"mobileNumber": "+12025550142"})
			b.do(create, map[string]any{"companyReferenceId": "gym", "amount": 1, "registrationId": id})
			return b.Pending() == 0
		}},
		{"payment.redirect", func(b *bench) bool {
			b.gym()
			id := b.payment(1)
			b.comesBack(last(b, create), "returnUrl")
			return b.did(id) == [2]int{1, 0} && len(b.exchanges("getPaymentStatus")) == 0
		}},
		{"payment.paid-first", func(b *bench) bool {
			b.gym()
			id := b.payment(1)
			b.play("/payments/"+id+"/approve", nil)
			return b.did(id) == [2]int{1, 0}
		}},
		{"payment.late-return", func(b *bench) bool {
			b.gym()
			id := b.payment(1)
			for _, step := range []string{"approve", "pay", "return"} {
				b.play("/payments/"+id+"/"+step, nil)
			}
			return b.did(id) == [2]int{1, 0}
		}},
		{"payment.books", func(b *bench) bool {
			b.gym()
			id := b.payment(1)
			for _, step := range []string{"approve", "pay"} {
				b.play("/payments/"+id+"/"+step, nil)
			}
			return b.did(id) == [2]int{2, 0}
		}},
		{"payment.over-limit", func(b *bench) bool {
			b.gym()
			id := b.payer(map[string]any{"mobileNumber": "+12025550142"})
			b.play("/registrations/"+id+"/complete", nil)
			b.do(partner.DoDebitAuth, map[string]any{"registrationId": id, "companyReferenceId": "gym", "limit": 100})
			b.do(create, map[string]any{"companyReferenceId": "gym", "amount": 200, "registrationId": id})
			return len(b.exchanges(create)) > 1
		}},
		{"payment.cancel-conflict", func(b *bench) bool {
			b.gym()
			id := b.payment(1)
			b.play("/payments/"+id+"/approve", nil)
			b.do(partner.DoCancelPayment, map[string]any{"paymentRequestId": id})
			return len(b.exchanges("cancelPayment")) > 1
		}},
		{"paging.complete", func(b *bench) bool {
			b.gym()
			for range 51 {
				b.do(partner.DoCardPayment, map[string]any{"amount": 100, "mobileNumber": "+12025550142"})
			}
			b.do(partner.DoReport, map[string]any{"companyReferenceId": "gym"})
			return len(b.exchanges("reportTransactions")) == 1
		}},
	}
}
