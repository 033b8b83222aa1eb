package prelude

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// admission gets the tokens that the recording has from before it began. A file
// without any authorisation was cleaned: its calls are taken as admitted.
func (b *builder) admission() {
	cleaned, unshown, struck := b.lostAuthorisations()
	b.outworn = b.expired()
	for _, one := range b.facts.list {
		if one.Type == correlate.Token && len(b.before) < most {
			b.token(one)
		}
	}
	slices.SortStableFunc(b.late, func(x, y play.Step) int { return x.At.Compare(y.At) })
	if cleaned || unshown || struck {
		b.admitted = "admitted"
		note := "The recording carries no Authorization: its calls are taken as admitted, but for those that were answered with 401."
		if struck {
			note = "The files have struck out Authorization: the calls are taken as admitted, but for those that were answered with 401."
		} else if cleaned && len(b.carried) > 0 {
			note = "One of the files carries no Authorization: its calls are taken as admitted, but for those that were answered with 401."
		} else if len(b.carried) > 0 {
			note = "Of some calls that were served no headers are shown: they are taken as admitted."
		}
		b.notes = append(b.notes, note)
		b.grant(b.begin, correlate.Value{Type: correlate.Token, Text: b.admitted, Where: "/accessToken"}, "")
	}
}

// unshown says whether a call that wants a token was served, and the recording shows none of its headers but
// that of its body.
func (b *builder) unshown(n int) bool {
	x := &b.rec.Exchanges[n]
	return b.wants(n) && Served(x) && !slices.ContainsFunc(x.Header, func(h tape.Header) bool {
		return !strings.EqualFold(h.Name, "Content-Type")
	})
}

// lostAuthorisations says whether a file carries none, though its calls want one, whether of calls that were served no headers are
// shown, and whether some are struck out.
func (b *builder) lostAuthorisations() (cleaned, unshown, struck bool) {
	b.carried = map[string]bool{}
	wanted := false
	for i := range b.rec.Exchanges {
		x := &b.rec.Exchanges[i]
		if _, has := trail.Header(x.Header, "Authorization"); has {
			b.carried[x.Place.Source] = true
		}
		wanted, unshown, struck = wanted || b.wants(i), unshown || b.unshown(i), struck || x.Struck
	}
	for i := range b.rec.Exchanges {
		cleaned = cleaned || b.wants(i) && b.cleaned(&b.rec.Exchanges[i])
	}
	return cleaned, unshown, struck && wanted
}

// cleaned says whether the file of a call carries no Authorization: none does, or others do, which say nothing of an answer that
// is not recorded.
func (b *builder) cleaned(x *recording.Exchange) bool {
	return !b.carried[x.Place.Source] && (len(b.carried) == 0 || x.Answer.Known != recording.NotRecorded)
}

// wants says whether a call wants a token.
func (b *builder) wants(n int) bool {
	op, _ := b.routes.Match(b.rec.Exchanges[n].Method, b.rec.Exchanges[n].Path)
	return op != "" && !trail.OperationNamed(op).Token
}

// token gets one token: so early that it had expired where it was refused.
func (b *builder) token(one *fact) {
	at, why := b.begin, "an access token was granted before the recording begins"
	if n := b.grantedBy(one); n >= 0 {
		b.granted[n] = correlate.Value{Type: correlate.Token, Text: one.Text, Where: "/accessToken"}
		return
	}
	refused := b.refusedWith(one.Text)
	if refused >= 0 {
		if !one.used {
			return // a token that was never good may be anything: it is sent as it is
		}
		if early := b.clock.Calls[refused].Add(-tokenLife); early.Before(b.begin) {
			at, why = early, "an access token was granted an hour before it was refused"
		}
	}
	if b.later(one, refused) {
		return
	}
	b.grant(at, correlate.Value{Type: correlate.Token, Text: one.Text, Where: "/accessToken"}, why)
}

// later gets a token that the recording still carries an hour after it began when it carries it first, or an hour before it was
// refused: when it was granted no answer shows.
func (b *builder) later(one *fact, refused int) bool {
	if b.carriedLast == nil {
		b.carriedLast = map[string]time.Time{}
		for i := range b.rec.Exchanges {
			x := &b.rec.Exchanges[i] // which was admitted, whatever else was wrong with it
			if x.Answer.Status >= 200 && x.Answer.Status < 500 && x.Answer.Status != 401 {
				b.carriedLast[correlate.Bearer(x.Header)] = b.clock.Calls[i]
			}
		}
	}
	if b.carriedLast[one.Text].Sub(b.begin) < tokenLife || one.first >= len(b.clock.Calls) {
		return false
	}
	at := b.clock.Calls[one.first]
	if refused >= 0 {
		if hour := b.clock.Calls[refused].Add(-tokenLife); hour.Before(at) {
			at = hour
		}
	}
	token := correlate.Value{Type: correlate.Token, Text: one.Text, Where: "/accessToken"}
	if !at.After(b.begin) {
		b.renewed(one, token, b.begin)
		return false
	}
	b.late = append(b.late, Granting(at, token, fmt.Sprintf("an access token was granted, before call %d carries it", one.first+1)))
	b.renewed(one, token, at)
	return true
}

