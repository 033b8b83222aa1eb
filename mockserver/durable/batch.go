package durable

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/google/uuid"
)

// Shards is how many parts the inputs of integrations are divided into, by the
// hash of the integration's id. Registry is the part of what concerns the list of
// integrations.
const (
	Shards   = 256
	Registry = Shards
)

// Engine is the version of the rules that this binary applies inputs by. It goes up
// when the same inputs would give another answer.
const Engine = 1

// The bounds of one batch. One input alone may be larger than MaxBatchBytes, up to
// MaxInput: a batch fits into a message of 32 MiB.
const (
	MaxBatchInputs = 512
	MaxBatchBytes  = 1 << 20
	MaxInput       = 31 << 20
)

// Digest is the SHA-256 of a batch's bytes; zero before the first batch.
type Digest [sha256.Size]byte

// Kind says what an input is to the shard.
type Kind uint8

// The kinds of inputs.
const (
	// Applied inputs are the machine's.
	Applied Kind = iota + 1
	// Takeover gives the effects of a process that is silent, named by Data, to the
	// process that has appended it.
	Takeover
	// Upgrade says that from here on inputs are applied by the engine in Data.
	Upgrade
	kindEnd
)

// Input is one thing that came from outside.
type Input struct {
	// ID tells the input from all others.
	ID uuid.UUID
	// Kind says who is to take it.
	Kind Kind
	// Answers names the effect whose answer the input is; empty when it is none.
	Answers string
	// Data is what the machine reads.
	Data []byte
}

// Batch is what one message of the log holds.
type Batch struct {
	// Shard is the number of the shard.
	Shard int
	// Engine is the version that the inputs are applied by.
	Engine uint64
	// Before is the digest of the shard's batch before this one.
	Before Digest
	// By is the process that has appended it.
	By uuid.UUID
	// Inputs come in the order in which they are applied.
	Inputs []Input
}

// The errors of reading a batch.
var (
	// ErrDamaged says that bytes are no batch.
	ErrDamaged = errors.New("the bytes are not a batch of inputs")
	// ErrFormat says that a newer binary has written what is read.
	ErrFormat = errors.New("a newer paysandbox has written this: start that one")
	// ErrOlder says that an older binary has written it, in a format that is not read any more.
	ErrOlder = errors.New("an older paysandbox has written this, and this one does not read it: start that one")
)

// Format is the version of all that is kept: of batches, inputs, images and the folder.
// It goes up when any of their bytes change; testdata/kept of package mockserver holds a
// folder of each version.
const Format = 2

// magic begins each batch, before the format.
const magic = "PSB"

// Readable says whether this binary reads a format: ErrFormat or ErrOlder.
func Readable(v int) error {
	err := ErrFormat
	switch {
	case v == Format:
		return nil
	case v < Format:
		err = ErrOlder
	}
	return fmt.Errorf("%w (format %d, this one has %d)", err, v, Format)
}

// Encode gives the batch's bytes.
func (b *Batch) Encode() []byte {
	size := 128
	for n := range b.Inputs {
		size += 32 + len(b.Inputs[n].Answers) + len(b.Inputs[n].Data)
	}
	out := append(make([]byte, 0, size), magic...)
	out = append(out, Format)
	out = binary.AppendUvarint(out, b.Engine)
	out = binary.AppendUvarint(out, uint64(b.Shard)) //nolint:gosec // G115: a small number
	out = append(append(out, b.Before[:]...), b.By[:]...)
	out = binary.AppendUvarint(out, uint64(len(b.Inputs)))
	for n := range b.Inputs {
		in := &b.Inputs[n]
		out = append(append(out, in.ID[:]...), byte(in.Kind))
		out = append(binary.AppendUvarint(out, uint64(len(in.Answers))), in.Answers...)
		out = append(binary.AppendUvarint(out, uint64(len(in.Data))), in.Data...)
	}
	return out
}

// Decode reads a batch. Its inputs share memory with raw. It never panics, and
// makes no more than a small multiple of what raw holds.
func Decode(raw []byte) (Batch, error) {
	if len(raw) <= len(magic) || string(raw[:len(magic)]) != magic {
		return Batch{}, ErrDamaged
	}
	if err := Readable(int(raw[len(magic)])); err != nil {
		return Batch{}, err
	}
	r := reader{rest: raw[len(magic)+1:]}
	b := Batch{Engine: r.number(), Shard: int(r.number() % (Registry + 2))}
	copy(b.Before[:], r.bytes(len(b.Before)))
	copy(b.By[:], r.bytes(len(b.By)))
	count := r.number()
	if count > uint64(len(r.rest)) { // an input takes more than a byte
		return Batch{}, ErrDamaged
	}
	b.Inputs = make([]Input, 0, min(count, uint64(len(r.rest)/19+1)))
	for ; count > 0 && !r.bad; count-- {
		var in Input
		copy(in.ID[:], r.bytes(len(in.ID)))
		if kind := r.bytes(1); len(kind) == 1 {
			in.Kind = Kind(kind[0])
		}
		in.Answers, in.Data = string(r.piece()), r.piece()
		r.bad = r.bad || in.Kind == 0 || in.Kind >= kindEnd
		b.Inputs = append(b.Inputs, in)
	}
	if r.bad || len(r.rest) > 0 || b.Shard > Registry {
		return Batch{}, ErrDamaged
	}
	return b, nil
}

// reader takes bytes off the front, and nothing more once something was missing.
type reader struct {
	rest []byte
	bad  bool
}

func (r *reader) number() uint64 {
	v, n := binary.Uvarint(r.rest)
	if n <= 0 {
		r.bad, r.rest = true, nil
		return 0
	}
	r.rest = r.rest[n:]
	return v
}

func (r *reader) bytes(n int) []byte {
	if n > len(r.rest) {
		r.bad, r.rest = true, nil
		return nil
	}
	b := r.rest[:n:n]
	r.rest = r.rest[n:]
	return b
}

func (r *reader) piece() []byte {
	n := r.number()
	if n > uint64(len(r.rest)) {
		r.bad = true
		return nil
	}
	return r.bytes(int(n)) //nolint:gosec // G115: at most a length
}
