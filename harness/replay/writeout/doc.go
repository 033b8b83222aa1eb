// Package writeout writes a case in the forms that people and tools take: a feature for
// verify, a Go test on mocktest, a curl script, an .http file, a Postman collection, a HAR,
// a tape, a page, and Markdown for a ticket. What of a case a form cannot say, stands in it as a comment.
//
// It plays nothing and judges nothing.
package writeout
