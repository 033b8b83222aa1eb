package world_test

import (
	"crypto/sha256"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/world"
)

const createOperation = "payment.create"

func TestIdempotencyKey(t *testing.T) {
	t.Parallel()
	w := payerWorld()
	one, two := sha256.Sum256([]byte("one")), sha256.Sum256([]byte("two"))
	got, err := w.IdempotencyReplay("k", createOperation, one)
	require.NoError(t, err)
	require.Nil(t, got, "the first time")
	answer := []byte(`{"a":1}`)
	w.RememberAnswer("k", createOperation, one, world.StoredAnswer{Status: 200, Body: answer})
	answer[1] = 'x'
	for range 2 {
		got, err = w.IdempotencyReplay("k", createOperation, one)
		require.NoError(t, err)
		require.Equal(t, &world.StoredAnswer{Status: 200, Body: []byte(`{"a":1}`)}, got)
		got.Body[0] = 'x'
	}
	_, err = w.IdempotencyReplay("k", createOperation, two)
	require.Equal(t, kernel.KeyReused, codeOf(t, err))
	for _, other := range [][2]string{{"K", createOperation}, {"k", "payment.refund"}} {
		got, err = w.IdempotencyReplay(other[0], other[1], two)
		require.NoError(t, err)
		require.Nil(t, got)
	}
	w.RememberAnswer("k", createOperation, two, world.StoredAnswer{Status: 200})
	_, err = w.IdempotencyReplay("k", createOperation, one)
	require.NoError(t, err, "the first answer stays")
}

func TestIdempotencyKeyExpires(t *testing.T) {
	t.Parallel()
	w := payerWorld()
	hash := sha256.Sum256(nil)
	for i := range 100 {
		w.RememberAnswer(strconv.Itoa(i), createOperation, hash, world.StoredAnswer{Status: 200})
	}
	require.Equal(t, 100, w.PendingTimers())
	payerInput(w, 24*time.Hour-1)
	got, err := w.IdempotencyReplay("7", createOperation, hash)
	require.NoError(t, err)
	require.NotNil(t, got)
	payerInput(w, 24*time.Hour)
	got, err = w.IdempotencyReplay("7", createOperation, sha256.Sum256([]byte("another")))
	require.NoError(t, err)
	require.Nil(t, got)
	require.Zero(t, w.PendingTimers())
	require.Zero(t, w.RememberedAnswers(), "nothing is left behind")
}

func TestOnlySuccessIsRemembered(t *testing.T) {
	t.Parallel()
	w := payerWorld()
	hash := sha256.Sum256(nil)
	for _, status := range []int{199, 300, 400, 404, 500} {
		w.RememberAnswer("k", createOperation, hash, world.StoredAnswer{Status: status})
		got, err := w.IdempotencyReplay("k", createOperation, hash)
		require.NoError(t, err)
		require.Nil(t, got, "%d", status)
	}
	require.Zero(t, w.PendingTimers())
	w.RememberAnswer("k", createOperation, hash, world.StoredAnswer{Status: 299})
	require.Equal(t, 1, w.RememberedAnswers())
}

func TestIdempotencyKeyForm(t *testing.T) {
	t.Parallel()
	w := payerWorld()
	hash := sha256.Sum256(nil)
	for _, key := range []string{"", strings.Repeat("k", 256), "a\tb", "é", "a\x7f"} {
		_, err := w.IdempotencyReplay(key, createOperation, hash)
		require.Equal(t, []string{"header:Idempotency-Key"}, pointers(t, err), "%q", key)
		w.RememberAnswer(key, createOperation, hash, world.StoredAnswer{Status: 200})
	}
	require.Zero(t, w.RememberedAnswers())
	for _, key := range []string{"k", strings.Repeat("k", 255), " ~"} {
		_, err := w.IdempotencyReplay(key, createOperation, hash)
		require.NoError(t, err)
	}
}

// A key that means nothing is warned of, and refuses nobody.
func TestIgnoredKey(t *testing.T) {
	t.Parallel()
	w := payerWorld()
	w.IgnoredKey("k")
	require.Equal(t, "payment.idempotency.ignored", w.Advisories()[0].Clause)
	records, _ := w.Take()
	require.Equal(t, kernel.RecordFindings, records[len(records)-1].Kind)
}
