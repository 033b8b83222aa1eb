// Package partner is the partner's side of the wire: an API client with wire
// types of its own, a client of the sandbox's control API that plays payers,
// banks and time, and a webhook receiver. It shares no type with the server, so
// that a mistyped JSON tag fails on one side.
package partner
