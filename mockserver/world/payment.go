package world

import (
	"time"

	"github.com/google/uuid"

	"paysandbox/fixtures"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/latitude"
)

// paymentKind says what brought a payment about.
type paymentKind uint8

// The kinds of payments.
const (
	kindRequest   paymentKind = iota // POST /Payment/Create, or a registration for a single payment
	kindSavedCard                    // POST /Payment/ChargeSavedCard
	kindPlan                         // a plan's due date
)

var kindNames = [...]string{"PaymentRequest", "SavedCard", "RecurringPayment"}

// kindAuthorisation is what a card authorisation, which is no payment, calls itself
// where payments tell their kind.
const kindAuthorisation = "CardAuthorisation"

// payments are all payments of an integration. The journal holds, in the order
// of their creation, what the transaction report lists.
type payments struct {
	kernel.Table[payment]
	journal kernel.Table[journalEntry]
}

// Pack lists what payments are.
func (p *payments) Pack(k *kernel.Codec) {
	kernel.PackTable(k, &p.Table, func(row *payment) uuid.UUID { return row.id })
	kernel.PackTable(k, &p.journal, nil)
}

// payment is the row of a payment. Its id is the paymentRequestId.
type payment struct {
	id                         uuid.UUID
	amount, refunded           int64
	debitLimit                 int64
	created                    int64
	texts                      kernel.Text
	payer, company, location   uint32
	plan, occurrence           uint32
	nextOfPayer, nextOfCompany uint32
	firstRefund, lastRefund    uint32
	attachment, card           uint32
	due                        int32 // days since 1 January of year 1; 0 none
	kind                       paymentKind
	feePayer                   feePayer
	state                      kernel.State
	oneTime                    bool
}

// Pack lists the fields of a payment.
func (p *payment) Pack(k *kernel.Codec) {
	k.ID(&p.id)
	k.Ints(&p.amount, &p.refunded, &p.debitLimit, &p.created)
	k.Texts(&p.texts)
	k.Rows(toPayer, &p.payer)
	k.Rows(toCompany, &p.company)
	k.Rows(toLocation, &p.location)
	k.Rows(toPlan, &p.plan)
	k.Num32s(&p.occurrence)
	k.Later(toPayment, &p.nextOfPayer)
	k.Later(toPayment, &p.nextOfCompany)
	k.Rows(toRefund, &p.firstRefund, &p.lastRefund)
	k.Rows(toAttachment, &p.attachment)
	k.Rows(toCard, &p.card)
	k.Int32s(&p.due)
	k.Num8s((*uint8)(&p.kind))
	k.Require(int(p.kind) < len(kindNames), "a kind of payment")
	p.feePayer.Pack(k)
	k.State(&p.state, &PaymentMachine)
	k.Require(p.kind != kindSavedCard || int(p.state) < len(SavedCardChargeMachine.States), "a state of a charge")
	k.Bools(&p.oneTime)
}

// Purpose is what a payment is for, in the partner's own words: it is asked for
// with it, kept, and shown wherever the payment is.
type Purpose struct {
	ShortDescription string `json:"shortDescription" example:"Membership for March"`
	Reference        string `json:"reference" example:"inv-1001"`
	// Metadata is any JSON object; it is given back as it came.
	Metadata string `json:"metadata" wire:"raw"`
}

// Pack writes or reads the texts.
func (p *Purpose) Pack(k *kernel.Codec) { k.Strs(&p.ShortDescription, &p.Reference, &p.Metadata) }

// Mark is a number or name by which the partner knows a payment: the field that
// brings it, what it is called on pages, and its value, which may be empty.
type Mark struct{ Name, Label, Value string }

// Marks are the marks of a payment in the order in which pages and the console
// show them.
func (p *Purpose) Marks() []Mark { return []Mark{{"reference", "Reference", p.Reference}} }

// paymentTexts are the texts of a payment, kept as one.
type paymentTexts struct {
	Purpose
	returnURL string
	// phone and email are the contacts that the request named.
	phone, email string
}

func (t *paymentTexts) Pack(k *kernel.Codec) {
	t.Purpose.Pack(k)
	k.Strs(&t.returnURL, &t.phone, &t.email)
}

// paymentOrder is a payment that has been judged and is to be opened. Numbers
// are row numbers; 0 is none.
type paymentOrder struct {
	payer, company, location, plan, occurrence, card uint32

	// amount and debitLimit are in cents; a limit asks for an authorisation.
	amount, debitLimit int64
	// due is midnight UTC of the date; the zero time is none.
	due      time.Time
	kind     paymentKind
	feePayer feePayer
	oneTime  bool
	texts    paymentTexts
}

// PaymentCreated is the answer to a payment's creation.
type PaymentCreated struct {
	// PaymentRequestID is the service's id of the payment.
	PaymentRequestID string `json:"paymentRequestId" format:"uuid" required:"true" example:"5d8c9b8e-6f0a-4a53-8d3e-6f1f0e9d8c33"`
	// AccountMask is the payer's account, null while none is linked.
	AccountMask *string `json:"accountMask" required:"true" nullable:"true" example:"*1111"`
	// URL is the page on which the payer answers.
	URL string `json:"url" format:"uri" required:"true" example:"http://127.0.0.1:8484/pages/default/pay/5d8c9b8e-6f0a-4a53-8d3e-6f1f0e9d8c33"`
	// RegistrationPersonID is the payer; it can be sent as registrationId.
	RegistrationPersonID string `json:"registrationPersonId" format:"uuid" required:"true" example:"5f0c5b0e-3f0c-4a53-9d3e-6f1f0e9d8c33"`
}

