// Package envelope is what a snapshot is kept in: magic, the versions of how it is written
// and of what is answered, the bytes that are kept, and the SHA-256 of all that.
package envelope

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"

	"paysandbox/mockserver/kernel"
)

const (
	magic = "paysandbox snapshot\n"
	// Format is the version of how a snapshot is written: it goes up with durable.Format.
	Format = 2
	// Engine is the version of what integrations answer: another one may answer the
	// same inputs with other bytes.
	Engine = 1
)

// Begins says whether bytes begin as a snapshot does.
func Begins(b []byte) bool { return bytes.HasPrefix(b, []byte(magic)) }

// Header is what a snapshot begins with.
func Header() []byte {
	return binary.AppendUvarint(binary.AppendUvarint([]byte(magic), Format), Engine)
}

// Close ends a snapshot that begins with its header.
func Close(b []byte) []byte {
	sum := sha256.Sum256(b)
	return append(b, sum[:]...)
}

// WriteTo writes a snapshot piece by piece: what write writes, between header and digest.
func WriteTo(sink func(piece []byte), write func(sink func(piece []byte))) {
	sum := sha256.New()
	both := func(piece []byte) {
		_, _ = sum.Write(piece)
		sink(piece)
	}
	both(Header())
	write(both)
	sink(sum.Sum(nil))
}

// Open takes what is kept out of a snapshot that is whole and of this version; at is where
// it stands in b. The error is a *kernel.DamageError.
func Open(b []byte) (kept []byte, at int, err error) {
	if !Begins(b) {
		return nil, 0, &kernel.DamageError{Expected: "a snapshot of paysandbox", Received: kernel.Quote(string(b[:min(len(b), len(magic))]))}
	}
	at = len(magic)
	for _, v := range [...]struct {
		what string
		this uint64
	}{{"format", Format}, {"engine", Engine}} {
		n, size := binary.Uvarint(b[at:])
		if size <= 0 || n != v.this {
			age := "a newer"
			if n < v.this {
				age = "an older"
			}
			what := fmt.Sprintf("%s %d, of %s paysandbox: use that one", v.what, n, age)
			return nil, at, &kernel.DamageError{At: at, Expected: fmt.Sprintf("%s %d", v.what, v.this), Received: what, Version: true}
		}
		at += size
	}
	end := len(b) - sha256.Size
	if end < at {
		return nil, at, &kernel.DamageError{At: len(b), Expected: "more bytes", Received: "the end"}
	}
	if sum := sha256.Sum256(b[:end]); !bytes.Equal(sum[:], b[end:]) {
		return nil, at, &kernel.DamageError{
			At:       -1,
			Expected: fmt.Sprintf("the SHA-256 of its first %d bytes, %x, behind them", end, sum),
			Received: fmt.Sprintf("%x: bytes were changed, or its end is missing", b[end:]),
		}
	}
	return b[at:end], at, nil
}
