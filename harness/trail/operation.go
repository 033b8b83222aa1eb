package trail

import (
	"slices"
	"strings"
	"time"

	"paysandbox/mockserver/tape"
)

// Reading is what of the service's state an operation reads.
type Reading int

// The kinds of reading.
const (
	// NoState: it reads none, or nothing that changes by itself.
	NoState Reading = iota
	// OneState: the state of one resource.
	OneState
	// Holdings: what belongs to one resource, such as saved cards.
	Holdings
	// Report: the states of all payments.
	Report
)

// Operation is what a harness has to know of an operation of the partner API.
// Whatever judges or tells about calls asks here, and lists no operations itself.
type Operation struct {
	// Clause is the clause of the service's catalogue about what it does; empty for what
	// the table does not have.
	Clause string
	// Shape is the clause about the exact shape of its answers; empty where that is the
	// clause about all answers.
	Shape string
	// Kind is the kind of resource that it belongs to, as machines are named; empty
	// for the token call, and for what makes and moves nothing that is followed.
	Kind string
	// Token says that it grants an access token.
	Token bool
	// Charges says that it charges for a company, or agrees to; Later that the
	// money is collected later, on the dates of a plan.
	Charges, Later bool
	// Refunds and Cancels say that it gives money back, and stops a payment.
	Refunds, Cancels bool
	// Keyed says that it honours an Idempotency-Key.
	Keyed bool
	// Reads is what of the state it reads.
	Reads Reading
	// Named says that the partner gives what is made a name of its own.
	Named bool
	// Texts says that its body has texts which are passed on to people and banks.
	Texts bool
	// Payer is the member of its body with the id of the registration that it charges.
	Payer string
	// Company says that its body names the company, by one of several members.
	Company bool
	// Amounts and Phones are the members of its body that are amounts in cents and
	// mobile numbers.
	Amounts, Phones []string
	// Payload is the name of the canonical body of its request, among the fixtures.
	Payload string
	// State is the member of its answer with the state of one resource, which the path
	// names or the partner itself is; Lists the member with the list of all that it reads.
	State, Lists string
	// Noun is what the steps of the features call what it makes; empty where no step makes
	// it by this operation.
	Noun string
	// Makes are the members of its answer with the ids of what it has made; Shows those,
	// as JSON pointers, with the ids of what it has not made and nothing shows before.
	Makes, Shows []string
}

// operations is the one table of what the operations of the partner API do, by
// their ids. Specification, Endpoints.
var operations = map[string]*Operation{
	"createToken":      {Clause: "auth.token", Shape: "wire.token", Token: true, Payload: "token"},
	"createTokenGuide": {Clause: "auth.token.path", Shape: "wire.token", Token: true, Payload: "token"},

	"createCompany":           {Clause: "company.create", Kind: "company", Named: true, Payload: "company-create", Noun: "company", Makes: []string{"companyId", "locationIds"}},
	"getCompanyStatus":        {Clause: "company.status", Shape: "wire.company-status", Kind: "company", Reads: OneState, State: "status"},
	"getDefaultCompanyStatus": {Clause: "company.status.default", Kind: "company", Reads: OneState, State: "Status"},
	"addLocation":             {Clause: "location.add", Shape: "wire.location", Kind: "location", Payload: "location-add", Makes: []string{"locationId"}},
	"createExternalAuthLink":  {Clause: "company.link", Shape: "wire.bank-link", Kind: "company", Phones: []string{"mobileNumber"}, Payload: "external-auth-link"},

	"registerUser": {
		Clause: "user.register", Shape: "wire.registration", Kind: "registration", Named: true, Texts: true,
		Amounts: []string{"amount"}, Phones: []string{"mobileNumber"}, Payload: "user-register", Noun: "payer", Makes: []string{"registrationId"},
	},
	"getUserStatus":             {Clause: "user.status", Shape: "wire.user-status", Kind: "registration", Reads: OneState, State: "status"},
	"requestDebitAuthorisation": {Clause: "user.debit-auth.request", Kind: "debit-authorisation", Company: true, Amounts: []string{"limit"}, Payload: "debit-auth"},
	"listPaymentMethods": {
		Clause: "card.methods", Shape: "wire.payment-methods", Kind: "registration", Reads: Holdings,
		Lists: "paymentMethods", Shows: []string{"paymentMethods/0/id"},
	},

	"createPayment": {
		Clause: "payment.create", Shape: "wire.payment", Kind: "payment", Charges: true, Keyed: true, Named: true, Texts: true,
		Payer: "registrationId", Company: true, Amounts: []string{"amount", "debitAuthLimit", "autoPayLimit"},
		Payload: "payment-create", Noun: "payment request", Makes: []string{"paymentRequestId"}, Shows: []string{"registrationPersonId"},
	},
	"getPaymentStatus":    {Clause: "payment.status", Shape: "wire.payment-status", Kind: "payment", Reads: OneState, State: "status"},
	"getTransaction":      {Clause: "transaction.details", Kind: "payment", Reads: OneState, State: "transferStatus"},
	"reportTransactions":  {Clause: "transaction.report", Kind: "payment", Reads: Report, Lists: "transactions"},
	"cancelPayment":       {Clause: "payment.cancel", Kind: "payment", Cancels: true},
	"cancelPaymentByPost": {Clause: "payment.cancel", Kind: "payment", Cancels: true},

	"refundPayment": {
		Clause: "payment.refund", Kind: "refund", Refunds: true, Keyed: true, Named: true, Texts: true,
		Amounts: []string{"amount"}, Payload: "refund",
	},
	"refundPaymentByQuery": {
		Clause: "payment.refund", Kind: "refund", Refunds: true, Keyed: true, Named: true, Texts: true,
		Amounts: []string{"amount"},
	},

	"authoriseCard": {
		Clause: "payment.card-auth", Shape: "wire.card-auth", Kind: "card-authorisation", Charges: true, Keyed: true, Named: true, Texts: true,
		Company: true, Amounts: []string{"amount"},
		Payload: "card-auth", Noun: "card authorisation", Makes: []string{"paymentRequestId"}, Shows: []string{"registrationPersonId"},
	},
	"chargeSavedCard": {
		Clause: "payment.saved-card", Shape: "wire.saved-card", Kind: "saved-card-charge", Charges: true, Keyed: true, Named: true, Texts: true,
		Payer: "registrationId", Company: true, Amounts: []string{"amount"}, Payload: "charge-saved-card", Makes: []string{"paymentRequestId"},
	},
	"registerCardPayment": {
		Clause: "card-payment.register", Kind: "card-payment", Keyed: true, Named: true,
		Amounts: []string{"amount"}, Phones: []string{"mobileNumber"}, Payload: "card-payment",
	},

	"createPlan": {
		Clause: "plan.create", Kind: "plan", Charges: true, Later: true, Named: true, Texts: true,
		Payer: "registrationId", Company: true, Amounts: []string{"amount"}, Payload: "plan-create", Noun: "plan", Makes: []string{"paymentPlanId"},
	},
	"createRecurring": {
		Clause: "plan.recurring", Kind: "plan", Charges: true, Later: true, Keyed: true, Named: true, Texts: true,
		Payer: "registrationUserId", Company: true, Amounts: []string{"amount"}, Payload: "recurring", Makes: []string{"paymentPlanId"},
	},

	"listCompanies":         {Clause: "company.list", Shape: "wire.company-list", Lists: "companies"},
	"listLocations":         {Clause: "location.list", Shape: "wire.location-list", Lists: "locations", Shows: []string{"locations/0/id"}},
	"getDebitAuthorisation": {Clause: "user.debit-auth.read"},
	"createLinkToken":       {Clause: "account.link-token"},
	"linkAccount":           {Clause: "account.link"},
	"listPlans":             {Clause: "plan.list", Lists: "plans"},
	"getPlan":               {Clause: "plan.read", State: "status"},
	"activatePlan":          {Clause: "plan.status.partner"},
	"pausePlan":             {Clause: "plan.status.partner"},
	"cancelPlan":            {Clause: "plan.status.partner"},
	"addPlanPayer":          {Clause: "plan.payer.add", Shows: []string{"consentId"}},
	"removePlanPayer":       {Clause: "plan.payer.remove"},
	"listConsents":          {Clause: "consent.list", Lists: "consents", Shows: []string{"consents/0/consentId"}},
	"getConsent":            {Clause: "consent.read", State: "status"},
	"declineConsent":        {Clause: "consent.decline.pending"},
}