// CreatePayment asks a payer for money. All rules are judged before anything is
// kept. A payer whose debit authorisation covers the amount pays without being
// asked. Errors: Invalid, NotFound where the ledger says so of unknown ids, and
// TooLarge for an attachment. Specification, Payment request.
func (w *World) CreatePayment(req *NewPayment, noted ...kernel.Finding) (PaymentCreated, error) {
	c := w.check(noted)
	o, f := c.newPayment(req)
	if f.refusal != nil {
		return PaymentCreated{}, c.Stop(f.refusal)
	}
	if err := c.Err("the payment request"); err != nil {
		return PaymentCreated{}, err
	}
	if o.payer == 0 {
		o.payer = w.contactPayer(req.ContactNumber, req.EmailAddress)
	}
	n := w.openPayment(o)
	w.payments.At(n).attachment = w.attach(f)
	err := w.askOrCollect(n)
	p := w.payments.At(n)
	payer, id := w.payers.At(p.payer), p.id.String()
	return PaymentCreated{id, w.accountMask(payer), w.pageURL(PagePay, id), payer.id.String()}, err
}

// askOrCollect collects from a payer who has authorised it, and asks any other.
// Latitude, auto-debit.
func (w *World) askOrCollect(n uint32) error {
	p := w.payments.At(n)
	if p.debitLimit > 0 && !w.debitCovers(p.payer, p.company, p.debitLimit) {
		w.askDebitAuth(p.payer, p.company, p.debitLimit)
	}
	if w.is(latitude.AutoDebitApproves) && w.debitCovers(p.payer, p.company, p.amount) {
		return w.collect(n, "the payer's debit authorisation covers the amount")
	}
	w.askPayer(n)
	return nil
}

// openPayment keeps a Pending payment, chains it to its payer and company and
// records its creation. The caller decides what follows: collect or askPayer.
func (w *World) openPayment(o paymentOrder) uint32 {
	row := payment{
		id: w.core.NewID("payment"), amount: o.amount, debitLimit: o.debitLimit, created: w.core.Now(), texts: w.texts.KeepPacked(&o.texts),
		payer: o.payer, company: o.company, location: o.location, plan: o.plan, occurrence: o.occurrence, card: o.card,
		due: dayNumber(o.due), kind: o.kind, feePayer: o.feePayer, oneTime: o.oneTime,
	}
	p, n := w.payments.Add(row.id, row)
	w.chainPayment(n, p)
	w.mustMove(w.stepPayment(n, "create", ""))
	return n
}

// chainPayment makes a payment findable by its payer and its company, and lists
// it in the report.
func (w *World) chainPayment(n uint32, p *payment) {
	payer, company := w.payers.At(p.payer), w.companies.At(p.company)
	kernel.Chain(&payer.firstPayment, &payer.lastPayment, n, func(row uint32) *uint32 { return &w.payments.At(row).nextOfPayer })
	kernel.Chain(&company.firstPayment, &company.lastPay, n, func(row uint32) *uint32 { return &w.payments.At(row).nextOfCompany })
	w.payments.journal.Push(journalEntry{company: p.company, row: n})
}

// payment finds a payment by its paymentRequestId.
func (w *World) payment(id string) (*payment, uint32, error) {
	return w.payments.Lookup("payment request", id)
}

// askPayer tells the payer of a payment by every contact that is known; what
// the request named comes before what the registration did.
func (w *World) askPayer(n uint32) {
	p := w.payments.At(n)
	var t paymentTexts
	w.texts.Unpack(p.texts, &t)
	payer := w.payers.At(p.payer)
	if t.phone == "" {
		t.phone = w.texts.String(payer.phone)
	}
	if t.email == "" {
		t.email = w.texts.String(payer.email)
	}
	w.tell(p.id, t.phone, t.email, "payment-request",
		kernel.Value{Name: "link", Text: w.pageURL(PagePay, p.id.String())}, kernel.Value{Name: "amount", Text: Dollars(p.amount)},
		kernel.Value{Name: "company", Text: w.texts.String(w.companies.At(p.company).name)}, kernel.Value{Name: "purpose", Text: t.ShortDescription})
}

// tell sends a message to a phone and an e-mail address; either may be empty.
func (w *World) tell(entity uuid.UUID, phone, email, template string, values ...kernel.Value) {
	if to := phoneKey(phone); to != "" {
		w.message(entity, kernel.Message{Channel: "sms", To: to, Template: template, Values: values, Bounced: fixtures.Bounces(to)})
	}
	if email != "" {
		w.message(entity, kernel.Message{Channel: "email", To: email, Template: template, Values: values, Bounced: fixtures.Bounces(email)})
	}
}

// dayNumber counts the days from 1 January of year 1, which is 0 and means no
// date.
func dayNumber(d time.Time) int32 {
	if d.IsZero() {
		return 0
	}
	return int32((d.Unix() - time.Time{}.Unix()) / (24 * 60 * 60)) //nolint:gosec // G115: dates end with the year 9999.
}

// dueDate is midnight UTC of the day on which the payment is due; the zero time
// when it has no such day.
func (p *payment) dueDate() time.Time { return time.Time{}.AddDate(0, 0, int(p.due)) }
