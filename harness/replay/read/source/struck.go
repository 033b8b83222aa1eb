package source

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// ending is a token of which a logger shows the end alone.
var ending = trail.Pattern(`^[^A-Za-z0-9]{1,16}([A-Za-z0-9_-]{4,16})$`)

// beginning is a token of which a logger shows the beginning alone, both one of which it shows both ends.
var (
	beginning = trail.Pattern(`^([A-Za-z0-9_.-]{4,64}?)(?:\.{3,}|…|\*{3,})$`)
	both      = trail.Pattern(`^([A-Za-z0-9_.-]{1,64}?)(?:\.{3,}|…|\*{3,}|[•●█■▇░]{2,}|[\[<(](?:\.{2,3}|…|[A-Za-z0-9 _-]{1,24})[\])>])([A-Za-z0-9_-]{4,16})$`)
)

// JoinStruck gives a token of which two places show the end one text, which is not struck out any more: that of the answer which has
// granted it, however many marks stand in the rest's place. Where both show how it begins, too, they begin alike. So it does where the
// answer shows the beginning alone, and the calls behind it both ends.
func JoinStruck(p *Part) {
	s := shownEnds{granted: map[string]shownToken{}}
	for i := range p.Exchanges {
		x := &p.Exchanges[i]
		for j := range x.Header {
			if h := &x.Header[j]; strings.EqualFold(h.Name, "Authorization") {
				s.carried(h)
			}
		}
		if bytes.Contains(bytes.ToLower(x.Answer.Body), []byte("accesstoken")) {
			s.grants(x)
		}
	}
}

// shownToken is a token of which a file shows a part: how it begins, "" where that is not shown, and the text that stands for it.
type shownToken struct{ begin, whole string }

// shownEnds are the tokens that were granted, by their ends.
type shownEnds struct {
	granted map[string]shownToken
	// open is the newest that shows the beginning alone, and whose end no call has shown.
	open *recording.Exchange
}

// partsOf are the beginning, "" for none, and the end that a logger has left of a token; the end is "" where there is none.
func partsOf(token string) (begin, end string) {
	if found := both().FindStringSubmatch(token); found != nil {
		return found[1], found[2]
	}
	if found := ending().FindStringSubmatch(token); found != nil {
		return "", found[1]
	}
	return "", ""
}

// carried puts the text of a token that was granted in the place of what a call shows of it.
func (s *shownEnds) carried(h *tape.Header) {
	scheme, token, _ := strings.Cut(h.Value, " ")
	begin, end := partsOf(token)
	if begin != "" && s.granted[end].whole == "" && s.open != nil && strings.HasPrefix(trail.ReadBody(s.open.Answer.Body).Text("accessToken"), begin) {
		s.name(s.open, begin, end)
		s.open = nil
	}
	if one := s.granted[end]; one.whole != "" && (strings.HasPrefix(one.begin, begin) || strings.HasPrefix(begin, one.begin)) {
		h.Value = scheme + " " + one.whole
	}
}

// grants takes the token that an answer grants, where it shows a part of it.
func (s *shownEnds) grants(x *recording.Exchange) {
	token := trail.ReadBody(x.Answer.Body).Text("accessToken")
	if s.open = nil; beginning().MatchString(token) {
		s.open = x
	}
	if begin, end := partsOf(token); end != "" && !recording.Struck(end) {
		s.name(x, begin, end)
	}
}

// name gives the token that an answer grants a text of its own: what programs write beyond ASCII stands escaped in some.
func (s *shownEnds) name(x *recording.Exchange, begin, end string) {
	whole, token := "token-that-ends-in-"+end, trail.ReadBody(x.Answer.Body).Text("accessToken")
	for _, written := range [][]byte{trail.Quote(token), []byte(strconv.QuoteToASCII(token))} {
		if bytes.Contains(x.Answer.Body, written) {
			x.Answer.Body = bytes.Replace(x.Answer.Body, written, trail.Quote(whole), 1)
			s.granted[end] = shownToken{begin, whole}
			return
		}
	}
}

