package kernel

import (
	"cmp"
	"encoding/binary"
	"math/bits"
	"unsafe"
)

// Digest tells inputs apart by 128 bits that follow from their bytes alone. It
// is quick and no secret keeper: who chooses the bytes can make two alike. The
// zero value is where each begins.
type Digest struct{ a, b uint64 }

const (
	mixA = 0x9e3779b97f4a7c15
	mixB = 0xd6e8feb86659fd93
)

// Num adds a number.
func (d Digest) Num(n uint64) Digest {
	high, low := bits.Mul64(d.a^n^mixA, mixB)
	return Digest{a: high ^ low ^ d.b, b: bits.RotateLeft64(d.b^n, 29)*mixA + mixB}
}

// Bytes adds bytes and how many they are.
func (d Digest) Bytes(b []byte) Digest { return add(d, b) }

// Text adds a text and its length; it counts like the same bytes.
func (d Digest) Text(s string) Digest { return add(d, s) }

// add takes in 16 bytes at a time; the numbers at the end mix what has come in.
func add[T string | []byte](d Digest, s T) Digest {
	n := len(s)
	for ; len(s) >= 16; s = s[16:] {
		d.a = (bits.RotateLeft64(d.a, 27) ^ word(s)) * mixA
		d.b = (bits.RotateLeft64(d.b, 27) ^ word(s[8:])) * mixB
	}
	if len(s) >= 8 {
		d = d.Num(word(s))
		s = s[8:]
	}
	var rest uint64
	for i := range len(s) {
		rest |= uint64(s[i]) << (8 * i)
	}
	return d.Num(rest).Num(uint64(n))
}

// word reads eight bytes.
func word[T string | []byte](s T) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// Compare orders digests.
func (d Digest) Compare(e Digest) int { return cmp.Or(cmp.Compare(d.a, e.a), cmp.Compare(d.b, e.b)) }

// Pack lists the fields of a digest.
func (d *Digest) Pack(k *Codec) {
	k.Num(&d.a)
	k.Num(&d.b)
}

// pieceSize is how much of a state is written before EncodeTo hands it on, in bytes.
const pieceSize = 256 << 10

// EncodeTo writes a whole state piece by piece, so that it is never in memory twice. A
// piece is sink's until it returns.
func EncodeTo(v Packable, sink func(piece []byte)) {
	k := Codec{sink: sink}
	v.Pack(&k)
	sink(k.out)
}

// handOn gives the sink what was written, once there is much of it.
func (k *Codec) handOn() {
	if k.sink != nil && len(k.out) >= pieceSize {
		k.sink(k.out)
		k.out = k.out[:0]
	}
}

// Long writes bytes as Bytes does, which write gives in pieces; their number is known.
func (k *Codec) Long(bytes int, write func(to func(piece []byte))) {
	k.out = binary.AppendUvarint(k.out, uint64(bytes)) //nolint:gosec // G115: a length
	write(func(piece []byte) {
		k.out = append(k.out, piece...)
		k.handOn()
	})
}

// View reads bytes that Long or Bytes has written: they are what is read, which may not be
// changed, nor kept.
func (k *Codec) View() []byte {
	s := k.next(k.length(1))
	return unsafe.Slice(unsafe.StringData(s), len(s)) //nolint:gosec // G103: a tape would be in memory once more
}
