package latitude

// The choices of RequestNames, the default first.
const (
	RequestNamesAnyCase   = Choice(RequestNames)<<8 | iota // camelCase, PascalCase, any case
	RequestNamesCamelOnly                                  // camelCase and nothing else
)

// The choices of ResponseNames, the default first.
const (
	ResponseNamesCamel  = Choice(ResponseNames)<<8 | iota // camelCase, as the endpoint reference
	ResponseNamesPascal                                   // PascalCase, as the guides
)

// The choices of Paths, the default first.
const (
	PathsAnyCase       = Choice(Paths)<<8 | iota // any case, a trailing slash ignored
	PathsReferenceOnly                           // exactly as the endpoint reference writes them
)

// The choices of ExtraResponseFields, the default first.
const (
	ExtraResponseFieldsNone = Choice(ExtraResponseFields)<<8 | iota // only the described members
	ExtraResponseFieldsOne                                          // one harmless member more
)

// The choices of FieldOrder, the default first.
const (
	FieldOrderDeclared = Choice(FieldOrder)<<8 | iota // declaration order
	FieldOrderShuffled                                // another order
)

// The choices of ListOrder, the default first.
const (
	ListOrderCreation = Choice(ListOrder)<<8 | iota // oldest first
	ListOrderReversed                               // newest first
)

// The choices of NullOrAbsent, the default first.
const (
	NullOrAbsentNull   = Choice(NullOrAbsent)<<8 | iota // written as null
	NullOrAbsentAbsent                                  // left out
)

// The choices of UnknownBodyFields, the default first.
const (
	UnknownBodyFieldsIgnored = Choice(UnknownBodyFields)<<8 | iota // ignored with a finding
	UnknownBodyFieldsRefused                                       // refused with 400
)

// The choices of NumberStrings, the default first.
const (
	NumberStringsRefused  = Choice(NumberStrings)<<8 | iota // "5000" is not an integer
	NumberStringsAccepted                                   // "5000" is read, with a finding
)

// The choices of CompanyPathRef, the default first.
const (
	CompanyPathRefEither        = Choice(CompanyPathRef)<<8 | iota // the reference or the company's uuid
	CompanyPathRefReferenceOnly                                    // the reference
)

// The choices of Dates, the default first.
const (
	DatesSeconds = Choice(Dates)<<8 | iota // events carry whole seconds
	DatesMillis                            // events carry milliseconds
)

// The choices of TokenLifetime, the default first.
const (
	TokenLifetimeHour       = Choice(TokenLifetime)<<8 | iota // 3600 s
	TokenLifetimeMinute                                       // 60 s
	TokenLifetimeTenMinutes                                   // 600 s
	TokenLifetimeDay                                          // 86400 s
)

// The choices of TokenRefusal, the default first.
const (
	TokenRefusalUnauthorised = Choice(TokenRefusal)<<8 | iota // 401
	TokenRefusalBadRequest                                    // 400
)

// The choices of Unauthorised, the default first.
const (
	UnauthorisedProblem   = Choice(Unauthorised)<<8 | iota // 401 with problem details
	UnauthorisedEmptyBody                                  // 401 with headers alone
)

// The choices of TokenPaths, the default first.
const (
	TokenPathsBoth          = Choice(TokenPaths)<<8 | iota // the reference's and the guides' path
	TokenPathsReferenceOnly                                // /Authentication/Token
)

// The choices of DuplicateReference, the default first.
const (
	DuplicateReferenceBadRequest = Choice(DuplicateReference)<<8 | iota // 400 with the field
	DuplicateReferenceConflict                                          // 409
)

// The choices of Zip, the default first.
const (
	ZipHyphenOptional = Choice(Zip)<<8 | iota // 12345, 12345- and 12345-6789
	ZipPlusFourOnly                           // 12345 and 12345-6789
)

// The choices of Phone, the default first.
const (
	PhoneValid    = Choice(Phone)<<8 | iota // a number that the numbering plans have
	PhonePossible                           // a number of a length that numbers have
)

// The choices of CompanyStatusTarget, the default first.
const (
	CompanyStatusTargetDefault    = Choice(CompanyStatusTarget)<<8 | iota // the integration's first company
	CompanyStatusTargetMostRecent                                         // the one created last
)

// The choices of KYBSandbox, the default first.
const (
	KYBSandboxEvent   = Choice(KYBSandbox)<<8 | iota // one event right after creation
	KYBSandboxNoEvent                                // nothing has changed, so no event
)

