package tape

import (
	"bytes"
	"encoding/binary"
	"errors"
)

// errEncoding means that bytes are not an encoded entry.
var errEncoding = errors.New("bytes are not an encoded entry")

// cursor reads an encoded entry and never past its end. After the first
// mistake bad is set and everything reads as zero.
type cursor struct {
	raw []byte
	pos int
	bad bool
}

// head is what stands before the entities, in this order.
type head struct {
	kind    Kind
	seq     uint64
	cause   uint64
	at      int64
	omitted int64
}

// fixed reads the members before the entities.
func (c *cursor) fixed() head {
	kind := c.uint()
	if kind >= uint64(len(kindNames)) {
		c.bad, kind = true, 0
	}
	return head{kind: Kind(kind), seq: c.uint(), cause: c.uint(), at: c.int(), omitted: c.int()}
}

// text reads the length in front and narrows the cursor to head and body; it
// returns the blobs behind them.
func (c *cursor) text() []byte {
	n := c.uint()
	rest := c.raw[c.pos:]
	if n > uint64(len(rest)) {
		c.bad, n = true, 0
	}
	c.raw, c.pos = rest[:n:n], 0
	return rest[n:]
}

func (c *cursor) uint() uint64 {
	v, n := binary.Uvarint(c.raw[c.pos:])
	if n <= 0 {
		c.bad, c.pos = true, len(c.raw)
		return 0
	}
	c.pos += n
	return v
}

func (c *cursor) int() int64 {
	v := c.uint()
	return int64(v>>1) ^ -int64(v&1)
}

func (c *cursor) bool() bool {
	v := c.uint()
	c.bad = c.bad || v > 1
	return v == 1
}

// count reads a number of things that take at least each bytes, and refuses
// what the rest of the text could not hold.
func (c *cursor) count(each int) int {
	n := c.uint()
	if n > uint64((len(c.raw)-c.pos)/each) { //nolint:gosec // G115: a length
		c.bad, c.pos = true, len(c.raw)
		return 0
	}
	return int(n) //nolint:gosec // G115: at most a length
}

func (c *cursor) bytes() []byte {
	n := c.count(1)
	b := c.raw[c.pos : c.pos+n]
	c.pos += n
	return b
}

// decoder makes an entry that shares nothing with the encoded bytes: all texts
// are parts of one string, all bodies parts of one byte slice.
type decoder struct {
	cursor
	all   string // the text as a string
	blobs []byte // the bodies that are still to come
}

// decodeEntry never panics, whatever the bytes are, and allocates no more than
// a small multiple of their number.
func decodeEntry(raw []byte) (Entry, error) {
	d := decoder{cursor: cursor{raw: raw}}
	d.blobs = bytes.Clone(d.text())
	d.all = string(d.raw)
	e := d.entry()
	if d.bad || d.pos != len(d.raw) || len(d.blobs) > 0 {
		return Entry{}, errEncoding
	}
	if err := e.Validate(); err != nil {
		return Entry{}, errors.Join(errEncoding, err)
	}
	return e, nil
}

func (d *decoder) str() string {
	n := d.count(1)
	v := d.all[d.pos : d.pos+n]
	d.pos += n
	return v
}

func (d *decoder) strs() []string {
	n := d.count(1)
	if n == 0 {
		return nil
	}
	list := make([]string, 0, n)
	for range n {
		list = append(list, d.str())
	}
	return list
}

func (d *decoder) headers() []Header {
	n := d.count(2)
	if n == 0 {
		return nil
	}
	list := make([]Header, 0, n)
	for range n {
		list = append(list, Header{Name: d.str(), Value: d.str()})
	}
	return list
}

func (d *decoder) blob() []byte {
	n := d.uint()
	if n > uint64(len(d.blobs)) {
		d.bad = true
		return nil
	}
	b := d.blobs[:n:n]
	d.blobs = d.blobs[n:]
	if n == 0 {
		return nil
	}
	return b
}
