package record

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"paysandbox/harness/replay/recording"
	"paysandbox/mockserver/tape"
)

// lineOut is a line as it is written; the reader takes it back.
type lineOut struct {
	Time          time.Time           `json:"time,omitzero"`
	End           time.Time           `json:"end,omitzero"`
	Webhook       bool                `json:"webhook,omitempty"`
	Method        string              `json:"method,omitempty"`
	URL           string              `json:"url"`
	Headers       []tape.Header       `json:"headers,omitzero"`
	Body          *string             `json:"body,omitempty"`
	BodyBase64    []byte              `json:"bodyBase64,omitempty"`
	BodyMissing   bool                `json:"bodyMissing,omitempty"`
	Dollars       string              `json:"dollars,omitempty"`
	GoesOn        int                 `json:"goesOn,omitempty"`
	TokenCut      int                 `json:"tokenCut,omitempty"`
	AsksOnce      bool                `json:"asksOnce,omitempty"`
	CameBack      string              `json:"cameBack,omitempty"`
	RunAgain      string              `json:"runAgain,omitempty"`
	SentTo        string              `json:"sentTo,omitempty"`
	TooSoon       string              `json:"tooSoon,omitempty"`
	PageRows      *recording.Page     `json:"pageRows,omitempty"`
	Of            int                 `json:"of,omitempty"`
	Status        int                 `json:"status,omitempty"`
	AnswerHeaders []tape.Header       `json:"answerHeaders,omitempty"`
	Answer        json.RawMessage     `json:"answer,omitempty"`
	AnswerBase64  []byte              `json:"answerBase64,omitempty"`
	Signature     recording.Signature `json:"signature,omitempty"`
	Log           []recording.Deed    `json:"log,omitempty"`
	Unsigned      bool                `json:"unsigned,omitempty"`
	Mentioned     bool                `json:"mentioned,omitempty"`
}

// WriteJSONLines writes a recording's calls and webhooks as JSON lines, the calls first. Where there is something to tell of the files
// besides, a last line tells it, and each line of which file it is.
func WriteJSONLines(w io.Writer, r *recording.Recording) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	told, of := besidesOf(r)
	for i := range r.Exchanges {
		line := callLine(&r.Exchanges[i])
		line.Of, line.TooSoon, line.CameBack = of[r.Exchanges[i].Place.Source], unnamed(line.TooSoon, r.Sources), unnamed(line.CameBack, r.Sources)
		line.RunAgain, line.SentTo = unnamed(line.RunAgain, r.Sources), unnamed(line.SentTo, r.Sources)
		if err := e.Encode(line); err != nil {
			return err
		}
	}
	for i := range r.Received {
		h := &r.Received[i]
		line := lineOut{Time: h.At, Webhook: true, URL: h.URL, Headers: h.Header, Status: h.Status, Signature: h.Signature, Log: h.Log, Unsigned: h.Unsigned, Mentioned: h.Mentioned, Of: of[h.Place.Source]}
		if line.Body, line.BodyBase64 = written(h.Body); h.Took > 0 {
			line.End = h.At.Add(h.Took)
		}
		if err := e.Encode(line); err != nil {
			return err
		}
	}
	if told == nil {
		return nil
	}
	return e.Encode(struct {
		Besides *besides `json:"besides"`
	}{told})
}

// unnamed is a text without the names of files, which may be people's.
func unnamed(text string, files []recording.Source) string {
	for i := range files {
		if text == "" {
			break
		}
		text = strings.ReplaceAll(text, files[i].Name, fmt.Sprintf("file %d", i+1))
	}
	return text
}

func callLine(x *recording.Exchange) lineOut {
	line := lineOut{
		Time: x.Begin, End: x.End, Method: x.Method, URL: x.Path, Headers: x.Header, BodyMissing: x.BodyMissing, Dollars: x.Dollars, GoesOn: x.GoesOn, TooSoon: x.TooSoon, TokenCut: x.TokenCut, AsksOnce: x.AsksOnce, CameBack: x.CameBack, RunAgain: x.RunAgain, SentTo: x.SentTo, PageRows: x.Page,
		Status: x.Answer.Status, AnswerHeaders: x.Answer.Header,
	}
	if x.Struck {
		line.Headers = append(slices.Clone(line.Headers), tape.Header{Name: "Authorization", Value: "Bearer [redacted]"})
	}
	if line.Headers == nil {
		line.Headers = []tape.Header{} // without the member they are not known
	}
	if x.Host != "" {
		line.URL = x.Host + line.URL
	}
	if x.Scheme != "" {
		line.URL = x.Scheme + "://" + line.URL
	}
	if x.Query != "" {
		line.URL += "?" + x.Query
	}
	line.Body, line.BodyBase64 = written(x.Body)
	switch x.Answer.Known {
	case recording.NeverArrived:
		line.Answer = json.RawMessage("null")
	case recording.Whole:
		text, bytes := written(x.Answer.Body)
		if line.AnswerBase64 = bytes; bytes == nil {
			empty := ""
			if text == nil {
				text = &empty
			}
			line.Answer, _ = json.Marshal(text) // a string always encodes
		}
	default:
	}
	return line
}

// written is a body as a text, or in base64 when it is none; both nil for none.
func written(body []byte) (text *string, raw []byte) {
	switch {
	case len(body) == 0:
		return nil, nil
	case !utf8.Valid(body):
		return nil, body
	default:
		return new(string(body)), nil
	}
}

// Bounds of what is kept of a page: its rows, and how long an id or a cursor is.
const mostRows, longestRow = 1000, 400

// pageOf is the page that a line keeps, nil for none.
func pageOf(raw json.RawMessage) *recording.Page {
	var p recording.Page
	if len(raw) == 0 || json.Unmarshal(raw, &p) != nil || len(p.Rows) == 0 || len(p.Rows) > mostRows || len(p.Next) > longestRow ||
		slices.ContainsFunc(p.Rows, func(id string) bool { return len(id) > longestRow }) {
		return nil
	}
	return &p
}
