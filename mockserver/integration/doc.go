// Package integration runs one integration: it holds the lock, the virtual
// clock, the world, the tape and the outbox together, and keeps the registry of
// all integrations of a server.
//
// Do is the heart: it takes one input under the lock, lets the world act, puts
// the input and its consequences on the tape, and hands back what has to leave
// the sandbox. Nothing leaves before it is on the tape. The package knows no
// routes, pages or JSON; api, hosted and control call it, never each other.
package integration
