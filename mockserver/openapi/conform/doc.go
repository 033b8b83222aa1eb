// Package conform judges whether an OpenAPI 3.1 document is sound, and whether
// exchanges keep to it. It knows nothing of the sandbox but its document. It is
// for tests and checks: its libraries take several milliseconds to load, so the
// sandbox itself must not import it.
package conform
