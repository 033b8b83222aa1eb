package integration

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"strconv"

	"github.com/google/uuid"
)

// drawn makes the secrets that nobody has chosen. Without a secret of the process
// they follow from the integration's id and seed, so that the same calls give the
// same ones: right on a loopback address and in tests. With one they follow from
// nothing that a caller can see or choose, and an integration that is made again
// gets others.
type drawn struct {
	secret []byte
	// turn counts the integrations that the process has made.
	turn uint64
}

// id draws what a secret is made of.
func (d drawn) id(what, id string, seed uint64) uuid.UUID {
	if len(d.secret) == 0 {
		return derive(what, id, seed, 0)
	}
	return asUUID(d.key(what, id))
}

// key draws 32 secret bytes; nil where secrets follow from the seed.
func (d drawn) key(what, id string) []byte {
	if len(d.secret) == 0 {
		return nil
	}
	mac := hmac.New(sha256.New, d.secret)
	mac.Write(binary.BigEndian.AppendUint64(nil, d.turn))
	mac.Write([]byte(what + "\x00" + id))
	return mac.Sum(nil)
}

// derive makes an id that follows from its arguments.
func derive(what, name string, seed uint64, n int) uuid.UUID {
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
