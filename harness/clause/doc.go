// Package clause holds the two catalogues of testable requirements: what the
// service owes its partners, and what a partner's integration owes the service.
// A clause has a permanent id, a level, a source and a title; one of an integration says,
// too, how it is exercised and how what breaks it is mended. Beside them stand the rules
// that any tape is held to, with the clauses of the service that each stands for. These
// texts stand in the catalogues alone. The package only reads its embedded files; it judges nothing.
package clause
