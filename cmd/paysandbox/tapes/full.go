package tapes

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"paysandbox/mockserver/tape"
)

// Section is a part of an entry that is told in full: a heading and its text.
type Section struct{ Heading, Text string }

// mostEffects bounds how many effects are told.
const mostEffects = 100

// Tape is a tape in which entries are found by number.
type Tape struct {
	Meta    tape.Meta
	Entries []tape.Entry
}

// Find gives the entry with a number.
func (t *Tape) Find(seq uint64) (*tape.Entry, bool) {
	lo, hi := 0, len(t.Entries)
	for lo < hi {
		mid := (lo + hi) / 2
		if t.Entries[mid].Seq < seq {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < len(t.Entries) && t.Entries[lo].Seq == seq {
		return &t.Entries[lo], true
	}
	return nil, false
}

// Full tells an entry with all that it holds, what led to it and what followed.
func (t *Tape) Full(e *tape.Entry) []Section {
	list := []Section{{"", Says(e)}}
	add := func(heading, text string) {
		if text != "" {
			list = append(list, Section{heading, strings.TrimRight(text, "\n")})
		}
	}
	add("About", about(e))
	add("Because of", t.causes(e))
	if x := e.Exchange; x != nil {
		add("Request", strings.TrimSuffix(x.Method+" "+x.Path+"?"+x.Query, "?")+"\n"+headers(x.Request.Header)+body(x.Request.Body))
		add("Answer", strconv.Itoa(x.Response.Status)+"\n"+headers(x.Response.Header)+body(x.Response.Body))
		add("What was wrong", problems(x.Response.Body))
	}
	if a := e.Attempt; a != nil {
		add("Sent", "POST "+a.URL+"\n"+headers(a.Header)+body(a.Body))
		add("Answered", strings.TrimSpace(strconv.Itoa(a.Status)+" "+a.Error)+"\n"+headers(a.ResponseHeader)+body(a.ResponseBody))
		add("Why it goes on so", a.Reason)
	}
	if v := e.Event; v != nil {
		add("Event", v.Name+" "+v.ID+"\n"+body(v.Body))
	}
	if m := e.Message; m != nil {
		add("Message", m.Channel+" "+m.Template+" to "+m.To+"\n"+headers(m.Params))
	}
	if f := e.Fetch; f != nil {
		add("File", f.URL+" "+strconv.Itoa(f.Status)+" "+f.ContentType+" "+strconv.FormatInt(f.Size, 10)+" bytes "+f.Error)
	}
	var found strings.Builder
	for _, f := range e.Findings {
		finding(&found, f.Pointer, f.Clause, f.Received, f.Expected, f.Fix)
	}
	add("Findings", found.String())
	add("What followed", t.effects(e.Seq))
	return list
}

// Says is an entry in one line, with its number and time.
func Says(e *tape.Entry) string {
	l := Line(e)
	return Clean(strings.TrimSpace(fmt.Sprintf("#%d %s %s %s %s %s", e.Seq, l.At.Format(time.RFC3339Nano), e.Kind, l.Mark, l.Text, l.Note)))
}

func about(e *tape.Entry) string {
	text := strings.Join(e.Entities, " ")
	if e.Label != "" {
		text = strings.TrimSpace(text + "\nlabel " + e.Label)
	}
	return Clean(text)
}

// causes lead back to what came from outside.
func (t *Tape) causes(e *tape.Entry) string {
	var b strings.Builder
	for seq := e.Cause; seq != 0; {
		cause, ok := t.Find(seq)
		if !ok {
			fmt.Fprintf(&b, "#%d is not in the file\n", seq)
			break
		}
		b.WriteString(Says(cause) + "\n")
		seq = cause.Cause
	}
	return b.String()
}

// effects stand behind their causes.
func (t *Tape) effects(seq uint64) string {
	from, n := map[uint64]bool{seq: true}, 0
	var b strings.Builder
	for i := range t.Entries {
		if e := &t.Entries[i]; e.Cause != 0 && from[e.Cause] {
			from[e.Seq] = true
			if n++; n <= mostEffects {
				b.WriteString(Says(e) + "\n")
			}
		}
	}
	if n > mostEffects {
		fmt.Fprintf(&b, "and %d more\n", n-mostEffects)
	}
	return b.String()
}

func headers(list []tape.Header) string {
	var b strings.Builder
	for _, h := range list {
		b.WriteString(Clean(h.Name+": "+h.Value) + "\n")
	}
	return b.String()
}

// body is a body as people read it: JSON indented, other text as it is.
func body(raw []byte) string {
	if len(raw) == 0 {
		return ""
	}
	var b bytes.Buffer
	if json.Indent(&b, raw, "", "  ") == nil {
		return "\n" + Clean(b.String()) + "\n"
	}
	if !utf8.Valid(raw) {
		return "\n" + strconv.Itoa(len(raw)) + " bytes that are no text\n"
	}
	return "\n" + Clean(string(raw)) + "\n"
}

// problems are the findings of a refusal.
func problems(raw []byte) string {
	var p struct {
		Findings []struct{ Pointer, Clause, Received, Expected, Fix string }
	}
	if json.Unmarshal(raw, &p) != nil {
		return ""
	}
	var b strings.Builder
	for _, f := range p.Findings {
		finding(&b, f.Pointer, f.Clause, f.Received, f.Expected, f.Fix)
	}
	return b.String()
}

func finding(b *strings.Builder, pointer, clause, received, expected, fix string) {
	fmt.Fprintf(b, "%s (%s)\n", Clean(strings.TrimSpace(pointer)), Clean(clause))
	for _, row := range [][2]string{{"received", received}, {"expected", expected}, {"fix", fix}} {
		if row[1] != "" {
			fmt.Fprintf(b, "  %s: %s\n", row[0], Clean(row[1]))
		}
	}
}

// Head tells what a tape is in one line.
func (t *Tape) Head() string {
	m := &t.Meta
	text := fmt.Sprintf("%d entries", len(t.Entries))
	if n := len(t.Entries); n > 0 {
		text += fmt.Sprintf(", #%d to #%d, %s to %s", t.Entries[0].Seq, t.Entries[n-1].Seq,
			time.Unix(0, t.Entries[0].At).UTC().Format(time.DateTime), time.Unix(0, t.Entries[n-1].At).UTC().Format(time.DateTime))
	}
	text += " of virtual time"
	if m.Environment != "" {
		text += "; " + m.Environment
	}
	text += fmt.Sprintf("; seed %d", m.Seed)
	if m.ToolVersion != "" {
		text += ", paysandbox " + m.ToolVersion
	}
	if m.Dropped > 0 {
		text += fmt.Sprintf("; the %d entries before #%d had been dropped", m.Dropped, m.First)
	}
	if m.Ending != tape.Whole {
		text += "; " + m.Ending.String()
	}
	return Clean(text)
}
