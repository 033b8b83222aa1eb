// Package door is what every HTTP surface of the sandbox shares: the partner
// API, the hosted pages and the control API.
//
// It owns the table of operations on gorilla/mux (paths in other spellings, the
// methods of a path, the nearest operation), the way of a request through the
// house ([Door.Serve]: who calls, then the body, then the act under the lock,
// then write, flush and send), what of a request goes on the tape, the bounds of
// bodies and the refusals that follow, and where a request comes from.
//
// It must not know an operation: which there are, who may call them, what they
// do and how a refusal looks is the surface's own.
package door
