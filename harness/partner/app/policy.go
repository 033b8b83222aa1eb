package app

import (
	"context"
	"encoding/binary"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/google/uuid"
)

// policy holds the decisions in which integrations go wrong. What stands here is
// what this application decides; each decision is explained where it is written.
type policy struct {
	// turn is held by whoever fetches a token: calls in parallel wait for one
	// fetch instead of making their own.
	turn sync.Locker
	// useUntil is when a token is replaced that was asked for at a time.
	useUntil func(asked time.Time, life time.Duration) time.Time
	// renewals is how often a call that was answered with 401 goes out again under
	// a fresh token.
	renewals int
	// attempts is how often a call is made before the service counts as out, and
	// backoff the pause after so many of them.
	attempts int
	backoff  func(try int) time.Duration
	// repeat looks at a request that goes out again. done ends the call.
	repeat func(ctx context.Context, r *request, lost error, into any) (done bool, err error)
	// receive takes in a delivery, and gives the status to answer.
	receive func(body []byte, signature string) int
	// comeBack is what follows when a payer has come back.
	comeBack func(ctx context.Context, from place) error
	// weigh says what an event is worth, won whether the money has come, lost whether
	// money that had come is gone.
	weigh     func(known payment, status string, at time.Time) weight
	won, lost func(status string) bool
	// shares splits a sum of cents into equal parts.
	shares func(sum, n int64) []int64
	// mayBePaid and mayBeAsked say whether a company in a state may be charged for,
	// and a payer be charged: nil, errNotYet or errNever.
	mayBePaid, mayBeAsked func(status string) error
}

// decide gives the decisions of a careful application.
func (a *App) decide() policy {
	p := policy{
		turn: &sync.Mutex{}, useUntil: useUntil, renewals: 1,
		attempts: 4, backoff: a.backoff, repeat: repeatUnchanged,
		receive: a.receive, comeBack: a.lookAfter, weigh: weigh, won: won, lost: lost, shares: shares,
		mayBePaid: companyMayBePaid, mayBeAsked: payerMayBeAsked,
	}
	if !a.o.Keys {
		p.repeat = a.lookFirst
	}
	return p
}

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
