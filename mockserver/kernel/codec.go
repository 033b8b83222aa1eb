package kernel

import "encoding/binary"

// Packable is a type whose texts are kept whole. It declares their order once:
// the same method writes and reads.
type Packable interface{ Pack(k *Codec) }

// Codec writes texts one behind the other, or reads them back.
type Codec struct {
	out     []byte
	in      string
	reading bool
}

// Str writes or reads one text.
func (k *Codec) Str(s *string) {
	if !k.reading {
		k.out = binary.AppendUvarint(k.out, uint64(len(*s)))
		k.out = append(k.out, *s...)
		return
	}
	n := k.uvarint()
	*s, k.in = k.in[:n], k.in[n:]
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

// Reading is true when texts are read back.
func (k *Codec) Reading() bool { return k.reading }

func (k *Codec) uvarint() uint64 {
	var v uint64
	for i := 0; ; i++ {
		b := k.in[i]
		v |= uint64(b&0x7f) << (7 * i)
		if b < 0x80 {
			k.in = k.in[i+1:]
			return v
		}
	}
}

// PackList writes or reads a list of values.
func PackList[T any, P interface {
	*T
	Packable
}](k *Codec, list *[]T) {
	n := uint64(len(*list))
	k.Num(&n)
	if k.reading && n > 0 {
		*list = make([]T, n)
	}
	for i := range *list {
		P(&(*list)[i]).Pack(k)
	}
}
