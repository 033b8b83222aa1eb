package partner

// Task is one thing that a partner's application is to do. The harness tells it
// in words to a person, and as one JSON line to a program.
type Task struct {
	// ID counts the tasks of a session from 1.
	ID int `json:"id"`
	// Do is one of the Do constants.
	Do string `json:"do"`
	// Say tells a person what to do.
	Say string `json:"say"`
	// With holds what is to be sent, by the names of the members in the partner
	// API, and further details that the Do constant names. Amounts are in cents.
	With map[string]any `json:"with,omitempty"`
	// Wait is true when the application is to do it as soon as it may, which can
	// be later: the company is not Verified yet, the payer not Registered.
	Wait bool `json:"wait,omitempty"`
}

// What a task can ask for. Each but the last two is the operation of the partner
// API that performs it.
const (
	// DoCreateCompany: name, companyReferenceId, and what else of the body the
	// story cares about.
	DoCreateCompany = "createCompany"
	// DoCompanyStatus: companyReferenceId.
	DoCompanyStatus = "getCompanyStatus"
	// DoAddLocation: companyReferenceId, name.
	DoAddLocation = "addLocation"
	// DoListLocations: companyReferenceId.
	DoListLocations = "listLocations"
	// DoBankLink: companyReferenceId, mobileNumber.
	DoBankLink = "createExternalAuthLink"
	// DoRegisterUser: mobileNumber, email, and for a single payment amount and period.
	DoRegisterUser = "registerUser"
	// DoUserStatus: registrationId.
	DoUserStatus = "getUserStatus"
	// DoDebitAuth: registrationId, companyId, limit in cents.
	DoDebitAuth = "requestDebitAuthorisation"
	// DoCreatePayment: amount, registrationId, locationId or companyReferenceId,
	// shortDescription, dueDate. One task is one payment that is meant.
	DoCreatePayment = "createPayment"
	// DoPaymentStatus: paymentRequestId.
	DoPaymentStatus = "getPaymentStatus"
	// DoCancelPayment: paymentRequestId.
	DoCancelPayment = "cancelPayment"
	// DoRefundPayment: paymentRequestId, amount, description, attachment.
	DoRefundPayment = "refundPayment"
	// DoAuthoriseCard: amount, registrationId, locationId.
	DoAuthoriseCard = "authoriseCard"
	// DoPaymentMethods: registrationId.
	DoPaymentMethods = "listPaymentMethods"
	// DoChargeSavedCard: amount, registrationId, locationId, paymentMethodId.
	DoChargeSavedCard = "chargeSavedCard"
	// DoCardPayment: amount, mobileNumber, email, cardType, transactionStatus, merchantId.
	DoCardPayment = "registerCardPayment"
	// DoCreatePlan and the others about plans: what their bodies and paths name.
	DoCreatePlan     = "createPlan"
	DoAddPlanPayer   = "addPlanPayer"
	DoActivatePlan   = "activatePlan"
	DoPausePlan      = "pausePlan"
	DoCancelPlan     = "cancelPlan"
	DoListConsents   = "listConsents"
	DoDeclineConsent = "declineConsent"
	// DoReport reads the transactions of companyId, every page.
	DoReport = "reportTransactions"
	// DoStatusOfMany reads the status of paymentRequestIds, a list, in parallel.
	DoStatusOfMany = "statusOfMany"
	// DoAcceptSecret: secret; deliveries are signed with it from now on.
	DoAcceptSecret = "acceptSecret"
)
