// Package clause holds the catalogues of testable requirements: what the service
// owes its partners. A clause has a permanent id, a level and a source. The
// package only reads its embedded files; it judges nothing.
package clause
