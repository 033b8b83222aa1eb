// Package record is what a play reads of a tape and writes on it: calls with their
// bodies read, and the bodies of its notes.
package record
