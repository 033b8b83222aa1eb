package trouble

import (
	"slices"
	"time"
)

// Troubles lists what is made, in the order in which it is tried: what a MUST
// needs comes first, what takes longest last. The exercise of each clause tells
// the same to people.
func Troubles() []Trouble { return slices.Concat(musts(), shoulds()) }

// paid is the status whose events matter most.
const paid = "Paid"

// settling is how long a payment may be Processing while the event that tells it is
// held back: by itself it is Paid after five seconds.
const settling = 8 * time.Second

// claims is the profile of deliveries that were altered to tell what an attacker likes.
const claims = "altered-status"

// musts are what clauses of level MUST need.
func musts() []Trouble {
	const follow = "partner.webhook.no-follow-up"
	return []Trouble{
		{
			Name: "token-revoked", Clauses: []string{"partner.token.recover"}, On: AWrite, Count: 1,
			Effect: Effect{TokenRevoked: "call"}, Say: "the token of the next POST is refused with 401",
		}, {
			Name: "lost-answer", Clauses: []string{"partner.outcome.resolved", "partner.idempotency.same-key"}, On: APayment, Count: 1, Besides: true, Stay: 24, Tries: 3,
			Effect: Effect{CommitThenDrop: true}, Say: "the next payment is carried out, and its answer is lost",
		}, {
			Name: "lost-refund", Clauses: []string{"partner.outcome.resolved"}, On: ARefund, Count: 1, Besides: true, Stay: 24, Tries: 5,
			Effect: Effect{CommitThenDrop: true}, Say: "the next refund is carried out, and its answer is lost",
		}, {
			Name: "lost-charge", Clauses: []string{"partner.outcome.resolved"}, On: ACharge, Count: 1, Besides: true, Stay: 24,
			Effect: Effect{CommitThenDrop: true}, Say: "the next charge of a saved card is carried out, and its answer is lost",
		}, {
			Name: "altered", Clauses: []string{"partner.webhook.altered", follow}, Besides: true,
			Profile: "altered-byte", Next: 1, Say: "the next delivery is altered on its way: it has to be refused",
		}, {
			Name: "altered-signature", Clauses: []string{"partner.webhook.altered", follow}, Besides: true,
			Profile: "altered-signature", Next: 1, Say: "of the next delivery's signature the last digit is another one: it has to be refused",
		}, {
			Name: "altered-canceled", Clauses: []string{"partner.webhook.altered", follow}, Besides: true,
			Profile: claims, Next: 1, ForStatus: "Canceled", Say: "the next event that tells Canceled is altered to tell Paid: it has to be refused",
		}, {
			Name: "altered-failed", Clauses: []string{"partner.webhook.altered", follow}, Besides: true,
			Profile: claims, Next: 1, ForStatus: "Failed", Say: "the next event that tells Failed is altered to tell Paid: it has to be refused",
		}, {
			Name: "unsigned", Clauses: []string{"partner.webhook.unsigned", follow},
			Profile: "missing-signature", Next: 1, Say: "the next delivery has no signature: it has to be refused",
		}, {
			Name: "wrong-secret", Clauses: []string{"partner.webhook.wrong-secret", follow}, Besides: true,
			Profile: "wrong-secret", Next: 1, Say: "the next delivery is signed with another secret: it has to be refused",
		}, {
			Name: "empty-secret", Clauses: []string{"partner.webhook.wrong-secret", follow}, Besides: true,
			Profile: "empty-secret", Next: 1, Say: "the next delivery is signed with an empty secret: it has to be refused",
		}, {
			Name: "stale-signature", Clauses: []string{"partner.webhook.stale-signature", follow},
			Profile: "stale-signature", Next: 1, Say: "the next delivery has the signature of an earlier body: it has to be refused",
		}, {
			Name: "forged-again", Clauses: []string{follow, "partner.webhook.altered"}, Besides: true, Again: true, Tries: 3, Patience: 1500 * time.Millisecond,
			Profile: claims, Say: "an event that was taken long ago is sent once more, altered to tell Paid: it has to be refused",
		}, {
			Name: "forged-payment", Clauses: []string{follow}, Paid: true, Tries: 8,
			Profile: "missing-signature", Next: 2, ForStatus: paid, Say: "the next two events that tell Paid have no signature: nothing must follow from them",
		}, {
			Name: "odd-json", Clauses: []string{"partner.webhook.raw-bytes"},
			Profile: "odd-json", Next: 1, Say: "the next delivery is odd but legal JSON: it has to be accepted",
		}, {
			Name: "duplicate", Clauses: []string{"partner.webhook.duplicate"}, Paid: true, Tries: 8,
			Profile: "duplicate", Next: 2, ForStatus: paid, Say: "the next two events that tell Paid come twice",
		}, {
			Name: "reorder", Clauses: []string{"partner.webhook.order"}, Holding: true, Tries: 3, Patience: settling,
			Profile: "reorder", Next: 1, ForStatus: "Processing", Say: "the next event that tells Processing comes after the one that follows it",
		}, {
			Name: "reorder-return", Clauses: []string{"partner.webhook.order"}, Holding: true, Returns: true, Besides: true, Tries: 8, Patience: time.Second,
			Profile: "reorder", Next: 1, ForStatus: paid, Say: "the next event that tells Paid comes after the one of the same payment that follows it, which may be its return",
		},
	}
}

