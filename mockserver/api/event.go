package api

import (
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/openapi"
	"paysandbox/mockserver/world"
)

// Events are the webhooks that the API sends under these choices.
func Events(s latitude.Settings) []openapi.Event {
	signature := openapi.Header{
		Name: "X-HMAC-Signature", Example: "sha256=6a1f0e2b9c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7",
		Description: "HMAC-SHA256 of the exact bytes of the body, in lower-case hexadecimal; present when the endpoint has a secret.",
	}
	if s.Is(latitude.SignedBytesUpperHex) {
		signature.Example = "sha256=6A1F0E2B9C3D4E5F60718293A4B5C6D7E8F90A1B2C3D4E5F60718293A4B5C6D7"
		signature.Description = "HMAC-SHA256 of the exact bytes of the body, in upper-case hexadecimal; present when the endpoint has a secret."
	}
	headers := []openapi.Header{signature}
	if !s.Is(latitude.DeliveryHeadersNone) {
		headers = append(headers, openapi.Header{
			Name: "Sandbox-Delivery", Example: "3f0c4a53-9d3e-4f1f-8e9d-8c117b0c5b0e", Format: "uuid",
			Description: "The id of the delivery, the same in each attempt.",
		})
	}
	return []openapi.Event{
		{Name: world.EventCompanyVerification, Summary: "A company's verification has ended", Body: world.CompanyEvent{}, Headers: headers},
		{Name: world.EventPaymentStatus, Summary: "A payment has another status", Body: world.PaymentEvent{}, Headers: headers},
	}
}
