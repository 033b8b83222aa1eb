package source

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// The bounds of what is read. What is beyond them is told, never dropped silently.
const (
	// MaxFile is the largest file, in bytes.
	MaxFile = 256 << 20
	// MaxEntries is how many entries of one file are read.
	MaxEntries = 100_000
	// MaxBody is the largest body that is kept, in bytes.
	MaxBody = 16 << 20
	// MaxNesting is how deep folders, loops and values may nest.
	MaxNesting = 64
	// MaxSkipped is how many things one file may have left out one by one; the rest is counted.
	MaxSkipped = 1_000
	// MaxHeader is how many headers a message may have, and MaxAddress the longest address.
	MaxHeader  = 1_000
	MaxAddress = 64 << 10
)

// File is one file as it was given.
type File struct {
	// Name is the name that it was given under.
	Name string
	// Data is all that is in it.
	Data []byte
	// Lines are those of the file that was given of which each line of the data was made, from 1; nil where they are the same.
	Lines []int
}

// Unzipped is the content of a file that gzip has packed, as far as it can be unpacked and
// is not larger than a file may be; any other as it is.
func Unzipped(data []byte) []byte {
	if !bytes.HasPrefix(data, []byte("\x1f\x8b")) {
		return data
	}
	packed, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return data
	}
	plain, _ := io.ReadAll(io.LimitReader(packed, MaxFile)) // one that breaks off is read as far as it goes
	return plain
}

// Text is the file as UTF-8 without a byte order mark: Fiddler writes one, and a
// PowerShell redirection writes UTF-16.
func (f *File) Text() []byte {
	switch {
	case bytes.HasPrefix(f.Data, []byte("\xef\xbb\xbf")):
		return f.Data[3:]
	case bytes.HasPrefix(f.Data, []byte("\xff\xfe")):
		return fromUTF16(f.Data[2:], binary.LittleEndian)
	case bytes.HasPrefix(f.Data, []byte("\xfe\xff")):
		return fromUTF16(f.Data[2:], binary.BigEndian)
	case wide(f.Data, 1):
		return fromUTF16(f.Data, binary.LittleEndian)
	case wide(f.Data, 0):
		return fromUTF16(f.Data, binary.BigEndian)
	default:
		return f.Data
	}
}

// wide says whether data is UTF-16 without a mark: of each pair of its first bytes one is 0, always the same.
func wide(data []byte, zero int) bool {
	const looked = 64
	if len(data) < looked {
		return false
	}
	for i, c := range data[:looked] {
		if (c == 0) != (i%2 == zero) {
			return false
		}
	}
	return true
}

// InLetters is a text in UTF-8 that is in other letters, as a mail says of it. What has a mark, or is UTF-8 already, stays as it is.
func InLetters(data []byte, charset string) []byte {
	switch charset = strings.ToLower(charset); {
	case bytes.HasPrefix(data, []byte("\xff\xfe")), bytes.HasPrefix(data, []byte("\xfe\xff")):
		return data
	case charset == "utf-16le":
		return fromUTF16(data, binary.LittleEndian)
	case charset == "utf-16" || charset == "utf-16be": // without a mark the greater half stands first
		return fromUTF16(data, binary.BigEndian)
	case (charset == "iso-8859-1" || charset == "iso-8859-15" || charset == "windows-1252") && !utf8.Valid(data):
		letters := make([]rune, len(data))
		for i, c := range data {
			letters[i] = rune(c)
		}
		return []byte(string(letters))
	default:
		return data
	}
}

func fromUTF16(data []byte, order binary.ByteOrder) []byte {
	units := make([]uint16, len(data)/2)
	for i := range units {
		units[i] = order.Uint16(data[2*i:])
	}
	return []byte(string(utf16.Decode(units)))
}

// LineOf is the number of the line that the byte at an offset stands in, from 1.
func LineOf(text []byte, offset int) int {
	offset = max(0, min(offset, len(text)))
	return 1 + bytes.Count(text[:offset], []byte("\n"))
}

// IsEvent says whether a body is an event of the service.
func IsEvent(body []byte) bool {
	var event struct {
		Event *string
		Data  map[string]json.RawMessage
	}
	return json.Unmarshal(body, &event) == nil && event.Event != nil && event.Data != nil
}

// RenameEvent gives an event that a log tells as a value of its own, {"event":…,"data":{…}}, the names that the service gives its
// members: how the log spells them is not how they came. One that came with its headers is left as it is.
func RenameEvent(w *recording.Received) {
	var members map[string]json.RawMessage
	if len(w.Header) > 0 || !IsEvent(w.Body) || json.Unmarshal(w.Body, &members) != nil || members["Event"] != nil && members["Data"] != nil {
		return
	}
	as := map[string]json.RawMessage{}
	for name, value := range members {
		for _, own := range []string{"Live", "Event", "Data"} {
			if strings.EqualFold(name, own) {
				as[own] = value
			}
		}
	}
	w.Body, w.Reprinted = Encoded(as), true
}

