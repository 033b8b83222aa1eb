package commands

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// Fetch reads calls of fetch as browsers copy them, for the console and for Node.js: an
// address, and an object that is JSON. Nothing is run.
func Fetch(f *source.File, _ source.Variables) (*source.Part, error) {
	p, text := source.NewPart(f, "fetch"), f.Text()
	for _, at := range FetchCall().FindAllSubmatchIndex(text, source.MaxEntries) {
		place := p.Line(1 + bytes.Count(text[:at[0]], []byte("\n")))
		if p.Full(place) {
			break
		}
		x := recording.Exchange{Place: place, Method: "GET", Answer: recording.Answer{Known: recording.NotRecorded}}
		if err := source.SetAddress(&x, plain(text[at[2]:at[3]])); err != nil {
			p.Skip(place, "the call of fetch has no address")
			continue
		}
		if text[at[4]] == ',' && !options(&x, text[at[5]:]) {
			p.Skip(place, "what fetch is given besides the address is no JSON: it was not read")
			continue
		}
		p.Call(x)
	}
	if len(p.Exchanges) == 0 {
		return nil, &source.Error{File: f.Name, Format: "fetch", Err: errors.New("it has no call of fetch"), Expected: `fetch("https://…", {"method":"POST","headers":{…},"body":"…"})`}
	}
	return p, nil
}

// FetchCall is the beginning of a call of fetch with its address.
var FetchCall = trail.Pattern(`\bfetch\(\s*("(?:[^"\\\n]|\\.)*"|'[^'\\\n]*')\s*([,)])`)

// plain is a quoted address.
func plain(quoted []byte) string {
	var s string
	if json.Unmarshal(quoted, &s) != nil {
		s = strings.Trim(string(quoted), `"'`)
	}
	return s
}

// options reads the object behind the address, and says whether it is one.
func options(x *recording.Exchange, rest []byte) bool {
	var o struct {
		Method  string            `json:"method"`
		Headers map[string]string `json:"headers"`
		Body    *string           `json:"body"`
	}
	if json.NewDecoder(bytes.NewReader(rest)).Decode(&o) != nil {
		return false
	}
	if o.Method != "" {
		x.Method = strings.ToUpper(o.Method)
	}
	for name, value := range o.Headers {
		x.Header = append(x.Header, tape.Header{Name: name, Value: value})
	}
	slices.SortStableFunc(x.Header, func(a, b tape.Header) int { return strings.Compare(a.Name, b.Name) })
	if o.Body != nil {
		x.Body = []byte(*o.Body)
	}
	return true
}
