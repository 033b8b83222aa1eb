package diagnose

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/prelude"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// unauthorised says what was wrong with a token. One that had expired, and was
// replaced, is how tokens are.
func (f *Fault) unauthorised(r *recording.Recording, run *play.Run, a *play.Answered) bool {
	e := entry(run, a.Seq)
	f.Clause, f.Fix = "auth.bearer", "send the token of the token call as Authorization: Bearer <token>"
	switch auth(r, a, e) {
	case tape.AuthCredentialsWrong:
		f.Clause, f.Fix = "auth.token.refused", "use the client id and secret of this integration and environment"
	case tape.AuthMissing:
		return f.tokenless(r, run, a)
	case tape.AuthExpired, tape.AuthRevoked:
		return f.expired(r, a)
	default:
		if saysExpired(&r.Exchanges[f.N]) {
			return f.expired(r, a)
		}
		if f.Clause = "auth.bearer.broken"; recovered(r, a.N) && ofEarlier(r, a.N) {
			return false
		}
		if opaque(r, a.N) {
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
	shown := absenceShown(r, run, f.N)
	switch said := absence().FindString(wordsOf(x)); {
	case saysExpired(x), !x.Struck && !shown && f.outlived(r):
		return f.expired(r, a)
	case x.Struck:
		f.Side, f.Clause, f.Fix = Undecidable, "", fmt.Sprintf("the token that call %d sent: its first and last six characters, and when and by which call it was granted", f.N+1)
		f.What = fmt.Sprintf("%s was refused with 401: it carried an Authorization, which the file has struck out, so that what was wrong with it is not shown", f.Call)
	case shown:
	case said != "":
		f.What = fmt.Sprintf("%s was refused with 401, as it should be: the answer says %q", f.Call, said)
	default:
		f.Side, f.Clause = Undecidable, ""
		f.Fix = fmt.Sprintf("the Authorization that call %d carried (its token may be blackened but for iat and exp), and the call by which that token was granted, with its time and expiresInSeconds", f.N+1)
		f.What = fmt.Sprintf("%s was refused with 401, and whether it carried an Authorization is not shown: %s", f.Call, unshownWhy(r, run, f.N))
	}
	return true
}

// absence is what an answer says of a token that was not sent.
var absence = trail.Pattern(`(?i)\b(?:no|missing|without(?: an?)?) (?:authori[sz]ation(?: header)?|(?:access |bearer )*token|credentials?)\b(?: (?:came|(?:was|were|is) (?:sent|given|found|present|provided|supplied)|sent|given|found|present|provided|supplied)\b)?|\b(?:authori[sz]ation header|(?:access |bearer )token) (?:is |was )?(?:missing|absent|required but missing|not (?:sent|given|found|present|provided|supplied))\b`)

// absenceShown says whether a call that shows no Authorization carried none: its file shows what was sent with it, and that of
// others, or is of a form that leaves none out. Where calls that want a token were served without, the file has lost theirs.
func absenceShown(r *recording.Recording, run *play.Run, n int) bool {
	shown, lost := authorisations(r, run, n)
	whole := headShown(&r.Exchanges[n])
	switch file := fileOf(r, n); {
	case lost > 0:
		return false
	case shown > 0:
		return whole || slices.Contains([]string{"curl", "curl-cmd", "curl-verbose", "fetch", "http", "powershell"}, file.Format)
	default:
		return whole && !file.IsExport()
	}
}

// unshownWhy says why the absence of an Authorization says nothing.
func unshownWhy(r *recording.Recording, run *play.Run, n int) string {
	switch shown, lost := authorisations(r, run, n); {
	case lost > 0:
		return "the file shows none of calls that were served, either"
	case shown > 0:
		return "the file does not show its headers"
	default:
		return "the file shows none of any call"
	}
}

// authorisations counts the calls of a call's file that show an Authorization, perhaps struck out, and those that were served,
// want one and show none: where others show theirs, of those alone that show other headers.
func authorisations(r *recording.Recording, run *play.Run, n int) (shown, lost int) {
	unseen := 0
	for i := range r.Exchanges {
		x, a := &r.Exchanges[i], run.Of(i)
		if x.Place.Source != r.Exchanges[n].Place.Source {
			continue
		}
		_, carried := trail.Header(x.Header, "Authorization")
		switch {
		case carried || x.Struck:
			shown++
		case a == nil || a.Operation == "" || trail.OperationNamed(a.Operation).Token || !prelude.Served(x):
		case headShown(x):
			lost++
		default:
			unseen++
		}
	}
	if shown == 0 {
		lost += unseen
	}
	return shown, lost
}

// headShown says whether a call is shown with headers, and not with that of its body alone.
func headShown(x *recording.Exchange) bool {
	return slices.ContainsFunc(x.Header, func(h tape.Header) bool { return !strings.EqualFold(h.Name, "Content-Type") })
}

// fileOf is the file that a call stands in.
func fileOf(r *recording.Recording, n int) recording.Source {
	i := slices.IndexFunc(r.Sources, func(s recording.Source) bool { return s.Name == r.Exchanges[n].Place.Source })
	if i < 0 {
		return recording.Source{}
	}
	return r.Sources[i]
}

// expired tells of a token that was not valid any more, but for one that was replaced.
func (f *Fault) expired(r *recording.Recording, a *play.Answered) bool {
	if (recovered(r, a.N) || onlyRead(r, a.N)) && !persisted(r, a.N) {
		return false
	}
	if x := &r.Exchanges[f.N]; saysExpired(x) {
		f.What = fmt.Sprintf("%s was refused with 401, as it should be: the answer says %q", f.Call, expiry().FindString(wordsOf(x)))
	}
	f.struckOut(r)
	f.Clause, f.Also, f.Fix = "auth.unauthorised", []string{"partner.token.recover", "partner.token.refresh"}, "get a new token and make the call again"
	return true
}

// expiry is what an answer says of a token that is not valid any more.
var expiry = trail.Pattern(`(?i)\b(?:access |bearer )?(?:token|jwt|credentials?|session)\b[^.:;"\n]{0,30}?\b(?:expired|revoked|no longer valid)\b|\bexpired[ _-](?:access[ _-])?(?:token|jwt|credentials?|session)\b`)

// saysExpired says whether the recorded answer itself tells that the token had ended: that is evidence, whatever the file
// shows of what was sent.
func saysExpired(x *recording.Exchange) bool { return expiry().MatchString(wordsOf(x)) }

// wordsOf are the words by which an answer says why it refuses.
func wordsOf(x *recording.Exchange) string {
	b := trail.ReadBody(x.Answer.Body)
	list := []string{source.Header(x.Answer.Header, "WWW-Authenticate")}
	for _, name := range []string{"detail", "title", "message", "error", "error_description", "errorMessage", "description"} {
		list = append(list, b.Text(name))
	}
	return strings.Join(list, "\n")
}

// struckOut tells of a token that the file has struck out by which call it was granted: by the last before.
func (f *Fault) struckOut(r *recording.Recording) {
	x := &r.Exchanges[f.N]
	for n := f.N - 1; n >= 0 && x.Struck; n-- {
		was := &r.Exchanges[n]
		if was.Answer.Status/100 != 2 || !source.GrantsToken(was.Path) {
			continue
		}
		if x.Begin.IsZero() || was.Begin.IsZero() {
			return
		}
		f.Calls = []int{n + 1, f.N + 1}
		f.What = fmt.Sprintf("%s: it carried an Authorization, which the file has struck out, and the token that was granted last before it, by call %d, was %s old and had expired", f.turnedDown(r, 401), n+1, x.Begin.Sub(was.Begin).Round(time.Second))
		return
	}
}

// outlived says whether the token that was granted last before a call had ended by its time, whatever headers the call had.
func (f *Fault) outlived(r *recording.Recording) bool {
	x := &r.Exchanges[f.N]
	for n := f.N - 1; n >= 0; n-- {
		was := &r.Exchanges[n]
		if was.Answer.Status/100 != 2 || !source.GrantsToken(was.Path) {
			continue
		}
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
	return false
}

// ofEarlier says whether a call carries a whole token that no answer of the recording has granted, and no
// token was asked for before: it is one from before the recording, which may have expired.
func ofEarlier(r *recording.Recording, n int) bool {
	return len(correlate.Bearer(r.Exchanges[n].Header)) > 0 && !slices.ContainsFunc(r.Exchanges[:n], func(x recording.Exchange) bool {
		return source.Header(x.Header, "Authorization") == "" && x.Answer.Status < 300
	})
}

// opaque says whether a call carries a token of an unknown form, and nothing that is shown tells of which form they are.
func opaque(r *recording.Recording, n int) bool {
	token := correlate.Bearer(r.Exchanges[n].Header)
	return opaqueToken().MatchString(token) && !recording.Struck(token) && ofEarlier(r, n)
}

// opaqueToken are long words with a digit in them that are no JSON Web Token: what programs send for none has no digit.
var opaqueToken = trail.Pattern(`^[A-Za-z0-9_~+/=-]{6,}[0-9][A-Za-z0-9_~+/=-]{5,}$`)

// auth is the verdict on a caller. What nobody has sent is on no integration's tape.
func auth(r *recording.Recording, a *play.Answered, e *tape.Entry) string {
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

// elsewhere are the calls that were refused with 401 because the token that they carried is another host's, as one of the
// rehearsal is in production: this host has taken none of it.
func elsewhere(r *recording.Recording) []Fault {
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
	var list []Fault
	for i := range r.Exchanges {
		x := &r.Exchanges[i]
		token := correlate.Bearer(x.Header)
		n, known := granted[token]
		if !known || n > i || x.Answer.Status != 401 || taken[token+" "+x.Host] {
			continue
		}
		if from := r.Exchanges[n].Host; from != "" && x.Host != "" && from != x.Host {
			list = append(list, Fault{
				Side: Partner, N: i, Place: x.Place, Call: x.Method + " " + x.Path, Clause: "auth.bearer.broken", Calls: []int{n + 1, i + 1},
				What: fmt.Sprintf("was refused with 401: the token that it carried was granted by %s, in call %d, and it was sent to %s", from, n+1, x.Host),
				Fix:  "get the token from the host that is called, with the credentials of that environment: one host's tokens are not good at another",
			})
		}
	}
	return list
}

// whileTrying is how long after a refusal a call that is made again still belongs to it.
const whileTrying = 15 * time.Minute

// recovered says whether the same call was made again, and was served, before somebody else may have seen to it.
func recovered(r *recording.Recording, n int) bool {
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

// onlyRead says whether a call that was refused would have read something, and the next that needs a token was served.
func onlyRead(r *recording.Recording, n int) bool {
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
