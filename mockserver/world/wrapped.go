package world

import "paysandbox/mockserver/latitude"

// WrappedID is an id as the endpoint reference writes it: an object.
type WrappedID struct {
	Value string `json:"value" format:"uuid" required:"true" example:"5d8c9b8e-6f0a-4a53-8d3e-6f1f0e9d8c33"`
}

// WrappedTime is a moment as the endpoint reference writes it: an object.
type WrappedTime struct {
	Value string `json:"value" format:"date-time" required:"true" example:"2026-03-01T15:04:05Z"`
}

// WrappedMoney is an amount as the endpoint reference writes it.
type WrappedMoney struct {
	// Value is in cents.
	Value        int64    `json:"value" required:"true" example:"5000"`
	CurrencyCode Currency `json:"currencyCode" required:"true"`
}

// Currency is the one currency of the service as the endpoint reference writes it.
type Currency struct {
	Value       string `json:"value" required:"true" enum:"USD" example:"USD"`
	DisplayName string `json:"displayName" required:"true" example:"US Dollar"`
	CultureName string `json:"cultureName" required:"true" example:"en-US"`
}

func wrapMoney(m Money) WrappedMoney {
	return WrappedMoney{m.Value, Currency{m.Currency, "US Dollar", "en-US"}}
}

func wrapDue(due *string) *WrappedTime {
	if due == nil {
		return nil
	}
	return &WrappedTime{*due}
}

// WrappedStatus is PaymentStatus as the endpoint reference writes it. Latitude,
// details-shape.
type WrappedStatus struct {
	ID           WrappedID    `json:"id" required:"true"`
	Status       string       `json:"status" required:"true" enum:"Pending,Scheduled,Queued,InReview,Processing,Paid,Failed,Denied,Canceled,Challenged,Authorised,Declined" example:"Pending"`
	Amount       WrappedMoney `json:"amount" required:"true"`
	CreationDate WrappedTime  `json:"creationDate" required:"true"`
	DueDate      *WrappedTime `json:"dueDate" required:"true" nullable:"true"`
}

// Wrapped writes the status as the endpoint reference does.
func (s PaymentStatus) Wrapped() any {
	return WrappedStatus{WrappedID{s.ID}, s.Status, wrapMoney(s.Amount), WrappedTime{s.CreationDate}, wrapDue(s.DueDate)}
}

// WrappedDetails is PaymentDetails as the endpoint reference writes it: the members
// that it wraps stand before those that are as ever.
type WrappedDetails struct {
	ExternalPaymentRequestID WrappedID    `json:"externalPaymentRequestId" required:"true"`
	Amount                   WrappedMoney `json:"amount" required:"true"`
	CreationDate             WrappedTime  `json:"creationDate" required:"true"`
	DueDate                  *WrappedTime `json:"dueDate" required:"true" nullable:"true"`
	PaymentParty
}

// Wrapped writes the details as the endpoint reference does.
func (d PaymentDetails) Wrapped() any {
	return WrappedDetails{WrappedID{d.ExternalPaymentRequestID}, wrapMoney(d.Amount), WrappedTime{d.CreationDate}, wrapDue(d.DueDate), d.PaymentParty}
}

// Wraps says whether details and status are written as the endpoint reference does.
func Wraps(s latitude.Settings) bool { return s.Is(latitude.DetailsShapeWrapped) }
