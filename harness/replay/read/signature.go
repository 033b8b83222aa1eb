package read

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// checkSignatures says of each webhook whether its signature is the service's. Of one whose bytes are not there as they came nothing can be said, unless it is.
func checkSignatures(r *recording.Recording, secret string) {
	list := r.Received
	for i := range list {
		got, length := strings.TrimSpace(source.Header(list[i].Header, trail.SignatureHeader)), source.Header(list[i].Header, "Content-Length")
		whole := len(list[i].Body) > 0 && !list[i].Reprinted && (length == "" || length == strconv.Itoa(len(list[i].Body)))
		switch {
		case got == "":
			list[i].Signature = recording.Missing
		case recording.Struck(strings.TrimPrefix(got, "sha256=")):
			r.Skipped = append(r.Skipped, recording.Skipped{Place: list[i].Place, Kind: recording.OfCall, Why: "the signature of a webhook, which the file has struck out: it cannot be checked"})
		case signs(got, secret, list[i].Body) || !whole && signs(got, secret, source.Compact(list[i].Body)):
			list[i].Signature = recording.Valid
		case signsOtherwise(got, secret, list[i].Body) || !whole && signsOtherwise(got, secret, source.Compact(list[i].Body)):
			list[i].Signature = recording.Otherwise
		case whole:
			list[i].Signature = recording.Wrong
		default:
			r.Skipped = append(r.Skipped, recording.Skipped{Place: list[i].Place, Kind: recording.OfCall, Why: "the bytes of a webhook's body as they came: its signature cannot be checked"})
		}
	}
}

// secretIn is the secret that stands in the files themselves and has signed a webhook of them, "" for none.
func secretIn(files []source.File, r *recording.Recording) string {
	if len(r.Received) == 0 {
		return ""
	}
	for _, f := range files {
		for _, secret := range source.Secrets(f.Data) {
			if slices.ContainsFunc(r.Received[:min(len(r.Received), mostSigned)], func(w recording.Received) bool {
				signature := strings.TrimSpace(source.Header(w.Header, trail.SignatureHeader))
				return signs(signature, secret, w.Body) || signsOtherwise(signature, secret, w.Body) || w.Reprinted && signs(signature, secret, source.Compact(w.Body))
			}) {
				readAs(r, f.Name, "secret")
				return secret
			}
		}
	}
	return ""
}

// mostSigned is how many webhooks a word is tried on: each may have another secret.
const mostSigned = 64

// readAs says of a file in which no call was found what was read of it all the same.
func readAs(r *recording.Recording, name, format string) {
	for i := range r.Sources {
		if r.Sources[i].Name == name && r.Sources[i].Format == recording.Unread {
			r.Sources[i].Format = format
		}
	}
}

// signs says whether a signature is what a secret makes of a body, and signsOtherwise whether it is that in Base64, where it has to be in
// hexadecimal digits.
func signs(signature, secret string, body []byte) bool {
	return strings.EqualFold(signature, "sha256="+hex.EncodeToString(digest(secret, body)))
}

func signsOtherwise(signature, secret string, body []byte) bool {
	said, is := strings.CutPrefix(signature, "sha256=")
	said = strings.NewReplacer("-", "+", "_", "/").Replace(strings.TrimRight(said, "="))
	return is && said == base64.RawStdEncoding.EncodeToString(digest(secret, body))
}

func digest(secret string, body []byte) []byte {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(body)
	return mac.Sum(nil)
}
