package latitude

// Knob is one behaviour that the specification leaves open. The constants are
// in ledger order; only the name, never the number, may be stored.
type Knob uint8

// The knobs of shapes and matching.
const (
	// RequestNames decides how the member names of a request are matched.
	RequestNames Knob = iota
	// ResponseNames decides the case in which responses are written.
	ResponseNames
	// Paths decides which spellings of a path are routed.
	Paths
	// ExtraResponseFields decides whether responses carry unknown members.
	ExtraResponseFields
	// FieldOrder decides the order of members in a response.
	FieldOrder
	// ListOrder decides the order of the entries of a list.
	ListOrder
	// NullOrAbsent decides how an empty optional member is written.
	NullOrAbsent
	// UnknownBodyFields decides what becomes of unknown request members.
	UnknownBodyFields
	// NumberStrings decides whether an integer may arrive as a string.
	NumberStrings
	// CompanyPathRef decides what {companyReferenceId} accepts.
	CompanyPathRef
	// ContentType is the answer to an unsupported request media type; fixed.
	ContentType
	// Accept is how the media type of an answer is chosen; fixed.
	Accept
	// Numbers is the range of amounts; fixed.
	Numbers
	// Dates decides the precision of timestamps in events.
	Dates
)

// The knobs of authentication.
const (
	// TokenLifetime is how many seconds an access token is good for.
	TokenLifetime Knob = Dates + 1 + iota
	// TokenAuthHeader says whether the token call is itself authorised; fixed.
	TokenAuthHeader
	// TokenRefusal is the status that answers wrong credentials.
	TokenRefusal
	// Unauthorised decides the body that goes with 401.
	Unauthorised
	// TokenPaths decides which token paths exist.
	TokenPaths
)

// The knobs of companies.
const (
	// CompanyTypes is the list of accepted company types; fixed.
	CompanyTypes Knob = TokenPaths + 1 + iota
	// TaxIDTypes is the list of known tax id types; fixed.
	TaxIDTypes
	// DocumentTypes is what an owner's document type may be; fixed.
	DocumentTypes
	// CompanyRequired is the list of required company members; fixed.
	CompanyRequired
	// DuplicateReference is the status for a reference used twice.
	DuplicateReference
	// Zip decides how literally the optional hyphen of a zip code is taken.
	Zip
	// Phone decides what counts as a valid phone number.
	Phone
	// Country is the country of every address; fixed.
	Country
	// CompanyStatusTarget decides whom an unaddressed status call is about.
	CompanyStatusTarget
	// KYBSandbox decides whether the sandbox tells of its verification.
	KYBSandbox
	// KYBRehearsal decides how a verification takes its time in rehearsal.
	KYBRehearsal
	// BankLinkMail is the e-mail that follows verification; fixed.
	BankLinkMail
	// CollectUnverified decides whether a company can collect that is not Verified.
	CollectUnverified
)

// The knobs of payers.
const (
	// PeriodValues is what period may hold besides once; fixed.
	PeriodValues Knob = CollectUnverified + 1 + iota
	// RegistrationRedirect decides what is added to redirectUrl.
	RegistrationRedirect
	// RegistrationWithPayment decides what an amount with period once does.
	RegistrationWithPayment
	// AccountMask decides how a masked account number looks.
	AccountMask
	// DebitAuthRead decides whether a debit authorisation can be read.
	DebitAuthRead
	// DebitAuthDefaults is what its request must hold; fixed.
	DebitAuthDefaults
	// DebitAuthAnswer is the body of its 200; fixed.
	DebitAuthAnswer
)

