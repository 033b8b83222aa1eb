package writeout

import (
	"errors"
	"fmt"
	"hash/crc32"
	"slices"
	"strings"

	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// httpFile writes requests as editors' HTTP clients read them. What the answers show is
// put in the place of what was recorded by lines that httpyac and JetBrains' client carry
// out; what people did is asked of the control API.
func httpFile(c *Case) ([]byte, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n# For a service of your own: put its address and credentials in; without a control API, people's calls are yours to do.\n@base = %s\n", oneLine(c.Title), c.Base)
	for _, v := range credentials {
		fmt.Fprintf(&b, "@%s = %s\n", v.Key, v.Value)
	}
	names := c.names(func(name, value string) { fmt.Fprintf(&b, "@%s = %s\n", name, value) })
	fill := strings.NewReplacer(names...)
	at := c.Script.World.Start
	for i := range c.Script.Steps {
		s := &c.Script.Steps[i]
		if wait := s.At.Sub(at); wait >= shortWait {
			at = s.At
			fmt.Fprintf(&b, "\n### time passes\nPOST {{base}}%s/clock/advance\nContent-Type: application/json\n\n{\"by\":%q}\n", control, wait)
		}
		if s.Move != nil {
			fmt.Fprintf(&b, "\n### people\n# %s\nPOST {{base}}%s%s\nContent-Type: application/json\n\n%s\n", oneLine(s.Text()), control, fill.Replace(s.Move.Path), fill.Replace(moveBody(s.Move)))
			httpKeeps(&b, s.Move.Stands)
		}
		if s.Call == nil {
			continue
		}
		x := &s.Call.Exchange
		if mark := c.otherwiseRead(x); mark != "" {
			return nil, fmt.Errorf("%w: step %d, %s %s, has a line that begins with %q; write it as curl, har or postman", errHTTPFile, i+1, oneLine(x.Method), oneLine(x.Path), mark)
		}
		b.WriteString("\n")
		if lost(s.Call) {
			b.WriteString("# Its answer never came to the caller.\n")
		}
		fmt.Fprintf(&b, "### call %d\n%s {{base}}%s\n", i+1, x.Method, fill.Replace(strings.TrimPrefix(c.address(x), c.Base)))
		for _, h := range head(s.Call) {
			b.WriteString(h.Name + ": " + fill.Replace(h.Value) + "\n")
		}
		if len(x.Body) > 0 {
			b.WriteString("\n" + fill.Replace(c.withCredentials(s.Call)) + "\n")
		}
		httpKeeps(&b, c.kept(x, s.Call.Stands))
	}
	return []byte(b.String()), nil
}

// credentials are the variables of files that ask for a token: the recording's own are struck.
var credentials = []pmPair{{"clientId", "sandbox-client"}, {"clientSecret", "sandbox-secret"}}

// ofCredential is such a member of a body.
var ofCredential = trail.Pattern(`(?i)"(client(id|secret))"\s*:\s*"[^"]*"`)

// withCredentials is a call's body, with variables for the credentials where they were not what was refused.
func (c *Case) withCredentials(call *play.Call) string {
	x := &call.Exchange
	if !c.token(x) || !call.Admitted {
		return string(x.Body)
	}
	return ofCredential().ReplaceAllStringFunc(string(x.Body), func(member string) string {
		name := ofCredential().FindStringSubmatch(member)
		return fmt.Sprintf(`"%s":"{{%s}}"`, name[1], map[string]string{"id": "clientId", "secret": "clientSecret"}[strings.ToLower(name[2])])
	})
}

// control is where the default integration's people and time are moved.
const control = "/_sandbox/integrations/default"

// names declares a variable for each recorded value that an answer will replace, and gives
// what to write for them.
func (c *Case) names(declare func(name, value string)) (pairs []string) {
	for i := range c.Script.Steps {
		for _, v := range c.shown(&c.Script.Steps[i]) {
			if memberOf(v.Where) != "" && plainWord().MatchString(v.Text) && !slices.Contains(pairs, v.Text) {
				declare(httpName(v.Text), v.Text)
				pairs = append(pairs, v.Text, "{{"+httpName(v.Text)+"}}")
			}
		}
	}
	return pairs
}

// httpName is the name of a value's variable.
func httpName(value string) string {
	return fmt.Sprintf("was_%x", crc32.ChecksumIEEE([]byte(value)))
}

// httpKeeps are the scripts behind a request that take values of its answer.
func httpKeeps(b *strings.Builder, list []correlate.Value) {
	for _, v := range list {
		if name := memberOf(v.Where); name != "" && plainWord().MatchString(v.Text) {
			fmt.Fprintf(b, "\n> {%% client.global.set(%q, %s) %%}\n", httpName(v.Text), inScript("response.body", &v))
		}
	}
}

// inScript takes a value out of an answer, as JavaScript does it; where it is not there, as in a refusal, the recorded one stands:
// clients forget a variable that is set to nothing.
func inScript(answer string, v *correlate.Value) string {
	for i, part := range strings.Split(strings.TrimPrefix(v.Where, "/"), "/") {
		switch isPlace := strings.Trim(part, "0123456789") == ""; {
		case isPlace:
			answer = "(" + answer + " || [])[" + part + "]"
		case i == 0:
			answer += "." + part
		default:
			answer = "(" + answer + " || {})." + part
		}
	}
	return fmt.Sprintf("%s || %q", answer, v.Text)
}

func moveBody(m *play.Move) string {
	if len(m.Body) == 0 {
		return "{}"
	}
	return string(m.Body)
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

// inMarkdown is a text on one line in which Markdown finds no element, cell, link or picture.
func inMarkdown(s string) string { return marked.Replace(oneLine(s)) }

var marked = strings.NewReplacer(`\`, `\\`, "`", "\\`", "|", `\|`, "<", `\<`, "[", `\[`, "]", `\]`)

// markdown writes what goes into a ticket.
func markdown(c *Case) ([]byte, error) {
	var b strings.Builder
	b.WriteString("# " + inMarkdown(c.Title) + "\n\n")
	for _, line := range c.Lines {
		line = inMarkdown(line)
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
		fmt.Fprintf(&b, "| %d | %s | %s | %s |\n", r.N, r.Who, inMarkdown(r.What), answer)
	}
	for _, part := range c.parts() {
		b.WriteString("\n## " + part.Title + "\n\n")
		for _, line := range part.List {
			b.WriteString("- " + inMarkdown(line) + "\n")
		}
	}
	return []byte(b.String()), nil
}
