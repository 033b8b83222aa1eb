package wire

import (
	"mime"
	"net/http"
	"strconv"
	"strings"
)

// The media types of answers. The JSON text is the same in all of them.
const (
	typeJSON     = "application/json; charset=utf-8"
	typeTextJSON = "text/json; charset=utf-8"
	typePlain    = "text/plain; charset=utf-8"
)

// offer is one media type that an answer can have.
type offer struct {
	major, minor, full string
}

// offers are in the order of the server's preference.
var offers = [...]offer{
	{"application", "json", typeJSON},
	{"text", "json", typeTextJSON},
	{"text", "plain", typePlain},
}

// Sent is the first value of a request's header, "" for none. Its name has to be written as
// net/http keeps it: to make it so takes longer than to look it up.
func Sent(r *http.Request, name string) string {
	if values := r.Header[name]; len(values) > 0 {
		return values[0]
	}
	return ""
}

// JSONRequest reports whether a request body of this Content-Type is taken as
// JSON: application/json, text/json or application/*+json, in any case, with
// any well-formed parameters; a charset must be utf-8. A missing Content-Type
// is not taken.
func JSONRequest(contentType string) bool {
	if contentType == "application/json" || contentType == "application/json; charset=utf-8" {
		return true
	}
	media, params, err := mime.ParseMediaType(contentType)
	if err != nil {
		return false
	}
	if charset, ok := params["charset"]; ok && !strings.EqualFold(charset, "utf-8") {
		return false
	}
	if media == "application/json" || media == "text/json" {
		return true
	}
	sub, ok := strings.CutPrefix(media, "application/")
	return ok && len(sub) > len("+json") && strings.HasSuffix(sub, "+json")
}

// Negotiate chooses the media type of an answer by the Accept header: the one
// of application/json, text/json and text/plain with the highest quality; of
// equals the one that the header names first. A header that admits none of
// them, or none at all, gives application/json.
func Negotiate(accept string) string {
	if accept == "" || accept == "*/*" || accept == "application/json" {
		return typeJSON
	}
	var best [len(offers)]rank
	place := 0
	for item := range strings.SplitSeq(accept, ",") {
		place++
		media, params, _ := strings.Cut(item, ";")
		major, minor, ok := strings.Cut(strings.TrimSpace(media), "/")
		if !ok {
			continue
		}
		q := quality(params)
		for i := range offers {
			if s := offers[i].match(major, minor); s > best[i].specific {
				best[i] = rank{specific: s, quality: q, place: place}
			}
		}
	}
	winner := 0
	for i := range best {
		if best[i].beats(best[winner]) {
			winner = i
		}
	}
	return offers[winner].full
}

// rank is how well a header speaks of an offer.
type rank struct {
	specific int // 3 names it, 2 names its major type, 1 is */*, 0 is silent
	quality  int // thousandths
	place    int // position in the header, from 1
}

// beats compares by quality, then by position; what is silent or refused loses.
func (r rank) beats(other rank) bool {
	if r.quality != other.quality {
		return r.quality > other.quality
	}
	return r.quality > 0 && r.place < other.place
}

// match says how exactly a media range names the offer.
func (o offer) match(major, minor string) int {
	switch {
	case strings.EqualFold(major, o.major) && strings.EqualFold(minor, o.minor):
		return 3
	case strings.EqualFold(major, o.major) && minor == "*":
		return 2
	case major == "*" && minor == "*":
		return 1
	}
	return 0
}

// quality reads the q parameter in thousandths: 1000 when it is absent, 0 when
// it is no number from 0 to 1.
func quality(params string) int {
	for param := range strings.SplitSeq(params, ";") {
		name, text, _ := strings.Cut(param, "=")
		if !strings.EqualFold(strings.TrimSpace(name), "q") {
			continue
		}
		q, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil || !(q >= 0 && q <= 1) {
			return 0
		}
		return int(q*1000 + 0.5)
	}
	return 1000
}
