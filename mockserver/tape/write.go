package tape

import (
	"bufio"
	"fmt"
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
	line, err := toJSON(e)
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
