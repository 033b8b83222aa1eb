package openapi

import "paysandbox/mockserver/world"

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
		{world.EventCompanyVerification, "A company's verification has ended", world.CompanyEvent{}, headers},
		{world.EventPaymentStatus, "A payment has another status", world.PaymentEvent{}, headers},
	}
}
