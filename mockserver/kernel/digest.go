package kernel

import (
	"encoding/binary"
	"math/bits"
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
func (d Digest) Bytes(b []byte) Digest {
	n := uint64(len(b))
	for ; len(b) >= 8; b = b[8:] {
		d = d.Num(binary.LittleEndian.Uint64(b))
	}
	var rest [8]byte
	copy(rest[:], b)
	return d.Num(binary.LittleEndian.Uint64(rest[:])).Num(n)
}

// Text adds a text and its length.
func (d Digest) Text(s string) Digest {
	n := uint64(len(s))
	var word [8]byte
	for ; len(s) >= 8; s = s[8:] {
		copy(word[:], s)
		d = d.Num(binary.LittleEndian.Uint64(word[:]))
	}
	clear(word[:])
	copy(word[:], s)
	return d.Num(binary.LittleEndian.Uint64(word[:])).Num(n)
}
