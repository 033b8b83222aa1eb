package writeout

import (
	"fmt"
	"strconv"
	"strings"

	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// goTest writes a Go test on mocktest, as gofmt has it, which makes the calls and demands
// the answers that the replay gave. Ids are kept by name, as the answers show them.
func goTest(c *Case) ([]byte, error) {
	var b strings.Builder
	b.WriteString(goHead)
	fmt.Fprintf(&b, "// TestCase: %s\nfunc TestCase(t *testing.T) {\n", oneLine(c.Title))
	for _, line := range c.Lines {
		b.WriteString(strings.TrimRight("\t// "+oneLine(line), " ") + "\n")
	}
	b.WriteString("\tc := newCase(t)\n")
	statuses := map[int]int{}
	for i := range c.Run.Answers {
		statuses[c.Run.Answers[i].Step] = c.Run.Answers[i].Status
	}
	at := c.Script.World.Start
	for i := range c.Script.Steps {
		s := &c.Script.Steps[i]
		if s.At.After(at) {
			fmt.Fprintf(&b, "\tc.sandbox.Advance(t, %d) // %s\n", s.At.Sub(at), s.At.Sub(at))
			at = s.At
		}
		if s.Why != "" {
			b.WriteString("\t// " + oneLine(s.Why) + "\n")
		}
		switch {
		case s.Call != nil:
			x := &s.Call.Exchange
			fmt.Fprintf(&b, "\tc.call(%q, %s, %s, %d, %s)\n", x.Method, goText(target(x)), goText(string(c.sent(x))), statuses[i], c.goKeeps(x, s.Call.Stands))
		case s.Move != nil:
			fmt.Fprintf(&b, "\tc.people(%s, %s, %s)\n", goText(s.Move.Path), goText(string(s.Move.Body)), keeps(s.Move.Stands))
		}
	}
	b.WriteString("}\n")
	return []byte(strings.Replace(b.String(), "WORLD", c.goWorld(), 1)), nil
}

func target(x *recording.Exchange) string {
	if x.Query == "" {
		return x.Path
	}
	return x.Path + "?" + x.Query
}

func (c *Case) goWorld() string {
	w := &c.Script.World
	options := fmt.Sprintf("Seed: %d, Environment: %q", w.Seed, w.Environment)
	if w.Strict {
		options += ", Strict: true"
	}
	return options
}

// sent is a call's body. The credentials are the sandbox's.
func (c *Case) sent(x *recording.Exchange) []byte {
	if c.token(x) && x.Answer.Status != 401 {
		return []byte(`{"clientId":"sandbox-client","clientSecret":"sandbox-secret"}`)
	}
	return x.Body
}

// goText writes a text as Go has it, on one line where it can be read.
func goText(s string) string {
	if strconv.CanBackquote(s) {
		return "`" + s + "`"
	}
	return strconv.Quote(s)
}

// goKeeps says which values of an answer stand for which of the recording.
func (c *Case) goKeeps(x *recording.Exchange, stands []correlate.Value) string {
	return keeps(c.kept(x, stands))
}

// kept are the values of an answer that stand for some of the recording.
func (c *Case) kept(x *recording.Exchange, stands []correlate.Value) []correlate.Value {
	operation, _ := c.Routes.Match(x.Method, x.Path)
	list := stands
	if x.Answer.Known == recording.Whole && x.Answer.Status < 300 {
		for _, v := range correlate.InBody(operation, x.Answer.Body) {
			if v.Type.Made() && (len(trail.OperationNamed(operation).Makes) > 0 || v.Type == correlate.Token) && v.Type != correlate.Address {
				list = append(list, v)
			}
		}
	}
	return list
}

func keeps(list []correlate.Value) string {
	if len(list) == 0 {
		return "nil"
	}
	var members []string
	seen := map[string]bool{}
	for _, v := range list {
		if !seen[v.Where] {
			members = append(members, fmt.Sprintf("%q: %q", v.Where, v.Text))
		}
		seen[v.Where] = true
	}
	return "map[string]string{" + strings.Join(members, ", ") + "}"
}

// goHead is what every such test begins with.
const goHead = `package case_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"paysandbox/mockserver/mocktest"
)

// recorded makes calls of a recording. What its ids stand for is learnt as answers show it.
type recorded struct {
	t       *testing.T
	sandbox *mocktest.Sandbox
	token   string
	ids     map[string]string
}

func newCase(t *testing.T) *recorded {
	t.Helper()
	return &recorded{t: t, sandbox: mocktest.Start(t, mocktest.Options{WORLD}), ids: map[string]string{}}
}

// call makes a call of the partner and demands the status. keeps are recorded values by
// the pointers at which the answer shows what they stand for.
func (c *recorded) call(method, path, body string, status int, keeps map[string]string) {
	c.t.Helper()
	if got := c.send(method, path, body, keeps); got != status {
		c.t.Errorf("%s %s: status %d, expected %d", method, path, got, status)
	}
}

// people lets somebody other than the partner do something.
func (c *recorded) people(path, body string, keeps map[string]string) {
	c.t.Helper()
	if got := c.send("POST", "/_sandbox/integrations/default"+path, body, keeps); got >= 400 {
		c.t.Errorf("%s: status %d", path, got)
	}
}

func (c *recorded) send(method, path, body string, keeps map[string]string) int {
	c.t.Helper()
	for was, is := range c.ids {
		path, body = strings.ReplaceAll(path, was, is), strings.ReplaceAll(body, was, is)
	}
	r, err := http.NewRequestWithContext(c.t.Context(), method, c.sandbox.URL+path, bytes.NewReader([]byte(body)))
	if err != nil {
		c.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	if c.token != "" {
		r.Header.Set("Authorization", "Bearer "+c.token)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		c.t.Fatal(err)
	}
	defer answer.Body.Close()
	raw, err := io.ReadAll(answer.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	for pointer, was := range keeps {
		if is := at(raw, pointer); pointer == "/accessToken" {
			c.token = is
		} else if is != "" {
			c.ids[was] = is
		}
	}
	return answer.StatusCode
}

// at is the text under a JSON pointer.
func at(raw []byte, pointer string) string {
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return ""
	}
	for _, name := range strings.Split(pointer, "/")[1:] {
		switch o := v.(type) {
		case map[string]any:
			v = o[name]
		case []any:
			n, err := strconv.Atoi(name)
			if err != nil || n >= len(o) {
				return ""
			}
			v = o[n]
		}
	}
	text, _ := v.(string)
	return text
}

`
