package receiver

import (
	"cmp"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// Digests reads from the lines of the files at which webhooks their receiver computed the digest that the signature tells, and
// compared it as it was written: without "sha256=", in capitals, in Base64. Whoever computes it has the secret, and the bytes.
func Digests(files []source.File, r *recording.Recording) {
	looked := 0
	for i := range r.Received {
		w := &r.Received[i]
		said := strings.TrimSpace(source.Header(w.Header, trail.SignatureHeader))
		digest, err := hex.DecodeString(strings.TrimPrefix(said, "sha256="))
		if err != nil || len(digest) != 32 || !strings.HasPrefix(said, "sha256=") || w.Status != 0 && (w.Status < 400 || w.Status > 403) {
			continue
		}
		if looked++; looked > mostAgain {
			break
		}
		for _, f := range files {
			text := string(f.Head(mostText))
			if line := computedIn(text, digest); line != "" {
				w.Tell(recording.SameDigest, line)
				break
			}
		}
	}
}

// computedIn is the line of a text which tells that a digest was computed, as it was written there; "" for none. It holds the digest
// twice, once without "sha256=" before it, with the line under it or alone, or calls it computed.
func computedIn(text string, digest []byte) string {
	whole := hex.EncodeToString(digest)
	forms := []string{whole, strings.ToUpper(whole), base64.StdEncoding.EncodeToString(digest), base64.RawURLEncoding.EncodeToString(digest)}
	for _, form := range forms {
		for from := 0; ; {
			at := strings.Index(text[from:], form)
			if at < 0 {
				break
			}
			begin := strings.LastIndexByte(text[:from+at], '\n') + 1
			line, rest, _ := strings.Cut(text[begin:], "\n")
			from = begin + len(line)
			if next, _, _ := strings.Cut(rest, "\n"); slices.ContainsFunc(forms, func(f string) bool { return strings.Contains(next, f) }) {
				line = strings.TrimRight(line, "\r") + " " + strings.TrimSpace(next) // one told under the other
			}
			line = colours().ReplaceAllString(strings.TrimRight(line, "\r"), "")
			times := 0
			for _, f := range forms {
				times += strings.Count(line, f)
			}
			if times > strings.Count(line, "sha256="+whole) && (times > 1 || computed().MatchString(line[:strings.Index(line, form)])) {
				said := cmp.Or(membersWith(line, forms), spoken(line, regexp.MustCompile(regexp.QuoteMeta(form))))
				for i, f := range forms { // enough to see that they are the same
					said = strings.ReplaceAll(said, f, written[i])
				}
				return strings.TrimSpace(moments().ReplaceAllString(said, ""))
			}
		}
	}
	return ""
}

// membersWith are the members of a line that is an object which hold a digest, by their names; "" where not several do.
func membersWith(line string, forms []string) string {
	var members map[string]any
	if json.Unmarshal([]byte(line), &members) != nil {
		return ""
	}
	var list []string
	for _, name := range slices.Sorted(maps.Keys(members)) {
		text, _ := members[name].(string)
		if len(text) <= longest && slices.ContainsFunc(forms, func(f string) bool { return strings.Contains(text, f) }) {
			list = append(list, name+"="+text)
		}
	}
	if len(list) < 2 || len(strings.Join(list, " ")) > longest {
		return ""
	}
	return strings.Join(list, " ")
}

// written are what stands in a line for a digest, by its form.
var written = []string{recording.Digest, recording.DigestInCapitals, recording.DigestInBase64, recording.DigestInBase64}

var (
	// computed is the name of a digest that the receiver has made itself.
	computed = trail.Pattern(`(?i)\b(?:re)?(?:computed|calculated|calc)(?:[_ .-]?(?:signature|digest|hmac|hash|sig|value|hex))*["']?\s*(?:[=:]|is|was)?\s*["']?$`)
	// colours are how terminals are told them.
	colours = trail.Pattern(`\x1b\[[0-9;]*m`)
)
