package trail

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"paysandbox/mockserver/tape"
)

// Body is a JSON object as it was sent or answered, read leniently: names match
// in any case of letters, and numbers stay as they are written.
type Body map[string]any

// Tokens reads foreign JSON token by token, as leniently as encoding/json does, and in
// a third of the time.
func Tokens(raw []byte) *jsontext.Decoder {
	return jsontext.NewDecoder(bytes.NewBuffer(raw), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// Scalar is what a token says that is no bracket: a text, a number as it is written, true
// or false; nil for null.
func Scalar(t *jsontext.Token) any {
	switch t.Kind() {
	case '"':
		return t.String()
	case '0':
		return json.Number(t.String())
	case 't', 'f':
		return t.Bool()
	default:
		return nil
	}
}

// ReadBody reads a JSON object; nil when the bytes are none.
func ReadBody(raw []byte) Body {
	d := Tokens(raw)
	if d.PeekKind() != '{' {
		return nil
	}
	v, err := value(d)
	if err != nil {
		return nil
	}
	if _, err := d.ReadToken(); !errors.Is(err, io.EOF) {
		return nil
	}
	b, _ := v.(map[string]any)
	return b
}

// value reads the next one. The decoder bounds how deeply it may be nested.
func value(d *jsontext.Decoder) (any, error) {
	t, err := d.ReadToken()
	if err != nil {
		return nil, err
	}
	switch t.Kind() {
	case '{':
		return object(d)
	case '[':
		return array(d)
	default:
		return Scalar(&t), nil
	}
}

// object reads members up to the end of the object.
func object(d *jsontext.Decoder) (map[string]any, error) {
	members := map[string]any{}
	for {
		name, err := d.ReadToken()
		if err != nil || name.Kind() == '}' {
			return members, err
		}
		key := name.String()
		if members[key], err = value(d); err != nil {
			return nil, err
		}
	}
}

// array reads values up to the end of the array.
func array(d *jsontext.Decoder) ([]any, error) {
	list := []any{}
	for d.PeekKind() != ']' {
		v, err := value(d)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	_, err := d.ReadToken()
	return list, err
}

// Sent is the body of a request, read once for all who ask: most clauses ask for each.
func (t *Trail) Sent(x *tape.Exchange) Body { return t.body(&x.Request, x.Request.Body) }

// Answered is the body of an answer, read once unless it is long.
func (t *Trail) Answered(x *tape.Exchange) Body {
	if len(x.Response.Body) > longAnswer {
		return ReadBody(x.Response.Body)
	}
	return t.body(&x.Response, x.Response.Body)
}

// longAnswer is how many bytes of an answer are not kept once they were read: lists, for
// which few ask.
const longAnswer = 4 << 10

// body reads the body of one side of an exchange once.
func (t *Trail) body(side any, raw []byte) Body {
	if b, known := t.bodies.Load(side); known {
		return b.(Body) //nolint:forcetypeassert // stored below
	}
	b, _ := t.bodies.LoadOrStore(side, ReadBody(raw))
	return b.(Body) //nolint:forcetypeassert // stored here
}

// Get finds a member; nil when it is absent.
func (b Body) Get(name string) any {
	if v, ok := b[name]; ok {
		return v
	}
	spelt := ""
	for known := range b { // of several spellings the first in byte order counts
		if strings.EqualFold(known, name) && (spelt == "" || known < spelt) {
			spelt = known
		}
	}
	return b[spelt]
}

// Text gives a member that is a text, else "".
func (b Body) Text(name string) string {
	s, _ := b.Get(name).(string)
	return s
}

// Whole gives a member that is a whole number, also when it is sent as a text.
func (b Body) Whole(name string) (int64, bool) {
	n, err := b.Number(name).Int64()
	return n, err == nil
}

// Number gives a member that is a number as it is written, or was sent as a text, else "".
func (b Body) Number(name string) json.Number {
	switch v := b.Get(name).(type) {
	case json.Number:
		return v
	case string:
		return json.Number(strings.TrimSpace(v))
	}
	return ""
}

// Cents gives a member that is a whole number; -1 where it is none.
func (b Body) Cents(name string) int64 {
	if n, whole := b.Whole(name); whole {
		return n
	}
	return -1
}

// Object gives a member that is an object; nil when it is none.
func (b Body) Object(name string) Body {
	m, _ := b.Get(name).(map[string]any)
	return m
}

// Show cuts what is quoted in a verdict.
func Show(raw []byte) string {
	const longest = 200
	s := strings.ToValidUTF8(string(raw), "\uFFFD")
	if r := []rune(s); len(r) > longest {
		return string(r[:longest]) + "…"
	}
	return s
}

// Moment writes a virtual time as headers do.
func Moment(at int64) string { return time.Unix(0, at).UTC().Format(time.RFC3339) }

// Quote writes a value as JSON.
func Quote(v any) []byte {
	raw, err := json.Marshal(v)
	if err != nil {
		return []byte("a value that is no JSON")
	}
	return raw
}

// texts gives a member that is a list of texts.
func (b Body) texts(name string) []string {
	var found []string
	list, _ := b.Get(name).([]any)
	for _, v := range list {
		if s, ok := v.(string); ok {
			found = append(found, s)
		}
	}
	return found
}

// List gives a member that is a list of objects.
func (b Body) List(name string) []Body {
	var found []Body
	list, _ := b.Get(name).([]any)
	for _, v := range list {
		if m, ok := v.(map[string]any); ok {
			found = append(found, m)
		}
	}
	return found
}

// Span writes a time for people. A tape that was edited may tell of one below zero.
func Span(d int64) string {
	if d < 0 {
		return "a time below zero, which no sandbox writes"
	}
	return time.Duration(d).Round(100 * time.Microsecond).String()
}

// Pattern gives a regular expression that is read when it is first used.
func Pattern(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

// UUIDs are the ids that stand in a text in small letters.
var UUIDs = Pattern(`[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}`)

// IsUUID says whether a text is a uuid in its usual form of 36 characters.
func IsUUID(s string) bool {
	id, err := uuid.Parse(s)
	return err == nil && id.String() == strings.ToLower(s)
}

// Luhn says whether a card's digits end with their check digit (ISO/IEC 7812-1). The
// sandbox has the same sum of its own (mockserver/secret): neither hides what the other
// misses.
func Luhn(number string) bool {
	sum := 0
	for i := range len(number) {
		d := int(number[i] - '0')
		if (len(number)-i)%2 == 0 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum%10 == 0
}
