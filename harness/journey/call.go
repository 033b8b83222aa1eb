package journey

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"paysandbox/mockserver/tape"
)

// call is an exchange whose bodies have been read.
type call struct {
	*tape.Exchange
	seq            uint64
	asked, answers map[string]any
}

func callOf(e *tape.Entry) *call {
	return &call{Exchange: e.Exchange, seq: e.Seq, asked: object(e.Exchange.Request.Body), answers: object(e.Exchange.Response.Body)}
}

// object reads a JSON object with its numbers as they are written; empty when it
// is none.
func object(raw []byte) map[string]any {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var o map[string]any
	if d.Decode(&o) != nil {
		return nil
	}
	return o
}

// member gives a member of an object, whatever the case of its name's letters.
func member(o map[string]any, name string) any {
	if v, ok := o[name]; ok {
		return v
	}
	for n := range o {
		if strings.EqualFold(n, name) {
			return o[n]
		}
	}
	return nil
}

// text gives a member that is a text, "" otherwise.
func text(o map[string]any, name string) string {
	s, _ := member(o, name).(string)
	return s
}

// whole gives a member that is a whole number, also one written as a text; -1
// otherwise.
func whole(o map[string]any, name string) int64 {
	var words string
	switch v := member(o, name).(type) {
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

// about says whether the path or the query names an id.
func (c *call) about(id string) bool {
	return id != "" && strings.Contains(strings.ToLower(c.Path+"?"+c.Query), strings.ToLower(id))
}

// to says whether the call asks this person, by id, number or address.
func (c *call) to(h *human) bool {
	id, phone, mail := text(c.asked, "registrationId"), text(c.asked, "contactNumber"), text(c.asked, "emailAddress")
	return strings.EqualFold(id, h.id) && id != "" || phone == h.Mobile && phone != "" || strings.EqualFold(mail, h.Email) && mail != ""
}
