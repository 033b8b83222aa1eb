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
	// Kept is how the log stands, where inputs are kept (--data, --cluster).
	Kept *Kept `json:"kept,omitempty"`
}

// Kept is how the log of inputs stands.
type Kept struct {
	// Position is the last message of the log that was applied, and Lag how many are to be.
	Position uint64 `json:"position" required:"true" example:"10412"`
	Lag      uint64 `json:"lag" required:"true" example:"0"`
	// SnapshotPosition is the last message in the newest snapshot, and SnapshotAge how long
	// ago that was written, in seconds; 0 and null without one.
	SnapshotPosition uint64 `json:"snapshotPosition" required:"true" example:"10000"`
	SnapshotAge      *int64 `json:"snapshotAge" required:"true" example:"42"`
	// Awake and Sleeping count the integrations in memory and out of it.
	Awake    int `json:"awake" required:"true" example:"100"`
	Sleeping int `json:"sleeping" required:"true" example:"99900"`
	// OtherBuild says how much of the log another build had applied before this start has.
	OtherBuild string `json:"otherBuild,omitempty" example:"messages behind the newest snapshot: 12; they were applied by paysandbox v1.1.0"`
}

func ready(x *exchange, _ *integration.Integration) (Ready, error) {
	if x.control.life.Over() {
		return Ready{}, &kernel.Error{Code: kernel.Unavailable, Detail: "the sandbox is stopping"}
	}
	r := Ready{Status: "ready", Version: x.control.opts.Version}
	var err error
	if x.control.opts.Kept != nil {
		r.Kept, err = x.control.opts.Kept(x.Req.Context())
	}
	return r, err
}
