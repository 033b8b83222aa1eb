package tape

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"
)

// The bounds of Read when its options say nothing.
const (
	// DefaultLineBytes is the longest line that is read.
	DefaultLineBytes = 64 << 20
	// DefaultFileBytes is the largest file that is read.
	DefaultFileBytes = 1 << 30
)

// Errors that a [LineError] may wrap.
var (
	// ErrTooLarge means that a line or the file is larger than the options allow.
	ErrTooLarge = errors.New("too large")

	errNoHeader  = errors.New(`the first line has no member "tape"`)
	errVersion   = errors.New("unknown version")
	errUTF8      = errors.New("not valid UTF-8")
	errNotObject = errors.New("not a JSON object")
	errEnded     = errors.New("the file has ended before")
)

// ReadOptions bounds [ReadWith]. Values of 0 or less mean the defaults.
type ReadOptions struct {
	// LineBytes is the longest line, in bytes without the line feed.
	LineBytes int
	// FileBytes is the largest file, in bytes.
	FileBytes int64
}

// LineError is a tape file's line that cannot be read, told so that its author
// can mend it.
type LineError struct {
	// Line counts from 1.
	Line int
	// Expected says what should have stood there.
	Expected string
	// Received is the beginning of what stood there.
	Received string
	// Fix says what to do.
	Fix string
	// Err is the cause.
	Err error
}

// Error is one line for people.
func (e *LineError) Error() string {
	return fmt.Sprintf("read tape: line %d: %v; expected %s; received %q; %s",
		e.Line, e.Err, e.Expected, e.Received, e.Fix)
}

// Unwrap returns the cause.
func (e *LineError) Unwrap() error { return e.Err }

// Read reads a tape file with the default bounds. See [ReadWith].
func Read(r io.Reader) (Meta, []Entry, error) { return ReadWith(r, ReadOptions{}) }

// ReadWith reads a tape file: the header line, entries with increasing numbers,
// and the line that ends it; [Meta].Ending says whether that is there and right.
// Empty lines are skipped. A line that is wrong gives a *LineError, together with
// everything that was read before it.
func ReadWith(r io.Reader, o ReadOptions) (Meta, []Entry, error) {
	p := newReader(r, o)
	var m Meta
	line, err := p.next()
	if err != nil {
		return m, nil, err
	}
	if err := p.header(line, &m); err != nil {
		return Meta{}, nil, err
	}
	p.at = m.Start
	m.Ending, err = p.rest()
	if m.Back = p.back; m.Back > 0 {
		m.Ending = Changed
	}
	return m, p.entries, err
}

// rest reads the lines behind the header.
func (p *reader) rest() (Ending, error) {
	ending := Open
	for {
		batch, last := p.batch()
		decode(batch)
		at := p.line
		for i := range batch {
			var err error
			l := &batch[i]
			if p.line = l.number; isEnd(l.text) {
				ending, err = p.end(l.text)
			} else {
				err = p.entry(l)
			}
			if err != nil {
				return ending, err
			}
		}
		if p.line = at; last != nil || len(batch) == 0 {
			return ending, last
		}
	}
}

// reader reads lines and knows where it is.
type reader struct {
	lines *bufio.Scanner
	o     ReadOptions
	line  int
	read  int64
	last  uint64
	// at is the time of the last entry, and back the first that is before it.
	at   int64
	back uint64

	entries []Entry
	seal    seal
	ended   bool
}

func newReader(r io.Reader, o ReadOptions) *reader {
	if o.LineBytes <= 0 {
		o.LineBytes = DefaultLineBytes
	}
	if o.FileBytes <= 0 {
		o.FileBytes = DefaultFileBytes
	}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, o.LineBytes+len("\r\n"))
	return &reader{lines: lines, o: o, seal: newSeal()}
}

// next returns the next line that is not empty, or nil at the end.
func (p *reader) next() ([]byte, error) {
	for p.lines.Scan() {
		p.line++
		line := p.lines.Bytes()
		p.read += int64(len(line)) + 1
		switch {
		case len(line) > p.o.LineBytes:
			return nil, p.tooLong(line)
		case p.read-1 > p.o.FileBytes:
			return nil, p.wrong(line, ErrTooLarge, fmt.Sprintf("at most %d bytes in the file", p.o.FileBytes),
				"raise the bound or export a shorter stretch")
		case len(bytes.TrimSpace(line)) > 0:
			return line, nil
		}
	}
	if errors.Is(p.lines.Err(), bufio.ErrTooLong) {
		p.line++
		return nil, p.tooLong(nil)
	}
	if err := p.lines.Err(); err != nil {
		return nil, fmt.Errorf("read tape: after line %d: %w", p.line, err)
	}
	return nil, nil
}