// OperationOf is what the table says of a call's operation.
func OperationOf(x *tape.Exchange) *Operation { return OperationNamed(x.Operation) }

// OperationNamed is what the table says of an operation, by its id.
func OperationNamed(id string) *Operation {
	if o := operations[id]; o != nil {
		return o
	}
	return &Operation{}
}

// Operations are the ids of the operations that something holds for, in order.
func Operations(has func(o *Operation) bool) []string {
	var ids []string
	for id, o := range operations {
		if has(o) {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// Readers are the ids of the operations that read the state of a kind of resource.
func Readers(kind string) []string {
	return Operations(func(o *Operation) bool { return o.Kind == kind && o.Reads != NoState })
}

// MakerClause is the clause about what makes resources of a kind; where several operations
// do, that of the first in order, which is the plain one.
func MakerClause(kind string) string {
	for _, id := range Operations(func(o *Operation) bool { return o.MakesA(kind) }) {
		return operations[id].Clause
	}
	return ""
}

// MakesA says whether the operation makes a resource of a kind.
func (o *Operation) MakesA(kind string) bool { return o.Kind == kind && len(o.Makes) > 0 }

// MovesMoney says whether the operation moves money or agrees to, or stops it.
func (o *Operation) MovesMoney() bool { return o.Charges || o.Refunds || o.Cancels }

// Pays says whether the operation moves money at once.
func (o *Operation) Pays() bool { return o.Charges && !o.Later || o.Refunds }

// RequestsPayment says whether the operation asks a payer for a payment.
func (o *Operation) RequestsPayment() bool { return o.Charges && o.Kind == "payment" }

// PayerOf is the registration that a call charges, "" for none, and the call's body.
func (t *Trail) PayerOf(x *tape.Exchange) (id string, sent Body) {
	member := OperationOf(x).Payer
	if member == "" {
		return "", nil
	}
	sent = t.Sent(x)
	return strings.ToLower(sent.Text(member)), sent
}

// KeyLife is how long an answer to a key is remembered. Latitude, idempotency.
const KeyLife = 24 * time.Hour

// KeysIgnored is the choice by which keys are ignored, as they are unless the ledger
// has them honoured; "" where they are.
func (t *Trail) KeysIgnored() string {
	switch choice := t.Meta.Latitude["idempotency"]; choice {
	case "honoured":
		return ""
	case "":
		return "idempotency=ignored"
	default:
		return "idempotency=" + choice
	}
}
