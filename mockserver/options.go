package mockserver

import (
	"log/slog"
	"time"

	"paysandbox/mockserver/console"
	"paysandbox/mockserver/console/cases"
	"paysandbox/mockserver/console/readiness"
	"paysandbox/mockserver/durable"
	"paysandbox/mockserver/durable/shelf"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/openapi"
)

// Options are what a server is made from. The zero value of each member means
// its default.
type Options struct {
	// Integration makes the default integration.
	Integration integration.Options
	// Surface leaves out operations beyond it; empty means all.
	Surface openapi.Surface
	// ControlToken must be sent to the control API as a bearer token; empty
	// leaves the control API open, which is right on a loopback address only.
	ControlToken string
	// ReadToken may be sent instead by those who look and move nothing; it means
	// something only where there is a ControlToken.
	ReadToken string
	// Loopback says that this machine alone can call: requests under a name that is
	// not this machine's are refused.
	Loopback bool
	// BehindProxy says that a proxy which is ours sets X-Forwarded-Proto and
	// X-Forwarded-Host; without it they are not read, for anybody can send them.
	BehindProxy bool
	// AllowPrivateNetworks lets webhooks and attachments reach private and
	// link-local addresses.
	AllowPrivateNetworks bool
	// AllowLoopback lets webhooks and attachments reach this machine's loopback
	// addresses also when other machines can call (Loopback is false): they can then
	// read what listens there.
	AllowLoopback bool
	// Resolve is asked before a webhook receiver or a file server, given as its host
	// and port with a colon between them, is dialled: a non-empty answer of the same
	// form is dialled instead, if it is one that may be called. It gives a receiver
	// on a free port a fixed name, so that tapes are equal byte for byte. nil, or an
	// empty answer, leaves names to the system. It may be called from many
	// goroutines at once.
	Resolve func(hostport string) string
	// WebhookTimeout is how long a receiver may take to answer; 0 means 15 s.
	WebhookTimeout time.Duration
	// StopTimeout is how long requests under way may take when the server is to end;
	// 0 means 8 s.
	StopTimeout time.Duration
	// Version is the sandbox's own version; empty means "dev".
	Version string
	// Build names this very program, for logs that another one has applied; empty tells of none.
	Build string
	// Log gets what happens; nil logs nothing.
	Log *slog.Logger
	// Wall is the wall clock; nil means time.Now.
	Wall func() time.Time
	// Titles gives the titles of clauses for the console; nil when nobody knows them.
	Titles func(clause string) string
	// Judge comes to the verdict on a tape that the console shows; nil when nobody can.
	Judge readiness.Judge
	// Report reads a stored report for the console; nil when nobody can. Reports are those of
	// a folder, whose trend it shows; nil without one.
	Report  readiness.Read
	Reports func() []*readiness.Stored
	// Case makes a case of a file that a partner sent, for the console; nil when nobody can.
	Case cases.Make
	// Perform does a task for an application in the console; nil when nobody can.
	Perform console.Perform
	// Inputs is the log that all inputs go to before they are applied; nil keeps nothing. The
	// server closes it.
	Inputs durable.Log
	// Images are the snapshots that a start goes on from; nil keeps none. ImageEvery is how
	// many inputs come between two, or messages where Inputs is shared; 0 means 10,000.
	Images     *durable.Images
	ImageEvery int64
	// Shelf keeps integrations that sleep, where Images are; nil lets none sleep. One sleeps
	// that nobody has asked for since SleepAfter; 0 means ten minutes.
	Shelf      *shelf.Shelf
	SleepAfter time.Duration
	// Shared says that other processes serve what is in the log, too.
	Shared bool
	// Patience is how long a start waits for a log that others share.
	Patience time.Duration
	// Carrier replaces the sender of webhooks and fetcher of attachments.
	Carrier integration.Carrier
}
