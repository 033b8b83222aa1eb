package world

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