// The knobs of payments.
const (
	// FeePayer is the list of fee payers; fixed.
	FeePayer Knob = DebitAuthAnswer + 1 + iota
	// PaymentTarget is who is asked to pay; fixed.
	PaymentTarget
	// PaymentCompany is which company a payment is for; fixed.
	PaymentCompany
	// UnknownBodyIDs is the status for an unknown id in a body.
	UnknownBodyIDs
	// Idempotency decides whether Idempotency-Key is honoured.
	Idempotency
	// PaymentMachine decides whether a paid payment can still be returned.
	PaymentMachine
	// PaymentTiming decides how long Processing takes.
	PaymentTiming
	// PaymentEvent decides how the amount of a payment event is written.
	PaymentEvent
	// MetadataShown decides where metadata can be read.
	MetadataShown
	// DetailsShape decides which of the two published shapes details and status have.
	DetailsShape
	// AutoDebit decides what an authorisation that covers the amount does.
	AutoDebit
	// CancelVerb decides which methods cancel a payment.
	CancelVerb
	// CancelAnswer is what a cancellation answers; fixed.
	CancelAnswer
	// RefundPath decides where a refund's payment id may stand.
	RefundPath
	// RefundAnswer is the body of a refund's 200; fixed.
	RefundAnswer
	// RefundRules is what may be refunded; fixed.
	RefundRules
	// RefundMachine is how a refund proceeds; fixed.
	RefundMachine
	// Attachment is size and origin of attachments; fixed.
	Attachment
	// ReturnURL decides what is added to returnUrl.
	ReturnURL
	// LinkExpiry decides how long the link to a hosted page is good.
	LinkExpiry
	// SavedCardStatus decides how a declined charge is told.
	SavedCardStatus
	// CardPaymentStatus is the list of transaction statuses; fixed.
	CardPaymentStatus
	// CardPaymentMerchant is what merchantId matches; fixed.
	CardPaymentMerchant
	// CardPaymentAnswer is the body of a card payment's 200; fixed.
	CardPaymentAnswer
)

// The knobs of recurring plans and consents.
const (
	// PlanPaths is where plans are found; fixed.
	PlanPaths Knob = CardPaymentAnswer + 1 + iota
	// ConsentPaths is where consents are found; fixed.
	ConsentPaths
	// OneCallPlan is the plan with one payer in one call; fixed.
	OneCallPlan
	// PlanMachine is the states and moves of a plan; fixed.
	PlanMachine
	// PlanIntervals is how due dates are counted; fixed.
	PlanIntervals
	// PlanActivation is what activation needs; fixed.
	PlanActivation
	// PlanOccurrence is what happens on a due date; fixed.
	PlanOccurrence
	// PlanFailure decides how many failures in a row end a plan.
	PlanFailure
	// ConsentRead is what reading a consent shows; fixed.
	ConsentRead
)

// The knobs of events.
const (
	// SignedBytes decides how a signature is written.
	SignedBytes Knob = ConsentRead + 1 + iota
	// EventOrder decides the order in which events arrive.
	EventOrder
	// EventBeforeResponse decides whether an event may overtake its call.
	EventBeforeResponse
	// Retries decides whether a failed delivery is tried again.
	Retries
	// WebhookRegistration is how a webhook address is registered; fixed.
	WebhookRegistration
	// Live decides the value of an event's Live member.
	Live
	// EventTimestamp decides whether an event says when it happened.
	EventTimestamp
	// DeliveryHeaders decides which further headers a delivery carries.
	DeliveryHeaders
)

// The knobs of failures and limits.
const (
	// ErrorBody decides the shape of error bodies.
	ErrorBody Knob = DeliveryHeaders + 1 + iota
	// ErrorCodes is the list of statuses in use; fixed.
	ErrorCodes
	// RateLimit decides how many requests a second are served.
	RateLimit
	// Release decides which release of the service is played.
	Release

	knobCount = int(Release) + 1
)

// Name returns the ledger name, as in "request-names". It is permanent: it is
// what users write and what a tape records.
func (k Knob) Name() string { return table[k].name }

// String returns the ledger name.
func (k Knob) String() string { return k.Name() }

// Fixed reports whether the knob has no alternative, so that it is a
// documented constant that nobody can turn.
func (k Knob) Fixed() bool { return len(table[k].choices) == 1 }

// Choices returns what the knob can be set to, the default first.
func (k Knob) Choices() []Choice {
	choices := make([]Choice, len(table[k].choices))
	next := firstChoice(k)
	for i := range choices {
		choices[i] = next
		next++
	}
	return choices
}

// Knobs returns every knob in ledger order.
func Knobs() []Knob {
	knobs := make([]Knob, 0, knobCount)
	for k := RequestNames; k <= Release; k++ {
		knobs = append(knobs, k)
	}
	return knobs
}

// Lookup returns the knob with that ledger name. When there is none the error
// is an *Error that names the nearest ones.
func Lookup(name string) (Knob, error) {
	for k := RequestNames; k <= Release; k++ {
		if k.Name() == name {
			return k, nil
		}
	}
	return 0, unknownKnob(name)
}
