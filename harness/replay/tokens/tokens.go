// Package tokens holds what a recording shows of the tokens that its calls carry: whether one was sent, where it was granted, whether it
// had ended, and what was done when it was refused. It judges nobody.
package tokens

import (
	"slices"
	"strings"
	"time"

	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// OfEarlier says whether a call carries a whole token that no answer of the recording has granted, and no
// token was asked for before: it is one from before the recording, which may have expired.
func OfEarlier(r *recording.Recording, n int) bool {
	return len(correlate.Bearer(r.Exchanges[n].Header)) > 0 && !slices.ContainsFunc(r.Exchanges[:n], func(x recording.Exchange) bool {
		return source.Header(x.Header, "Authorization") == "" && x.Answer.Status < 300
	})
}

// Opaque says whether a call carries a token of an unknown form, and nothing that is shown tells of which form they are.
func Opaque(r *recording.Recording, n int) bool {
	token := correlate.Bearer(r.Exchanges[n].Header)
	return opaqueToken().MatchString(token) && !recording.Struck(token) && OfEarlier(r, n)
}

// opaqueToken are long words with a digit in them that are no JSON Web Token: what programs send for none has no digit.
var opaqueToken = trail.Pattern(`^[A-Za-z0-9_~+/=-]{6,}[0-9][A-Za-z0-9_~+/=-]{5,}$`)

// Verdict is the verdict on a caller. What nobody has sent is on no integration's tape.
func Verdict(r *recording.Recording, run *play.Run, a *play.Answered) string {
	e := entry(run, a.Seq)
	_, sent := trail.Header(r.Exchanges[a.N].Header, "Authorization")
	switch {
	case e != nil && e.Exchange != nil && e.Exchange.Operation == a.Operation && e.Exchange.Auth != "":
		return e.Exchange.Auth
	case trail.OperationNamed(a.Operation).Token:
		return tape.AuthCredentialsWrong
	case !sent:
		return tape.AuthMissing
	default:
		return tape.AuthMalformed
	}
}

// whileTrying is how long after a refusal a call that is made again still belongs to it.
const whileTrying = 15 * time.Minute

// Recovered says whether the same call was made again, and was served, before somebody else may have seen to it.
func Recovered(r *recording.Recording, n int) bool {
	was := &r.Exchanges[n]
	for i := n + 1; i < len(r.Exchanges); i++ {
		x := &r.Exchanges[i]
		if !x.Begin.IsZero() && !was.Begin.IsZero() && x.Begin.Sub(was.Begin) > whileTrying {
			return false
		}
		if x.Method == was.Method && x.Path == was.Path && x.Answer.Status != 401 {
			return true
		}
	}
	return false
}

// OnlyRead says whether a call that was refused would have read something, and the next that needs a token was served.
func OnlyRead(r *recording.Recording, n int) bool {
	if r.Exchanges[n].Method != "GET" {
		return false
	}
	for i := n + 1; i < len(r.Exchanges); i++ {
		if x := &r.Exchanges[i]; !source.GrantsToken(x.Path) {
			return x.Answer.Status/100 == 2
		}
	}
	return false
}

// Persisted says whether calls went on for a minute with a token after it was refused, or the same
// call was made with it twice more once the refusal had come.
func Persisted(r *recording.Recording, n int) bool {
	was := &r.Exchanges[n]
	token, again := source.Header(was.Header, "Authorization"), 0
	for i := range r.Exchanges[n+1:] {
		x := &r.Exchanges[n+1+i]
		if token == "" || x.Answer.Status != 401 || source.Header(x.Header, "Authorization") != token {
			continue
		}
		if !was.Begin.IsZero() && x.Begin.Sub(was.Begin) >= time.Minute {
			return true
		}
		if x.Method == was.Method && x.Path == was.Path && !x.Begin.Before(was.End) {
			again++
		}
	}
	return again > 1
}

func entry(run *play.Run, seq uint64) *tape.Entry {
	for i := range run.Entries {
		if e := &run.Entries[i]; e.Seq == seq {
			return e
		}
	}
	return nil
}

// Kept says whether a call was refused with 401 for good, in a recording that tells no times, with a token that an earlier call was
// admitted with.
func Kept(r *recording.Recording, n int) bool {
	x := &r.Exchanges[n]
	token := source.Header(x.Header, "Authorization")
	timed := slices.ContainsFunc(r.Exchanges, func(x recording.Exchange) bool { return !x.Begin.IsZero() })
	if x.Answer.Status != 401 || token == "" || timed || Recovered(r, n) {
		return false
	}
	return slices.ContainsFunc(r.Exchanges[:n], func(before recording.Exchange) bool {
		return before.Answer.Status >= 200 && before.Answer.Status < 300 && source.Header(before.Header, "Authorization") == token
	})
}

// GrantedBefore is the call that was granted a token last before another, from 0; -1 for none.
func GrantedBefore(r *recording.Recording, n int) int {
	for n--; n >= 0; n-- {
		if was := &r.Exchanges[n]; was.Answer.Status/100 == 2 && source.GrantsToken(was.Path) {
			return n
		}
	}
	return -1
}

// GrantedAt is the host that granted the token last before a call to another host, which was asked for none and served no call; ""
// where it is the same, or some of that is not so.
func GrantedAt(r *recording.Recording, n int) string {
	host, last := r.Exchanges[n].Host, GrantedBefore(r, n)
	if last < 0 || host == "" || r.Exchanges[last].Host == "" || strings.EqualFold(r.Exchanges[last].Host, host) {
		return ""
	}
	if slices.ContainsFunc(r.Exchanges, func(x recording.Exchange) bool {
		return strings.EqualFold(x.Host, host) && (x.Answer.Status/100 == 2 || source.GrantsToken(x.Path))
	}) {
		return ""
	}
	return r.Exchanges[last].Host
}

// Foreign is a call with a token that another host has granted, and the call that it was granted in, both from 0.
type Foreign struct{ Granted, Call int }

// OfOtherHosts are the calls that were refused with 401, and whose token is another host's: this one has taken none of it.
func OfOtherHosts(r *recording.Recording) []Foreign {
	granted, taken := map[string]int{}, map[string]bool{}
	for i := range r.Exchanges {
		x := &r.Exchanges[i]
		if token := trail.ReadBody(x.Answer.Body).Text("accessToken"); token != "" && x.Answer.Status/100 == 2 {
			granted[token] = i
		}
		if token := correlate.Bearer(x.Header); x.Answer.Known != recording.NotRecorded && x.Answer.Status != 401 {
			taken[token+" "+x.Host] = true
		}
	}
	var list []Foreign
	for i := range r.Exchanges {
		x := &r.Exchanges[i]
		token := correlate.Bearer(x.Header)
		n, known := granted[token]
		if !known || n > i || x.Answer.Status != 401 || taken[token+" "+x.Host] {
			continue
		}
		if from := r.Exchanges[n].Host; from != "" && x.Host != "" && from != x.Host {
			list = append(list, Foreign{n, i})
		}
	}
	return list
}
