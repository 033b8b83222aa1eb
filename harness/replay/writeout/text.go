package writeout

import (
	"fmt"
	"strings"
)

// curl writes a shell script. What people do stands in it as comments.
func curl(c *Case) ([]byte, error) {
	var b strings.Builder
	b.WriteString("#!/bin/sh\n# " + oneLine(c.Title) + "\n")
	for i := range c.Script.Steps {
		s := &c.Script.Steps[i]
		if s.Call == nil {
			if s.Heard == 0 {
				b.WriteString("\n# " + oneLine(s.Text()) + "\n")
			}
			continue
		}
		x := &s.Call.Exchange
		fmt.Fprintf(&b, "\ncurl -X %s %s", quote(x.Method), quote(c.address(x)))
		for _, h := range headers(x) {
			b.WriteString(" \\\n  -H " + quote(h.Name+": "+h.Value))
		}
		if len(x.Body) > 0 {
			b.WriteString(" \\\n  --data-raw " + quote(string(x.Body)))
		}
		b.WriteByte('\n')
	}
	return []byte(b.String()), nil
}

// quote writes a word for a POSIX shell.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// httpFile writes requests as editors' HTTP clients read them: what people did stands
// before the request that it came before, for all else up to the next would be a body.
func httpFile(c *Case) ([]byte, error) {
	var b strings.Builder
	before := ""
	for i := range c.Script.Steps {
		s := &c.Script.Steps[i]
		if s.Call == nil {
			if s.Heard == 0 {
				before += "# " + oneLine(s.Text()) + "\n"
			}
			continue
		}
		x := &s.Call.Exchange
		fmt.Fprintf(&b, "### call %d\n%s%s %s\n", i+1, before, x.Method, c.address(x))
		before = ""
		for _, h := range headers(x) {
			b.WriteString(h.Name + ": " + h.Value + "\n")
		}
		if len(x.Body) > 0 {
			b.WriteString("\n" + string(x.Body) + "\n")
		}
		b.WriteByte('\n')
	}
	if before != "" {
		b.WriteString("###\n" + before)
	}
	return []byte(b.String()), nil
}

// markdown writes what goes into a ticket.
func markdown(c *Case) ([]byte, error) {
	var b strings.Builder
	b.WriteString("# " + c.Title + "\n\n")
	for _, line := range c.Lines {
		name, rest, _ := strings.Cut(line, ":")
		if rest == "" {
			b.WriteString(line + "\n\n")
			continue
		}
		b.WriteString("**" + name + "**:" + rest + "\n\n")
	}
	b.WriteString("| # | who | what | answer |\n| --- | --- | --- | --- |\n")
	for _, r := range c.rows() {
		answer := ""
		if r.Answer > 0 {
			answer = fmt.Sprint(r.Answer)
		}
		fmt.Fprintf(&b, "| %d | %s | %s | %s |\n", r.N, r.Who, strings.ReplaceAll(r.What, "|", `\|`), answer)
	}
	for _, part := range c.parts() {
		b.WriteString("\n## " + part.Title + "\n\n- " + strings.Join(part.List, "\n- ") + "\n")
	}
	return []byte(b.String()), nil
}
