package world

import "paysandbox/mockserver/kernel"

// journalEntry is one line of the transaction report.
type journalEntry struct {
	company, row uint32
	terminal     bool // row is of an external card payment
}

// Pack lists the fields of a line.
func (e *journalEntry) Pack(k *kernel.Codec) {
	k.Rows(toCompany, &e.company)
	k.Bools(&e.terminal)
	if e.terminal {
		k.Rows(toTerminal, &e.row)
		return
	}
	k.Rows(toPayment, &e.row)
}

// The statuses of the transaction report.
const (
	ReportCreated   = "Created"
	ReportPending   = "Pending"
	ReportProcessed = "Processed"
	ReportCompleted = "Completed"
	ReportCancelled = "Cancelled"
	ReportFailed    = "Failed"
)

var reportStatuses = []string{ReportCreated, ReportPending, ReportProcessed, ReportCompleted, ReportCancelled, ReportFailed}

// The report's status of each state. The mapping is the sandbox's own: Created
// waits for the payer, Pending for a date, a review or the bank, Processed is
// on its way, Cancelled is over before money moved.
var (
	paymentReport = [...]string{
		PaymentPending: ReportCreated, PaymentScheduled: ReportPending, PaymentQueued: ReportPending, PaymentInReview: ReportPending,
		PaymentProcessing: ReportProcessed, PaymentPaid: ReportCompleted, PaymentFailed: ReportFailed,
		PaymentDenied: ReportCancelled, PaymentCanceled: ReportCancelled,
	}
	chargeReport = [...]string{
		ChargeProcessing: ReportProcessed, ChargePaid: ReportCompleted, ChargeDenied: ReportFailed, ChargeFailed: ReportFailed,
	}
	cardPaymentReport = [...]string{
		CardPaymentPending: ReportPending, CardPaymentSucceeded: ReportCompleted, CardPaymentFailed: ReportFailed,
		CardPaymentCancelled: ReportCancelled, CardPaymentRefunded: ReportCompleted,
	}
)

func (w *World) reportStatus(p *payment) string {
	if p.kind == kindSavedCard {
		return chargeReport[p.state]
	}
	return paymentReport[p.state]
}

// Report is one page of the transaction report.
type Report struct {
	// Transactions are oldest first.
	Transactions []Transaction `json:"transactions" required:"true" nullable:"false"`
	HasMore      bool          `json:"hasMore" required:"true" example:"false"`
	// NextCursor asks for the next page; null when HasMore is false.
	NextCursor *string `json:"nextCursor" required:"true" nullable:"true" example:"AAAAMkpmK3E"`
}

// Transaction is one line of the transaction report.
type Transaction struct {
	// ExternalTransferID is the paymentRequestId where there is one.
	ExternalTransferID string `json:"externalTransferId" format:"uuid" required:"true" example:"5d8c9b8e-6f0a-4a53-8d3e-6f1f0e9d8c33"`
	// PaymentRequestID is null for an external card payment.
	PaymentRequestID *string `json:"paymentRequestId" format:"uuid" required:"true" nullable:"true" example:"5d8c9b8e-6f0a-4a53-8d3e-6f1f0e9d8c33"`
	Status           string  `json:"status" required:"true" enum:"Created,Pending,Processed,Completed,Cancelled,Failed" example:"Completed"`
	// Amount and RefundedAmount are in cents.
	Amount         int64  `json:"amount" required:"true" example:"5000"`
	RefundedAmount int64  `json:"refundedAmount" required:"true" example:"0"`
	Currency       string `json:"currency" required:"true" enum:"USD" example:"USD"`
	CreationDate   string `json:"creationDate" format:"date-time" required:"true" example:"2026-03-01T15:04:05Z"`
	// DueDate is midnight UTC of the due date, null when there is none.
	DueDate *string `json:"dueDate" format:"date-time" required:"true" nullable:"true" example:"2026-03-31T00:00:00Z"`
	// PaymentMethod is BankAccount, SavedCard or CardTerminal.
	PaymentMethod string `json:"paymentMethod" required:"true" enum:"BankAccount,SavedCard,CardTerminal" example:"BankAccount"`
	// SenderName is the payer's name, or else how the payer is reached.
	SenderName    string  `json:"senderName" required:"true" example:"+12025550123"`
	SenderAccount *string `json:"senderAccount" required:"true" nullable:"true" example:"*1111"`
	// RecipientName is the company's name, or an unknown merchantId.
	RecipientName    string   `json:"recipientName" required:"true" example:"Fit Gym"`
	RecipientAccount *string  `json:"recipientAccount" required:"true" nullable:"true" example:"*2222"`
	RecipientAddress *Address `json:"recipientAddress" required:"true" nullable:"true"`
	// Reference is what the partner sent with the payment.
	Reference string `json:"reference" required:"true" example:"inv-1001"`
}

// transaction writes one line. to is the company of the line before, which is
// mostly this line's too.
func (w *World) transaction(e *journalEntry, to *paidCompany) Transaction {
	if e.company != 0 && to.company != e.company {
		*to = w.paidCompany(e.company)
	}
	if e.terminal {
		return w.terminalTransaction(w.terminal.At(e.row), to)
	}
	p := w.payments.At(e.row)
	var t paymentTexts
	w.texts.Unpack(p.texts, &t)
	payer, id := w.payers.At(p.payer), p.id.String()
	line := Transaction{
		ExternalTransferID: id, PaymentRequestID: &id, Status: w.reportStatus(p), Amount: p.amount, RefundedAmount: p.refunded,
		Currency: currency, CreationDate: w.timeText(p.created), DueDate: w.dueText(p), PaymentMethod: "BankAccount",
		SenderName:    firstText(w.texts.String(payer.name), w.texts.String(payer.phone), w.texts.String(payer.email)),
		SenderAccount: w.paymentMask(p), Reference: t.Reference,
	}
	if p.kind == kindSavedCard {
		line.PaymentMethod = "SavedCard"
	}
	line.receivedBy(to)
	return line
}

// paidCompany is the company that gets the money of a line.
type paidCompany struct {
	company uint32
	name    string
	account *string
	address Address
}

func (w *World) paidCompany(company uint32) paidCompany {
	c := w.companies.At(company)
	var t NewCompany
	w.texts.Unpack(c.details, &t)
	return paidCompany{company, w.texts.String(c.name), w.accountMask(&payer{bankMask: c.bankMask}), t.address()}
}

// address is a company's address as the service returns it.
func (c *NewCompany) address() Address {
	return Address{
		StreetNumberAndName: c.StreetNumberAndName, ApartmentNumber: c.ApartmentNumber,
		City: c.City, ZipCode: c.ZipCode, State: c.State, Country: country,
	}
}

func (t *Transaction) receivedBy(to *paidCompany) {
	t.RecipientName, t.RecipientAccount, t.RecipientAddress = to.name, to.account, new(to.address)
}

func firstText(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}
