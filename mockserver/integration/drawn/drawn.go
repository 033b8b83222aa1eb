// Package drawn makes the ids and secrets of integrations that nobody has chosen. It
// reads no clock and no chance: what it gives follows from its arguments.
package drawn

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"strconv"

	"github.com/google/uuid"
)

// Source makes secrets. Without a secret of the process they follow from the
// integration's id and seed, so that the same calls give the same ones: right on a
// loopback address and in tests. With one they follow from nothing that a caller can see
// or choose, and an integration that is made again gets others.
type Source struct {
	// Secret is the secret of the process, empty for none.
	Secret []byte
	// Turn counts the integrations that the process has made.
	Turn uint64
}

// ID gives what a secret is made of.
func (s Source) ID(what, id string, seed uint64) uuid.UUID {
	if len(s.Secret) == 0 {
		return ID(what, id, seed, 0)
	}
	return asUUID(s.Key(what, id))
}

// Key gives 32 secret bytes; nil where secrets follow from the seed.
func (s Source) Key(what, id string) []byte {
	if len(s.Secret) == 0 {
		return nil
	}
	mac := hmac.New(sha256.New, s.Secret)
	mac.Write(binary.BigEndian.AppendUint64(nil, s.Turn))
	mac.Write([]byte(what + "\x00" + id))
	return mac.Sum(nil)
}

// ID makes an id that follows from its arguments.
func ID(what, name string, seed uint64, n int) uuid.UUID {
	b := binary.BigEndian.AppendUint64([]byte(what+"\x00"), seed)
	b = append(b, name+"\x00"+strconv.Itoa(n)...)
	sum := sha256.Sum256(b)
	return asUUID(sum[:])
}

// asUUID makes an id of version 4 of the first 16 bytes.
func asUUID(b []byte) uuid.UUID {
	id := uuid.UUID(b[:16])
	id[6] = id[6]&0x0f | 0x40
	id[8] = id[8]&0x3f | 0x80
	return id
}
