package world

import (
	"slices"
	"strconv"
	"time"

	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/latitude"
)

// currency is the one currency of the service.
const currency = "USD"

// Money is an amount with its currency.
type Money struct {
	// Value is in cents.
	Value int64 `json:"value" required:"true" example:"5000"`
	// Currency is always USD.
	Currency string `json:"currency" required:"true" enum:"USD" example:"USD"`
}

// Dollars writes an amount of cents for people, for example $1,234.50 or -$5.00.
func Dollars(cents int64) string {
	sign := ""
	if cents < 0 {
		sign, cents = "-", -cents
	}
	whole := strconv.FormatInt(cents/100, 10)
	for at := len(whole) - 3; at > 0; at -= 3 {
		whole = whole[:at] + "," + whole[at:]
	}
	return sign + "$" + whole + "." + strconv.FormatInt(100+cents%100, 10)[1:]
}

// PaymentStatus is the answer to a payment's status.
type PaymentStatus struct {
	ID string `json:"id" format:"uuid" required:"true" example:"5d8c9b8e-6f0a-4a53-8d3e-6f1f0e9d8c33"`
	// Status is a state of the payment request, the card authorisation or the
	// saved-card charge that the id names.
	Status string `json:"status" required:"true" enum:"Pending,Scheduled,Queued,InReview,Processing,Paid,Failed,Denied,Canceled,Challenged,Authorised,Declined" example:"Pending"`
	Amount Money  `json:"amount" required:"true"`
	// CreationDate is ISO 8601 UTC.
	CreationDate string `json:"creationDate" format:"date-time" required:"true" example:"2026-03-01T15:04:05Z"`
	// DueDate is midnight UTC of the due date, null when there is none.
	DueDate *string `json:"dueDate" format:"date-time" required:"true" nullable:"true" example:"2026-03-31T00:00:00Z"`
}

// PaymentStatus tells how a payment stands. It also knows the ids of card
// authorisations and saved-card charges. An unknown id is NotFound.
func (w *World) PaymentStatus(id string) (PaymentStatus, error) {
	if a, err := w.cardAuth(id); err == nil {
		return PaymentStatus{
			ID: a.id.String(), Status: CardAuthorisationMachine.States[a.state],
			Amount: Money{a.amount, currency}, CreationDate: w.timeText(a.created),
		}, nil
	}
	p, _, err := w.payment(id)
	if err != nil {
		return PaymentStatus{}, err
	}
	return PaymentStatus{
		ID: p.id.String(), Status: w.status(p), Amount: Money{p.amount, currency},
		CreationDate: w.timeText(p.created), DueDate: w.dueText(p),
	}, nil
}

// dueText writes a due date as a moment, nil when there is none.
func (w *World) dueText(p *payment) *string {
	if p.due == 0 {
		return nil
	}
	return new(p.dueDate().Format(w.timeLayout()))
}

// PaymentDetails is the answer to a payment's details: what the payer sees of
// the company that asks.
type PaymentDetails struct {
	ExternalPaymentRequestID string `json:"externalPaymentRequestId" format:"uuid" required:"true" example:"5d8c9b8e-6f0a-4a53-8d3e-6f1f0e9d8c33"`
	Amount                   Money  `json:"amount" required:"true"`
	CreationDate             string `json:"creationDate" format:"date-time" required:"true" example:"2026-03-01T15:04:05Z"`
	// DueDate is midnight UTC of the due date, null when there is none.
	DueDate *string `json:"dueDate" format:"date-time" required:"true" nullable:"true" example:"2026-03-31T00:00:00Z"`
	PaymentParty
}

