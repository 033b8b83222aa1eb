package receiver

import (
	"regexp"
	"strings"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// besideBody is the signature of a webhook that a log tells beside its body, perhaps behind a name, whatever that is.
var besideBody = trail.Pattern(`(?i)(?:\b([a-z][a-z0-9_-]{1,39})["']?\s*[=:]\s*["']?)?\b(sha256=(?:[0-9a-f]{64}|[A-Za-z0-9+/_-]{43}=))(?:[^A-Za-z0-9+/=_-]|$)`)

// besideStatus is the sender of a request, as access logs tell it behind its status and size.
var besideStatus = trail.Pattern(`HTTP/[0-9.]+" [1-5][0-9]{2} (?:[0-9]+|-) "[^"]*" "([^"]{2,200})"`)

// Signed takes the signatures of webhooks that stand beside their bodies, in the line of each. Whether the bytes of the body
// are those that came is not known then. Where others stand behind a name, one that has nothing there was not signed.
func Signed(files []source.File, r *recording.Recording) {
	lines := linesOf(files, r)
	names := map[string]string{}
	bare := func(w *recording.Received) bool {
		return w.Place.Line > 0 && w.Place.Line <= len(lines[w.Place.Source]) && source.Header(w.Header, trail.SignatureHeader) == ""
	}
	for i := range r.Received {
		w := &r.Received[i]
		if !bare(w) {
			continue
		}
		line := lines[w.Place.Source][w.Place.Line-1]
		if found := besideStatus().FindStringSubmatch(line); found != nil && source.Header(w.Header, "User-Agent") == "" {
			w.Header = append(w.Header, tape.Header{Name: "User-Agent", Value: found[1]})
		}
		found := besideBody().FindStringSubmatch(line)
		if found == nil {
			found = headAbove(lines[w.Place.Source], w.Place.Line)
		}
		if found == nil {
			found = comparedBelow(lines[w.Place.Source], w.Place.Line)
		}
		if found != nil {
			names[w.Place.Source] = found[1]
			w.Header, w.Reprinted = append(w.Header, tape.Header{Name: trail.SignatureHeader, Value: found[2]}), true
		}
	}
	for i := range r.Received {
		if w := &r.Received[i]; names[w.Place.Source] != "" && bare(w) {
			w.Unsigned = w.Unsigned || nothingAt(names[w.Place.Source]).MatchString(lines[w.Place.Source][w.Place.Line-1])
		}
	}
}

// headAbove is the signature, behind its header's name, that one of the two lines above a body tells; nil for none.
func headAbove(lines []string, at int) []string {
	for n := at - 2; n >= 0 && n >= at-3; n-- {
		if found := signatureNamed().FindStringSubmatch(lines[n]); found != nil {
			return found
		}
		if strings.Contains(lines[n], `"Event"`) { // another's body
			break
		}
	}
	return nil
}

// comparedBelow is the signature, behind what names it as that which came, in one of the lines below a body in which its receiver
// tells how it checked it; nil for none.
func comparedBelow(lines []string, at int) []string {
	for _, line := range ofRequest(lines, at) {
		if !checked().MatchString(line) {
			continue
		}
		if found := came().FindStringSubmatch(line); found != nil {
			return found
		}
		if found := toldTwice(line); found != nil {
			return found
		}
	}
	return nil
}

// ofRequest are the lines below that of a body which tell of the same request: the two next ones, before another's, and those near it
// that tell the same id of a request.
func ofRequest(lines []string, at int) (list []string) {
	own, next := idOf(lines[at-1]), true
	for n, line := range lines[at:min(len(lines), at+mostRefused)] {
		id := idOf(line)
		if own != "" && id != "" {
			if own == id {
				list = append(list, line)
			}
			continue
		}
		next = next && n < 2 && !strings.Contains(line, `"Event"`) && !strings.Contains(line, "POST ")
		if next {
			list = append(list, line)
		}
	}
	return list
}

// widest is how long a line may be in which an id is looked for, in bytes.
const widest = 16 << 10

// idOf is the id of the request that a line tells of, as servers give each one; "" for none.
func idOf(line string) string {
	if len(line) > widest {
		return ""
	}
	if found := requestID().FindStringSubmatch(line); found != nil {
		return found[1]
	}
	return ""
}

// requestID is the id that a server gives to a request, behind its name.
var requestID = trail.Pattern(`(?i)\b(?:x[_-])?(?:http[_.-]?)?(?:request|req|trace|correlation)[_.-]?id\\?["']?\s*[=:]\s*\\?["']?([A-Za-z0-9:._-]{6,80})`)

// toldTwice is the signature of a line that tells the same digest twice, the second time without "sha256=", whatever they are called:
// that which came has it.
func toldTwice(line string) []string {
	found := besideBody().FindStringSubmatch(line)
	if found == nil || strings.Count(line, strings.TrimPrefix(strings.ToLower(found[2]), "sha256=")) <= strings.Count(line, found[2]) {
		return nil
	}
	return found
}

var (
	// came is a signature behind a name of what a receiver was sent.
	came = trail.Pattern(`(?i)(?:\b|_)((?:(?:[a-z]{1,12}[_-]|(?:sig|signature|hmac|hash|digest|request|req|http|raw)[ _-]?)?(?:header|received|got|actual|provided|incoming|given|theirs)|x-hmac-signature)(?:[ _-]?(?:signature|sig|header|value|hmac|hash|digest))*)\\?["']?\s*[=: ]\s*\\?["']?(sha256=[0-9a-f]{64})\b`)
	// checked is what such a line tells besides.
	checked = trail.Pattern(`(?i)signature|hmac|digest|mismatch`)
)

// signatureNamed is a signature behind the header's name.
var signatureNamed = trail.Pattern(`(?i)\b(x-hmac-signature)["']?\s*[=:]\s*["']?(sha256=(?:[0-9a-f]{64}|[A-Za-z0-9+/_-]{43}=?))(?:[^A-Za-z0-9+/=_-]|$)`)

// nothingAt is a name in a line behind which nothing stands.
func nothingAt(name string) *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b` + regexp.QuoteMeta(name) + `["']?\s*[=:]\s*(?:["']\s*["']|["']?(?:-|\(none\)|none|null|nil|undefined|missing|absent|empty)\b?["']?)(?:[\s,;)}|\]]|$)`)
}

// linesOf are the lines of the files in which webhooks stand.
func linesOf(files []source.File, r *recording.Recording) map[string][]string {
	lines := map[string][]string{}
	for i := range r.Received {
		w := &r.Received[i]
		for _, f := range files {
			if f.Name == w.Place.Source && w.Place.Line > 0 && lines[f.Name] == nil {
				lines[f.Name] = strings.Split(string(f.Text()), "\n")
			}
		}
	}
	return lines
}
