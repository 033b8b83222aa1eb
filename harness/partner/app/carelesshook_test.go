package app_test

import (
	"net/http"
	"strings"

	"paysandbox/harness/partner"
)

func hookDifferences() []difference {
	event := paymentEvent(somePayment, "Paid", noon)
	right := partner.Signature(secret, []byte(event))
	takes := func(content, signature string) func(b *bench) bool {
		return func(b *bench) bool { return b.deliver(content, signature) == http.StatusOK }
	}
	refuses := func(content string) func(b *bench) bool {
		return func(b *bench) bool { return b.signed(content) >= 400 }
	}
	return []difference{
		{"webhook.altered", takes(strings.Replace(event, "5000", "5009", 1), right)},
		{"webhook.unsigned", takes(event, "")},
		{"webhook.wrong-secret", takes(event, partner.Signature("another", []byte(event)))},
		{"webhook.stale-signature", takes(event, partner.Signature(secret, []byte(strings.Replace(event, "T12:", "T11:", 1))))},
		{"webhook.no-follow-up", func(b *bench) bool {
			b.deliver(event, "")
			b.settle()
			return len(b.exchanges("getPaymentStatus")) == 1
		}},
		{"webhook.raw-bytes", refuses(strings.ReplaceAll(event, ":", " : "))},
		{"webhook.unknown-event", refuses(strings.Replace(event, "PAYMENT_", "PAYOUT_", 1))},
		{"webhook.unknown-member", refuses(strings.Replace(event, `"Live"`, `"Lives":9,"Live"`, 1))},
		{"webhook.order", func(b *bench) bool {
			for _, e := range []string{paymentEvent(somePayment, "Paid", afternoon), paymentEvent(somePayment, "Processing", noon)} {
				b.signed(e)
				b.settle()
			}
			return b.did(somePayment) == [2]int{1, 1}
		}},
		{"webhook.before-response", refuses(event)},
		{"webhook.rotation", func(b *bench) bool {
			b.AcceptSecret("second")
			late := b.deliver(event, partner.Signature("second", []byte(event))) == http.StatusUnauthorized
			b.deliver(event, partner.Signature("second", []byte(event)))
			return late && b.deliver(event, partner.Signature("second", []byte(event))) == http.StatusOK
		}},
	}
}