// PaymentParty is what payment details say of the company and of the money's way.
type PaymentParty struct {
	// RecipientName, RecipientAddress, EmailAddress and ContactPhoneNumber are
	// the company's.
	RecipientName      string  `json:"recipientName" required:"true" example:"Fit Gym"`
	RecipientAddress   Address `json:"recipientAddress" required:"true"`
	EmailAddress       string  `json:"emailAddress" required:"true" example:"office@fitgym.example.com"`
	ContactPhoneNumber *string `json:"contactPhoneNumber" required:"true" nullable:"true" example:"+12025550123"`
	// PaymentType is PaymentRequest, SavedCard, RecurringPayment or CardAuthorisation.
	PaymentType string `json:"paymentType" required:"true" enum:"PaymentRequest,SavedCard,RecurringPayment,CardAuthorisation" example:"PaymentRequest"`
	// TransferID and TransferStatus are null until money has begun to move.
	// TransferStatus is a status of the transaction report.
	TransferID     *string `json:"transferId" format:"uuid" required:"true" nullable:"true" example:"5d8c9b8e-6f0a-4a53-8d3e-6f1f0e9d8c33"`
	TransferStatus *string `json:"transferStatus" required:"true" nullable:"true" enum:"Processed,Completed,Failed" example:"Completed"`
	// CoveredFee is always null: no fees are published.
	CoveredFee  *float64         `json:"coveredFee" required:"true" nullable:"true"`
	Attachments []AttachmentInfo `json:"attachments" required:"true" nullable:"false"`
	DebitAuth   DebitLimit       `json:"debitAuth" required:"true"`
	// Metadata is the object that the payment was created with, null when there was
	// none.
	Metadata Object `json:"metadata,omitempty" wire:"raw" nullable:"true"`
}

// Object is the JSON text of an object; empty leaves the member out.
type Object string

// MarshalJSON gives the text as it is.
func (o Object) MarshalJSON() ([]byte, error) { return []byte(o), nil }

// DebitLimit is the debit authorisation for which a payment asked.
type DebitLimit struct {
	// Limit is in cents; 0 when the payment did not ask.
	Limit int64 `json:"limit" required:"true" example:"10000"`
}

// PaymentDetails tells the details of a payment, or of a card authorisation, whose id
// is a paymentRequestId, too. An unknown id is NotFound.
func (w *World) PaymentDetails(id string) (PaymentDetails, error) {
	if a, err := w.cardAuth(id); err == nil {
		return w.authorisationDetails(a), nil
	}
	p, _, err := w.payment(id)
	if err != nil {
		return PaymentDetails{}, err
	}
	d := w.detailsOf(p.company)
	d.ExternalPaymentRequestID, d.Amount = p.id.String(), Money{p.amount, currency}
	d.CreationDate, d.DueDate, d.PaymentType = w.timeText(p.created), w.dueText(p), kindNames[p.kind]
	d.Attachments, d.DebitAuth = w.attachmentInfo(p.attachment), DebitLimit{p.debitLimit}
	if !w.is(latitude.MetadataShownNowhere) {
		var texts paymentTexts
		w.texts.Unpack(p.texts, &texts)
		if d.Metadata = Object(texts.Metadata); texts.Metadata == "" {
			d.Metadata = Object("null")
		}
	}
	if status := w.reportStatus(p); status == ReportProcessed || status == ReportCompleted || status == ReportFailed {
		transfer := p.id.String()
		d.TransferID, d.TransferStatus = &transfer, &status
	}
	return d, nil
}

// detailsOf begins the details with the company that asks.
func (w *World) detailsOf(company uint32) PaymentDetails {
	c := w.companies.At(company)
	var t NewCompany
	w.texts.Unpack(c.details, &t)
	return PaymentDetails{PaymentParty: PaymentParty{
		RecipientName: w.texts.String(c.name), RecipientAddress: t.address(), EmailAddress: t.EmailAddress, ContactPhoneNumber: &t.ContactNumber,
	}}
}

// authorisationDetails are the details of a card authorisation: no money moves by
// it, so it has no transfer.
func (w *World) authorisationDetails(a *cardAuth) PaymentDetails {
	d := w.detailsOf(a.company)
	d.ExternalPaymentRequestID, d.Amount, d.CreationDate = a.id.String(), Money{a.amount, currency}, w.timeText(a.created)
	d.PaymentType, d.Attachments = kindAuthorisation, []AttachmentInfo{}
	if !w.is(latitude.MetadataShownNowhere) {
		d.Metadata = Object("null")
	}
	return d
}

