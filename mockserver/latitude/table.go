package latitude

// row is what a running server knows of a knob. The first choice is the
// default; a knob with one choice is fixed.
type row struct {
	name    string
	choices []option
}

// option is one choice of a knob: number is the figure it stands for, held
// keeps Vary from drawing it (the ledger says why).
type option struct {
	name   string
	number int
	held   bool
}

// table holds every knob, indexed by Knob. It is written as plain literals so
// that the compiler lays it out and nothing runs at start-up.
var table = [knobCount]row{
	RequestNames:        {"request-names", []option{{name: "any-case"}, {name: "camel-only"}}},
	ResponseNames:       {"response-names", []option{{name: "camel"}, {name: "pascal", held: true}}},
	Paths:               {"paths", []option{{name: "any-case"}, {name: "reference-only", held: true}}},
	ExtraResponseFields: {"extra-response-fields", []option{{name: "none"}, {name: "one"}}},
	FieldOrder:          {"field-order", []option{{name: "declared"}, {name: "shuffled"}}},
	ListOrder:           {"list-order", []option{{name: "creation"}, {name: "reversed"}}},
	NullOrAbsent:        {"null-or-absent", []option{{name: "null"}, {name: "absent"}}},
	UnknownBodyFields:   {"unknown-body-fields", []option{{name: "ignored"}, {name: "refused"}}},
	NumberStrings:       {"number-strings", []option{{name: "refused"}, {name: "accepted", held: true}}},
	CompanyPathRef:      {"company-path-ref", []option{{name: "either"}, {name: "reference-only"}}},
	ContentType:         {"content-type", []option{{name: "415", number: 415}}},
	Accept:              {"accept", []option{{name: "negotiated"}}},
	Numbers:             {"numbers", []option{{name: "positive"}}},
	Dates:               {"dates", []option{{name: "seconds"}, {name: "millis"}}},

	TokenLifetime: {"token-lifetime", []option{
		{name: "3600", number: 3600}, {name: "60", number: 60}, {name: "600", number: 600}, {name: "86400", number: 86400},
	}},
	TokenAuthHeader: {"token-auth-header", []option{{name: "not-required"}}},
	TokenRefusal:    {"token-refusal", []option{{name: "401", number: 401}, {name: "400", number: 400}}},
	Unauthorised:    {"unauthorised", []option{{name: "problem-details"}, {name: "empty-body"}}},
	TokenPaths:      {"token-paths", []option{{name: "both"}, {name: "reference-only", held: true}}},

	CompanyTypes:        {"company-types", []option{{name: "listed"}}},
	TaxIDTypes:          {"tax-id-types", []option{{name: "listed"}}},
	DocumentTypes:       {"document-types", []option{{name: "any-text"}}},
	CompanyRequired:     {"company-required", []option{{name: "listed"}}},
	DuplicateReference:  {"duplicate-reference", []option{{name: "400", number: 400}, {name: "409", number: 409}}},
	Zip:                 {"zip", []option{{name: "optional-hyphen"}, {name: "plus-four-only"}}},
	Phone:               {"phone", []option{{name: "valid"}, {name: "possible", held: true}}},
	Country:             {"country", []option{{name: "US"}}},
	CompanyStatusTarget: {"company-status-target", []option{{name: "default-company"}, {name: "most-recent"}}},
	KYBSandbox:          {"kyb-sandbox", []option{{name: "event"}, {name: "no-event"}}},
	KYBRehearsal:        {"kyb-rehearsal", []option{{name: "seeded"}, {name: "at-once"}, {name: "after-3-reads", number: 3}}},
	BankLinkMail:        {"bank-link-mail", []option{{name: "one-mail"}}},
	CollectUnverified:   {"collect-unverified", []option{{name: "accepted"}, {name: "refused"}}},

	PeriodValues:            {"period-values", []option{{name: "any-text"}}},
	RegistrationRedirect:    {"registration-redirect", []option{{name: "none"}, {name: "registration-id"}, {name: "status"}}},
	RegistrationWithPayment: {"registration-with-payment", []option{{name: "payment-request"}, {name: "none", held: true}}},
	AccountMask:             {"account-mask", []option{{name: "asterisk"}, {name: "digits"}}},
	DebitAuthRead:           {"debit-auth-read", []option{{name: "on"}, {name: "off", held: true}}},
	DebitAuthDefaults:       {"debit-auth-defaults", []option{{name: "disabled"}}},
	DebitAuthAnswer:         {"debit-auth-answer", []option{{name: "empty"}}},

	FeePayer:            {"fee-payer", []option{{name: "listed"}}},
	PaymentTarget:       {"payment-target", []option{{name: "any-contact"}}},
	PaymentCompany:      {"payment-company", []option{{name: "location-first"}}},
	UnknownBodyIDs:      {"unknown-body-ids", []option{{name: "400", number: 400}, {name: "404", number: 404}}},
	Idempotency:         {"idempotency", []option{{name: "ignored"}, {name: "honoured", held: true}, {name: "create-only", held: true}}},
	PaymentMachine:      {"payment-machine", []option{{name: "late-return"}, {name: "no-late-return"}}},
	PaymentTiming:       {"payment-timing", []option{{name: "five-seconds"}, {name: "slow"}}},
	PaymentEvent:        {"payment-event", []option{{name: "amount-number"}, {name: "amount-text"}}},
	MetadataShown:       {"metadata-shown", []option{{name: "details"}, {name: "nowhere"}}},
	DetailsShape:        {"details-shape", []option{{name: "flat"}, {name: "wrapped", held: true}}},
	AutoDebit:           {"auto-debit", []option{{name: "approve"}, {name: "ask", held: true}}},
	CancelVerb:          {"cancel-verb", []option{{name: "put-or-post"}, {name: "put-only"}}},
	CancelAnswer:        {"cancel-answer", []option{{name: "empty"}}},
	RefundPath:          {"refund-path", []option{{name: "either"}, {name: "path-only"}}},
	RefundAnswer:        {"refund-answer", []option{{name: "empty"}}},
	RefundRules:         {"refund-rules", []option{{name: "after-paid"}}},
	RefundMachine:       {"refund-machine", []option{{name: "next-banking-day"}}},
	Attachment:          {"attachment", []option{{name: "10-mib"}}},
	ReturnURL:           {"return-url", []option{{name: "encrypted"}, {name: "plain", held: true}}},
	LinkExpiry:          {"link-expiry", []option{{name: "never"}, {name: "24h", held: true}, {name: "30d", held: true}}},
	SavedCardStatus:     {"saved-card-status", []option{{name: "200", number: 200}, {name: "402", number: 402}}},
	CardPaymentStatus:   {"card-payment-status", []option{{name: "listed"}}},
	CardPaymentMerchant: {"card-payment-merchant", []option{{name: "any-text"}}},
	CardPaymentAnswer:   {"card-payment-answer", []option{{name: "empty"}}},

	PlanPaths:      {"plan-paths", []option{{name: "provisional"}}},
	ConsentPaths:   {"consent-paths", []option{{name: "provisional"}}},
	OneCallPlan:    {"one-call-plan", []option{{name: "one-payer"}}},
	PlanMachine:    {"plan-machine", []option{{name: "six-states"}}},
	PlanIntervals:  {"plan-intervals", []option{{name: "clamped"}}},
	PlanActivation: {"plan-activation", []option{{name: "one-consent"}}},
	PlanOccurrence: {"plan-occurrence", []option{{name: "per-payer"}}},
	PlanFailure:    {"plan-failure", []option{{name: "3", number: 3}, {name: "1", number: 1}, {name: "never"}}},
	ConsentRead:    {"consent-read", []option{{name: "with-recipient"}}},

	SignedBytes:         {"signed-bytes", []option{{name: "lower-hex"}, {name: "upper-hex"}}},
	EventOrder:          {"event-order", []option{{name: "causal"}, {name: "shuffled"}, {name: "duplicated"}}},
	EventBeforeResponse: {"event-before-response", []option{{name: "no"}, {name: "yes"}}},
	Retries:             {"retries", []option{{name: "scheduled"}, {name: "none"}}},
	WebhookRegistration: {"registration", []option{{name: "self-service"}}},
	Live:                {"live", []option{{name: "false"}, {name: "true", held: true}}},
	EventTimestamp:      {"event-timestamp", []option{{name: "present"}, {name: "absent", held: true}}},
	DeliveryHeaders:     {"delivery-headers", []option{{name: "named"}, {name: "none"}}},

	ErrorBody:  {"error-body", []option{{name: "problem-details"}, {name: "plain-text"}, {name: "empty", held: true}}},
	ErrorCodes: {"error-codes", []option{{name: "listed"}}},
	RateLimit:  {"rate-limit", []option{{name: "none"}, {name: "10/s", number: 10, held: true}, {name: "100/s", number: 100, held: true}}},
	Release:    {"release", []option{{name: "v0.4.11"}, {name: "v0.4.9", held: true}}},
}
