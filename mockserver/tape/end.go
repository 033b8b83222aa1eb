package tape

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"hash"
)

// Ending is how a tape file ends. The zero value is that of a whole one, and of a
// tape that does not come from a file.
type Ending uint8

// The endings.
const (
	// Whole: the last line says how many entries there are and what digest all that
	// stands before it has, and that is so.
	Whole Ending = iota
	// Open: there is no such line. The file was cut off or still is being written,
	// comes from a stream, or from a release that wrote none. Nothing may be said
	// about what happened after its last entry.
	Open
	// Changed: what the line says is not so. Entries were lost, added or edited
	// after the file was written.
	Changed
)

// String is the ending for people.
func (e Ending) String() string {
	switch e {
	case Whole:
		return "whole"
	case Open:
		return "incomplete: the line at its end is missing"
	default:
		return "changed since it was written"
	}
}

// endMark begins the last line of a file.
var endMark = []byte(`{"end":`)

// endLine is the last line of a file.
type endLine struct {
	End struct {
		// Entries is the number of entries in the file.
		Entries int `json:"entries"`
		// SHA256 is the digest, in lower-case hex, of the lines before this one, each
		// with its line feed.
		SHA256 string `json:"sha256"`
	} `json:"end"`
}

// seal counts and digests what a file holds so far.
type seal struct {
	entries int
	digest  hash.Hash
}

func newSeal() seal { return seal{digest: sha256.New()} }

// add takes a line without its line feed; a digest takes everything.
func (s *seal) add(line []byte) {
	s.digest.Write(line)
	s.digest.Write([]byte{'\n'})
}

// line is the last line of what was added.
func (s *seal) line() (l endLine) {
	l.End.Entries, l.End.SHA256 = s.entries, hex.EncodeToString(s.digest.Sum(nil))
	return l
}

// isEnd tells whether a line is the last one of a file.
func isEnd(line []byte) bool { return bytes.HasPrefix(bytes.TrimSpace(line), endMark) }
