package kernel

import (
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"

	"github.com/google/uuid"
)

// random gives ids, durations and secrets by key, not by turn: what is drawn
// follows from the seed, from what it is for, and from the input that makes it
// with its count among equal ones. An input that is taken out or put in leaves
// what others draw as it was.
type random struct {
	seed   Digest
	secret [sha256.Size]byte
	// input is the key of the input or timer in hand. equal counts the inputs that
	// have drawn anything, by their keys: it grows with what is made.
	input   Digest
	counted bool
	equal   map[Digest]uint32
	// drawn counts what the input in hand has drawn, by what it is for.
	drawn []drawnKind
}

type drawnKind struct {
	kind string
	n    uint64
}

// Pack lists what lasts from input to input.
func (r *random) Pack(k *Codec) {
	r.seed.Pack(k)
	k.Fixed(r.secret[:])
	PackMap(k, &r.equal, Digest.Compare, func(d *Digest, n *uint32) {
		d.Pack(k)
		k.Num32s(n)
	})
}

// newRandom begins with a seed. Without a secret of its own, secrets follow from
// the seed too. With one, ids follow from both: they stand in the addresses of pages,
// where to know one is to be let in.
func newRandom(seed uint64, secret []byte) random {
	if len(secret) == 0 {
		return random{seed: Digest{}.Num(seed), secret: sha256.Sum256(binary.LittleEndian.AppendUint64(nil, seed))}
	}
	r := random{secret: sha256.Sum256(secret)}
	apart := sha256.Sum256(append([]byte("ids"), r.secret[:]...))
	r.seed = Digest{}.Num(seed).Bytes(apart[:])
	return r
}

// begin takes an input in hand. Equal ones are counted, unless none can be equal.
func (r *random) begin(input Digest, unique bool) {
	r.input = r.seed.Num(input.a).Num(input.b)
	r.counted = unique
	r.drawn = r.drawn[:0]
}

// next is the key of the next draw of a kind.
func (r *random) next(kind string) Digest {
	if !r.counted {
		if r.equal == nil {
			r.equal = map[Digest]uint32{}
		}
		seen := r.equal[r.input]
		r.equal[r.input] = seen + 1
		r.input, r.counted = r.input.Num(uint64(seen)), true
	}
	for i := range r.drawn {
		if r.drawn[i].kind == kind {
			r.drawn[i].n++
			return r.input.Text(kind).Num(r.drawn[i].n)
		}
	}
	r.drawn = append(r.drawn, drawnKind{kind: kind})
	return r.input.Text(kind).Num(0)
}

// generator is one that follows from a key.
func generator(key Digest) rand.PCG {
	var g rand.PCG
	key = key.Num(mixA)
	g.Seed(key.a, key.b)
	return g
}

// keyedID makes an id that follows from a key.
func keyedID(key Digest) uuid.UUID {
	g := generator(key)
	return asID(g.Uint64(), g.Uint64())
}

// asID makes an id of version 4.
func asID(a, b uint64) uuid.UUID {
	var id uuid.UUID
	binary.LittleEndian.PutUint64(id[:8], a)
	binary.LittleEndian.PutUint64(id[8:], b)
	id[6] = id[6]&0x0f | 0x40
	id[8] = id[8]&0x3f | 0x80
	return id
}

// NewID draws an id for a thing of a kind that the input in hand makes.
func (c *Core) NewID(kind string) uuid.UUID { return keyedID(c.random.next(kind)) }

// DerivedID is the id of the one thing of a kind that two others make together.
func (c *Core) DerivedID(kind string, a, b uuid.UUID) uuid.UUID {
	return keyedID(c.random.seed.Text(kind).Bytes(a[:]).Bytes(b[:]))
}

// Draw gives a whole number from 0 to n-1 for an entity: always the same for the
// same purpose.
func (c *Core) Draw(purpose string, entity uuid.UUID, n uint64) uint64 {
	g := generator(c.random.seed.Text(purpose).Bytes(entity[:]))
	return g.Uint64() % n
}

// NewSecret draws 32 bytes that nobody can guess who does not know the secret of
// the machine, for a purpose of the input in hand.
func (c *Core) NewSecret(purpose string) [sha256.Size]byte {
	key := c.random.next(purpose)
	b := append(make([]byte, 0, 96), c.random.secret[:]...)
	b = binary.LittleEndian.AppendUint64(b, key.a)
	b = binary.LittleEndian.AppendUint64(b, key.b)
	return sha256.Sum256(append(b, purpose...))
}

// NewSecretID is NewSecret as an id.
func (c *Core) NewSecretID(purpose string) uuid.UUID {
	secret := c.NewSecret(purpose)
	return asID(binary.LittleEndian.Uint64(secret[:8]), binary.LittleEndian.Uint64(secret[8:16]))
}
