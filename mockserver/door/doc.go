// Package door is what the HTTP surfaces share whose calls go on a tape: the partner
// API, the hosted pages and the control API.
//
// It owns the table of operations on gorilla/mux (paths in other spellings, the
// methods of a path, the nearest operation), the way of a request through the
// house ([Door.Serve]: who calls, then the body, then the act under the lock,
// then write, flush and send), what of a request goes on the tape, the bounds of
// bodies and the refusals that follow, and where a request comes from.
//
// Not on it are the console, which puts nothing on a tape by itself (what a person does
// there is a call of the partner or the control API, and comes through the door), and
// what is only read: the descriptions of openapi, the files of theme, the figures and the
// welcome of mockserver. They have pages and files, not operations.
//
// It must not know an operation: which there are, who may call them, what they
// do and how a refusal looks is the surface's own.
package door
