// Package api is the partner-facing HTTP API. routes.go is the one table of its
// operations; one file a resource holds the endpoints, each a function from the
// world and a request to a response. exchange.go is the one adapter: it judges
// the caller, reads the body before the lock, runs the endpoint in
// integration.Do, and writes the answer once. The package keeps no state.
package api
