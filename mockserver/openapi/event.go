package openapi

// CompanyEvent is the payload of a webhook about a company's verification.
// Specification, Events.
type CompanyEvent struct {
	Live  bool             `json:"Live" required:"true" example:"false"`
	Event string           `json:"Event" required:"true" enum:"COMPANY_VERIFICATION_STATUS_CHANGED" example:"COMPANY_VERIFICATION_STATUS_CHANGED"`
	Data  CompanyEventData `json:"Data" required:"true"`
}

// CompanyEventData says which company has which status since when.
type CompanyEventData struct {
	CompanyID string `json:"CompanyId" format:"uuid" required:"true" example:"7b0c5b0e-3f0c-4a53-9d3e-6f1f0e9d8c11"`
	Status    string `json:"Status" required:"true" enum:"Verified,Rejected" example:"Verified"`
	Timestamp string `json:"Timestamp" format:"date-time" required:"true" example:"2026-01-02T15:04:05Z"`
}

// PaymentEvent is the payload of a webhook about a payment. latitude.md,
// payment-event.
type PaymentEvent struct {
	Live  bool             `json:"Live" required:"true" example:"false"`
	Event string           `json:"Event" required:"true" enum:"PAYMENT_STATUS_CHANGED" example:"PAYMENT_STATUS_CHANGED"`
	Data  PaymentEventData `json:"Data" required:"true"`
}

// PaymentEventData says which payment has which status since when.
type PaymentEventData struct {
	PaymentID           string  `json:"PaymentId" format:"uuid" required:"true" example:"5d8c9b8e-6f0a-4a53-8d3e-6f1f0e9d8c33"`
	RegistrationID      string  `json:"RegistrationId" format:"uuid" required:"true" example:"5f0c5b0e-3f0c-4a53-9d3e-6f1f0e9d8c33"`
	Amount              int64   `json:"Amount" required:"true" example:"5000"`
	Currency            string  `json:"Currency" required:"true" enum:"USD" example:"USD"`
	Status              string  `json:"Status" required:"true" example:"Paid"`
	Timestamp           string  `json:"Timestamp" format:"date-time" required:"true" example:"2026-01-02T15:04:05Z"`
	AccountNumberMasked *string `json:"AccountNumberMasked" required:"true" nullable:"true" example:"*1111"`
}

// partnerEvents are the webhooks of the partner API.
func partnerEvents() []Event {
	headers := []Header{
		{
			Name: "X-HMAC-Signature", Example: "sha256=6a1f0e2b9c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7",
			Description: "HMAC-SHA256 of the exact bytes of the body, in lower-case hexadecimal; present when the endpoint has a secret.",
		},
		{
			Name: "Sandbox-Delivery", Example: "3f0c4a53-9d3e-4f1f-8e9d-8c117b0c5b0e",
			Description: "The id of the delivery, the same in each attempt.",
		},
	}
	return []Event{
		{"COMPANY_VERIFICATION_STATUS_CHANGED", "A company's verification has ended", CompanyEvent{}, headers},
		{"PAYMENT_STATUS_CHANGED", "A payment has another status", PaymentEvent{}, headers},
	}
}
