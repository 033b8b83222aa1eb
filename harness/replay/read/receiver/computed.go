package receiver

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha1" //nolint:gosec // G505: what receivers compute by mistake is recognised, nothing is signed.
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"hash"
	"strings"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// OtherDigests reads from the files of what a receiver computed the digest that it compared with a signature which is right: it stands
// in them, and is that of another secret, other bytes, or by another function. The secret is the endpoint's.
func OtherDigests(files []source.File, r *recording.Recording, secret string) {
	looked := 0
	around := wrappings(files)
	for i := range r.Received {
		w := &r.Received[i]
		if secret == "" || w.Signature != recording.Valid || w.Did(recording.SameDigest) {
			continue
		}
		if looked++; looked > mostAgain {
			return
		}
		right := digest(sha256.New, secret, w.Body)
		for _, m := range append(mistakes(secret, w.Body), parsed(around, secret, w.Body)...) {
			if !bytes.Equal(m.digest, right) && within(files, m.digest) { // a secret in small letters is the secret itself
				w.Tell(recording.OtherDigest, m.of)
				break
			}
		}
	}
}

// mistake is a digest that is not the signature, and what it is of.
type mistake struct {
	digest []byte
	of     string
}

func digest(h func() hash.Hash, secret string, body []byte) []byte {
	mac := hmac.New(h, []byte(secret))
	mac.Write(body)
	return mac.Sum(nil)
}

// mistakes are the digests that receivers compute where they mean the signature.
func mistakes(secret string, body []byte) []mistake {
	list := []mistake{
		{digest(sha256.New, secret+"\n", body), "the secret with the end of a line behind it"},
		{digest(sha256.New, secret+"\r\n", body), "the secret with the end of a line behind it"},
		{digest(sha256.New, secret+" ", body), "the secret with a space behind it"},
		{digest(sha256.New, `"`+secret+`"`, body), "the secret within quotes"},
		{digest(sha256.New, "'"+secret+"'", body), "the secret within quotes"},
		{digest(sha256.New, strings.ToLower(secret), body), "the secret in small letters"},
		{digest(sha256.New, "", body), "an empty secret"},
		{digest(sha256.New, secret, nil), "an empty body, as of one that had been read before"},
		{digest(sha256.New, secret, append(bytes.Clone(body), '\n')), "the body with the end of a line behind it"},
		{digest(sha256.New, secret, []byte(base64.StdEncoding.EncodeToString(body))), "the body in Base64, as the gateway before the receiver hands it on, and not its bytes"},
		{digest(sha1.New, secret, body), "the right secret and body by SHA-1 in the place of SHA-256"},
		{digest(sha512.New, secret, body), "the right secret and body by SHA-512 in the place of SHA-256"},
	}
	for _, plain := range [][]byte{append([]byte(secret), body...), append(bytes.Clone(body), secret...), body} {
		sum := sha256.Sum256(plain)
		list = append(list, mistake{sum[:], "a plain SHA-256, which is no HMAC"})
	}
	if bare, key, found := strings.Cut(secret, "_"); found {
		list = append(list, mistake{digest(sha256.New, key, body), "the secret without the " + bare + "_ that it begins with"})
		if raw, err := base64.StdEncoding.DecodeString(key); err == nil {
			list = append(list, mistake{digest(sha256.New, string(raw), body), "the secret decoded from Base64"})
		}
	}
	for _, again := range printed(body) {
		list = append(list, mistake{digest(sha256.New, secret, again), "the body printed anew, and not the bytes as they came"})
	}
	return list
}

// mostWrappings bounds how many names are tried by which a framework may have copied a body into itself.
const mostWrappings = 8

// wrapping is what a framework adds to the parameters that it has parsed: a copy of them by a name, the names of what handles them, or both.
type wrapping struct{ name, controller, action string }

