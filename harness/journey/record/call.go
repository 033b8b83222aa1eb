package record

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"paysandbox/mockserver/tape"
)

// Call is an exchange whose bodies have been read.
type Call struct {
	*tape.Exchange
	// Seq is the number of its entry.
	Seq uint64
	// Asked and Answers are what was sent and what came back.
	Asked, Answers Body
}

// CallOf reads an exchange.
func CallOf(e *tape.Entry) *Call {
	return &Call{Exchange: e.Exchange, Seq: e.Seq, Asked: ReadBody(e.Exchange.Request.Body), Answers: ReadBody(e.Exchange.Response.Body)}
}

// About says whether the path or the query names an id.
func (c *Call) About(id string) bool {
	return id != "" && strings.Contains(strings.ToLower(c.Path+"?"+c.Query), strings.ToLower(id))
}

// Body is a JSON object, empty where there is none; numbers stay as written.
type Body map[string]any

// ReadBody reads a JSON object.
func ReadBody(raw []byte) Body {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var b Body
	if d.Decode(&b) != nil {
		return nil
	}
	return b
}

// Get gives a member, whatever the case of its name's letters.
func (b Body) Get(name string) any {
	if v, ok := b[name]; ok {
		return v
	}
	for n := range b {
		if strings.EqualFold(n, name) {
			return b[n]
		}
	}
	return nil
}

// Text gives a member that is a text, "" otherwise.
func (b Body) Text(name string) string {
	s, _ := b.Get(name).(string)
	return s
}

// Object gives a member that is an object.
func (b Body) Object(name string) Body {
	o, _ := b.Get(name).(map[string]any)
	return o
}

// List gives the objects of a member that is a list.
func (b Body) List(name string) []Body {
	all, _ := b.Get(name).([]any)
	var list []Body
	for _, one := range all {
		if o, ok := one.(map[string]any); ok {
			list = append(list, o)
		}
	}
	return list
}

// Whole gives a member that is a whole number, also one written as a text; -1
// otherwise.
func (b Body) Whole(name string) int64 {
	var words string
	switch v := b.Get(name).(type) {
	case json.Number:
		words = v.String()
	case string:
		words = v
	}
	n, err := strconv.ParseInt(words, 10, 64)
	if err != nil {
		return -1
	}
	return n
}
