package writeout

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/replay/play"
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
	if start := c.Script.World.Start; start.After(defaultStart) {
		fmt.Fprintf(&b, "\tc.people(`/clock/advance`, `{\"to\":%q}`, nil)\n", start.UTC().Format(time.RFC3339Nano))
	}
	statuses := map[int]int{}
	for i := range c.Run.Answers {
		statuses[c.Run.Answers[i].Step] = c.Run.Answers[i].Status
	}
	at, heads := c.Script.World.Start, goHeads{media: "application/json"}
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
			b.WriteString(heads.before(s.Call))
			fmt.Fprintf(&b, "\tc.call(%q, %s, %s, %d, %s)\n", x.Method, goText(target(x)), goText(string(c.sent(s.Call))), statuses[i], c.goKeeps(x, s.Call.Stands))
		case s.Move != nil:
			fmt.Fprintf(&b, "\tc.people(%s, %s, %s)\n", goText(s.Move.Path), goText(string(s.Move.Body)), keeps(s.Move.Stands))
		}
	}
	b.WriteString("}\n")
	text := strings.Replace(b.String(), "WORLD", c.goWorld(), 1)
	if choices := c.goChoices(); choices != "" {
		text = strings.Replace(text, "\t\"paysandbox/mockserver/mocktest\"\n", "\t\"paysandbox/mockserver/latitude\"\n\t\"paysandbox/mockserver/mocktest\"\n", 1)
		text = strings.Replace(text, "// TestCase: ", choices+"// TestCase: ", 1)
	}
	return []byte(text), nil
}

// defaultStart is when the clock of a sandbox begins that stands still.
var defaultStart = time.Date(2026, time.March, 2, 17, 0, 0, 0, time.UTC)

// goHeads are the headers that calls are made with from a line on.
type goHeads struct{ auth, media, fault, agent, key string }

// before are the lines before a call by which the headers that matter to it are set, where they are others than before.
func (h *goHeads) before(call *play.Call) string {
	x := &call.Exchange
	auth, _ := trail.Header(x.Header, "Authorization")
	media, typed := trail.Header(x.Header, "Content-Type")
	if !typed && len(x.Body) == 0 {
		media = h.media // which says nothing of no body
	}
	key, _ := trail.Header(x.Header, "Idempotency-Key")
	agent, _ := trail.Header(x.Header, "User-Agent")
	now := goHeads{auth, media, call.Fault, agent, key}
	var b strings.Builder
	for _, one := range []struct{ name, was, is string }{
		{"Authorization", h.auth, auth}, {"Content-Type", h.media, media}, {"Sandbox-Fault", h.fault, call.Fault}, {"User-Agent", h.agent, agent}, {"Idempotency-Key", h.key, key},
	} {
		if one.was != one.is {
			fmt.Fprintf(&b, "\tc.header.Set(%q, %s)\n", one.name, goText(one.is))
		}
	}
	if lost(call) {
		b.WriteString("\t// The answer to this call never came to the partner.\n")
	}
	*h = now
	return b.String()
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
	if len(w.Latitude) > 0 {
		options += ", Settings: choices(t)"
	}
	return options
}

// goChoices is the function that gives the service's choices.
func (c *Case) goChoices() string {
	list := c.chosen()
	if len(list) == 0 {
		return ""
	}
	return fmt.Sprintf("// choices are those of the service where the specification is silent.\nfunc choices(t *testing.T) (s latitude.Settings) {\n\tt.Helper()\n\tif err := s.UnmarshalText([]byte(%q)); err != nil {\n\t\tt.Fatal(err)\n\t}\n\treturn s\n}\n\n", strings.Join(list, " "))
}

// chosen are the choices of the world, each NAME=VALUE.
func (c *Case) chosen() (list []string) {
	for _, name := range slices.Sorted(maps.Keys(c.Script.World.Latitude)) {
		list = append(list, name+"="+c.Script.World.Latitude[name])
	}
	return list
}

// sent is a call's body. The credentials are the sandbox's.
func (c *Case) sent(call *play.Call) []byte {
	x := &call.Exchange
	if c.token(x) && call.Admitted {
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
			if v.Type.Made() && x.Method != http.MethodGet && v.Type != correlate.Address {
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
	header  http.Header
	ids     map[string]string
}

func newCase(t *testing.T) *recorded {
	t.Helper()
	return &recorded{t: t, sandbox: mocktest.Start(t, mocktest.Options{WORLD}), header: http.Header{"Content-Type": {"application/json"}}, ids: map[string]string{}}
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
	was := c.header
	c.header = http.Header{"Content-Type": {"application/json"}}
	defer func() { c.header = was }()
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
	for name, values := range c.header {
		value := values[0]
		for was, is := range c.ids {
			value = strings.ReplaceAll(value, was, is)
		}
		if value != "" {
			r.Header.Set(name, value)
		}
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
		if is := at(raw, pointer); is != "" {
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
			v = nil
			for member := range o { // which may begin with a capital
				if strings.EqualFold(member, name) {
					v = o[member]
				}
			}
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
