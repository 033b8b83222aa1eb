package app

import (
	"encoding/binary"
	"math/rand/v2"
	"sync"

	"github.com/google/uuid"
)

// chance draws what nobody may guess: keys, references and jitter. The same seed
// and the same draws give the same values.
type chance struct {
	mu  sync.Mutex
	src *rand.ChaCha8
}

func newChance(seed uint64) *chance {
	var key [32]byte
	binary.LittleEndian.PutUint64(key[:], seed)
	copy(key[8:], "partner application")
	return &chance{src: rand.NewChaCha8(key)}
}

// id draws a random UUID (version 4).
func (c *chance) id() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	id, err := uuid.NewRandomFromReader(c.src)
	if err != nil {
		panic("app: " + err.Error()) // the source never fails
	}
	return id.String()
}

// fraction draws a number from 0 up to, and without, 1.
func (c *chance) fraction() float64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return rand.New(c.src).Float64()
}
