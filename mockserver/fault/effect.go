package fault

import (
	"strconv"
	"strings"
	"time"
)

// The bounds of what an effect may ask for.
const (
	// MaxWait is the longest that one answer is held back, latency and slow body
	// together.
	MaxWait = time.Minute
	// MaxRetryAfter is the longest Retry-After in seconds, a day.
	MaxRetryAfter = 86_400
	// MaxFor is the longest that a fault goes on before its time ends it, a year.
	MaxFor = 366 * 24 * time.Hour
	// retryLater is the Retry-After of a 429 or 503 that names none, in seconds.
	retryLater = 1
)

// CutPoint says where an answer breaks off.
type CutPoint string

// The places where a connection can be cut.
const (
	// CutStart cuts before the operation is carried out: nothing is done and
	// nothing is answered.
	CutStart CutPoint = "start"
	// CutHeaders carries the operation out and cuts in the midst of the headers.
	CutHeaders CutPoint = "headers"
	// CutBody carries the operation out and cuts in the midst of the body; an
	// answer without a body is cut in its headers.
	CutBody CutPoint = "body"
)

// Revocation says for how long the caller's token counts as withdrawn.
type Revocation string

// How long a token is withdrawn.
const (
	// RevokeCall refuses this call only.
	RevokeCall Revocation = "call"
	// RevokeToken refuses this call and every later one with the same token.
	RevokeToken Revocation = "token"
)

// Effect is what happens to a call. The zero value changes nothing.
type Effect struct {
	// Status answers with this status, 400 to 599, instead of carrying the
	// operation out; 0 does not.
	Status int
	// RetryAfter is the Retry-After of that answer in seconds; 0 means none, but for 429
	// and 503 what is left of the fault, and 1 where nothing ends it.
	RetryAfter int
	// Latency is how long the answer is held back, in wall time.
	Latency time.Duration
	// SlowBody is how long the answer's body takes to arrive, in wall time.
	SlowBody time.Duration
	// Cut breaks the answer off; empty does not.
	Cut CutPoint
	// CommitThenDrop carries the operation out and cuts the connection before the
	// first byte of the answer.
	CommitThenDrop bool
	// Revoke treats the caller's token as withdrawn; empty does not.
	Revoke Revocation
}

// Drops says whether nothing of the answer reaches the caller.
func (e Effect) Drops() bool { return e.Cut == CutStart || e.CommitThenDrop }

// Cuts says whether the caller does not get the whole answer.
func (e Effect) Cuts() bool { return e.Cut != "" || e.CommitThenDrop }

// Prevents says whether the operation is not carried out.
func (e Effect) Prevents() bool { return e.Status != 0 || e.Cut == CutStart }

// RetrySeconds is the Retry-After that goes with Status, in seconds; 0 is none. Left is how
// long the fault still goes on, 0 where no time ends it: who comes back then finds it over.
func (e Effect) RetrySeconds(left time.Duration) int {
	switch {
	case e.RetryAfter != 0 || e.Status != 429 && e.Status != 503:
		return e.RetryAfter
	case left <= 0:
		return retryLater
	default:
		return int(min((left+time.Second-1)/time.Second, MaxRetryAfter))
	}
}

// String writes the effect as the header does, in one fixed order.
func (e Effect) String() string {
	var parts []string
	if e.Status != 0 {
		parts = append(parts, nameStatus+"="+strconv.Itoa(e.Status))
	}
	if e.RetryAfter != 0 {
		parts = append(parts, nameRetryAfter+"="+strconv.Itoa(e.RetryAfter))
	}
	if e.Latency != 0 {
		parts = append(parts, nameLatency+"="+e.Latency.String())
	}
	if e.SlowBody != 0 {
		parts = append(parts, nameSlowBody+"="+e.SlowBody.String())
	}
	switch e.Cut {
	case "":
	case CutStart:
		parts = append(parts, nameCut)
	default:
		parts = append(parts, nameCut+"="+string(e.Cut))
	}
	if e.CommitThenDrop {
		parts = append(parts, nameDrop)
	}
	switch e.Revoke {
	case "":
	case RevokeCall:
		parts = append(parts, nameRevoked)
	default:
		parts = append(parts, nameRevoked+"="+string(e.Revoke))
	}
	return strings.Join(parts, "; ")
}
