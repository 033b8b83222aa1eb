package latitude

// The choices of SignedBytes, the default first.
const (
	SignedBytesLowerHex = Choice(SignedBytes)<<8 | iota // lower-case hex
	SignedBytesUpperHex                                 // upper-case hex
)

// The choices of EventOrder, the default first.
const (
	EventOrderCausal     = Choice(EventOrder)<<8 | iota // as things happened to an entity
	EventOrderShuffled                                  // in another order
	EventOrderDuplicated                                // some of them twice
)

// The choices of EventBeforeResponse, the default first.
const (
	EventBeforeResponseNo  = Choice(EventBeforeResponse)<<8 | iota // answer first
	EventBeforeResponseYes                                         // event first
)

// The choices of Retries, the default first.
const (
	RetriesScheduled = Choice(Retries)<<8 | iota // eight attempts in some 27 hours
	RetriesNone                                  // one attempt
)

// The choices of EventTimestamp, the default first.
const (
	EventTimestampPresent = Choice(EventTimestamp)<<8 | iota // as the specification says
	EventTimestampAbsent                                     // as a published example shows it
)

// The choices of Live, the default first.
const (
	LiveFalse = Choice(Live)<<8 | iota // nothing here is production
	LiveTrue                           // as production would say
)

// The choices of DeliveryHeaders, the default first.
const (
	DeliveryHeadersNamed = Choice(DeliveryHeaders)<<8 | iota // User-Agent and Sandbox-Delivery
	DeliveryHeadersNone                                      // neither
)

// The choices of ErrorBody, the default first.
const (
	ErrorBodyProblem   = Choice(ErrorBody)<<8 | iota // problem details with errors
	ErrorBodyPlainText                               // one line for each error
	ErrorBodyEmpty                                   // status alone
)

// The choices of RateLimit, the default first.
const (
	RateLimitNone    = Choice(RateLimit)<<8 | iota // no limit
	RateLimitTen                                   // 10 requests a second
	RateLimitHundred                               // 100 requests a second
)

// The choices of Release, the default first.
const (
	ReleaseV0411 = Choice(Release)<<8 | iota // the newest release
	ReleaseV049                              // before merchantId on card payments
)
