package record

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/mockserver/tape"
)

type harPost struct {
	MIMEType  text      `json:"mimeType"`
	Text      *text     `json:"text"`
	Params    harParams `json:"params"`
	Encoding  text      `json:"encoding"`
	UEncoding text      `json:"_encoding"` // Chrome's and mitmproxy's for bytes that are no text
	File      text      `json:"_file"`     // Playwright's when bodies stand beside the HAR
	Comment   text      `json:"comment"`
}

type harContent struct {
	Size     number `json:"size"`
	MIMEType text   `json:"mimeType"`
	Text     *text  `json:"text"`
	Encoding text   `json:"encoding"`
	File     text   `json:"_file"`
	Comment  text   `json:"comment"`
}

// body is a request's body, or that there was one which the file does not hold.
func (r *harRequest) body(header []tape.Header) (body []byte, missing bool) {
	length, _ := strconv.Atoi(source.Header(header, "Content-Length"))
	said := r.BodySize > 0 || length > 0
	post := r.PostData
	switch {
	case post == nil:
		return nil, said
	case post.File != "" || truncated(post.Comment):
		return nil, true
	case post.Text != nil && *post.Text != "":
		body, ok := decoded(*post.Text, post.Encoding+post.UEncoding)
		return body, !ok
	case strings.Contains(string(post.MIMEType), "json"): // chrome-har splits what it can
		body := post.Params.object()
		if len(body) == 0 || len(body) != max(length, int(r.BodySize)) {
			return nil, said
		}
		return body, false
	case len(post.Params) > 0 && !strings.Contains(string(post.MIMEType), "multipart"):
		return []byte(post.Params.form()), false
	default:
		return nil, said || len(post.Params) > 0
	}
}

// typed are the headers of a request with its media type, which tools that build a HAR of what they will send tell beside its body alone:
// the HTTP client adds the header later. One that was refused for want of it has not carried any, and an object that was served is JSON.
func (r *harRequest) typed(header []tape.Header, x *recording.Exchange) []tape.Header {
	if r.PostData == nil || len(x.Body) == 0 || x.Answer.Status == http.StatusUnsupportedMediaType || source.Header(header, "Content-Type") != "" {
		return header
	}
	media := string(r.PostData.MIMEType)
	if x.Answer.Status/100 == 2 && json.Valid(x.Body) && bytes.HasPrefix(bytes.TrimSpace(x.Body), []byte("{")) && !strings.Contains(strings.ToLower(media), "json") {
		media = "application/json"
	}
	if media == "" {
		return header
	}
	return source.SetHeader(header, "Content-Type", media)
}

// harParams are the fields of a form, or, of some tools, the members of a JSON object.
type harParams []struct {
	Name  text            `json:"name"`
	Value json.RawMessage `json:"value"`
}

// UnmarshalJSON takes a list; anything else has no fields.
func (h *harParams) UnmarshalJSON(data []byte) error {
	type plain harParams // has no such method
	return readList(data, (*plain)(h))
}

// form writes the fields as a form's body.
func (h harParams) form() string {
	var pairs []string
	for _, one := range h {
		var value text
		_ = value.UnmarshalJSON(one.Value) // anything that is no text is an empty value
		pairs = append(pairs, url.QueryEscape(string(one.Name))+"="+url.QueryEscape(string(value)))
	}
	return strings.Join(pairs, "&")
}

// object writes the members as an object without spaces.
func (h harParams) object() []byte {
	var b bytes.Buffer
	for i, one := range h {
		b.WriteString(map[bool]string{true: "{", false: ","}[i == 0])
		name, _ := json.Marshal(string(one.Name)) // a string always encodes
		b.Write(append(name, ':'))
		if json.Compact(&b, one.Value) != nil {
			return nil
		}
	}
	if b.Len() > 0 {
		b.WriteByte('}')
	}
	return b.Bytes()
}

// answer is an entry's answer. A status of 0 or -1, and what browsers say of an error,
// mean that none arrived.
func (e *harEntry) answer() recording.Answer {
	r := e.Response
	switch {
	case r == nil && e.Error == "" && e.Request.Failure == "", r != nil && r.Status <= 0 && r.Comment == recording.SaysNotRecorded:
		return recording.Answer{Known: recording.NotRecorded}
	case r == nil || r.Status <= 0:
		return recording.Answer{Known: recording.NeverArrived}
	}
	a := recording.Answer{Known: recording.Whole, Status: int(r.Status), Header: r.Headers.list()}
	body, ok := r.body(a.Header)
	if a.Body = body; !ok {
		a.Body, a.Known = nil, recording.WithoutBody
	}
	return a
}

// body is an answer's body, and whether the file holds it.
func (r *harResponse) body(header []tape.Header) (body []byte, held bool) {
	length, _ := strconv.Atoi(source.Header(header, "Content-Length"))
	c := r.Content
	switch {
	case r.Status == 204 || r.Status == 304:
		return nil, true
	case c == nil:
		return nil, length == 0 && r.BodySize <= 0 && source.Header(header, "Content-Length") != ""
	case c.File != "" || truncated(c.Comment):
		return nil, false
	case c.Text != nil && *c.Text != "":
		return decoded(*c.Text, c.Encoding)
	case c.Size > 0 || length > 0 || r.BodySize > 0:
		return nil, false
	default: // nothing says that there was a body; chunked answers do not say their length
		return nil, source.Header(header, "Transfer-Encoding") == ""
	}
}

// truncated says whether a comment tells that the text was cut off, as Firefox does.
func truncated(comment text) bool {
	return strings.Contains(strings.ToLower(string(comment)), "truncat")
}

// decoded is a text as bytes, and whether it could be decoded.
func decoded(s text, encoding text) ([]byte, bool) {
	if !strings.EqualFold(string(encoding), "base64") {
		return []byte(s), true
	}
	for _, code := range []*base64.Encoding{base64.StdEncoding, base64.RawStdEncoding, base64.URLEncoding, base64.RawURLEncoding} {
		if body, err := code.DecodeString(string(s)); err == nil {
			return body, true
		}
	}
	return nil, false
}
