// Package api is the partner-facing HTTP API. routes.go is the one table of its
// operations; one file a resource holds the endpoints, each a use case of the
// world, or a function from the world and a request to a response. exchange.go is
// what the API decides about a request on its way through the door: who calls,
// how a body is read, how an answer looks; faultanswer.go is how a fault changes
// that. The package keeps no state but the idempotency keys of calls at work.
package api
