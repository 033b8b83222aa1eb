package integration

import (
	"paysandbox/mockserver/integration/envelope"
	"paysandbox/mockserver/kernel"
)

// Kept is everything that is kept of the integration.
func (i *Integration) Kept() kernel.Packable { return i.content() }

// Under is a snapshot of what is kept under a header, whatever it is.
func Under(kept []byte) []byte { return envelope.Close(append(envelope.Header(), kept...)) }
