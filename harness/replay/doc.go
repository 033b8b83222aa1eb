// Package replay makes cases of what partners report: it plays a recording to a fresh
// world of a sandbox, infers what the recording does not show, compares, and says where
// it first went wrong and whose side that is. What a recording is, how values are
// linked, how moves are inferred, how answers are compared and what a diagnosis is, the
// packages below it say.
//
// It talks HTTP to the sandbox that it is handed, and reads no files.
package replay
