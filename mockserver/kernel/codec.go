package kernel

import (
	"encoding/binary"
	"fmt"
	"strings"
	"unsafe"

	"github.com/google/uuid"
)

// Packable is a type that is kept whole. It lists its fields once, in one order:
// the same method writes them and reads them back.
type Packable interface{ Pack(k *Codec) }

// Codec is led over the fields of values, to write them one behind the other or to
// read them back. What it reads may be damaged: after the first mistake everything
// reads as zero, and Err tells where it was.
type Codec struct {
	out []byte
	// sink takes what is written in pieces of about pieceSize; nil where out grows.
	sink    func(piece []byte)
	in      string
	size    int
	reading bool
	// whole says that a whole state is read: its texts share nothing with the bytes,
	// and what it refers to is looked at.
	whole bool
	err   *DamageError

	texts *Arena
	row   uint32
	rows  [maxRowKinds]uint32 // the highest row that is referred to, by kind
	blobs blobs
}

// DamageError says where bytes are not what a codec has written.
type DamageError struct {
	// At is the place in bytes, from 0; -1 where nobody can tell, as by a digest of all.
	At int
	// Expected and Received are in words.
	Expected, Received string
	// Version says that nothing need be damaged: another version has written the bytes.
	Version bool
}

// Error gives it in one line.
func (e *DamageError) Error() string {
	if e.Version {
		return fmt.Sprintf("of another version: this one reads %s, and received %s", e.Expected, e.Received)
	}
	return fmt.Sprintf("damaged%s: expected %s, received %s", e.Place(), e.Expected, e.Received)
}

// Place is where the damage is, in words behind what is damaged; "" where nobody can tell.
func (e *DamageError) Place() string {
	if e.At < 0 {
		return ""
	}
	return fmt.Sprintf(" at byte %d", e.At)
}

// Encode writes a whole state behind what dst holds.
func Encode(dst []byte, v Packable) []byte {
	k := Codec{out: dst}
	v.Pack(&k)
	return k.out
}

// Decode reads a whole state that Encode has written. The error is a *DamageError;
// what was read is then of no use.
func Decode(b []byte, v Packable) error {
	k := Codec{in: unsafe.String(unsafe.SliceData(b), len(b)), size: len(b), reading: true, whole: true} //nolint:gosec // G103: a copy would take as much again, and nothing that is read of a whole state shares its bytes.
	v.Pack(&k)
	if k.in != "" {
		k.Refuse("the end", fmt.Sprintf("%d more bytes", len(k.in)))
	}
	if k.err != nil {
		return k.err
	}
	return nil
}

// Reading is true when fields are read back.
func (k *Codec) Reading() bool { return k.reading }

// Sound says whether everything has been as expected so far.
func (k *Codec) Sound() bool { return k.err == nil }

// Refuse notes that what was read last cannot be; the first such note counts.
func (k *Codec) Refuse(expected, received string) {
	if k.err == nil {
		k.err = &DamageError{At: k.size - len(k.in), Expected: expected, Received: received}
	}
	k.in = ""
}

// Require refuses what was read last unless it can be.
func (k *Codec) Require(ok bool, expected string) {
	if k.reading && !ok {
		k.Refuse(expected, "something else")
	}
}

// Str writes or reads one text.
func (k *Codec) Str(s *string) {
	if !k.reading {
		k.out = binary.AppendUvarint(k.out, uint64(len(*s)))
		k.out = append(k.out, *s...)
		k.handOn()
		return
	}
	*s = k.next(k.length(1))
	if k.whole {
		*s = strings.Clone(*s)
	}
}

// Strs writes or reads several texts.
func (k *Codec) Strs(fields ...*string) {
	for _, s := range fields {
		k.Str(s)
	}
}

// Num writes or reads a count or amount that is not negative.
func (k *Codec) Num(n *uint64) {
	if !k.reading {
		k.out = binary.AppendUvarint(k.out, *n)
		return
	}
	*n = k.uvarint()
}

// Num32s writes or reads several numbers of 32 bits.
func (k *Codec) Num32s(fields ...*uint32) {
	for _, n := range fields {
		packNum(k, n, 1<<32-1)
	}
}

