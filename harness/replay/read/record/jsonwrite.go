package record

import (
	"encoding/json"
	"io"
	"slices"
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
	Status        int                 `json:"status,omitempty"`
	AnswerHeaders []tape.Header       `json:"answerHeaders,omitempty"`
	Answer        json.RawMessage     `json:"answer,omitempty"`
	AnswerBase64  []byte              `json:"answerBase64,omitempty"`
	Signature     recording.Signature `json:"signature,omitempty"`
	Log           []recording.Deed    `json:"log,omitempty"`
	Unsigned      bool                `json:"unsigned,omitempty"`
	Mentioned     bool                `json:"mentioned,omitempty"`
}

// WriteJSONLines writes a recording's calls and webhooks as JSON lines, the calls first.
// What it does not hold: which file told what, and what was left out of the files.
func WriteJSONLines(w io.Writer, r *recording.Recording) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	for i := range r.Exchanges {
		if err := e.Encode(callLine(&r.Exchanges[i])); err != nil {
			return err
		}
	}
	for i := range r.Received {
		h := &r.Received[i]
		line := lineOut{Time: h.At, Webhook: true, URL: h.URL, Headers: h.Header, Status: h.Status, Signature: h.Signature, Log: h.Log, Unsigned: h.Unsigned, Mentioned: h.Mentioned}
		if line.Body, line.BodyBase64 = written(h.Body); h.Took > 0 {
			line.End = h.At.Add(h.Took)
		}
		if err := e.Encode(line); err != nil {
			return err
		}
	}
	return nil
}

func callLine(x *recording.Exchange) lineOut {
	line := lineOut{
		Time: x.Begin, End: x.End, Method: x.Method, URL: x.Path, Headers: x.Header, BodyMissing: x.BodyMissing, Dollars: x.Dollars, GoesOn: x.GoesOn, TokenCut: x.TokenCut, AsksOnce: x.AsksOnce, CameBack: x.CameBack, RunAgain: x.RunAgain, SentTo: x.SentTo,
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