// MarkStruck notes what somebody has struck out: an Authorization that shows no credential any more is left out, a body of which
// nothing else is left is not recorded, and a webhook's body is not what was signed.
func MarkStruck(p *Part) {
	for i := range p.Exchanges {
		x := &p.Exchanges[i]
		for j := range x.Header {
			if h := &x.Header[j]; strings.EqualFold(h.Name, "Authorization") {
				h.Value = besideOthers().ReplaceAllString(h.Value, "$1")
			}
		}
		x.Header = slices.DeleteFunc(x.Header, func(h tape.Header) bool {
			if !strings.EqualFold(h.Name, "Authorization") || noCredential(h.Value) {
				return strings.EqualFold(h.Name, "Authorization")
			}
			struck := struckCredential(h.Value) || x.Answer.Known != recording.NotRecorded && openCredential().MatchString(h.Value)
			x.Struck = x.Struck || struck
			return struck
		})
		if _, others := correlate.Struck(x.Body); !others {
			x.Body, x.BodyMissing = nil, true
		}
		if _, others := correlate.Struck(x.Answer.Body); !others && x.Answer.Known == recording.Whole {
			x.Answer.Body, x.Answer.Known = nil, recording.WithoutBody
		}
	}
	for i := range p.Received {
		if list, _ := correlate.Struck(p.Received[i].Body); len(list) > 0 {
			p.Received[i].Reprinted = true
		}
	}
}

// besideOthers is a value that a logger writes in quotes on one line with other headers.
var besideOthers = trail.Pattern(`^"?([^"]*)",? [A-Za-z][A-Za-z0-9-]*: ?".*$`)

// noCredential says whether an Authorization shows nothing: its variable was left empty.
func noCredential(value string) bool {
	scheme, rest, _ := strings.Cut(strings.TrimSpace(value), " ")
	return scheme == "-" || strings.EqualFold(scheme, "Bearer") && strings.Trim(rest, " -") == ""
}

// struckCredential says whether the credential of an Authorization was struck out.
func struckCredential(value string) bool {
	v := strings.Trim(value, `"' `)
	if scheme, rest, _ := strings.Cut(v, " "); strings.EqualFold(scheme, "Bearer") || strings.EqualFold(scheme, "Basic") {
		v = strings.TrimSpace(rest)
	}
	if said, _, beside := strings.Cut(v, " #"); beside { // what somebody has noted behind it
		v = strings.TrimSpace(said)
	}
	return recording.Struck(v) || inBrackets().MatchString(v) || inItsPlace().MatchString(v) || v != "" && !strings.ContainsFunc(v, func(r rune) bool { return r|32 >= 'a' && r|32 <= 'z' || r >= '0' && r <= '9' })
}

// openCredential is a variable of which the file does not say what it held: each time it may have been another token.
var openCredential = trail.Pattern(`^Bearer (?:\$\(.*|\$\w+|\$\{\w+\}|%\w+%|\{\{\s*\$?[\w.-]+(?:\s+[\w.-]+)*\s*\}\})$`)

// inItsPlace are words that stand for a credential, or say that it was taken out.
var inItsPlace = trail.Pattern(`(?i)^(?:your|my|the|some|a|access|auth|api|bearer|jwt|token|here)(?:[ _-]?(?:your|my|the|some|a|access|auth|api|bearer|jwt|token|here))*$|^[a-z _-]*\b(?:token[ _-])?(?:redacted|removed|omitted|masked|hidden|stripped|censored|withheld)\b[a-z _-]*$`)

// inBrackets are words in the place of a credential, whichever they are.
var inBrackets = trail.Pattern(`(?i)^[\[<(*]+[a-z0-9 _.-]*[\]>)*]+$`)
