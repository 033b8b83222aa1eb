package control

import (
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/kernel"
)

// Ready says that the sandbox is serving.
type Ready struct {
	// Status is always ready; a sandbox that stops answers 503.
	Status string `json:"status" required:"true" enum:"ready" example:"ready"`
	// Version is the sandbox's own.
	Version string `json:"version" required:"true" example:"v1.2.0"`
}

func ready(x *exchange, _ *integration.Integration) (Ready, error) {
	if x.control.life.Over() {
		return Ready{}, &kernel.Error{Code: kernel.Unavailable, Detail: "the sandbox is stopping"}
	}
	return Ready{Status: "ready", Version: x.control.opts.Version}, nil
}
