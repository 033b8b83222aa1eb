package fault

import (
	"strconv"
	"strings"
	"time"
)

// The names of the effects, as the header writes them.
const (
	nameStatus     = "status"
	nameRetryAfter = "retry-after"
	nameLatency    = "latency"
	nameSlowBody   = "slow-body"
	nameCut        = "cut-connection"
	nameDrop       = "commit-then-drop"
	nameRevoked    = "token-revoked"
)

// Names lists the names of the effects.
func Names() []string {
	return []string{nameStatus, nameRetryAfter, nameLatency, nameSlowBody, nameCut, nameDrop, nameRevoked}
}

// What each effect may be.
const (
	wantStatus     = "a status from 400 to 599"
	wantRetryAfter = "whole seconds from 1 to 86400"
	wantWait       = "a duration such as 250ms or 2s, above 0 and at most 1m"
	wantCut        = "start, headers or body"
	wantRevoked    = "call or token"
)

// Problem is one thing that is wrong with a fault.
type Problem struct {
	// Effect is the name of the effect that is wrong; empty for the whole.
	Effect string
	// Received shows what was sent, between quotes and cut to a fair length.
	Received string
	// Expected says what would be right, and Fix what to do.
	Expected, Fix string
}

// Error lists everything that is wrong with a fault.
type Error struct{ Problems []Problem }

// Error gives the problems in one line.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("the fault is refused")
	for _, p := range e.Problems {
		b.WriteString("; ")
		if p.Effect != "" {
			b.WriteString(p.Effect + ": ")
		}
		b.WriteString("expected " + p.Expected)
	}
	return b.String()
}

// Validate lists what is wrong with an effect: values out of bounds, and
// effects that exclude each other. An effect that changes nothing is wrong too.
func (e Effect) Validate() []Problem {
	if e == (Effect{}) {
		return []Problem{{Received: "no effect", Expected: "at least one effect of " + strings.Join(Names(), ", "), Fix: "send for example status=503"}}
	}
	var list []Problem
	if e.Status != 0 && (e.Status < 400 || e.Status > 599) {
		list = append(list, bad(nameStatus, strconv.Itoa(e.Status), wantStatus))
	}
	if e.RetryAfter < 0 || e.RetryAfter > MaxRetryAfter {
		list = append(list, bad(nameRetryAfter, strconv.Itoa(e.RetryAfter), wantRetryAfter))
	}
	list = append(list, badWait(nameLatency, e.Latency)...)
	list = append(list, badWait(nameSlowBody, e.SlowBody)...)
	if len(list) == 0 && e.Latency+e.SlowBody > MaxWait {
		list = append(list, bad(nameSlowBody, e.SlowBody.String(), "latency and slow-body of at most 1m together"))
	}
	list = append(list, e.badWords()...)
	return append(list, e.contradictions()...)
}

// badWords lists choices that do not exist.
func (e Effect) badWords() []Problem {
	var list []Problem
	if e.Cut != "" && e.Cut != CutStart && e.Cut != CutHeaders && e.Cut != CutBody {
		list = append(list, bad(nameCut, string(e.Cut), wantCut))
	}
	if e.Revoke != "" && e.Revoke != RevokeCall && e.Revoke != RevokeToken {
		list = append(list, bad(nameRevoked, string(e.Revoke), wantRevoked))
	}
	return list
}

func badWait(name string, d time.Duration) []Problem {
	if d < 0 || d > MaxWait {
		return []Problem{bad(name, d.String(), wantWait)}
	}
	return nil
}

// contradictions lists effects of which one would hide the other.
func (e Effect) contradictions() []Problem {
	var list []Problem
	exclude := func(a, b bool, one, other string) {
		if a && b {
			list = append(list, Problem{Effect: other, Received: shown(one + "; " + other), Expected: other + " without " + one, Fix: "leave one of them out"})
		}
	}
	start, slow := e.Cut == CutStart, e.SlowBody != 0
	if e.RetryAfter != 0 && e.Status == 0 {
		list = append(list, Problem{Effect: nameRetryAfter, Received: shown(strconv.Itoa(e.RetryAfter)), Expected: "retry-after beside a status", Fix: "add for example status=503"})
	}
	exclude(e.Status != 0, start, nameStatus, nameCut)
	exclude(e.Status != 0, e.CommitThenDrop, nameStatus, nameDrop)
	exclude(e.Status != 0, e.Revoke != "", nameStatus, nameRevoked)
	exclude(slow, start || e.Cut == CutHeaders, nameSlowBody, nameCut)
	exclude(slow, e.CommitThenDrop, nameSlowBody, nameDrop)
	exclude(e.Cut != "", e.CommitThenDrop, nameCut, nameDrop)
	exclude(start, e.Revoke != "", nameCut, nameRevoked)
	exclude(e.CommitThenDrop, e.Revoke != "", nameDrop, nameRevoked)
	return list
}

func bad(name, received, expected string) Problem {
	return Problem{Effect: name, Received: shown(received), Expected: expected, Fix: "correct the value of " + name}
}

// shown quotes what a stranger has written.
func shown(s string) string {
	const most = 80
	if len(s) > most {
		return strconv.QuoteToASCII(s[:most]) + "…"
	}
	return strconv.QuoteToASCII(s)
}