// The most lines that are decoded together, and the bytes after which no more are
// added to them.
const (
	batchLines = 1024
	batchBytes = 4 << 20
)

// batchLine is a line with what it was decoded to.
type batchLine struct {
	number int
	text   []byte
	entry  Entry
	err    error
}

// batch reads the next lines; none at the end. The error is about the line after them.
func (p *reader) batch() ([]batchLine, error) {
	var list []batchLine
	for size := 0; len(list) < batchLines && size < batchBytes; {
		text, err := p.next()
		if err != nil || text == nil {
			return list, err
		}
		list = append(list, batchLine{number: p.line, text: bytes.Clone(text)})
		size += len(text)
	}
	return list, nil
}

// decode decodes the entries among some lines, several at a time: that takes most of
// the time of reading a tape.
func decode(list []batchLine) {
	workers := min(runtime.GOMAXPROCS(0), len(list))
	var all sync.WaitGroup
	for w := range workers {
		all.Go(func() {
			for i := w; i < len(list); i += workers {
				if l := &list[i]; !isEnd(l.text) {
					l.err = object(l.text, &l.entry)
				}
			}
		})
	}
	all.Wait()
}

func (p *reader) tooLong(line []byte) error {
	return p.wrong(line, ErrTooLarge, fmt.Sprintf("at most %d bytes in a line", p.o.LineBytes),
		"raise the bound, or check that the file has one JSON object a line")
}

func (p *reader) header(line []byte, m *Meta) error {
	const expected = `the header {"tape":1,…}`
	if line == nil {
		p.line++
	}
	line = bytes.TrimPrefix(line, []byte("\ufeff")) // an editor's byte order mark is no part of it
	err := object(line, m)
	switch {
	case err == nil:
		p.seal.add(line)
		return nil
	case errors.Is(err, errVersion):
		return p.wrong(line, err, expected, "read it with the release that wrote it")
	default:
		return p.wrong(line, err, expected, "export the tape again, or put the header line first")
	}
}

// end compares what a file says of itself at its end with what was read.
func (p *reader) end(line []byte) (Ending, error) {
	var says endLine
	if err := object(line, &says); err != nil || p.ended {
		return Open, p.wrong(line, cmp.Or(err, errEnded), "one line that ends the file, and nothing after it",
			"export the tape again")
	}
	p.ended = true
	if says != p.seal.line() {
		return Changed, nil
	}
	return Whole, nil
}

// entry keeps an entry.
func (p *reader) entry(l *batchLine) error {
	line, e := l.text, l.entry
	if p.ended {
		return p.wrong(line, errEnded, "nothing after the line that ends the file", "export the tape again; two tapes do not make one")
	}
	if err := l.err; err != nil {
		return p.wrong(line, err, "one entry as a JSON object",
			"export the tape again; without the line the file reads, as one that is incomplete")
	}
	if err := e.Validate(); err != nil {
		return p.wrong(line, err, "a number above 0, a known kind, an earlier cause and exactly the body of the kind",
			"correct the line by hand, or export the tape again")
	}
	if e.Seq <= p.last {
		return p.wrong(line, fmt.Errorf("entry %d after entry %d: %w", e.Seq, p.last, ErrSeq),
			fmt.Sprintf("a number above %d", p.last), "remove the duplicate, or sort the lines by seq")
	}
	if p.back == 0 && e.At < p.at {
		p.back = e.Seq
	}
	p.last, p.at = e.Seq, e.At
	p.entries = append(p.entries, e)
	p.seal.entries++
	p.seal.add(line)
	return nil
}

func (p *reader) wrong(line []byte, err error, expected, fix string) error {
	if value := (*json.UnmarshalTypeError)(nil); errors.As(err, &value) {
		value.Value = excerpt([]byte(value.Value)) // it quotes a number however long it is
	}
	return &LineError{Line: p.line, Expected: expected, Received: excerpt(line), Fix: fix, Err: err}
}

// excerpt is the beginning of foreign bytes, for an error message.
func excerpt(b []byte) string {
	const longest = 80
	if len(b) > longest {
		return string(b[:longest]) + "…"
	}
	return string(b)
}
