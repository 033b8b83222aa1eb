package tokens

import (
	"slices"
	"strings"

	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/prelude"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/replay/unshown"
	"paysandbox/harness/trail"
)

// absence is what an answer says of a token that was not sent.
var absence = trail.Pattern(`(?i)\b(?:no|missing|without(?: an?)?) (?:authori[sz]ation(?: header)?|(?:access |bearer )*token|credentials?)\b(?: (?:came|(?:was|were|is) (?:sent|given|found|present|provided|supplied)|sent|given|found|present|provided|supplied)\b)?|\b(?:authori[sz]ation header|(?:access |bearer )token) (?:is |was )?(?:missing|absent|required but missing|not (?:sent|given|found|present|provided|supplied))\b`)

// AbsenceShown says whether a call that shows no Authorization carried none: its file shows what was sent with it, and that of
// others, or is of a form that leaves none out. Where calls that want a token were served without, the file has lost theirs.
func AbsenceShown(r *recording.Recording, run *play.Run, n int) bool {
	shown, lost := authorisations(r, run, n)
	whole := unshown.Headed(&r.Exchanges[n])
	switch file := fileOf(r, n); {
	case lost > 0:
		return false
	case shown > 0:
		return whole || slices.Contains([]string{"curl", "curl-cmd", "curl-verbose", "fetch", "http", "powershell"}, file.Format)
	default:
		return whole && !file.IsExport()
	}
}

// WhyUnshown says why the absence of an Authorization says nothing.
func WhyUnshown(r *recording.Recording, run *play.Run, n int) string {
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
		case unshown.Headed(x):
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

// expiry is what an answer says of a token that is not valid any more.
var expiry = trail.Pattern(`(?i)\b(?:access |bearer )?(?:token|jwt|credentials?|session)\b[^.:;"\n]{0,30}?\b(?:expired|revoked|no longer valid)\b|\bexpired[ _-](?:access[ _-])?(?:token|jwt|credentials?|session)\b`)

// SaysEnded is what the recorded answer itself tells of a token that had ended, "" for nothing: that is evidence, whatever the file
// shows of what was sent.
func SaysEnded(x *recording.Exchange) string { return expiry().FindString(wordsOf(x)) }

// SaysNone is what an answer tells of a token that was not sent, "" for nothing.
func SaysNone(x *recording.Exchange) string { return absence().FindString(wordsOf(x)) }

// wordsOf are the words by which an answer says why it refuses.
func wordsOf(x *recording.Exchange) string {
	b := trail.ReadBody(x.Answer.Body)
	list := []string{source.Header(x.Answer.Header, "WWW-Authenticate")}
	for _, name := range []string{"detail", "title", "message", "error", "error_description", "errorMessage", "description"} {
		list = append(list, b.Text(name))
	}
	return strings.Join(list, "\n")
}

// fileOf is the file that a call stands in.
func fileOf(r *recording.Recording, n int) recording.Source {
	i := slices.IndexFunc(r.Sources, func(s recording.Source) bool { return s.Name == r.Exchanges[n].Place.Source })
	if i < 0 {
		return recording.Source{}
	}
	return r.Sources[i]
}