// The choices of KYBRehearsal, the default first.
const (
	KYBRehearsalSeeded     = Choice(KYBRehearsal)<<8 | iota // 1 to 24 hours, drawn
	KYBRehearsalAtOnce                                      // decided at creation
	KYBRehearsalAfterReads                                  // decided when the status is read the Number-th time
)

// The choices of CollectUnverified, the default first.
const (
	CollectUnverifiedAccepted = Choice(CollectUnverified)<<8 | iota // accepted with a warning
	CollectUnverifiedRefused                                        // refused with 400
)

// The choices of RegistrationRedirect, the default first.
const (
	RegistrationRedirectNone   = Choice(RegistrationRedirect)<<8 | iota // redirectUrl as it was given
	RegistrationRedirectID                                              // with registrationId
	RegistrationRedirectStatus                                          // with status
)

// The choices of RegistrationWithPayment, the default first.
const (
	RegistrationWithPaymentRequest = Choice(RegistrationWithPayment)<<8 | iota // a payment request
	RegistrationWithPaymentNone                                                // no payment request
)

// The choices of AccountMask, the default first.
const (
	AccountMaskAsterisk = Choice(AccountMask)<<8 | iota // *1111
	AccountMaskDigits                                   // 1111
)

// The choices of DebitAuthRead, the default first.
const (
	DebitAuthReadOn  = Choice(DebitAuthRead)<<8 | iota // the operation exists
	DebitAuthReadOff                                   // it does not
)

// The choices of UnknownBodyIDs, the default first.
const (
	UnknownBodyIDsBadRequest = Choice(UnknownBodyIDs)<<8 | iota // 400 with the field
	UnknownBodyIDsNotFound                                      // 404
)

// The choices of Idempotency, the default first.
const (
	IdempotencyIgnored    = Choice(Idempotency)<<8 | iota // a repeated key pays twice
	IdempotencyHonoured                                   // a repeated key repeats the answer
	IdempotencyCreateOnly                                 // it does when a payment is created, and nowhere else
)

// The choices of PaymentMachine, the default first.
const (
	PaymentMachineLateReturn   = Choice(PaymentMachine)<<8 | iota // Paid can become Failed
	PaymentMachineNoLateReturn                                    // Paid is final
)

// The choices of PaymentTiming, the default first.
const (
	PaymentTimingSeconds = Choice(PaymentTiming)<<8 | iota // Processing takes five seconds
	PaymentTimingSlow                                      // Processing takes two banking days
)

// The choices of PaymentEvent, the default first.
const (
	PaymentEventAmountNumber = Choice(PaymentEvent)<<8 | iota // Amount is a number
	PaymentEventAmountText                                    // Amount is a string of digits
)

// The choices of DetailsShape, the default first.
const (
	DetailsShapeFlat    = Choice(DetailsShape)<<8 | iota // as the guides show it
	DetailsShapeWrapped                                  // as the reference shows it
)

// The choices of MetadataShown, the default first.
const (
	MetadataShownDetails = Choice(MetadataShown)<<8 | iota // in a payment's details
	MetadataShownNowhere                                   // nowhere
)

// The choices of AutoDebit, the default first.
const (
	AutoDebitApproves = Choice(AutoDebit)<<8 | iota // approved without the payer
	AutoDebitAsks                                   // the payer is asked all the same
)

// The choices of CancelVerb, the default first.
const (
	CancelVerbPutOrPost = Choice(CancelVerb)<<8 | iota // PUT and POST
	CancelVerbPutOnly                                  // PUT
)

// The choices of RefundPath, the default first.
const (
	RefundPathEither   = Choice(RefundPath)<<8 | iota // id in the path or the query
	RefundPathPathOnly                                // id in the path
)

// The choices of ReturnURL, the default first.
const (
	ReturnURLEncrypted = Choice(ReturnURL)<<8 | iota // one encrypted parameter
	ReturnURLPlain                                   // two readable parameters
)

// The choices of LinkExpiry, the default first.
const (
	LinkExpiryNever      = Choice(LinkExpiry)<<8 | iota // links are good for ever
	LinkExpiryDay                                       // 24 hours
	LinkExpiryThirtyDays                                // 30 days
)

// The choices of SavedCardStatus, the default first.
const (
	SavedCardStatusOK              = Choice(SavedCardStatus)<<8 | iota // 200, told in the body
	SavedCardStatusPaymentRequired                                     // 402
)

// The choices of PlanFailure, the default first.
const (
	PlanFailureThree = Choice(PlanFailure)<<8 | iota // three failures in a row of one payer
	PlanFailureFirst                                 // the first one
	PlanFailureNever                                 // however many
)
