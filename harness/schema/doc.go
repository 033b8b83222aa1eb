// Package schema finds its way through an OpenAPI 3.1 description and holds JSON
// values to the schemas in it. It knows pointers, references and schemas; it must
// not know operations, exchanges or tapes.
package schema
