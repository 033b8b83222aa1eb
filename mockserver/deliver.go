package mockserver

import (
	"context"

	"paysandbox/mockserver/control"
	"paysandbox/mockserver/delivery"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/webhook"
)

// style is what an integration's ledger chooses about its deliveries.
func (s *Server) style(scope string, _ delivery.View) webhook.Style {
	i := s.registry.Get(scope)
	if i == nil {
		return webhook.Style{}
	}
	set := i.Settings()
	return webhook.Style{UpperHex: set.Is(latitude.SignedBytesUpperHex), Bare: set.Is(latitude.DeliveryHeadersNone)}
}

// Probe tries a webhook address without sending an event.
func (s *Server) Probe(ctx context.Context, address string) control.Probe {
	r := s.sender.Probe(ctx, address)
	return control.Probe{Reachable: r.Reachable, Refused: r.Refused, Status: r.Status, Error: r.Error, Advice: r.Advice}
}
