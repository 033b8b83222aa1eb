package random_test

import (
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/random"
	"paysandbox/harness/schema"
	"paysandbox/mockserver/mocktest"
)

// described are the two descriptions of a sandbox.
func described(t *testing.T) (partner, control *schema.Document) {
	t.Helper()
	sandbox := mocktest.Start(t, mocktest.Options{})
	read := func(path string) *schema.Document {
		res, err := http.Get(sandbox.URL + path)
		require.NoError(t, err)
		text, err := io.ReadAll(res.Body)
		require.NoError(t, err)
		require.NoError(t, res.Body.Close())
		d, err := schema.Read(text)
		require.NoError(t, err)
		return d
	}
	return read("/openapi.json"), read("/_sandbox/openapi.json")
}

// page is one of those that are answered: its form has a field that offers two values.
const page = `<form method="post" action="/pages/i/pay?x=1&amp;y=2"><input type="hidden" name="csrf" value="a&#34;b">
<input name="code"><button name="answer" value="yes"><button name="answer" value="no"></form>`

// draw draws calls by a number, each of which is answered with the same.
func draw(number uint64, n int, partner, control *schema.Document) []random.Call {
	s := random.New(number, partner, control)
	s.Know("integration", "int-1")
	list := make([]random.Call, n)
	for i := range list {
		list[i] = s.Next()
		answer := `{"paymentRequestId":"payment-1","url":"http://127.0.0.1:8080/pages/i/pay","kind":"company","id":"company-1"}`
		if list[i].To == random.Page {
			answer = page
		}
		s.Learn(&list[i], http.StatusOK, []byte(answer))
	}
	return list
}

// TestDrawnCalls draws calls from a sandbox's own descriptions.
func TestDrawnCalls(t *testing.T) {
	t.Parallel()
	partner, control := described(t)
	list := draw(1, 5000, partner, control)
	require.Equal(t, list, draw(1, 5000, partner, control), "the same number draws the same calls")
	require.NotEqual(t, list[:50], draw(2, 50, partner, control))
	seen := map[string]int{}
	outside := regexp.MustCompile(`"(?:url|attachment)":"https?://[^"]*`)
	for i := range list {
		c := &list[i]
		seen[c.To+" "+c.Operation]++
		for _, m := range outside.FindAllString(string(c.Body), -1) {
			require.Contains(t, m, "http://127.0.0.1", "nothing is called outside this machine")
		}
		require.NotRegexp(t, `"(latency|slowBody)":"[^1]`, string(c.Body), "no answer is held back")
		require.NotContains(t, c.Target, "wait=")
	}
	for _, of := range []struct {
		to   string
		d    *schema.Document
		left int
	}{{random.Partner, partner, 0}, {random.Control, control, 10}} {
		missing := 0
		for _, path := range schema.Children(of.d.Node("/paths")) {
			for _, method := range schema.Children(of.d.Node("/paths/" + schema.Escape(path))) {
				id, _ := of.d.Object("/paths/" + schema.Escape(path) + "/" + method)["operationId"].(string)
				if seen[of.to+" "+id] == 0 {
					missing++
				}
			}
		}
		require.Equal(t, of.left, missing, "operations of the %s API that are never drawn", of.to)
	}
	all := fmt.Sprint(list)
	for _, part := range []string{"payment-1", "company-1", "int-1", "BREW", "application/vnd.x+json"} {
		require.Contains(t, all, part)
	}
}

// TestFormsAreSent: where a page has a form, what it offers is sent to its address.
func TestFormsAreSent(t *testing.T) {
	t.Parallel()
	partner, control := described(t)
	var sent []string
	for _, c := range draw(3, 3000, partner, control) {
		if c.Operation == "send a form" {
			require.Equal(t, "http://127.0.0.1:8080/pages/i/pay?x=1&y=2", c.Target)
			sent = append(sent, string(c.Body))
		}
	}
	all := strings.Join(sent, "\n")
	require.Contains(t, all, "csrf=a%22b")
	require.Contains(t, all, "answer=yes")
	require.Contains(t, all, "answer=no")
	require.Contains(t, all, "code=4242424242424242")
}

// TestNothingToDraw: descriptions may be missing, or say nothing.
func TestNothingToDraw(t *testing.T) {
	t.Parallel()
	s := random.New(1, nil, nil)
	for range 200 {
		s.Know("pages", "http://127.0.0.1/pages/i/pay")
		require.NotEmpty(t, s.Next().Target)
	}
}
