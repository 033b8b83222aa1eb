// Package tapes reads saved tapes for people: chosen lines, one entry in full, a
// search, what differs between two, and a page that is one file.
//
// It owns what is shown of an entry that stands in a file, and nothing else: it
// starts no sandbox, judges nothing and changes no file but the one it writes.
package tapes
