package tapes

import (
	"bytes"
	"cmp"
	"regexp"
	"strconv"
	"strings"

	"paysandbox/harness/trail/told"
	"paysandbox/mockserver/tape"
)

// Choice says which entries are wanted; what is set must hold together.
type Choice struct {
	// Kinds are the kinds wanted; none means all.
	Kinds []tape.Kind
	// Operation, Entity and Label are as in tape.Filter; a delivery that tells of an
	// entity is about it, too.
	Operation, Entity, Label string
	// Since and Until are the numbers before the first entry and of the last; 0 is no
	// bound.
	Since, Until uint64
	// Failed leaves out what went well.
	Failed bool
	// Text must stand in an entry, A to Z in either case.
	Text string
}

// Wants says whether an entry was chosen.
func (c *Choice) Wants(e *tape.Entry) bool {
	entity := c.Entity
	if entity != "" && e.Attempt != nil && bytes.Contains(e.Attempt.Body, []byte(entity)) {
		entity = ""
	}
	f := tape.Filter{Kinds: c.Kinds, Operation: c.Operation, Entity: entity, Label: c.Label, Since: c.Since, Text: c.Text}
	return (c.Until == 0 || e.Seq <= c.Until) && f.Match(*e) && (!c.Failed || told.Every(e).Outcome == told.Bad)
}

// From gives the entries that were chosen.
func (c *Choice) From(entries []tape.Entry) []*tape.Entry {
	var list []*tape.Entry
	for n := range entries {
		if c.Wants(&entries[n]) {
			list = append(list, &entries[n])
		}
	}
	return list
}

// Place is where a text stands in an entry, as a pointer, and the text.
type Place struct{ Pointer, Text string }

// places collects texts; those that are empty are left out.
type places []Place

func (l *places) add(pointer, text string) {
	if text != "" {
		*l = append(*l, Place{pointer, text})
	}
}

func (l *places) headers(pointer string, list []tape.Header) {
	for _, h := range list {
		l.add(pointer+"/"+h.Name, h.Value)
	}
}

// Places are all texts of an entry.
func Places(e *tape.Entry) []Place {
	var l places
	l.add("/label", e.Label)
	for _, id := range e.Entities {
		l.add("/entities", id)
	}
	if e.Exchange != nil {
		l.exchange(e.Exchange)
	}
	if e.Attempt != nil {
		l.attempt(e.Attempt)
	}
	if t := e.Transition; t != nil {
		l.add("/transition", t.Machine+" "+t.From+" → "+t.To+" by "+t.Event)
		l.add("/transition/reason", t.Reason)
	}
	if v := e.Event; v != nil {
		l.add("/event", v.Name)
		l.add("/event/id", v.ID)
		l.add("/event/body", string(v.Body))
	}
	if m := e.Message; m != nil {
		l.add("/message", m.Channel+" "+m.Template+" to "+m.To)
		l.headers("/message", m.Params)
	}
	if f := e.Fetch; f != nil {
		l.add("/fetch/url", f.URL)
		l.add("/fetch/error", f.Error)
	}
	if t := e.Timer; t != nil {
		l.add("/timer", t.Name)
	}
	for _, f := range e.Findings {
		l.add("/findings", strings.Join([]string{f.Clause, f.Pointer, f.Received, f.Expected, f.Fix}, " "))
	}
	return l
}

func (l *places) exchange(x *tape.Exchange) {
	l.add("/operation", x.Operation)
	l.add("/path", strings.TrimSuffix(x.Method+" "+x.Path+"?"+x.Query, "?"))
	l.headers("/request/header", x.Request.Header)
	l.add("/request/body", string(x.Request.Body))
	if x.Response.Status != 0 {
		l.add("/response/status", strconv.Itoa(x.Response.Status))
	}
	l.headers("/response/header", x.Response.Header)
	l.add("/response/body", string(x.Response.Body))
	l.add("/fault", string(x.Fault))
}

func (l *places) attempt(a *tape.Attempt) {
	l.add("/attempt/url", a.URL)
	l.add("/attempt/delivery", a.Delivery)
	l.headers("/attempt/header", a.Header)
	l.add("/attempt/body", string(a.Body))
	l.headers("/attempt/response/header", a.ResponseHeader)
	l.add("/attempt/response/body", string(a.ResponseBody))
	l.add("/attempt/reason", cmp.Or(a.Error, a.Reason))
}

// Hit is where a pattern was found.
type Hit struct {
	Entry *tape.Entry
	// Pointer is where, and Around the text there, cut to what is worth showing.
	Pointer, Around string
}

// Grep looks for a pattern in every text of the chosen entries; of each text the
// first place is told.
func Grep(entries []*tape.Entry, pattern *regexp.Regexp) []Hit {
	var list []Hit
	for _, e := range entries {
		for _, p := range Places(e) {
			if at := pattern.FindStringIndex(p.Text); at != nil {
				list = append(list, Hit{e, p.Pointer, around(p.Text, at[0], at[1])})
			}
		}
	}
	return list
}

// around cuts a text to a place in it, in one line.
func around(text string, from, to int) string {
	const margin = 40
	begin, end := max(0, from-margin), min(len(text), to+margin)
	for begin > 0 && text[begin]&0xc0 == 0x80 {
		begin--
	}
	for end < len(text) && text[end]&0xc0 == 0x80 {
		end++
	}
	cut := text[begin:end]
	if begin > 0 {
		cut = "…" + cut
	}
	if end < len(text) {
		cut += "…"
	}
	return told.Clean(strings.Join(strings.Fields(cut), " "))
}
