package replay_test

import (
	"cmp"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay"
	"paysandbox/harness/replay/play"
	"paysandbox/mockserver/mocktest"
)

// TestWrittenFilesComeToTheSame carries out .http files and Postman collections of many cases, as their clients do: each call is
// answered there as in the replay. The clients themselves (httpyac, newman) were run over all reports by hand; they are no part of
// the checks, for what they need is fetched from elsewhere.
func TestWrittenFilesComeToTheSame(t *testing.T) {
	t.Parallel()
	comeToTheSame(t, 4, func(s *play.Sandbox, c *replay.Case, on *mocktest.Sandbox) string {
		text, err := os.ReadFile(inForm(t, s, c, "http", "case.http"))
		require.NoError(t, err)
		return newClient(t, on).httpFile(string(text))
	})
	comeToTheSame(t, 4, func(s *play.Sandbox, c *replay.Case, on *mocktest.Sandbox) string {
		text, err := os.ReadFile(inForm(t, s, c, "postman", "case.json"))
		require.NoError(t, err)
		return newClient(t, on).collection(text)
	})
}

// client carries out what is written, with the variables of the files.
type client struct {
	t         *testing.T
	given     map[string]string
	variables map[string]string
	said      strings.Builder
}

func newClient(t *testing.T, on *mocktest.Sandbox) *client {
	t.Helper()
	return &client{t: t, variables: map[string]string{}, given: map[string]string{"base": on.URL, "clientId": on.ClientID, "clientSecret": on.ClientSecret}}
}

// set gives a variable its value, but for what the person who runs the file puts in.
func (c *client) set(name, value string) {
	if mine, known := c.given[name]; known {
		value = mine
	}
	c.variables[name] = value
}

var variable = regexp.MustCompile(`\{\{([A-Za-z0-9_]+)\}\}`)

// fill puts variables in; one that is not known stays as it stands.
func (c *client) fill(text string) string {
	return variable.ReplaceAllStringFunc(text, func(mark string) string {
		if value, known := c.variables[strings.Trim(mark, "{}")]; known {
			return value
		}
		return mark
	})
}

// once makes each call one time, also where it is cut off, and goes where it is told to.
var once = &http.Client{
	Transport:     &http.Transport{DisableKeepAlives: true},
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// call makes a call, and gives the answer's body: nil where none came.
func (c *client) call(method, url string, header [][2]string, body string) any {
	request, err := http.NewRequestWithContext(c.t.Context(), method, c.fill(url), strings.NewReader(c.fill(body)))
	require.NoError(c.t, err)
	for _, h := range header {
		request.Header.Add(h[0], c.fill(h[1]))
	}
	answer, err := once.Do(request)
	if err != nil {
		c.said.WriteString(method + " " + url + ": " + err.Error() + "\n")
		return nil
	}
	defer func() { _ = answer.Body.Close() }()
	raw, _ := io.ReadAll(answer.Body)
	c.said.WriteString(method + " " + url + ": " + answer.Status + " " + string(raw) + "\n")
	var value any
	_ = json.Unmarshal(raw, &value)
	return value
}

var (
	declared = regexp.MustCompile(`(?m)^@(\w+) = (.*)$`)
	handler  = regexp.MustCompile(`(?m)^> \{% client\.global\.set\("(\w+)", \(*response\.body(.*?) \|\| "([^"]*)"\) %\}$`)
	test     = regexp.MustCompile(`^pm\.collectionVariables\.set\("(\w+)", \(*pm\.response\.json\(\)(.*?) \|\| "([^"]*)"\);$`)
	member   = regexp.MustCompile(`\.(\w+)|\[(\d+)\]`)
)

// take is the member of an answer that a script names, "" for none.
func take(answer any, path string) string {
	for _, m := range member.FindAllStringSubmatch(path, -1) {
		switch at := answer.(type) {
		case map[string]any:
			answer = at[m[1]]
		case []any:
			n, err := strconv.Atoi(m[2])
			if err != nil || n >= len(at) {
				return ""
			}
			answer = at[n]
		}
	}
	text, _ := answer.(string)
	return text
}

// httpFile carries out requests that lines of ### part: comments, a request line, headers, a blank line, the body, scripts.
func (c *client) httpFile(text string) string {
	begin, rest, _ := strings.Cut(text, "\n### ")
	for _, m := range declared.FindAllStringSubmatch(begin, -1) {
		c.set(m[1], m[2])
	}
	for part := range strings.SplitSeq(rest, "\n### ") {
		_, part, _ = strings.Cut(part, "\n")
		head, body, _ := strings.Cut(handler.ReplaceAllString(part, ""), "\n\n")
		var line string
		var header [][2]string
		for l := range strings.SplitSeq(head, "\n") {
			name, value, isHeader := strings.Cut(l, ": ")
			switch {
			case l == "" || strings.HasPrefix(l, "#"):
			case line == "":
				line = l
			case isHeader:
				header = append(header, [2]string{name, value})
			}
		}
		method, url, _ := strings.Cut(line, " ")
		body, _, _ = strings.Cut(body, "\n\n# Its answer never came")
		answer := c.call(method, url, header, strings.TrimSpace(body))
		for _, m := range handler.FindAllStringSubmatch(part, -1) {
			c.set(m[1], cmp.Or(take(answer, m[2]), m[3]))
		}
	}
	return c.said.String()
}

// collection carries out a Postman collection.
func (c *client) collection(text []byte) string {
	type pair struct{ Key, Value string }
	var all struct {
		Variable []pair
		Item     []struct {
			Request struct {
				Method, URL string
				Header      []pair
				Body        struct{ Raw string }
			}
			Event []struct{ Script struct{ Exec []string } }
		}
	}
	require.NoError(c.t, json.Unmarshal(text, &all))
	for _, v := range all.Variable {
		c.set(v.Key, v.Value)
	}
	for _, item := range all.Item {
		var header [][2]string
		for _, h := range item.Request.Header {
			header = append(header, [2]string{h.Key, h.Value})
		}
		answer := c.call(item.Request.Method, item.Request.URL, header, item.Request.Body.Raw)
		for _, e := range item.Event {
			for _, line := range e.Script.Exec {
				m := test.FindStringSubmatch(line)
				require.NotNil(c.t, m, line)
				c.set(m[1], cmp.Or(take(answer, m[2]), m[3]))
			}
		}
	}
	return c.said.String()
}