// PaymentView is a payment as pages and the portal show it.
type PaymentView struct {
	ID, Status, Kind string
	// Legal are the events that the state admits.
	Legal                     []string
	CompanyID, CompanyName    string
	RegistrationID, PayerName string
	Registered                bool
	Phone, Email              string
	Purpose
	FeePayer, ReturnURL          string
	OneTime                      bool
	Amount, Refunded, DebitLimit int64
	Created                      int64 // nanoseconds since 1970 UTC
	Due                          time.Time
	AccountMask                  *string
	ByCard                       bool // the mask is a card's
	Attachments                  []AttachmentInfo
}

// PaymentView gives a payment as pages show it. ReturnURL is as it was sent;
// the method ReturnURL adds what goes with it. An unknown id is NotFound.
func (w *World) PaymentView(id string) (PaymentView, error) {
	p, _, err := w.payment(id)
	if err != nil {
		return PaymentView{}, err
	}
	return w.paymentView(p), nil
}

func (w *World) paymentView(p *payment) PaymentView {
	var t paymentTexts
	w.texts.Unpack(p.texts, &t)
	payer, company := w.payers.At(p.payer), w.companies.At(p.company)
	return PaymentView{
		ID: p.id.String(), Status: w.status(p), Kind: kindNames[p.kind], Legal: slices.Clone(w.machineOf(p).Legal(p.state)),
		CompanyID: company.id.String(), CompanyName: w.texts.String(company.name),
		RegistrationID: payer.id.String(), PayerName: w.texts.String(payer.name), Registered: payer.state == RegistrationRegistered,
		Phone: w.texts.String(payer.phone), Email: w.texts.String(payer.email),
		Purpose: t.Purpose, ReturnURL: t.returnURL,
		FeePayer: feePayers[p.feePayer], OneTime: p.oneTime, Amount: p.amount, Refunded: p.refunded, DebitLimit: p.debitLimit,
		Created: p.created, Due: p.dueDate(), AccountMask: w.paymentMask(p), ByCard: p.card != 0, Attachments: w.attachmentInfo(p.attachment),
	}
}

// CompanyPayments lists payments of a company in this status ("" is any), newest
// first: at most limit of them (0 is all), from the one that was requested before
// the paymentRequestId before, or from the newest when before is empty. Errors:
// NotFound for the company or for before.
func (w *World) CompanyPayments(companyRef, status, before string, limit int) ([]PaymentView, error) {
	c, number, err := w.company(companyRef)
	if err != nil {
		return nil, err
	}
	end := uint32(0)
	if before != "" {
		p, n, err := w.payment(before)
		if err != nil {
			return nil, err
		}
		if p.company != number {
			return nil, kernel.NoSuch("payment request", before)
		}
		end = n
	}
	var rows []uint32
	for n := c.firstPayment; n != end; n = w.payments.At(n).nextOfCompany {
		if status == "" || w.status(w.payments.At(n)) == status {
			rows = append(rows, n)
		}
	}
	slices.Reverse(rows)
	if limit > 0 {
		rows = rows[:min(limit, len(rows))]
	}
	list := make([]PaymentView, 0, len(rows))
	for _, n := range rows {
		list = append(list, w.paymentView(w.payments.At(n)))
	}
	return list, nil
}

// paymentMask shows the account or card from which a payment comes.
func (w *World) paymentMask(p *payment) *string {
	if p.card == 0 {
		return w.accountMask(w.payers.At(p.payer))
	}
	c := w.cards.At(p.card)
	return w.accountMask(&payer{bankMask: c.last4})
}

// emitPayment sends PAYMENT_STATUS_CHANGED. Latitude, payment-event.
func (w *World) emitPayment(p *payment) {
	e := PaymentEvent{Live: w.live(), Event: EventPaymentStatus, Data: PaymentEventData{
		PaymentID: p.id.String(), RegistrationID: w.payers.At(p.payer).id.String(), Amount: p.amount, Currency: currency,
		Status: w.status(p), Timestamp: w.stamp(), AccountNumberMasked: w.paymentMask(p),
	}}
	w.emit(e.Event, p.id, e.Data.Status, paymentEventJSON.Append(w.body[:0], &e, w.is(latitude.PaymentEventAmountText)))
}
