// Package redact strikes secrets out of what the harness tells. It knows the server's
// own list of secrets as little as the server knows this one: two oracles.
package redact
