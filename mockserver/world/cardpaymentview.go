package world

import "slices"

// CardPaymentView is an external card payment as the portal shows it.
type CardPaymentView struct {
	ID, Status, MobileNumber, CardType, MerchantID, Email, PatientReferenceNumber string
	// CompanyID is empty when the merchantId names no company.
	CompanyID string
	// Amount is in cents.
	Amount int64
	// Created is in nanoseconds since 1970 UTC.
	Created int64
	// Legal are the events that the state admits.
	Legal []string
}

// CardPayments lists the external card payments of the integration, oldest
// first; of one company when companyID is not empty.
func (w *World) CardPayments(companyID string) []CardPaymentView {
	list := []CardPaymentView{}
	for _, p := range w.terminal.All() {
		if v := w.cardPaymentView(p); companyID == "" || companyID == v.CompanyID {
			list = append(list, v)
		}
	}
	return list
}

func (w *World) cardPaymentView(p *cardPayment) CardPaymentView {
	var t NewCardPayment
	w.texts.Unpack(p.texts, &t)
	v := CardPaymentView{
		ID: p.id.String(), Status: CardPaymentMachine.States[p.state], MobileNumber: t.MobileNumber, CardType: t.CardType,
		MerchantID: t.MerchantID, Email: t.Email, PatientReferenceNumber: t.PatientReferenceNumber,
		Amount: p.amount, Created: p.created, Legal: slices.Clone(CardPaymentMachine.Legal(p.state)),
	}
	if p.company != 0 {
		v.CompanyID = w.companies.At(p.company).id.String()
	}
	return v
}

// terminalTransaction writes a card payment as a line of the report.
func (w *World) terminalTransaction(p *cardPayment, to *paidCompany) Transaction {
	var t NewCardPayment
	w.texts.Unpack(p.texts, &t)
	line := Transaction{
		ExternalTransferID: p.id.String(), Status: cardPaymentReport[p.state], Amount: p.amount, Currency: currency,
		CreationDate: w.timeText(p.created), PaymentMethod: "CardTerminal", SenderName: t.MobileNumber,
		RecipientName: t.MerchantID, Reference: t.PatientReferenceNumber,
	}
	if p.state == CardPaymentRefunded {
		line.RefundedAmount = p.amount
	}
	if p.company != 0 {
		line.receivedBy(to)
	}
	return line
}
