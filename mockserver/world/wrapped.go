package world

import "paysandbox/mockserver/latitude"

// Wrapped is a value as the endpoint reference writes ids and times: an object.
type Wrapped[T any] struct {
	Value T `json:"value" required:"true"`
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

func wrap[T any](v *T) *Wrapped[T] {
	if v == nil {
		return nil
	}
	return &Wrapped[T]{*v}
}

// WrappedStatus is PaymentStatus as the endpoint reference writes it. latitude.md,
// details-shape.
type WrappedStatus struct {
	ID           Wrapped[string]  `json:"id" required:"true"`
	Status       string           `json:"status" required:"true"`
	Amount       WrappedMoney     `json:"amount" required:"true"`
	CreationDate Wrapped[string]  `json:"creationDate" required:"true"`
	DueDate      *Wrapped[string] `json:"dueDate" required:"true" nullable:"true"`
}

// Wrapped writes the status as the endpoint reference does.
func (s PaymentStatus) Wrapped() any {
	return WrappedStatus{Wrapped[string]{s.ID}, s.Status, wrapMoney(s.Amount), Wrapped[string]{s.CreationDate}, wrap(s.DueDate)}
}

// WrappedDetails is PaymentDetails as the endpoint reference writes it: the members
// that it wraps stand before those that are as ever.
type WrappedDetails struct {
	ExternalPaymentRequestID Wrapped[string]  `json:"externalPaymentRequestId" required:"true"`
	Amount                   WrappedMoney     `json:"amount" required:"true"`
	CreationDate             Wrapped[string]  `json:"creationDate" required:"true"`
	DueDate                  *Wrapped[string] `json:"dueDate" required:"true" nullable:"true"`
	PaymentParty
}

// Wrapped writes the details as the endpoint reference does.
func (d PaymentDetails) Wrapped() any {
	return WrappedDetails{Wrapped[string]{d.ExternalPaymentRequestID}, wrapMoney(d.Amount), Wrapped[string]{d.CreationDate}, wrap(d.DueDate), d.PaymentParty}
}

// Wraps says whether details and status are written as the endpoint reference does.
func Wraps(s latitude.Settings) bool { return s.Is(latitude.DetailsShapeWrapped) }
