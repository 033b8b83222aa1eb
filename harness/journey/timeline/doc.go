// Package timeline tells a tape to people: when, who, what, and the money collected
// so far.
//
// It owns the words for calls, changes, events and messages, and the books of the
// money. It reads nothing but the tape, and judges nothing.
package timeline
