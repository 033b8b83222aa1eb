package tape

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/bits"
)

// An encoded entry is uvarint(length of the head and body), head, body without
// its byte blobs, and the blobs one behind the other. Numbers are uvarints,
// signed ones zigzag; texts and lists are preceded by their length. Blobs stand
// last so that a decoder needs one string and one byte slice for everything.

// ErrEncoding means that bytes are not an encoded entry.
var ErrEncoding = errors.New("bytes are not an encoded entry")

// pass is what a codec does with the fields that it is led over.
type pass uint8

const (
	writing pass = iota
	reading
	seeking
)

// codec is led over the fields of an entry, in the one order that fields.go gives,
// to write them, to read them, or to look for a text in them.
type codec struct {
	pass pass

	line  []byte    // what is written before the blobs
	blobs [2][]byte // written at the end; no body has more
	held  int

	cursor        // what is read
	all    string // its text as a string
	rest   []byte // its blobs that are still to come

	want  []byte // what is looked for, in lower case
	found bool
}

// longestLine is how many bytes a codec keeps for the next entry.
const longestLine = 16 << 10

// write encodes an entry; lay puts it down, and done is called in any case.
func (c *codec) write(e *Entry) {
	*c = codec{line: c.line[:0]}
	c.entry(e)
}

// size is how many bytes the entry takes, the blobs included.
func (c *codec) size() int64 {
	all := uvarintLen(uint64(len(c.line))) + len(c.line)
	for _, b := range c.blobs[:c.held] {
		all += len(b)
	}
	return int64(all)
}

// lay appends the entry to the blocks.
func (c *codec) lay(out *segments) {
	var b [binary.MaxVarintLen64]byte
	out.write(b[:binary.PutUvarint(b[:], uint64(len(c.line)))])
	out.write(c.line)
	for _, b := range c.blobs[:c.held] {
		out.write(b)
	}
}

func (c *codec) done() {
	kept := c.line[:0]
	if cap(kept) > longestLine {
		kept = nil
	}
	*c = codec{line: kept}
}

// decodeEntry makes an entry that shares nothing with the encoded bytes: all
// texts are parts of one string, all bodies parts of one byte slice. It never
// panics, whatever the bytes are, and allocates no more than a small multiple of
// their number.
func decodeEntry(raw []byte) (Entry, error) {
	c := codec{pass: reading, cursor: cursor{raw: raw}}
	c.rest = bytes.Clone(c.narrow())
	c.all = string(c.raw)
	var e Entry
	c.entry(&e)
	if c.bad || c.pos != len(c.raw) || len(c.rest) > 0 {
		return Entry{}, ErrEncoding
	}
	if err := e.Validate(); err != nil {
		return Entry{}, errors.Join(ErrEncoding, err)
	}
	return e, nil
}

func (c *codec) uint(v *uint64) {
	switch c.pass {
	case writing:
		c.line = binary.AppendUvarint(c.line, *v)
	case reading:
		*v = c.next()
	case seeking: // a number is no text
	}
}

func (c *codec) int64(v *int64) {
	u := uint64(*v)<<1 ^ uint64(*v>>63) //nolint:gosec // G115: zigzag
	c.uint(&u)
	if c.pass == reading {
		*v = int64(u>>1) ^ -int64(u&1)
	}
}

func (c *codec) int(v *int) {
	wide := int64(*v)
	c.int64(&wide)
	if c.pass == reading {
		*v = int(wide)
	}
}

func (c *codec) kind(v *Kind) {
	u := uint64(*v)
	c.uint(&u)
	if c.pass == reading {
		c.bad = c.bad || u >= uint64(len(kindNames))
		*v = Kind(u % uint64(len(kindNames)))
	}
}

func (c *codec) bool(v *bool) {
	u := uint64(0)
	if *v {
		u = 1
	}
	c.uint(&u)
	if c.pass == reading {
		c.bad = c.bad || u > 1
		*v = u == 1
	}
}

func (c *codec) str(texts ...*string) {
	for _, v := range texts {
		switch n := len(*v); c.pass {
		case writing:
			c.line = append(binary.AppendUvarint(c.line, uint64(n)), *v...)
		case reading:
			n = c.count(1)
			*v = c.all[c.pos : c.pos+n]
			c.pos += n
		case seeking:
			c.found = c.found || holds([]byte(*v), c.want)
		}
	}
}

func (c *codec) blob(v *[]byte) {
	u := uint64(len(*v))
	c.uint(&u)
	switch {
	case c.pass == seeking:
		c.found = c.found || holds(*v, c.want)
	case c.pass == writing:
		c.blobs[c.held] = *v
		c.held++
	case u > uint64(len(c.rest)):
		c.bad = true
	case u > 0:
		*v, c.rest = c.rest[:u:u], c.rest[u:]
	}
}

// list goes over the length of a list whose elements take at least so many bytes
// each, and makes the list when it is read.
func list[T any](c *codec, v *[]T, each int) {
	if c.pass != reading {
		u := uint64(len(*v))
		c.uint(&u)
	} else if n := c.count(each); n > 0 {
		*v = make([]T, n)
	}
}

func (c *codec) strs(v *[]string) {
	list(c, v, 1)
	for i := range *v {
		c.str(&(*v)[i])
	}
}

func (c *codec) headers(v *[]Header) {
	list(c, v, 2)
	for i := range *v {
		c.str(&(*v)[i].Name, &(*v)[i].Value)
	}
}

func uvarintLen(v uint64) int { return (bits.Len64(v|1) + 6) / 7 }

// cursor reads an encoded entry and never past its end. After the first
// mistake bad is set and everything reads as zero.
type cursor struct {
	raw []byte
	pos int
	bad bool
}

// narrow reads the length in front and narrows the cursor to head and body; it
// returns the blobs behind them.
func (c *cursor) narrow() []byte {
	n := c.next()
	rest := c.raw[c.pos:]
	if n > uint64(len(rest)) {
		c.bad, n = true, 0
	}
	c.raw, c.pos = rest[:n:n], 0
	return rest[n:]
}

// next reads a number.
func (c *cursor) next() uint64 {
	v, n := binary.Uvarint(c.raw[c.pos:])
	if n <= 0 {
		c.bad, c.pos = true, len(c.raw)
		return 0
	}
	c.pos += n
	return v
}

// count reads a number of things that take at least each bytes, and refuses
// what the rest of the text could not hold.
func (c *cursor) count(each int) int {
	n := c.next()
	if n > uint64((len(c.raw)-c.pos)/each) { //nolint:gosec // G115: a length
		c.bad, c.pos = true, len(c.raw)
		return 0
	}
	return int(n) //nolint:gosec // G115: at most a length
}

// piece reads a text without a copy.
func (c *cursor) piece() []byte {
	n := c.count(1)
	b := c.raw[c.pos : c.pos+n]
	c.pos += n
	return b
}
