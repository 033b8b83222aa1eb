package check

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"time"
)

// body is a JSON object as it was sent or answered, read leniently: names match
// in any case of letters, and numbers stay as they are written.
type body map[string]any

// read reads a JSON object; nil when the bytes are none.
func read(raw []byte) body {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var b body
	if err := d.Decode(&b); err != nil {
		return nil
	}
	if _, err := d.Token(); err != io.EOF {
		return nil
	}
	return b
}

// get finds a member; nil when it is absent.
func (b body) get(name string) any {
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

// text gives a member that is a text, else "".
func (b body) text(name string) string {
	s, _ := b.get(name).(string)
	return s
}

// whole gives a member that is a whole number, also when it is sent as a text.
func (b body) whole(name string) (int64, bool) {
	switch v := b.get(name).(type) {
	case json.Number:
		n, err := v.Int64()
		return n, err == nil
	case string:
		n, err := json.Number(strings.TrimSpace(v)).Int64()
		return n, err == nil
	}
	return 0, false
}

// object gives a member that is an object; nil when it is none.
func (b body) object(name string) body {
	m, _ := b.get(name).(map[string]any)
	return m
}

// show cuts what is quoted in a verdict.
func show(raw []byte) string {
	const longest = 200
	s := strings.ToValidUTF8(string(raw), "\uFFFD")
	if r := []rune(s); len(r) > longest {
		return string(r[:longest]) + "…"
	}
	return s
}

// clock writes a virtual time as headers do.
func clock(at int64) string { return time.Unix(0, at).UTC().Format(time.RFC3339) }
