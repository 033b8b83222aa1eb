package tape

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"iter"
	"strings"
	"unicode/utf8"
)

// Write writes a whole tape file: the header, the entries, one JSON object a line,
// and the line that ends it. The same input gives the same bytes. It stops at the first entry that
// [Read] would refuse (see Entry.Validate) or that does not increase.
func Write(w io.Writer, m Meta, entries iter.Seq[Entry]) error {
	buffered := bufio.NewWriter(w)
	tw := NewWriter(buffered)
	if err := tw.WriteMeta(m); err != nil {
		return err
	}
	for e := range entries {
		if err := tw.WriteEntry(e); err != nil {
			return err
		}
	}
	if err := tw.WriteEnd(); err != nil {
		return err
	}
	if err := buffered.Flush(); err != nil {
		return fmt.Errorf("write tape: %w", err)
	}
	return nil
}

// Writer writes a tape line by line, for a reader that waits for what comes
// next. It does not buffer: each call is one Write.
type Writer struct {
	w    io.Writer
	last uint64
	seal seal
}

// NewWriter returns a writer that has written nothing yet.
func NewWriter(w io.Writer) *Writer { return &Writer{w: w, seal: newSeal()} }

// WriteMeta writes the header line.
func (w *Writer) WriteMeta(m Meta) error {
	line, err := toJSON(m)
	if err != nil {
		return fmt.Errorf("write tape header: %w", err)
	}
	return w.line(line)
}

// WriteEntry writes one entry. Bytes of Path and Query that are not UTF-8 are
// written percent-encoded, which means the same; in other texts than bodies and
// header values they become U+FFFD. The error wraps ErrSeq, ErrCause, ErrKind
// or ErrBody when the entry is not one that [Read] takes.
func (w *Writer) WriteEntry(e Entry) error {
	if err := e.Validate(); err != nil {
		return fmt.Errorf("write to tape file: %w", err)
	}
	if e.Seq <= w.last {
		return fmt.Errorf("write to tape file: entry %d after entry %d: %w", e.Seq, w.last, ErrSeq)
	}
	if e.Exchange != nil {
		x := *e.Exchange
		x.Path, x.Query = percent(x.Path), percent(x.Query)
		e.Exchange = &x
	}
	line, err := e.MarshalJSON() // by an encoder it would be looked through once more
	if err != nil {
		return fmt.Errorf("write entry %d: %w", e.Seq, err)
	}
	w.last = e.Seq
	w.seal.entries++
	return w.line(line)
}

// WriteEnd writes the line that ends a file, by which a reader knows that nothing
// is missing. A stream that has no end has no such line.
func (w *Writer) WriteEnd() error {
	line, err := toJSON(w.seal.line())
	if err != nil {
		return fmt.Errorf("write the end of a tape: %w", err)
	}
	return w.line(line)
}

func (w *Writer) line(b []byte) error {
	w.seal.add(b)
	if _, err := w.w.Write(append(b, '\n')); err != nil {
		return fmt.Errorf("write tape: %w", err)
	}
	return nil
}

// percent encodes the bytes of a path or query that are not valid UTF-8.
func percent(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		if r == utf8.RuneError && n == 1 {
			fmt.Fprintf(&b, "%%%02X", s[0])
		} else {
			b.WriteString(s[:n])
		}
		s = s[n:]
	}
	return b.String()
}

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
