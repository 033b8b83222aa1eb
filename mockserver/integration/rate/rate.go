// Package rate is the rate limit that the ledger chooses, in virtual time.
package rate

import (
	"time"

	"paysandbox/mockserver/kernel"
)

// Limit admits so many requests at once, and then one in each span of every nanoseconds.
// The zero value admits all.
type Limit struct {
	burst, every int64
	// full is when all of the burst may be asked for again, in nanoseconds since 1970 UTC.
	full int64
}

// PerSecond is the limit of n requests a second.
func PerSecond(n int64) Limit { return Limit{burst: n, every: int64(time.Second) / n} }

// Allow says whether one more request is admitted, and if not, how many whole seconds
// to wait.
func (l *Limit) Allow(now int64) (wait int, ok bool) {
	if l.burst == 0 {
		return 0, true
	}
	early := l.full - now - (l.burst-1)*l.every
	if early <= 0 {
		l.full = max(l.full, now) + l.every
		return 0, true
	}
	return int((early + int64(time.Second) - 1) / int64(time.Second)), false
}

// Pack lists the fields.
func (l *Limit) Pack(k *kernel.Codec) {
	k.Ints(&l.burst, &l.every, &l.full)
	k.Require(l.burst >= 0 && (l.burst == 0) == (l.every == 0) && l.every >= 0, "a rate limit")
}