// renewed gets another token for each call that was served with a variable of a file, or with what a command of a script gives each
// time, an hour after the one before it was granted.
func (b *builder) renewed(one *fact, token correlate.Value, at time.Time) {
	if !strings.Contains(one.Text, "{{") && one.Text != "${output}" {
		return
	}
	for i := one.first + 1; i < len(b.rec.Exchanges); i++ {
		if x := &b.rec.Exchanges[i]; Served(x) && correlate.Bearer(x.Header) == one.Text && b.clock.Calls[i].Sub(at) >= tokenLife {
			at = b.clock.Calls[i]
			b.late = append(b.late, Granting(at, token, fmt.Sprintf("another access token was granted, before call %d carries it", i+1)))
		}
	}
}

// due are the tokens that are granted until a call, and were not before.
func (b *builder) due(n int) (list []play.Step) {
	at := slices.IndexFunc(b.late, func(s play.Step) bool { return s.At.After(b.clock.Calls[n]) })
	if at < 0 {
		at = len(b.late)
	}
	list, b.late = b.late[:at], b.late[at:]
	return list
}

// grantedBy is the last token call before a token's first use, where its answer was
// success and its body is not shown, and no other token is its: else -1.
func (b *builder) grantedBy(one *fact) int {
	for i := min(one.first, len(b.rec.Exchanges)) - 1; i >= 0; i-- {
		x := &b.rec.Exchanges[i]
		if op, _ := b.routes.Match(x.Method, x.Path); !trail.OperationNamed(op).Token {
			continue
		}
		if _, taken := b.granted[i]; taken || !Served(x) || x.Answer.Known != recording.WithoutBody {
			return -1
		}
		return i
	}
	return -1
}

// refusedWith is the first call that was answered with 401 under a token, else -1.
func (b *builder) refusedWith(token string) int {
	return slices.IndexFunc(b.rec.Exchanges, func(x recording.Exchange) bool {
		return x.Answer.Status == 401 && correlate.Bearer(x.Header) == token
	})
}

// grant puts a token call before the recording.
func (b *builder) grant(at time.Time, v correlate.Value, why string) {
	b.before = append(b.before, Granting(at, v, why))
}

// Granting is a token call that the recording does not have.
func Granting(at time.Time, v correlate.Value, why string) play.Step {
	return play.Step{At: at, Why: why, Call: &play.Call{
		N: play.Prelude, Admitted: true, Stands: []correlate.Value{v},
		Exchange: recording.Exchange{
			Method: "POST", Path: "/Authentication/Token", Header: []tape.Header{{Name: "Content-Type", Value: "application/json"}, agent},
			Body: []byte(`{"clientId":"","clientSecret":""}`),
		},
	}}
}

// Life is how long the token of an answer is good, at most a year, and whether the answer tells: else an hour, as is usual.
func Life(granted trail.Body) (life time.Duration, told bool) {
	seconds, told := granted.Whole("expiresInSeconds")
	if !told || seconds <= 0 {
		return tokenLife, false
	}
	return time.Duration(min(seconds, 366*24*3600)) * time.Second, true
}

// agent is how calls name themselves that the recording does not have.
var agent = tape.Header{Name: "User-Agent", Value: "paysandbox-prelude/1.0"}

// own is the token under which what was there before is made.
const own = "prelude"

// call puts a call of the API before the recording.
func (b *builder) call(path string, body map[string]any, why string, stands ...correlate.Value) {
	if !b.has(own) {
		b.grant(b.begin, correlate.Value{Type: correlate.Token, Text: own, Where: "/accessToken"}, "")
	}
	b.before = append(b.before, play.Step{At: b.begin, Why: why, Call: &play.Call{
		N: play.Prelude, Stands: stands,
		Exchange: recording.Exchange{
			Method: "POST", Path: path, Body: trail.Quote(body),
			Header: []tape.Header{
				{Name: "Authorization", Value: "Bearer " + own}, {Name: "Content-Type", Value: "application/json"}, agent,
			},
		},
	}})
}

func (b *builder) has(token string) bool {
	return slices.ContainsFunc(b.before, func(s play.Step) bool {
		return s.Call != nil && len(s.Call.Stands) > 0 && s.Call.Stands[0].Text == token
	})
}

// move puts what somebody did before the recording.
func (b *builder) move(path string, body map[string]any, why string, stands ...correlate.Value) {
	raw, _ := json.Marshal(body) //nolint:errchkjson // texts and numbers alone
	b.before = append(b.before, play.Step{At: b.begin, Why: why, Move: &play.Move{Path: path, Body: raw, Stands: stands}})
}

// contact is the number of a payer: the same for payments that name the same one.
func (b *builder) contact(payer string) string {
	if known, ok := b.contacts[payer]; ok && payer != "" {
		return known
	}
	number := fmt.Sprintf("+120255501%02d", 10+len(b.before)%80)
	if b.contacts == nil {
		b.contacts = map[string]string{}
	}
	b.contacts[payer] = number
	return number
}
