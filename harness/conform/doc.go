// Package conform judges whether an OpenAPI 3.1 document is sound, and whether
// exchanges keep to it. It knows nothing of the sandbox but its document. It is
// for tests alone: its libraries take several milliseconds to load, so nothing of
// the binary may import it; what a run needs of a document is in schema.
package conform
