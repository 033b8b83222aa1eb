package diagnose

import (
	"fmt"
	"strings"
	"time"

	"paysandbox/harness/replay/outcomes"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/prelude"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/replay/tokens"
	"paysandbox/harness/replay/unshown"
	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// unauthorised says what was wrong with a token. One that had expired, and was
// replaced, is how tokens are.
func (f *Fault) unauthorised(r *recording.Recording, run *play.Run, a *play.Answered) bool {
	f.Clause, f.Fix = "auth.bearer", "send the token of the token call as Authorization: Bearer <token>"
	switch tokens.Verdict(r, run, a) {
	case tape.AuthCredentialsWrong:
		f.Clause, f.Fix = "auth.token.refused", "use the client id and secret of this integration and environment"
	case tape.AuthMissing:
		return f.tokenless(r, run, a)
	case tape.AuthExpired, tape.AuthRevoked:
		return f.expired(r, a)
	default:
		if tokens.SaysEnded(&r.Exchanges[f.N]) != "" {
			return f.expired(r, a)
		}
		if f.Clause = "auth.bearer.broken"; tokens.Recovered(r, a.N) && tokens.OfEarlier(r, a.N) {
			return false
		}
		if n := tokens.GrantedBefore(r, f.N); n >= 0 && r.Exchanges[f.N].TokenCut > 0 {
			f.Calls, f.Fix = []int{n + 1, f.N + 1}, "send the token as it was granted, whole: look at where it is kept on the way, such as a column or a variable that is too short for it"
			f.What = fmt.Sprintf("%s was refused with 401, as it should be: the token that it carried is cut: it is the first %d characters of that which call %d was granted, and no more", f.Call, r.Exchanges[f.N].TokenCut, n+1)
			return true
		}
		if tokens.Opaque(r, a.N) {
			f.Side, f.Clause = Undecidable, ""
			f.Fix = fmt.Sprintf("when and by which call the token that call %d carried was granted, with its expiresInSeconds, and whether tokens were revoked since", f.N+1)
			f.What = fmt.Sprintf("%s was refused with 401: the token that it carried was granted by no call that is shown, and its form does not tell until when it was good", f.Call)
		}
	}
	return true
}

// tokenless says of a call that shows no token whether none was sent: that no Authorization is shown says so alone where it is
// known that one would be.
func (f *Fault) tokenless(r *recording.Recording, run *play.Run, a *play.Answered) bool {
	x := &r.Exchanges[f.N]
	shown := tokens.AbsenceShown(r, run, f.N)
	switch said := tokens.SaysNone(x); {
	case tokens.SaysEnded(x) != "", !x.Struck && !shown && f.outlived(r):
		return f.expired(r, a)
	case x.Struck && tokens.GrantedAt(r, f.N) != "":
		n := tokens.GrantedBefore(r, f.N)
		f.Clause, f.Fix, f.Calls = "auth.unauthorised", "get the token from the same address as it is sent to: sandbox and production each know their own alone, with credentials of their own", []int{n + 1, f.N + 1}
		f.What = fmt.Sprintf("%s was refused with 401, as it should be: it went to %s, and the token that was granted last before it, by call %d, is that of %s: no token of %s is shown", f.Call, x.Host, n+1, tokens.GrantedAt(r, f.N), x.Host)
	case x.Struck:
		f.Side, f.Clause, f.Fix = Undecidable, "", fmt.Sprintf("the token that call %d sent: its first and last six characters, and when and by which call it was granted", f.N+1)
		f.What = fmt.Sprintf("%s was refused with 401: it carried an Authorization, which the file has struck out, so that what was wrong with it is not shown", f.Call)
	case shown:
	case said != "":
		f.What = fmt.Sprintf("%s was refused with 401, as it should be: the answer says %q", f.Call, said)
	default:
		f.Side, f.Clause = Undecidable, ""
		f.Fix = fmt.Sprintf("the Authorization that call %d carried (its token may be blackened but for iat and exp), and the call by which that token was granted, with its time and expiresInSeconds", f.N+1)
		f.What = fmt.Sprintf("%s was refused with 401, and whether it carried an Authorization is not shown: %s", f.Call, tokens.WhyUnshown(r, run, f.N))
	}
	return true
}

// expired tells of a token that was not valid any more, but for one that was replaced.
func (f *Fault) expired(r *recording.Recording, a *play.Answered) bool {
	if (tokens.Recovered(r, a.N) || tokens.OnlyRead(r, a.N)) && !tokens.Persisted(r, a.N) {
		return false
	}
	if x := &r.Exchanges[f.N]; tokens.SaysEnded(x) != "" {
		f.What = fmt.Sprintf("%s was refused with 401, as it should be: the answer says %q", f.Call, tokens.SaysEnded(x))
	}
	f.struckOut(r)
	f.Clause, f.Also, f.Fix = "auth.unauthorised", []string{"partner.token.recover", "partner.token.refresh"}, "get a new token and make the call again"
	return true
}

// struckOut tells of a token that the file has struck out by which call it was granted: by the last before.
func (f *Fault) struckOut(r *recording.Recording) {
	x := &r.Exchanges[f.N]
	n := tokens.GrantedBefore(r, f.N)
	if !x.Struck || n < 0 || x.Begin.IsZero() || r.Exchanges[n].Begin.IsZero() {
		return
	}
	f.Calls = []int{n + 1, f.N + 1}
	f.What = fmt.Sprintf("%s: it carried an Authorization, which the file has struck out, and the token that was granted last before it, by call %d, was %s old and had expired", f.turnedDown(r, 401), n+1, x.Begin.Sub(r.Exchanges[n].Begin).Round(time.Second))
}

// outlived says whether the token that was granted last before a call had ended by its time, whatever headers the call had.
func (f *Fault) outlived(r *recording.Recording) bool {
	n := tokens.GrantedBefore(r, f.N)
	if n < 0 {
		return false
	}
	x, was := &r.Exchanges[f.N], &r.Exchanges[n]
	life, told := prelude.Life(trail.ReadBody(was.Answer.Body))
	age := x.Begin.Sub(was.Begin)
	if !told && was.Answer.Known == recording.Whole || x.Begin.IsZero() || was.Begin.IsZero() || age <= life {
		return false
	}
	f.Calls = []int{n + 1, f.N + 1}
	unless := map[bool]string{false: fmt.Sprintf(" (how long it was good is not shown: usually for %s)", life)}
	f.What = fmt.Sprintf("%s: the token that was granted last before it, by call %d, was %s old and had expired%s", f.turnedDown(r, 401), n+1, age.Round(time.Second), unless[told])
	return true
}

// elsewhere are the calls that were refused with 401 because the token that they carried is another host's, as one of the
// rehearsal is in production.
func elsewhere(r *recording.Recording) []Fault {
	var list []Fault
	for _, c := range tokens.OfOtherHosts(r) {
		x := &r.Exchanges[c.Call]
		list = append(list, Fault{
			Side: Partner, N: c.Call, Clause: "auth.bearer.broken", Calls: []int{c.Granted + 1, c.Call + 1},
			What: fmt.Sprintf("was refused with 401: the token that it carried was granted by %s, in call %d, and it was sent to %s", r.Exchanges[c.Granted].Host, c.Granted+1, x.Host),
			Fix:  "get the token from the host that is called, with the credentials of that environment: one host's tokens are not good at another",
		}.placed(r))
	}
	return list
}

// keptToken is a call that was refused with 401 for good with a token that was kept: nil for any other. How old the token was is not
// shown; that it was not renewed is.
func keptToken(r *recording.Recording, n int) *Fault {
	if !tokens.Kept(r, n) {
		return nil
	}
	f := Fault{
		Side: Partner, N: n, Calls: []int{n + 1}, Clause: "auth.unauthorised", Also: []string{"partner.token.recover", "partner.token.refresh"},
		Fix: "get a new token and make the call again",
	}.placed(r)
	f.What = f.Call + " was refused with 401: the token, which earlier calls were admitted with, was not valid any more, and no new one was asked for"
	return &f
}

// untold are the refusals whose reason the recording does not hold: the body that was
// refused is missing, or the answer's. A media type that is no JSON is a reason that is shown.
// Of a recording that shows no answer at all, nothing is known of what the service said.
func untold(r *recording.Recording, run *play.Run) []Fault {
	var list, all []Fault
	for i := range r.Exchanges {
		x := &r.Exchanges[i]
		f := Fault{Side: Undecidable, N: i, Calls: []int{i + 1}}.placed(r)
		all = append(all, f)
		struck := prelude.RefusedForStruck(x)
		if struck != nil && !outcomes.StoodIn(run, i) {
			continue // it was refused for what is shown, besides
		}
		if !unshown.Refused(x) && struck == nil {
			continue
		}
		f.What = fmt.Sprintf("%s %s was refused with %d, and the recording does not hold what was sent", x.Method, x.Path, x.Answer.Status)
		if struck != nil {
			f.What = fmt.Sprintf("%s %s was refused with 400, and the file has struck out what it may have been refused for: %s", x.Method, x.Path, strings.Join(struck, ", "))
			f.Fix = fmt.Sprintf("%s of call %d as it was sent, or its form (how many characters, and which kinds)", strings.Join(struck, ", "), i+1)
		}
		if media := source.Header(x.Header, "Content-Type"); x.Answer.Status == 415 && media != "" && !strings.Contains(strings.ToLower(media), "json") {
			f.Side, f.Clause, f.Fix = Partner, "request.media-type", "send application/json"
			f.What = fmt.Sprintf("%s %s was refused with 415, as it should be: its media type is %s, expected application/json", x.Method, x.Path, media)
		}
		list = append(list, f)
	}
	for i := range r.Exchanges {
		if r.Exchanges[i].Answer.Known != recording.NotRecorded {
			return list
		}
		all[0].Calls = append(all[0].Calls[:i:i], i+1)
	}
	if len(all) > 0 && len(r.Received) == 0 {
		all[0].What = "no answer of any call is shown: what the service said is not known"
		list = append(list, all[0])
	}
	return list
}
