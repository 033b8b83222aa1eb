// Package clause holds the two catalogues of testable requirements: what the
// service owes its partners, and what a partner's integration owes the service.
// A clause has a permanent id, a level and a source. The package only reads its
// embedded files; it judges nothing.
package clause
