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
)

// OtherDigests reads from the files of what a receiver computed the digest that it compared with a signature which is right: it stands
// in them, and is that of another secret, other bytes, or by another function. The secret is the endpoint's.
func OtherDigests(files []source.File, r *recording.Recording, secret string) {
	looked := 0
	for i := range r.Received {
		w := &r.Received[i]
		if secret == "" || w.Signature != recording.Valid || w.Did(recording.SameDigest) {
			continue
		}
		if looked++; looked > mostAgain {
			return
		}
		right := digest(sha256.New, secret, w.Body)
		for _, m := range mistakes(secret, w.Body) {
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
