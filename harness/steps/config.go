package steps

import (
	"errors"
	"net/http"
	"time"
)

// Config says against which service the scenarios run. It is the same for all of
// them.
type Config struct {
	// BaseURL is the service's address without a slash at the end.
	BaseURL string
	// ControlURL is the address of the sandbox that has the control API, mostly
	// BaseURL; empty for a service without one. Each scenario then shares the
	// credentials below, and the steps that need the control API fail with
	// ErrNeedsControl.
	ControlURL string
	// ControlToken opens the control API where it wants one.
	ControlToken string
	// ClientID and ClientSecret are used when there is no control API.
	ClientID, ClientSecret string
	// Run tells runs against a shared service apart: it is part of every
	// reference that a scenario chooses when there is no control API.
	Run string
	// Seed is mixed into every scenario's own seed.
	Seed uint64
	// HTTP makes the calls; nil means http.DefaultClient.
	HTTP *http.Client
	// Patience is how long a step waits for a webhook; 0 means 5 s.
	Patience time.Duration
}

// ErrNeedsControl says that a step cannot be played without the control API.
var ErrNeedsControl = errors.New("the step needs the sandbox's control API, which the target does not have")

func (c *Config) patience() time.Duration {
	if c.Patience == 0 {
		return 5 * time.Second
	}
	return c.Patience
}
