package writeout

import (
	"errors"
	"fmt"
	"strings"

	"paysandbox/harness/replay/recording"
)

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
		if mark := c.otherwiseRead(x); mark != "" {
			return nil, fmt.Errorf("%w: step %d, %s %s, has a line that begins with %q; write it as curl, har or postman", errHTTPFile, i+1, oneLine(x.Method), oneLine(x.Path), mark)
		}
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

// errHTTPFile says that a case cannot be written as an .http file, which knows no escape.
var errHTTPFile = errors.New("an .http file cannot hold this case: a client would take a part of it for another request, a file or a script")

// otherwiseRead is what of a call an .http file's reader would take for something else, ""
// for nothing: a line end before the body, or how a line of the body begins.
func (c *Case) otherwiseRead(x *recording.Exchange) string {
	head := x.Method + c.address(x)
	for _, h := range headers(x) {
		head += h.Name + h.Value
	}
	if strings.ContainsAny(head, "\r\n") {
		return "\n"
	}
	for line := range strings.Lines(strings.ReplaceAll(string(x.Body), "\r", "\n")) {
		for _, mark := range []string{"###", "< ", "<@ ", "<> ", "> ", ">> ", ">>! ", "?? "} {
			if strings.HasPrefix(strings.TrimSpace(line)+" ", mark) {
				return mark
			}
		}
	}
	return ""
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
