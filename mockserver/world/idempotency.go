package world

import (
	"bytes"
	"crypto/sha256"
	"slices"
	"time"

	"github.com/google/uuid"

	"paysandbox/mockserver/kernel"
)

// keyLife is how long an answer is remembered. Latitude, idempotency.
const keyLife = 24 * time.Hour

// maxKey is the longest Idempotency-Key.
const maxKey = 255

// keys are the remembered answers of idempotent calls, by the hash of operation
// and key. Each is taken out by its timer.
type keys struct {
	answers map[uuid.UUID]rememberedAnswer
}

type rememberedAnswer struct {
	bodyHash [sha256.Size]byte
	answer   StoredAnswer
}

// Pack lists what keys are.
func (r *keys) Pack(k *kernel.Codec) {
	kernel.PackMap(k, &r.answers, func(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) }, func(id *uuid.UUID, a *rememberedAnswer) {
		k.ID(id)
		k.Fixed(a.bodyHash[:])
		k.Int(&a.answer.Status)
		k.Bytes(&a.answer.Body)
	})
}

// StoredAnswer is the answer that a repeated call gets.
type StoredAnswer struct {
	// Status is the HTTP status and Body the exact bytes of the first answer.
	Status int
	Body   []byte
}

// IgnoredKey warns of an Idempotency-Key that has no effect on the call in hand.
// It refuses nobody, not even under --strict: no service refuses a header that it
// does not know.
func (w *World) IgnoredKey(key string) {
	w.core.Advise(kernel.Finding{
		Pointer: "header:Idempotency-Key", Clause: "payment.idempotency.ignored", Source: kernel.Assumed, Received: kernel.Given(key),
		Expected: "no key: nobody has published that the service honours one, and the same call twice acts twice",
		Fix:      "look up by its reference what became of a call whose answer was lost, before anything is paid again",
		Advisory: true,
	})
}

var ruleKey = rule{"payment.idempotency.key", kernel.Assumed, "1 to 255 printable ASCII characters", "send a uuid, or leave Idempotency-Key out"}

// IdempotencyReplay looks for the answer to an earlier call of the operation
// with the same key. It gives a copy when the body was the same, and nil when
// the key is new. The caller asks for operations that honour keys alone. Errors:
// Invalid for a key of the wrong form, KeyReused for another body. bodyHash is the
// SHA-256 of the body.
func (w *World) IdempotencyReplay(key, operation string, bodyHash [32]byte) (*StoredAnswer, error) {
	if !validKey(key) {
		return nil, invalid("header:Idempotency-Key", kernel.Given(key), ruleKey)
	}
	kept, ok := w.keys.answers[keyID(key, operation)]
	switch {
	case !ok:
		return nil, nil //nolint:nilnil // no stored answer is not an error.
	case kept.bodyHash != bodyHash:
		return nil, &kernel.Error{Code: kernel.KeyReused, Detail: "the Idempotency-Key " + kernel.Quote(key) + " was sent before with another body"}
	}
	return &StoredAnswer{Status: kept.answer.Status, Body: slices.Clone(kept.answer.Body)}, nil
}

// RememberAnswer keeps a successful answer for 24 hours of virtual time. Other
// answers, keys of the wrong form and a key that is remembered already change
// nothing.
func (w *World) RememberAnswer(key, operation string, bodyHash [32]byte, answer StoredAnswer) {
	id := keyID(key, operation)
	_, known := w.keys.answers[id]
	if known || !validKey(key) || answer.Status < 200 || answer.Status > 299 {
		return
	}
	if w.keys.answers == nil {
		w.keys.answers = map[uuid.UUID]rememberedAnswer{}
	}
	answer.Body = slices.Clone(answer.Body)
	w.keys.answers[id] = rememberedAnswer{bodyHash, answer}
	w.core.Schedule(timerIdempotencyKey, w.Now().Add(keyLife), id, 0)
}

// keyTimer forgets an answer.
func (w *World) keyTimer(t kernel.Timer) bool {
	delete(w.keys.answers, t.ID)
	return true
}

func validKey(key string) bool {
	for i := range len(key) {
		if key[i] < ' ' || key[i] > '~' {
			return false
		}
	}
	return key != "" && len(key) <= maxKey
}

// keyID names a key of an operation in a fixed size.
func keyID(key, operation string) uuid.UUID {
	sum := sha256.Sum256([]byte(operation + "\x00" + key))
	return uuid.UUID(sum[:len(uuid.UUID{})])
}
