package app

// Carelessness names a clause that the application breaks on purpose: its id
// without "partner.", for example "token.reuse". The zero value is careful.
//
// The methods below are asked by the careful code at the place where it decides;
// whoever reads the application as an example may take each of them for false.
type Carelessness string

// is says whether one of the clauses is the one to break.
func (c Carelessness) is(names ...Carelessness) bool {
	for _, n := range names {
		if c == n {
			return true
		}
	}
	return false
}

func (c Carelessness) fetchesTokenForEachCall() bool   { return c == "token.reuse" }
func (c Carelessness) waitsForRefusalOfToken() bool    { return c == "token.refresh" }
func (c Carelessness) givesUpAt401() bool              { return c == "token.recover" }
func (c Carelessness) fetchesTokensSideBySide() bool   { return c == "token.single-flight" }
func (c Carelessness) writesTokenIntoAddress() bool    { return c == "token.out-of-urls" }
func (c Carelessness) speaksAsBrowser() bool           { return c == "token.server-side" }
func (c Carelessness) hidesUserAgent() bool            { return c == "client.user-agent" }
func (c Carelessness) paysAgainWhenAnswerIsLost() bool { return c == "outcome.resolved" }
func (c Carelessness) looksBeforeRepeating() bool {
	return c.is("idempotency.key", "idempotency.same-key")
}
func (c Carelessness) drawsKeyForEachAttempt() bool     { return c == "idempotency.same-key" }
func (c Carelessness) sendsNoKey() bool                 { return c == "idempotency.key" }
func (c Carelessness) ignoresRetryAfter() bool          { return c == "retry.after" }
func (c Carelessness) repeatsRefusals() bool            { return c == "retry.not-4xx" }
func (c Carelessness) refusesAndBelieves() bool         { return c == "webhook.no-follow-up" }
func (c Carelessness) knowsEventsOnly() bool            { return c == "webhook.unknown-event" }
func (c Carelessness) knowsMembersOnly() bool           { return c == "webhook.unknown-member" }
func (c Carelessness) repeatsEffects() bool             { return c == "webhook.duplicate" }
func (c Carelessness) letsTwinsIn() bool                { return c == "webhook.parallel-duplicate" }
func (c Carelessness) believesLastEvent() bool          { return c == "webhook.order" }
func (c Carelessness) refusesUnknownPayments() bool     { return c == "webhook.before-response" }
func (c Carelessness) chargesUnverified() bool          { return c == "company.verified-first" }
func (c Carelessness) chargesRejected() bool            { return c == "company.rejected" }
func (c Carelessness) chargesUnregistered() bool        { return c == "payer.registered-first" }
func (c Carelessness) trustsRedirect() bool             { return c == "payment.redirect" }
func (c Carelessness) keepsReturned() bool              { return c == "payment.late-return" }
func (c Carelessness) asksAgainOverLimit() bool         { return c == "payment.over-limit" }
func (c Carelessness) cancelsAgain() bool               { return c == "payment.cancel-conflict" }
func (c Carelessness) readsFirstPageOnly() bool         { return c == "paging.complete" }
func (c Carelessness) pollsHotly() bool                 { return c == "polling.gentle" }
func (c Carelessness) keepsKeyOfPaymentForRefund() bool { return c == "idempotency.fresh-key" }

// Variant is one careless application.
type Variant struct {
	// Name chooses it.
	Name Carelessness
	// Clause is the id of the clause that it breaks.
	Clause string
	// What says in one sentence what it does wrong.
	What string
}

// Careless lists the careless variants, one for each clause of the integration
// catalogue, in its order.
func Careless() []Variant {
	variants := make([]Variant, len(variantTexts))
	for i, v := range variantTexts {
		variants[i] = Variant{Name: Carelessness(v.name), Clause: "partner." + v.name, What: v.what}
	}
	return variants
}

// variantTexts tell each variant in one sentence.
var variantTexts = [...]struct{ name, what string }{
	{"token.reuse", "It fetches an access token for every call."},
	{"token.refresh", "It uses its token until the service refuses it."},
	{"token.recover", "It takes 401 for an answer: the call is not made again."},
	{"token.single-flight", "Each of several calls in parallel fetches a token of its own."},
	{"token.out-of-urls", "It writes the token into the address of what it reads."},
	{"token.server-side", "A page in the browser fetches the token with the client secret."},
	{"reference.present", "Its payments carry no reference."},
	{"reference.unique", "All of its payments carry the same reference."},
	{"idempotency.key", "Its calls that move money carry no idempotency key."},
	{"idempotency.same-key", "It draws a new idempotency key for each attempt."},
	{"idempotency.fresh-key", "A refund goes out under the idempotency key of its payment."},
	{"idempotency.opaque", "Its idempotency keys are a counter and the amount."},
	{"amount.cents", "It sends amounts that are not whole dollars as decimal fractions."},
	{"phone.e164", "It sends mobile numbers as they are written on paper."},
	{"body.known-members", "It sends a member that the service does not have."},
	{"body.known-values", "It sends a value that the service does not have."},
	{"client.user-agent", "Its calls do not say which product makes them."},
	{"outcome.resolved", "When an answer is lost it pays again, as if it were a new payment."},
	{"client.timeout", "It waits 400 milliseconds for an answer."},
	{"retry.backoff", "Its pauses between attempts are all the same."},
	{"retry.after", "It does not look at Retry-After."},
	{"retry.not-4xx", "It repeats calls that were refused."},
	{"retry.bounded", "It repeats a failing call for as long as it can."},
	{"polling.gentle", "It asks for the state of a new payment every 20 milliseconds."},
	{"webhook.altered", "It accepts an event of which a digit was changed."},
	{"webhook.unsigned", "It accepts events without a signature."},
	{"webhook.wrong-secret", "It accepts a signature made with any secret."},
	{"webhook.stale-signature", "It accepts a signature of the same event at an earlier time."},
	{"webhook.no-follow-up", "It refuses a bad delivery, and yet does what it says."},
	{"webhook.raw-bytes", "It checks the signature over the JSON as it would write it."},
	{"webhook.unknown-event", "It refuses events whose name it does not know."},
	{"webhook.unknown-member", "It refuses events with members that it does not know."},
	{"webhook.duplicate", "An event that comes again has its effect again."},
	{"webhook.parallel-duplicate", "Two copies of an event at the same moment have their effect twice."},
	{"webhook.order", "The event that comes last is the truth."},
	{"webhook.before-response", "It refuses events of payments that it does not know yet."},
	{"webhook.quick", "Some deliveries wait long for their answer."},
	{"webhook.rotation", "It learns a new secret too late."},
	{"company.verified-first", "It charges for companies that are not verified yet."},
	{"company.rejected", "Any verdict about a company is good enough to charge for it."},
	{"payer.registered-first", "It charges payers who are not registered yet."},
	{"payment.redirect", "A payer who comes back has paid, it thinks."},
	{"payment.late-return", "What is paid stays paid, it thinks."},
	{"payment.over-limit", "It asks again when a debit is above its limit."},
	{"payment.cancel-conflict", "It cancels again when a cancellation was refused."},
	{"paging.complete", "It reads the first page of a report."},
	{"privacy.urls", "The addresses for returning payers hold their telephone number."},
	{"privacy.references", "Its references hold the payer's e-mail address."},
	{"privacy.free-text", "Its descriptions hold the payer's e-mail address."},
}
