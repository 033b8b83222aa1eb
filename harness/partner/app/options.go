package app

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"
)

// Options say where the service is, who the application is, and what it may
// use of the world. Every zero value but the first three means a default.
type Options struct {
	// BaseURL is the service's address without a slash at the end.
	BaseURL string
	// ClientID and ClientSecret are the credentials of the integration.
	ClientID, ClientSecret string
	// WebhookSecret signs deliveries; more can be accepted later.
	WebhookSecret string
	// Addr is what the application's own server listens on; "" is a free port of
	// 127.0.0.1.
	Addr string
	// PublicURL is what the application tells the service as its own address,
	// without a slash at the end; "" is the listener's.
	PublicURL string
	// HTTP makes the calls; nil is a client of its own. Timeout holds with both.
	HTTP *http.Client
	// Timeout bounds one attempt of a call; 0 is [DefaultTimeout].
	Timeout time.Duration
	// Seed decides keys, references and jitter.
	Seed uint64
	// Now tells the time of day. It is required: this package has no clock.
	Now func() time.Time
	// Sleep waits, or ends with the context's error; nil waits in wall time.
	Sleep func(ctx context.Context, d time.Duration) error
	// Manual keeps every work within Do and Drain: nothing happens in between,
	// and the same seed and answers lead to the same calls in the same order.
	Manual bool
	// Parallel is how many calls are made at a time where many are due; 0 is 1.
	Parallel int
	// Keys says that the service honours an Idempotency-Key; nobody has published
	// that it does. Without it no key is sent, and what became of a payment whose
	// answer was lost is looked up.
	Keys bool
	// Polls says that the application receives no webhooks: it learns what has become of
	// a payment by reading it again, also after it was Paid.
	Polls bool
	// Careless is the one clause that is broken on purpose; zero is careful.
	Careless Carelessness
	// Say is told what the application does, one line at a time; nil is nobody.
	Say func(line string)
}

// DefaultTimeout is the patience with one attempt of a call. A service that
// settles within 5 seconds is never left alone; the second more is for the way.
const DefaultTimeout = 6 * time.Second

// errOptions is wrapped by what Validate finds.
var errOptions = errors.New("the application cannot start")

// Validate tells what is missing or unknown.
func (o Options) Validate() error {
	switch {
	case o.BaseURL == "" || o.ClientID == "" || o.ClientSecret == "":
		return fmt.Errorf("%w: it needs the service's address and credentials", errOptions)
	case o.Now == nil:
		return fmt.Errorf("%w: it needs a clock", errOptions)
	case o.Careless != "" && !slices.ContainsFunc(Careless(), func(v Variant) bool { return v.Name == o.Careless }):
		return fmt.Errorf("%w: there is no careless variant %q", errOptions, o.Careless)
	}
	return nil
}

// withDefaults fills what was left open.
func (o Options) withDefaults() Options {
	if o.HTTP == nil {
		o.HTTP = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 16, IdleConnTimeout: time.Minute}}
	}
	if o.Timeout == 0 {
		o.Timeout = DefaultTimeout
	}
	if o.Sleep == nil {
		o.Sleep = wallSleep
	}
	if o.Addr == "" {
		o.Addr = "127.0.0.1:0"
	}
	if o.Say == nil {
		o.Say = func(string) {}
	}
	o.Parallel = max(1, o.Parallel)
	return o
}

// wallSleep waits in wall time.
func wallSleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
