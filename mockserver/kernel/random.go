package kernel

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"io"
	"math/rand/v2"

	"github.com/google/uuid"
)

// random gives ids, durations and secrets by key, not by turn: what is drawn
// follows from the seed, from what it is for, and from the input that makes it
// with its count among equal ones. An input that is taken out or put in leaves
// what others draw as it was.
type random struct {
	seed   Digest
	secret []byte
	// input is the key of the input or timer in hand. equal counts the inputs that
	// have drawn anything, by their keys: it grows with what is made.
	input   Digest
	counted bool
	equal   map[Digest]uint32
	// drawn counts what the input in hand has drawn, by what it is for.
	drawn []drawnKind
	bits  pcgReader
}

type drawnKind struct {
	kind string
	n    uint64
}

// pcgReader reads from a generator.
type pcgReader struct{ rand.PCG }

// Read never fails.
func (r *pcgReader) Read(b []byte) (int, error) {
	var word [8]byte
	for n := 0; n < len(b); n += 8 {
		binary.LittleEndian.PutUint64(word[:], r.Uint64())
		copy(b[n:], word[:])
	}
	return len(b), nil
}

var _ io.Reader = (*pcgReader)(nil)

// newRandom begins with a seed. Without a secret of its own, secrets follow from
// the seed too.
func newRandom(seed uint64, secret []byte) random {
	r := random{seed: Digest{}.Num(seed), secret: secret}
	if len(secret) == 0 {
		r.secret = binary.LittleEndian.AppendUint64(nil, seed)
	}
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

// generator is one that follows from a key; it is good until the next call.
func (r *random) generator(key Digest) *pcgReader {
	key = key.Num(mixA)
	r.bits.Seed(key.a, key.b)
	return &r.bits
}

func (r *random) id(key Digest) uuid.UUID { return randomID(r.generator(key)) }

func randomID(r io.Reader) uuid.UUID {
	id, err := uuid.NewRandomFromReader(r)
	if err != nil {
		panic("kernel: the source cannot fail: " + err.Error())
	}
	return id
}

// NewID draws an id for a thing of a kind that the input in hand makes.
func (c *Core) NewID(kind string) uuid.UUID { return c.random.id(c.random.next(kind)) }

// DerivedID is the id of the one thing of a kind that two others make together.
func (c *Core) DerivedID(kind string, a, b uuid.UUID) uuid.UUID {
	return c.random.id(c.random.seed.Text(kind).Bytes(a[:]).Bytes(b[:]))
}

// Draw gives a whole number from 0 to n-1 for an entity: always the same for the
// same purpose.
func (c *Core) Draw(purpose string, entity uuid.UUID, n uint64) uint64 {
	return c.random.generator(c.random.seed.Text(purpose).Bytes(entity[:])).Uint64() % n
}

// NewSecret draws 32 bytes that nobody can guess who does not know the secret of
// the machine, for a purpose of the input in hand.
func (c *Core) NewSecret(purpose string) [sha256.Size]byte {
	key := c.random.next(purpose)
	mac := hmac.New(sha256.New, c.random.secret)
	var b [16]byte
	binary.LittleEndian.PutUint64(b[:8], key.a)
	binary.LittleEndian.PutUint64(b[8:], key.b)
	_, _ = mac.Write(append(b[:], purpose...)) // a hash never fails
	return [sha256.Size]byte(mac.Sum(nil))
}

// NewSecretID is NewSecret as an id.
func (c *Core) NewSecretID(purpose string) uuid.UUID {
	secret := c.NewSecret(purpose)
	return randomID(bytes.NewReader(secret[:]))
}