// shoulds are what the others need: what a call waits for comes before what goes on beside
// it, as a session is short.
func shoulds() []Trouble {
	return []Trouble{
		{
			Name: "failing", Clauses: []string{"partner.retry.pause", "partner.retry.backoff", "partner.idempotency.same-key"}, Besides: true, On: AMove, Count: 3, Tries: 3,
			Effect: Effect{Status: 500}, Say: "the next payment fails three times with 500",
		}, {
			// Whose reading comes early is not known, where several read; whose payment does is.
			// Of a second, pauses of a backoff may come to as much.
			Name: "busy-payment", Clauses: []string{"partner.retry.after"}, On: AMove, Count: 1, Tries: 3,
			Effect: Effect{Status: 429, RetryAfter: 3}, Say: "the next payment is answered with 429 and Retry-After: 3",
		}, {
			// A client that waits 5 seconds gets this answer, also on a busy machine.
			Name: "slow-payment", Clauses: []string{"partner.client.timeout"}, On: AMove, Count: 1, Tries: 1, Patience: 10 * time.Second,
			Effect: Effect{Latency: "4200ms"}, Say: "the answer to the next payment is held back for 4.2 seconds",
		}, {
			Name: "failing-again", Clauses: []string{"partner.retry.pause", "partner.retry.backoff"}, Besides: true, On: AMove, Count: 3,
			// Of pauses without chance it takes several rows to be sure of that; with 503 it
			// would be the service that asks for them.
			Effect: Effect{Status: 500}, Say: "the next payment fails three times with 500",
		}, {
			Name: "failing-still", Clauses: []string{"partner.retry.pause", "partner.retry.backoff"}, Besides: true, On: AMove, Count: 3,
			Effect: Effect{Status: 502}, Say: "the next payment fails three times with 502",
		}, {
			Name: "before-response", Clauses: []string{"partner.webhook.before-response"}, Direct: true, Stay: 16, Tries: 6,
			Profile: "before-response", Next: 8, Say: "the next events that calls cause come before the answers to these calls",
		}, {
			Name: "failing-yet", Clauses: []string{"partner.retry.pause", "partner.retry.backoff"}, Besides: true, On: AMove, Count: 3,
			Effect: Effect{Status: 500}, Say: "the next payment fails three times with 500",
		}, {
			// One answer of 500 may be a bad moment.
			Name: "unknown-event", Clauses: []string{"partner.webhook.unknown-event"},
			Profile: "unknown-event", Next: 2, Say: "the next two events have a name that nobody knows",
		}, {
			Name: "unknown-member", Clauses: []string{"partner.webhook.unknown-member"},
			Profile: "extra-member", Next: 2, Say: "the next two events have members that nobody knows",
		}, {
			Name: "parallel-duplicate", Clauses: []string{"partner.webhook.parallel-duplicate"}, Paid: true, Tries: 8,
			Profile: "parallel-duplicate", Next: 2, ForStatus: paid, Say: "the next two events that tell Paid come twice, each at the same moment",
		}, {
			Name: "silence", Clauses: []string{"partner.client.timeout"}, On: ARead, Count: 1, Patience: silence,
			Effect: Effect{Latency: "1m"}, Say: "the answer to the next reading is held back for a minute",
		}, {
			Name: "outage", Clauses: []string{"partner.retry.bounded"}, On: AState, Count: 2, Until: 26, Tries: 1, Patience: 15 * time.Second,
			Effect: Effect{Status: 500}, Say: "one reading of a state fails with 500 until it is given up, or for 28 times",
		}, {
			Name: "failing-read", Clauses: []string{"partner.retry.pause", "partner.retry.backoff"}, Besides: true, On: ARead, Count: 3,
			Effect: Effect{Status: 502}, Say: "the next reading fails three times with 502",
		}, {
			Name: "busy", Clauses: []string{"partner.retry.after"}, Besides: true, On: ARead, Count: 2,
			Effect: Effect{Status: 429, RetryAfter: 3}, Say: "the next two readings are answered with 429 and Retry-After: 3",
		}, {
			Name: "parallel-refusal", Clauses: []string{"partner.token.single-flight"}, On: AState, Count: 1, Stay: 40, Tries: 8,
			// The refusal is held back, so that others meet the same token meanwhile.
			Effect: Effect{TokenRevoked: "token", Latency: "800ms"}, Say: "the token is withdrawn: calls in parallel need one new one together",
		}, {
			Name: "cut", Clauses: []string{"partner.retry.pause", "partner.retry.backoff"}, Besides: true, On: ARead, Count: 3,
			Effect: Effect{CutConnection: "start"}, Say: "the connection breaks under the next three readings",
		}, {
			Name: "burst", Clauses: []string{"partner.webhook.quick"}, Holding: true, Brisk: 6,
			Profile: "burst", Next: 10, Say: "the next ten events come all at once",
		},
	}
}
