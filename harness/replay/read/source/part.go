package source

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// Part is what one file gives: a recording with one source.
type Part struct {
	recording.Recording
	// Collection names the collection that a file of Postman's is, or of which it is a run; "" for any other.
	Collection string
	// Besides is what lines tell of the files of which they were made; nil for other files.
	Besides *Besides
	left    int // what was left out beyond MaxSkipped
}

// Besides is what lines that were written of a recording tell of its files: which there were, of which of them, from 1, the call of a
// line is, and what of them could not be read.
type Besides struct {
	Files []recording.Source
	Of    map[int]int
	Left  []recording.Skipped
}

// events counts the names of events that stand in a text as values, or beside the id of what they are about: somebody who writes that
// none has come names it, too.
func events(text []byte) (n int) {
	for _, name := range []string{trail.PaymentEvent, trail.CompanyEvent} {
		for at := 0; ; at += len(name) {
			next := bytes.Index(text[at:], []byte(name))
			if next < 0 {
				break
			}
			at += next
			before := bytes.TrimRight(text[max(0, at-8):at], " \t")
			line, _, _ := bytes.Cut(text[at:min(len(text), at+250)], []byte("\n"))
			if len(before) > 0 && bytes.IndexByte([]byte(`"'=:{([|,>\`), before[len(before)-1]) >= 0 || trail.UUIDs().Match(line) {
				n++
			}
		}
	}
	return n
}

// NewPart begins a part.
func NewPart(f *File, format string) *Part {
	p := &Part{}
	p.Sources = []recording.Source{{Name: f.Name, Format: format, Size: len(f.Data), Events: events(f.Data)}}
	return p
}

// Source is what is known of the file.
func (p *Part) Source() *recording.Source { return &p.Sources[0] }

// Entry is the place of an entry, from 1; Line is the place of a line, from 1.
func (p *Part) Entry(n int) recording.Place {
	return recording.Place{Source: p.Source().Name, Entry: n}
}

// Line is the place of a line, from 1.
func (p *Part) Line(n int) recording.Place { return recording.Place{Source: p.Source().Name, Line: n} }

// Full says whether no more entries are read, and tells so once.
func (p *Part) Full(at recording.Place) bool {
	if len(p.Exchanges)+len(p.Received) < MaxEntries {
		return false
	}
	p.Skip(at, fmt.Sprintf("the file has more than %d entries: the rest was not read; give it in parts", MaxEntries))
	return true
}

// Skip lists something that the file holds and the recording does not, and that may be a call.
func (p *Part) Skip(at recording.Place, why string) { p.SkipKind(recording.MayBeCall, at, why) }

// SkipKind lists something of another kind.
func (p *Part) SkipKind(kind recording.SkippedKind, at recording.Place, why string) {
	if len(p.Skipped) < MaxSkipped {
		p.Skipped = append(p.Skipped, recording.Skipped{Place: at, Why: why, Kind: kind})
		return
	}
	p.Skipped[MaxSkipped-1] = recording.Skipped{
		Place: p.Skipped[MaxSkipped-1].Place, Why: "further things that could not be read", Count: p.left + 2,
	}
	p.left++
}

// Call adds an exchange. Bodies that are too large are counted as missing.
func (p *Part) Call(x recording.Exchange) {
	if len(x.Body) > MaxBody {
		x.Body, x.BodyMissing = nil, true
		p.SkipKind(recording.OfCall, x.Place, fmt.Sprintf("the request's body is larger than %d bytes", MaxBody))
	}
	if len(x.Answer.Body) > MaxBody {
		x.Answer.Body, x.Answer.Known = nil, recording.WithoutBody
		p.SkipKind(recording.OfCall, x.Place, fmt.Sprintf("the answer's body is larger than %d bytes", MaxBody))
	}
	if len(x.Header) > MaxHeader || len(x.Answer.Header) > MaxHeader {
		p.SkipKind(recording.OfCall, x.Place, fmt.Sprintf("headers after the first %d", MaxHeader))
		x.Header, x.Answer.Header = x.Header[:min(len(x.Header), MaxHeader)], x.Answer.Header[:min(len(x.Answer.Header), MaxHeader)]
	}
	p.Exchanges = append(p.Exchanges, x)
}

// Unbroken is JSON without the line ends that a tool or a mail has put into its texts, where none
// can stand; any other text is as it is.
func Unbroken(body []byte) []byte {
	if bytes.IndexByte(body, '\n') < 0 || json.Valid(body) {
		return body
	}
	if whole := bytes.ReplaceAll(bytes.ReplaceAll(body, []byte("\r"), nil), []byte("\n"), nil); json.Valid(whole) {
		return whole
	}
	return body
}

// Header finds a header whatever the case of its letters.
func Header(list []tape.Header, name string) string {
	for i := range list {
		if strings.EqualFold(list[i].Name, name) {
			return list[i].Value
		}
	}
	return ""
}

// SetHeader adds a header unless there is one of the name.
func SetHeader(list []tape.Header, name, value string) []tape.Header {
	for i := range list {
		if strings.EqualFold(list[i].Name, name) {
			return list
		}
	}
	return append(list, tape.Header{Name: name, Value: value})
}

// Basic is the value of an Authorization header for a user and a password.
func Basic(user, password string) string {
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(user+":"+password))
}

// Shift moves all times of a part, and tells it.
func (p *Part) Shift(by time.Duration) {
	move := func(at *time.Time) {
		if !at.IsZero() {
			*at = at.Add(by)
		}
	}
	for i := range p.Exchanges {
		move(&p.Exchanges[i].Begin)
		move(&p.Exchanges[i].End)
	}
	for i := range p.Received {
		move(&p.Received[i].At)
	}
	p.Source().Offsets = []recording.Offset{{From: p.Line(1), By: by}}
}
