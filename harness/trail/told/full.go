package told

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// Section is a part of an entry that is told in full: a heading and its text.
type Section struct{ Heading, Text string }

// Sections tell all that an entry holds beside its line, see [Says].
func Sections(e *tape.Entry) []Section {
	var list []Section
	add := func(heading, text string) {
		if text != "" {
			list = append(list, Section{heading, strings.TrimRight(text, "\n")})
		}
	}
	add("About", about(e))
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
	return list
}

func about(e *tape.Entry) string {
	text := strings.Join(e.Entities, " ")
	if e.Label != "" {
		text = strings.TrimSpace(text + "\nlabel " + e.Label)
	}
	return Clean(text)
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
	var b strings.Builder
	for _, f := range trail.ReadBody(raw).List("findings") {
		finding(&b, f.Text("pointer"), f.Text("clause"), f.Text("received"), f.Text("expected"), f.Text("fix"))
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