// EventWithin is the webhook that a line of a log holds: its event, as a text or as an object, and its headers, the line's own time and
// what the receiver answered where they stand beside it. An export keeps what a program has logged in an inner object: there it is a
// text, and the line says that something came in. Its body is nil where none or several stand in the line, and for what is a call.
func EventWithin(line []byte) recording.Received {
	packed := isPacked().Match(line)
	if !packed && !bytes.Contains(line, []byte("PaymentId")) && !bytes.Contains(line, []byte("CompanyId")) {
		return recording.Received{}
	}
	e := eventWithin{packed: packed}
	e.look(line, 0)
	if e.events == 0 && cameIn().Match(line) {
		e.inner(line, 1)
	}
	if e.events != 1 || e.call {
		return recording.Received{}
	}
	return e.Received
}

// cameIn is a word by which a program says that something was sent to it.
var cameIn = trail.Pattern(`(?i)hook|callback|notification|inbound|incoming|receive|deliver`)

var (
	// isPacked is how a gateway says that the body of a request which it hands on is in Base64.
	isPacked = trail.Pattern(`"isBase64Encoded\\*"\s*:\s*true`)
	// packed is such a body, perhaps within a text.
	packed = trail.Pattern(`"body\\*"\s*:\s*\\*"([A-Za-z0-9+/]{40,}={0,2})\\*"`)
)

// HoldsPacked says whether a text holds a request that a gateway hands on, whose body is an event.
func HoldsPacked(text []byte) bool {
	if !isPacked().Match(text) {
		return false
	}
	for _, found := range packed().FindAllSubmatch(text, MaxEntries) {
		if body, err := base64.StdEncoding.DecodeString(string(found[1])); err == nil && IsEvent(body) {
			return true
		}
	}
	return false
}

// saysAnswered is what a receiver answered, as a sentence tells it.
var saysAnswered = trail.Pattern(`(?i)\b(?:answered|answering|responded|responding|replied|returned|returning)(?: with)?(?: status)? ([1-5][0-9]{2})\b`)

// eventWithin is what is found of a webhook in a line.
type eventWithin struct {
	recording.Received
	events       int
	packed, call bool
}

// inner looks through the objects that stand in an object.
func (e *eventWithin) inner(object []byte, deep int) {
	var members map[string]json.RawMessage
	if json.Unmarshal(object, &members) != nil || deep > deepest {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if value := members[name]; value[0] == '{' {
			e.look(value, deep)
			e.inner(value, deep+1)
		}
	}
}

// deepest is how deep in a line an event is looked for.
const deepest = 3

// answered takes what the receiver has answered, where it is a status of HTTP.
func (e *eventWithin) answered(text string) {
	if code, err := strconv.Atoi(text); err == nil && http.StatusText(code) != "" {
		e.Status = code
	}
}

// value is a member's: a text as it stands, which may be a body in Base64.
func (e *eventWithin) value(name string, raw json.RawMessage) (value json.RawMessage, said string, isText bool) {
	if json.Unmarshal(raw, &said) != nil {
		return raw, "", false
	}
	if value = json.RawMessage(said); e.packed && name == "body" {
		value, _ = base64.StdEncoding.DecodeString(said)
	}
	return value, said, true
}

// look takes the members of an object, the outermost first.
func (e *eventWithin) look(object []byte, deep int) {
	var members map[string]json.RawMessage
	_ = json.Unmarshal(object, &members) // what is no object has none
	for _, name := range slices.Sorted(maps.Keys(members)) {
		value, said, isText := e.value(name, members[name])
		switch strings.NewReplacer("@", "", "_", "", "-", "").Replace(strings.ToLower(name)) {
		case "method", "url":
			e.call = true
		case "time", "timestamp", "ts", "date", "t": // the last is Serilog's
			if e.At.IsZero() {
				e.At = either(said, value)
			}
		case "headers":
			e.Header = append(e.Header, headersOf(value)...)
		case "status", "statuscode", "answered", "replied":
			e.answered(string(value))
		case "mt", "message", "msg":
			if found := saysAnswered().FindStringSubmatch(said); found != nil && e.Status == 0 {
				e.answered(found[1])
			}
			fallthrough // it may be the event
		default:
			if (isText || deep == 0) && IsEvent(value) {
				e.events, e.Body = e.events+1, value
			}
		}
	}
}

// either is a moment that is told as a text, or as a number.
func either(said string, value []byte) time.Time {
	n, err := strconv.ParseFloat(strings.TrimSpace(string(value)), 64)
	if err == nil {
		return Unix(n)
	}
	return Time(said)
}

// Encoded is the JSON of a value, on one line; nil for one that has none.
func Encoded(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(v) != nil {
		return nil
	}
	return bytes.TrimSpace(b.Bytes())
}

// Compact is JSON without spaces between its parts; what is no JSON stays as it is.
func Compact(body []byte) []byte {
	var b bytes.Buffer
	if json.Compact(&b, body) != nil {
		return body
	}
	return b.Bytes()
}
