package writeout

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// The parts of a HAR 1.2 that a case has.
type (
	harPair    struct{ Name, Value string }
	harContent struct {
		Size     int    `json:"size"`
		MimeType string `json:"mimeType"`
		Text     string `json:"text,omitempty"`
		Encoding string `json:"encoding,omitempty"`
		Comment  string `json:"comment,omitempty"`
	}
	harPost struct {
		MimeType string `json:"mimeType"`
		Text     string `json:"text"`
		Comment  string `json:"comment,omitempty"`
	}
	harRequest struct {
		Method      string    `json:"method"`
		URL         string    `json:"url"`
		HTTPVersion string    `json:"httpVersion"`
		Cookies     []harPair `json:"cookies"`
		Headers     []harPair `json:"headers"`
		QueryString []harPair `json:"queryString"`
		PostData    *harPost  `json:"postData,omitempty"`
		HeadersSize int       `json:"headersSize"`
		BodySize    int       `json:"bodySize"`
	}
	harResponse struct {
		Status      int        `json:"status"`
		StatusText  string     `json:"statusText"`
		HTTPVersion string     `json:"httpVersion"`
		Cookies     []harPair  `json:"cookies"`
		Headers     []harPair  `json:"headers"`
		Content     harContent `json:"content"`
		RedirectURL string     `json:"redirectURL"`
		HeadersSize int        `json:"headersSize"`
		BodySize    int        `json:"bodySize"`
		Comment     string     `json:"comment,omitempty"`
	}
	harEntry struct {
		Started  string      `json:"startedDateTime"`
		Time     float64     `json:"time"`
		Request  harRequest  `json:"request"`
		Response harResponse `json:"response"`
		Cache    struct{}    `json:"cache"`
		Timings  harTimings  `json:"timings"`
	}
	harTimings struct {
		Send    float64 `json:"send"`
		Wait    float64 `json:"wait"`
		Receive float64 `json:"receive"`
	}
)

// MarshalJSON writes the names in lower case.
func (p harPair) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]string{"name": p.Name, "value": p.Value})
}

// har writes the calls of the partner as they were recorded, with their answers, and says what was not recorded. Their times are
// the recording's where these are in the order of the calls.
func har(c *Case) ([]byte, error) {
	entries := []harEntry{}
	list := slices.DeleteFunc(calls(&c.Script), func(s *play.Step) bool { return s.Call.N < 0 })
	timed := slices.IsSortedFunc(list, func(a, b *play.Step) int { return c.recorded(a.Call).Begin.Compare(c.recorded(b.Call).Begin) })
	var at time.Time
	for _, s := range list {
		x := c.recorded(s.Call)
		took := float64(x.End.Sub(x.Begin)) / float64(time.Millisecond)
		if x.End.IsZero() || took < 0 {
			took = 0
		}
		begun := s.At
		if timed && !x.Begin.IsZero() {
			begun = x.Begin
		}
		if begun.After(at) { // one whose time is not known may stand before one whose time is
			at = begun
		}
		entries = append(entries, harEntry{
			Started: at.UTC().Format("2006-01-02T15:04:05.000000000Z"), Time: took, Timings: harTimings{Wait: took},
			Request: c.harRequest(x), Response: harAnswer(c.answer(s.Call)),
		})
	}
	by := map[bool]string{false: recording.ByUs, true: recording.OfExport}[c.OfExport]
	log := map[string]any{"log": map[string]any{
		"version": "1.2", "creator": map[string]string{"name": by, "version": "1"}, "entries": entries,
	}}
	return json.MarshalIndent(log, "", "  ")
}

func (c *Case) harRequest(x *recording.Exchange) harRequest {
	address := c.address(x)
	if x.Scheme != "" && x.Host != "" {
		address = x.Scheme + "://" + x.Host + strings.TrimPrefix(address, c.Base)
	}
	r := harRequest{
		Method: x.Method, URL: address, HTTPVersion: "HTTP/1.1", Cookies: []harPair{}, QueryString: []harPair{},
		Headers: pairs(headers(x)), HeadersSize: -1, BodySize: len(x.Body),
	}
	kind, _ := trail.Header(x.Header, "Content-Type")
	if len(x.Body) > 0 {
		r.PostData = &harPost{MimeType: kind, Text: string(x.Body)}
	}
	if x.BodyMissing {
		r.PostData, r.BodySize = &harPost{MimeType: kind, Comment: recording.SaysTruncated}, -1
	}
	if _, shown := trail.Header(x.Header, "Authorization"); x.Struck && !shown {
		r.Headers = append(r.Headers, harPair{"Authorization", "***"})
	}
	return r
}

func harAnswer(a *recording.Answer) harResponse {
	kind, _ := trail.Header(a.Header, "Content-Type")
	r := harResponse{
		Status: a.Status, StatusText: http.StatusText(a.Status), HTTPVersion: "HTTP/1.1", Cookies: []harPair{}, Headers: pairs(a.Header),
		Content: harContent{Size: len(a.Body), MimeType: kind}, HeadersSize: -1, BodySize: len(a.Body),
	}
	switch {
	case a.Known == recording.NotRecorded:
		r.Comment = recording.SaysNotRecorded
	case a.Known == recording.WithoutBody:
		r.BodySize, r.Content.Comment = -1, recording.SaysTruncated
	case utf8.Valid(a.Body):
		r.Content.Text = string(a.Body)
	default:
		r.Content.Text, r.Content.Encoding = base64.StdEncoding.EncodeToString(a.Body), "base64"
	}
	return r
}

func pairs(list []tape.Header) []harPair {
	out := make([]harPair, 0, len(list))
	for _, h := range list {
		out = append(out, harPair(h))
	}
	return out
}
