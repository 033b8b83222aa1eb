// Package judge holds the tape of an integration to what it owes the service, and
// says whether it is ready for production.
//
// It owns the results of the clauses with their evidence, what is missing and how to
// exercise it, the sentence, and how the run ends. It is pure: a tape that was saved
// and judged later comes to the same verdicts.
package judge
