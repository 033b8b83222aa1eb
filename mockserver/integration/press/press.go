// Package press holds a state compressed, record by record, and reads it back. What it
// holds is drawn from the budget of the process. It knows nothing of what the records say.
package press

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/klauspost/compress/s2"

	"paysandbox/mockserver/budget"
	"paysandbox/mockserver/kernel"
)

// magic begins a state. What builds before this one have written begins with the length of
// a secret, which is never so long.
const magic = "PSZ\x01"

// blockSize is how much is compressed at once, and leastPiece the least that is drawn, in
// bytes.
const (
	blockSize  = 1 << 20
	leastPiece = 64 << 10
)

// likely is how many times its size a state holds at most, as a rule: for so much there is
// made room before it is read.
const likely = 64

// Held is a state that is being written.
type Held struct {
	budget *budget.Bytes
	out    [][]byte
	drawn  int64
	to     *s2.Writer
	err    error
}

// Hold begins a state that draws from a budget.
func Hold(b *budget.Bytes) *Held {
	h := &Held{budget: b}
	_, h.err = h.Write([]byte(magic))
	h.to = s2.NewWriter(h, s2.WriterConcurrency(1), s2.WriterBlockSize(blockSize))
	return h
}

// Write takes compressed bytes.
func (h *Held) Write(p []byte) (int, error) {
	for rest := p; len(rest) > 0; {
		last := len(h.out) - 1
		if last < 0 || len(h.out[last]) == cap(h.out[last]) {
			size := int64(max(min(blockSize, len(rest)), leastPiece))
			if !h.budget.Take(size) {
				return 0, fmt.Errorf("a snapshot of everything takes more than %d KiB, and %d of %d MiB are in use: %w", h.drawn>>10, h.budget.Used()>>20, h.budget.Limit()>>20, budget.ErrNoRoom)
			}
			h.drawn += size
			h.out = append(h.out, make([]byte, 0, size))
			last++
		}
		fits := min(len(rest), cap(h.out[last])-len(h.out[last]))
		h.out[last] = append(h.out[last], rest[:fits]...)
		rest = rest[fits:]
	}
	return len(p), nil
}

// Record writes one record of about so many bytes, which write gives in pieces. Once
// something has failed, records are not written any more.
func (h *Held) Record(about int64, write func(sink func(piece []byte))) {
	if h.err != nil {
		return
	}
	h.length(int(about))
	write(h.piece)
	h.length(0)
}

func (h *Held) piece(p []byte) {
	if len(p) == 0 {
		return
	}
	h.length(len(p))
	if h.err == nil {
		_, h.err = h.to.Write(p)
	}
}

func (h *Held) length(n int) {
	if h.err == nil {
		_, h.err = h.to.Write(binary.AppendUvarint(nil, uint64(n))) //nolint:gosec // G115: a length
	}
}

// Put writes a record of what v lists.
func (h *Held) Put(v kernel.Packable) {
	h.Record(0, func(sink func([]byte)) { kernel.EncodeTo(v, sink) })
}

// Close gives the state in pieces, and the function that puts back what it has drawn.
func (h *Held) Close() (state [][]byte, back func(), err error) {
	closing := h.to.Close()
	if err := cmp.Or(h.err, closing); err != nil {
		h.budget.Give(h.drawn)
		return nil, nil, err
	}
	return h.out, func() { h.budget.Give(h.drawn) }, nil
}

// Reader reads a state record by record.
type Reader struct {
	whole []byte
	from  *s2.Reader
	most  uint64
}

// Read begins to read a state. What builds before this one have written is one record.
func Read(state []byte) *Reader {
	rest, ok := bytes.CutPrefix(state, []byte(magic))
	if !ok {
		return &Reader{whole: state}
	}
	return &Reader{from: s2.NewReader(bytes.NewReader(rest), s2.ReaderMaxBlockSize(blockSize)), most: likely * uint64(len(rest))}
}

// Into reads the next record into v; io.EOF behind the last.
func (r *Reader) Into(v kernel.Packable) error {
	record, err := r.Next()
	if err != nil {
		return err
	}
	return kernel.Decode(record, v)
}

// Next gives the next record; io.EOF behind the last. The error says where bytes were damaged.
func (r *Reader) Next() ([]byte, error) {
	if r.from == nil {
		whole := r.whole
		if r.whole = nil; whole == nil {
			return nil, io.EOF
		}
		return whole, nil
	}
	about, err := binary.ReadUvarint(r.from)
	if err != nil {
		return nil, err
	}
	record := bytes.NewBuffer(make([]byte, 0, min(about, r.most)))
	for {
		n, err := binary.ReadUvarint(r.from)
		if err == nil && n == 0 {
			return record.Bytes(), nil
		}
		if err == nil {
			_, err = io.CopyN(record, r.from, int64(min(n, math.MaxInt64)))
		}
		if err != nil {
			return nil, fmt.Errorf("the state is damaged: %w", errors.Join(err, io.ErrUnexpectedEOF))
		}
	}
}
