// Package app is the reference partner application: a small, correct integration
// with the payment service, with a server for webhooks and returning payers, a
// store in memory, and a client that is prepared for trouble.
//
// It owns what an integration owns: when to call, what to send, what to believe.
// It must not know the harness that watches it: nothing here reads a tape or
// plays a payer, but for the tour (tour.go), which is a partner's own test suite.
package app
