package tape

import (
	"encoding/binary"
	"math/bits"
)

// An encoded entry is uvarint(length of the head and body), head, body without
// its byte blobs, and the blobs one behind the other. Numbers are uvarints,
// signed ones zigzag; texts and lists are preceded by their length. Blobs stand
// last so that a decoder needs one string and one byte slice for everything.

// sink measures an entry, and then writes it.
type sink struct {
	out   *segments // nil while measuring
	text  int       // bytes before the blobs
	bytes int       // bytes of the blobs
	blobs [2][]byte // waiting for the end; no body has more
	held  int
}

// measure returns the bytes that the entry takes, the blobs included.
func (s *sink) measure(e *Entry) int64 {
	*s = sink{}
	s.entry(e)
	return int64(uvarintLen(uint64(s.text)) + s.text + s.bytes) //nolint:gosec // G115: a length
}

// write appends the entry that was measured last.
func (s *sink) write(out *segments, e *Entry) {
	text := s.text
	*s = sink{out: out}
	s.uint(uint64(text)) //nolint:gosec // G115: a length
	s.entry(e)
	for _, b := range s.blobs[:s.held] {
		out.write(b)
	}
	*s = sink{}
}

func (s *sink) uint(v uint64) {
	if s.out == nil {
		s.text += uvarintLen(v)
		return
	}
	if t := &s.out.list[s.out.live-1]; cap(*t)-len(*t) >= binary.MaxVarintLen64 {
		*t = binary.AppendUvarint(*t, v)
		return
	}
	var b [binary.MaxVarintLen64]byte
	s.out.write(b[:binary.PutUvarint(b[:], v)])
}

func (s *sink) int(v int64) { s.uint(uint64(v)<<1 ^ uint64(v>>63)) } //nolint:gosec // G115: zigzag

func (s *sink) length(n int) { s.uint(uint64(n)) } //nolint:gosec // G115: a length

func (s *sink) bool(v bool) {
	if v {
		s.uint(1)
	} else {
		s.uint(0)
	}
}

func (s *sink) str(v string) {
	s.length(len(v))
	if s.out == nil {
		s.text += len(v)
		return
	}
	s.out.writeString(v)
}

func (s *sink) strs(list []string) {
	s.length(len(list))
	for _, v := range list {
		s.str(v)
	}
}

func (s *sink) headers(list []Header) {
	s.length(len(list))
	for i := range list {
		s.str(list[i].Name)
		s.str(list[i].Value)
	}
}

func (s *sink) blob(b []byte) {
	s.length(len(b))
	s.bytes += len(b)
	s.blobs[s.held] = b
	s.held++
}

func uvarintLen(v uint64) int { return (bits.Len64(v|1) + 6) / 7 }
