// Package openapi owns the OpenAPI 3.1 description: the type in which routes
// are declared, the document that is made from them, and the check that routes,
// Go types and document agree. It answers no requests and knows no state.
package openapi