// wrappings are those that files show.
func wrappings(files []source.File) (list []wrapping) {
	names, handlers := map[string]bool{}, map[wrapping]bool{{}: true}
	for _, f := range files {
		text := f.Head(mostText)
		for _, found := range copyNamed().FindAllSubmatch(text, mostLines) {
			if name := string(found[1]); name != "Data" && len(names) < mostWrappings {
				names[name] = true
			}
		}
		for _, found := range handledBy().FindAllSubmatch(text, mostLines) {
			if len(handlers) <= mostWrappings {
				handlers[wrapping{controller: underscored(string(found[1])), action: string(found[2])}] = true
			}
		}
	}
	names[""] = true
	for name := range names {
		for h := range handlers {
			if h.name = name; h != (wrapping{}) {
				list = append(list, h)
			}
		}
	}
	return list
}

// underscored is the name of a controller as Rails tells it in the parameters: "Api::PaymentHooks" is "api/payment_hooks".
func underscored(name string) string {
	return strings.ToLower(strings.ReplaceAll(innerCapital().ReplaceAllString(name, "${1}_${2}"), "::", "/"))
}

// parsed are the digests of a body printed anew from the parameters of a framework.
func parsed(around []wrapping, secret string, body []byte) (list []mistake) {
	for _, again := range printed(body) {
		for _, w := range around {
			begin, added := again[:max(0, len(again)-1)], ""
			if !bytes.HasSuffix(again, []byte("}")) || bytes.ContainsAny(again, "\n\t") {
				continue
			}
			if w.controller != "" {
				added = `,"controller":"` + w.controller + `","action":"` + w.action + `"`
			}
			if w.name != "" {
				added += `,"` + w.name + `":` + string(again)
			}
			of := "the parameters as the framework has parsed them, printed anew, and not the bytes as they came"
			if w.name != "" {
				of += `: they hold the body once more, as "` + w.name + `"`
			}
			list = append(list, mistake{digest(sha256.New, secret, append(bytes.Clone(begin), added+"}"...)), of})
		}
	}
	return list
}

var (
	// copyNamed is the name by which parsed parameters hold an event once more, and handledBy what Rails says handles them.
	copyNamed = trail.Pattern(`"([A-Za-z_][A-Za-z0-9_]{0,40})"\s*(?:=>|:)\s*\{\s*"(?:Live|Event)"\s*(?:=>|:)`)
	handledBy = trail.Pattern(`\bProcessing by ([A-Z][A-Za-z0-9:]{0,80})Controller#([a-z_0-9]{1,40})`)
	// innerCapital is where a word begins within a name.
	innerCapital = trail.Pattern(`([a-z0-9])([A-Z])`)
)

// printed are a body as programs print it after they have parsed it.
func printed(body []byte) (list [][]byte) {
	var b bytes.Buffer
	var v any
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	if d.Decode(&v) != nil || json.Compact(&b, body) != nil {
		return nil
	}
	sorted := source.Encoded(v)
	for _, compact := range [][]byte{bytes.Clone(b.Bytes()), sorted} {
		list = append(list, compact, spaced(compact), bytes.ReplaceAll(compact, []byte("/"), []byte(`\/`)))
		for _, indent := range []string{"  ", "    ", "\t"} {
			b.Reset()
			if json.Indent(&b, compact, "", indent) == nil {
				list = append(list, bytes.Clone(b.Bytes()))
			}
		}
	}
	return list
}

// spaced is compact JSON with a space behind each colon and comma, as Python prints it.
func spaced(compact []byte) []byte {
	var out []byte
	quoted := false
	for i, c := range compact {
		if c == '"' && (i == 0 || compact[i-1] != '\\') {
			quoted = !quoted
		}
		if out = append(out, c); !quoted && (c == ':' || c == ',') {
			out = append(out, ' ')
		}
	}
	return out
}

// within says whether a digest stands in a file, as figures in letters of either size, or in Base64.
func within(files []source.File, digest []byte) bool {
	whole := hex.EncodeToString(digest)
	for _, f := range files {
		text := f.Head(mostText)
		for _, form := range []string{whole, strings.ToUpper(whole), base64.StdEncoding.EncodeToString(digest)} {
			if bytes.Contains(text, []byte(form)) {
				return true
			}
		}
	}
	return false
}
