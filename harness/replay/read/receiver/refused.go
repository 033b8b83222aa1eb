package receiver

import (
	"slices"
	"strconv"
	"strings"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// mostRefused is how many lines behind a webhook are looked through for what became of it.
const mostRefused = 12

// Refusals reads from the lines of the files which webhooks their receiver did not take for their signature, where no status tells:
// from the line of one, or those right behind it, before anything else that the file tells.
func Refusals(files []source.File, r *recording.Recording) {
	places := placesOf(r)
	for _, f := range files {
		lines := strings.Split(string(f.Head(mostText)), "\n")
		for i := range r.Received {
			if w := &r.Received[i]; w.Place.Source == f.Name && w.Status == 0 && !w.Did(recording.Refused) {
				w.Tell(recording.Refused, some(refusedBehind(lines, places[f.Name], w.Place.Line))...)
			}
		}
	}
}

// RefusedElsewhere reads from lines that repeat the signature of a webhook, in a file that does not hold it, or in an export that holds it
// beside what failed, that its receiver did not take it, and the status that it has answered, where the line tells one.
func RefusedElsewhere(files []source.File, r *recording.Recording) {
	looked := 0
	for i := range r.Received {
		w := &r.Received[i]
		said := strings.TrimPrefix(strings.TrimSpace(source.Header(w.Header, trail.SignatureHeader)), "sha256=") // a log may tell the digest alone
		if w.Status != 0 || w.Did(recording.Refused) || len(said) != 64 {
			continue
		}
		if looked++; looked > mostAgain {
			break
		}
		for _, f := range files {
			text := string(f.Head(mostText))
			if f.Name == w.Place.Source {
				if w.Place.Line > 0 {
					continue // its lines were read
				}
				text = strings.ReplaceAll(text, `","`, "\n") // all of it may stand on one line
			}
			if refused, status := refusedBy(text, said); refused != "" {
				w.Status = status
				w.Tell(recording.Refused, refused)
				break
			}
		}
	}
}

// refusedBy is what the first line that holds a signature tells of its refusal, and the status, 0 for none; "" where no line does.
func refusedBy(text, signature string) (said string, status int) {
	for line := range strings.Lines(text) {
		if len(line) > longest || !strings.Contains(line, signature) {
			continue
		}
		if said = refusedBehind([]string{line}, nil, 1); said == "" {
			continue
		}
		if found := replied().FindStringSubmatch(line); found != nil && found[1] >= "400" {
			status, _ = strconv.Atoi(found[1])
		}
		return said, status
	}
	return "", 0
}

// refusedBehind is the line that tells so of what stands at a line, without its moment; "" for none.
func refusedBehind(lines []string, places []int, at int) string {
	next, _ := slices.BinarySearch(places, at+1)
	end := min(len(lines), at+mostRefused)
	if next < len(places) {
		end = min(end, places[next]-1)
	}
	for n := at; at > 0 && n <= end; n++ {
		line := escapes.Replace(unchecked(lines[n-1]))
		if found := signatureRefused().FindStringIndex(line); found != nil && !undoneRefusal().MatchString(line[max(0, found[0]-20):found[0]]) {
			return strings.TrimSpace(line[found[0]:found[1]])
		}
	}
	return ""
}

// unchecked is a line without what a line of a recording tells of a check of its signature: that was made before, and not by the receiver.
func unchecked(line string) string {
	if !strings.HasPrefix(line, "{") || !strings.Contains(line, `"webhook":true`) {
		return line
	}
	return strings.ReplaceAll(line, `"signature":"wrong"`, "")
}

// escapes are the signs in a text of an export, before and behind which a word stands.
var escapes = strings.NewReplacer(`\t`, " ", `\n`, " ", `\"`, `"`)

// undoneRefusal stands before words that tell of no refusal.
var undoneRefusal = trail.Pattern(`(?i)\b(?:no|not|without|if|on|never|skip(?:ping)?)[ a-z]{0,12}$`)

// signatureRefused is what a receiver's log says of a webhook whose signature its check did not take.
var signatureRefused = trail.Pattern(`(?i)\b(?:signature|hmac|digest)s?\b[^.,;{}\n]{0,25}?\b(?:mismatch(?:ed)?|invalid|fail(?:ed|ure|s)?|wrong|bad|incorrect|unverified|reject(?:ed|ing)?|not (?:valid|match(?:ed|ing)?|verified|ok)|do(?:es)?(?: not|n't) match|(?:could|can)(?: ?not|n't) be verified)\b|\b(?:invalid|bad|wrong|incorrect|mismatched|mismatching|unverified)\b[^.,;{}\n]{0,25}?\b(?:signature|hmac|digest)\b|\bSignature(?:Verification|Mismatch|Invalid)[A-Za-z]*(?:Error|Exception|Failed)\b`)

// RefusedWords is a text that [Refusals] may have found; "" for any other.
func RefusedWords(text string) string {
	if signatureRefused().FindString(text) != text {
		return ""
	}
	return text
}
