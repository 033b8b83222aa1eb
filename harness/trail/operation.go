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
	// Makes are the members of its answer with the ids of what it has made.
	Makes []string
}

// operations is the one table of what the operations of the partner API do, by
// their ids. Specification, Endpoints.
var operations = map[string]*Operation{
	"createToken":      {Clause: "auth.token", Token: true},
	"createTokenGuide": {Clause: "auth.token.path", Token: true},

	"createCompany":           {Clause: "company.create", Kind: "company", Named: true, Makes: []string{"companyId", "locationIds"}},
	"getCompanyStatus":        {Clause: "company.status", Kind: "company", Reads: OneState},
	"getDefaultCompanyStatus": {Clause: "company.status.default", Kind: "company", Reads: OneState},
	"addLocation":             {Clause: "location.add", Kind: "location", Makes: []string{"locationId"}},
	"createExternalAuthLink":  {Clause: "company.link", Kind: "company", Phones: []string{"mobileNumber"}},

	"registerUser": {
		Clause: "user.register", Kind: "registration", Named: true, Texts: true,
		Amounts: []string{"amount"}, Phones: []string{"mobileNumber"}, Makes: []string{"registrationId"},
	},
	"getUserStatus":             {Clause: "user.status", Kind: "registration", Reads: OneState},
	"requestDebitAuthorisation": {Clause: "user.debit-auth.request", Kind: "debit-authorisation", Company: true, Amounts: []string{"limit"}},
	"listPaymentMethods":        {Clause: "card.methods", Kind: "registration", Reads: Holdings},

	"createPayment": {
		Clause: "payment.create", Kind: "payment", Charges: true, Keyed: true, Named: true, Texts: true, Payer: "registrationId", Company: true,
		Amounts: []string{"amount", "debitAuthLimit", "autoPayLimit"}, Makes: []string{"paymentRequestId"},
	},
	"getPaymentStatus":     {Clause: "payment.status", Kind: "payment", Reads: OneState},
	"getTransaction":       {Clause: "transaction.details", Kind: "payment", Reads: OneState},
	"reportTransactions":   {Clause: "transaction.report", Kind: "payment", Reads: Report},
	"cancelPayment":        {Clause: "payment.cancel", Kind: "payment", Cancels: true},
	"cancelPaymentByPost":  {Clause: "payment.cancel", Kind: "payment", Cancels: true},
	"refundPayment":        {Clause: "payment.refund", Kind: "refund", Refunds: true, Keyed: true, Named: true, Texts: true, Amounts: []string{"amount"}},
	"refundPaymentByQuery": {Clause: "payment.refund", Kind: "refund", Refunds: true, Keyed: true, Named: true, Texts: true, Amounts: []string{"amount"}},

	"authoriseCard": {
		Clause: "payment.card-auth", Kind: "card-authorisation", Charges: true, Keyed: true, Named: true, Texts: true, Company: true,
		Amounts: []string{"amount"}, Makes: []string{"paymentRequestId"},
	},
	"chargeSavedCard": {
		Clause: "payment.saved-card", Kind: "saved-card-charge", Charges: true, Keyed: true, Named: true, Texts: true, Payer: "registrationId", Company: true,
		Amounts: []string{"amount"}, Makes: []string{"paymentRequestId"},
	},
	"registerCardPayment": {
		Clause: "card-payment.register", Kind: "card-payment", Keyed: true, Named: true, Amounts: []string{"amount"}, Phones: []string{"mobileNumber"},
	},

	"createPlan": {
		Clause: "plan.create", Kind: "plan", Charges: true, Later: true, Named: true, Texts: true, Payer: "registrationId", Company: true,
		Amounts: []string{"amount"}, Makes: []string{"paymentPlanId"},
	},
	"createRecurring": {
		Clause: "plan.recurring", Kind: "plan", Charges: true, Later: true, Keyed: true, Named: true, Texts: true, Payer: "registrationUserId", Company: true,
		Amounts: []string{"amount"}, Makes: []string{"paymentPlanId"},
	},

	"listCompanies":         {Clause: "company.list"},
	"listLocations":         {Clause: "location.list"},
	"getDebitAuthorisation": {Clause: "user.debit-auth.read"},
	"createLinkToken":       {Clause: "account.link-token"},
	"linkAccount":           {Clause: "account.link"},
	"listPlans":             {Clause: "plan.list"},
	"getPlan":               {Clause: "plan.read"},
	"activatePlan":          {Clause: "plan.status.partner"},
	"pausePlan":             {Clause: "plan.status.partner"},
	"cancelPlan":            {Clause: "plan.status.partner"},
	"addPlanPayer":          {Clause: "plan.payer.add"},
	"removePlanPayer":       {Clause: "plan.payer.remove"},
	"listConsents":          {Clause: "consent.list"},
	"getConsent":            {Clause: "consent.read"},
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

// Readers are the ids of the operations that read the state of a kind of resource.
func Readers(kind string) []string {
	var ids []string
	for id := range operations {
		if o := OperationNamed(id); o.Kind == kind && o.Reads != NoState {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

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
