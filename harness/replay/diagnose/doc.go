// Package diagnose says where a recording first went wrong, whose side that is, and on
// what evidence: from the checks of both sides, from what was refused, and from what
// differs. It never guesses: what cannot be told is undecidable, with what to ask for.
//
// It makes no calls, and plays nothing.
package diagnose