// Num8s writes or reads several numbers of 8 bits.
func (k *Codec) Num8s(fields ...*uint8) {
	for _, n := range fields {
		packNum(k, n, 1<<8-1)
	}
}

// Num16 writes or reads a number of 16 bits.
func (k *Codec) Num16(n *uint16) { packNum(k, n, 1<<16-1) }

func packNum[T uint8 | uint16 | uint32 | State | TimerKind](k *Codec, n *T, most uint64) {
	if !k.reading {
		k.out = binary.AppendUvarint(k.out, uint64(*n))
		return
	}
	v := k.uvarint()
	if v > most {
		k.Refuse(fmt.Sprintf("a number up to %d", most), fmt.Sprint(v))
		v = 0
	}
	*n = T(v)
}

// Ints writes or reads several amounts or times, which may be negative.
func (k *Codec) Ints(fields ...*int64) {
	for _, n := range fields {
		u := uint64(*n)<<1 ^ uint64(*n>>63) //nolint:gosec // G115: zigzag
		k.Num(&u)
		if k.reading { // what is written may be read by others meanwhile
			*n = int64(u>>1) ^ -int64(u&1)
		}
	}
}

// Int writes or reads a number.
func (k *Codec) Int(n *int) {
	wide := int64(*n)
	if k.Ints(&wide); k.reading {
		*n = int(wide)
	}
}

// Int32s writes or reads several numbers of 32 bits, which may be negative.
func (k *Codec) Int32s(fields ...*int32) {
	for _, n := range fields {
		wide := int64(*n)
		if k.Ints(&wide); !k.reading {
			continue
		}
		if *n = int32(wide); int64(*n) != wide { //nolint:gosec // G115: compared
			k.Refuse("a number of 32 bits", fmt.Sprint(wide))
		}
	}
}

// Bools writes or reads several answers to yes or no.
func (k *Codec) Bools(fields ...*bool) {
	for _, b := range fields {
		var n uint8
		if *b {
			n = 1
		}
		if packNum(k, &n, 1); k.reading {
			*b = n == 1
		}
	}
}

// State writes or reads a state of a machine.
func (k *Codec) State(s *State, m *Machine) {
	packNum(k, s, uint64(len(m.States)-1)) //nolint:gosec // G115: a machine has states.
}

// Fixed writes or reads bytes whose number is known.
func (k *Codec) Fixed(b []byte) {
	if !k.reading {
		k.out = append(k.out, b...)
		return
	}
	copy(b, k.next(len(b)))
}

// ID writes or reads an id.
func (k *Codec) ID(id *uuid.UUID) { k.Fixed(id[:]) }

// IDs writes or reads several ids.
func (k *Codec) IDs(fields ...*uuid.UUID) {
	for _, id := range fields {
		k.Fixed(id[:])
	}
}

// Bytes writes or reads bytes; none are nil.
func (k *Codec) Bytes(b *[]byte) {
	if !k.reading {
		k.out = binary.AppendUvarint(k.out, uint64(len(*b)))
		k.out = append(k.out, *b...)
		k.handOn()
		return
	}
	*b = nil
	if n := k.length(1); n > 0 {
		*b = []byte(k.next(n))
	}
}

// length reads how many things of at least so many bytes follow, and refuses what
// the rest could not hold.
func (k *Codec) length(each int) int {
	n := k.uvarint()
	if n > uint64(len(k.in)/each) { //nolint:gosec // G115: a length
		k.Refuse(fmt.Sprintf("at most %d things", len(k.in)/each), fmt.Sprint(n))
		return 0
	}
	return int(n) //nolint:gosec // G115: at most a length
}

// next reads so many bytes.
func (k *Codec) next(n int) string {
	if n > len(k.in) {
		k.Refuse(fmt.Sprintf("%d more bytes", n), fmt.Sprintf("%d", len(k.in)))
		return ""
	}
	s := k.in[:n]
	k.in = k.in[n:]
	return s
}

func (k *Codec) uvarint() uint64 {
	var v uint64
	for i := 0; i < len(k.in) && i < binary.MaxVarintLen64; i++ {
		b := k.in[i]
		v |= uint64(b&0x7f) << (7 * i)
		if b < 0x80 {
			k.in = k.in[i+1:]
			return v
		}
	}
	k.Refuse("a number", "none")
	return 0
}
