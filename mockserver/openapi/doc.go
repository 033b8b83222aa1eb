// Package openapi owns the OpenAPI 3.1 description: the type in which routes
// are declared, the document that is made from them and from the Go types of
// their bodies, and the pages that show it. It answers no calls of an API, knows
// no state, and builds nothing before it is asked for. The harness judges documents
// and exchanges, by its packages schema and conform.
package openapi
