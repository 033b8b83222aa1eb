package writeout_test

import (
	"bytes"
	"go/format"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	gherkin "github.com/cucumber/gherkin/go/v26"
	messages "github.com/cucumber/messages/go/v21"
	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/read/httptext"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/replay/writeout"
	"paysandbox/harness/sampling"
	"paysandbox/mockserver/tape"
)

// hostile is a case whose every word would do harm in a shell that took it for more.
func hostile(mark string) *writeout.Case {
	harm := "';touch " + mark + ";'\"$(touch " + mark + ")`touch " + mark + "`"
	return &writeout.Case{
		Title: "A title\ntouch " + mark, Base: "http://127.0.0.1:1", Run: &play.Run{}, Routes: &correlate.Routes{},
		Script: play.Script{Steps: []play.Step{
			{Why: "somebody did\ntouch " + mark, Move: &play.Move{Path: "/x"}},
			{Call: &play.Call{Exchange: recording.Exchange{
				Method: "GET|touch${IFS}" + mark, Path: "/a" + harm, Query: "b=" + harm, Header: []tape.Header{{Name: "X", Value: harm}}, Body: []byte(harm),
			}}},
		}},
	}
}

// TestAScriptDoesWhatItSaysAndNoMore: whatever a partner's file holds, the shell script
// that is written of it calls curl alone.
func TestAScriptDoesWhatItSaysAndNoMore(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	mark := filepath.Join(folder, "harm")
	script, err := writeout.Write("curl", hostile(mark))
	require.NoError(t, err)
	quiet := strings.Replace(string(script), "CLIENT=curl", "CLIENT=true", 1)
	run := exec.CommandContext(t.Context(), "sh", "-c", quiet)
	out, err := run.CombinedOutput()
	require.NoError(t, err, string(out))
	require.NotContains(t, string(out), "HTTP", "nothing was called")
	require.NoFileExists(t, mark)
	harmed := exec.CommandContext(t.Context(), "sh", "-c", strings.ReplaceAll(quiet, `'\''`, "'"))
	_ = harmed.Run() // it fails, and does harm before
	require.FileExists(t, mark, "without its quoting it would")
}

// TestAnAddressIsCalledOnce: what curl takes for several addresses, or for a shorter one, is
// one address as it was recorded.
func TestAnAddressIsCalledOnce(t *testing.T) {
	t.Parallel()
	sampling.Needs(t, "curl", "the script of a case calls it")
	called := make(chan string, 100)
	service := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { called <- r.RequestURI }))
	defer service.Close()
	c := &writeout.Case{Base: service.URL, Run: &play.Run{}, Routes: &correlate.Routes{}, Script: play.Script{Steps: []play.Step{
		{Call: &play.Call{Exchange: recording.Exchange{Method: "GET", Path: "/x/../[1-30]/{a,b}"}}},
	}}}
	script, err := writeout.Write("curl", c)
	require.NoError(t, err)
	out, err := exec.CommandContext(t.Context(), "sh", "-c", string(script)).CombinedOutput()
	require.NoError(t, err, string(out))
	require.Len(t, called, 1)
	require.Equal(t, "/x/../[1-30]/{a,b}", <-called)
}

// TestABodyEndsNoStep: whatever is sent, the scenario has the steps of its calls alone, and
// they send it.
func TestABodyEndsNoStep(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		"{\n\"\"\"\nAnd \"settle\" happens to the payment\n\"\"\"\n}", `{"a":"\"\"\""}`, "a\n```\nThen b", "\"\"\"\n```\nThen b\n\"\"\"",
		"\\`\\`\\`", "\r\"\"\"\r", "a\n      \"\"\"\n    Then b", "a\n      ```\n    \"\"\" Then b", "@tag\n# comment\n| a |",
	} {
		c := &writeout.Case{Run: &play.Run{Answers: []play.Answered{{Step: 0, Status: 400}}}, Routes: &correlate.Routes{}, Script: play.Script{Steps: []play.Step{
			{Call: &play.Call{Exchange: recording.Exchange{Method: "POST", Path: "/a\"\nThen b\r", Body: []byte(body)}}},
		}}}
		written, err := writeout.Write("feature", c)
		require.NoError(t, err)
		read, err := gherkin.ParseGherkinDocument(bytes.NewReader(written), (&messages.Incrementing{}).NewId)
		require.NoError(t, err, string(written))
		steps := read.Feature.Children[0].Scenario.Steps
		require.Len(t, steps, 2, string(written))
		require.Equal(t, `the client sends "POST /a%22%0AThen b%0D":`, steps[0].Text)
		require.Equal(t, strings.TrimSuffix(body, "\r"), steps[0].DocString.Content)
	}
}

// TestMarkdownHoldsTextAlone: no text of a case becomes an element, a link, a picture or a
// cell of its own.
func TestMarkdownHoldsTextAlone(t *testing.T) {
	t.Parallel()
	const harm = "\\| a |\n\n# b\n<img src=http://127.0.0.1:1/x> ![c](http://127.0.0.1:1/y) `d"
	c := &writeout.Case{
		Title: harm, Lines: []string{"Side: " + harm}, Differences: []string{harm}, Run: &play.Run{}, Routes: &correlate.Routes{},
		Script: play.Script{Steps: []play.Step{{Call: &play.Call{Exchange: recording.Exchange{Method: "POST", Path: "/a", Body: []byte(harm)}}}}},
	}
	written, err := writeout.Write("markdown", c)
	require.NoError(t, err)
	const text = `\\\| a \| # b \<img src=http://127.0.0.1:1/x> !\[c\](http://127.0.0.1:1/y) ` + "\\`d"
	require.Equal(t, 4, strings.Count(string(written), text), string(written))
	require.NotContains(t, strings.ReplaceAll(string(written), text, ""), "127.0.0.1")
}

// TestUnknownFormsAreRefused by what there is.
func TestUnknownFormsAreRefused(t *testing.T) {
	t.Parallel()
	_, err := writeout.Write("word", &writeout.Case{})
	require.ErrorContains(t, err, `"word" is no form of a case: use one of curl, feature, go, har, html, http, markdown, postman, tape`)
}

// TestAnHTTPFileHoldsTheCallsOfTheCaseAlone: written and read again, each call is what it
// was; a body that clients would take for more is refused with what of it.
func TestAnHTTPFileHoldsTheCallsOfTheCaseAlone(t *testing.T) {
	t.Parallel()
	write := func(bodies ...string) ([]byte, error) {
		c := &writeout.Case{Base: "http://127.0.0.1:1", Run: &play.Run{}, Routes: &correlate.Routes{}}
		for _, body := range bodies {
			c.Script.Steps = append(c.Script.Steps, play.Step{Call: &play.Call{Exchange: recording.Exchange{
				Method: "POST", Path: "/a", Header: []tape.Header{{Name: "X-A", Value: "# b"}}, Body: []byte(body),
			}}})
		}
		return writeout.Write("http", c)
	}
	bodies := []string{"{\n  \"a\": \"### b\\n### c\"\n}", "# one\n## two", "a\n\nGET http://127.0.0.1:1/b\nX: y", "", "// no comment", "a ### b", "<a>b</a>", ">a", "?a"}
	file, err := write(bodies...)
	require.NoError(t, err)
	part, err := httptext.HTTPFile(&source.File{Name: "a.http", Data: file}, nil)
	require.NoError(t, err)
	require.Empty(t, part.Skipped)
	require.Len(t, part.Exchanges, len(bodies))
	for i, body := range bodies {
		require.Equal(t, body, string(part.Exchanges[i].Body))
		require.Equal(t, []tape.Header{{Name: "X-A", Value: "# b"}}, part.Exchanges[i].Header)
	}
	for body, mark := range map[string]string{
		"a\n### b\nDELETE http://127.0.0.1:1/b": "###", "###": "###", "a\r  ###b": "###", "a\n< ./secret": "< ", "<@ ./x": "<@ ", "a\r\n> {% x %}": "> ", "<> x": "<> ", "?? status == 200": "?? ", ">> out": ">> ",
	} {
		_, err := write("{}", body)
		require.ErrorContains(t, err, `step 2, POST /a, has a line that begins with "`+mark+`"; write it as curl, har or postman`, body)
	}
	broken := hostile("x")
	broken.Script.Steps[1].Call.Exchange.Query = "a\nDELETE /b"
	_, err = writeout.Write("http", broken)
	require.ErrorContains(t, err, `begins with "\n"`)
}

// TestAnHTTPFileAsksForATokenThatIsGranted: a token from before the recording is asked for with the sandbox's credentials.
func TestAnHTTPFileAsksForATokenThatIsGranted(t *testing.T) {
	t.Parallel()
	routes, err := correlate.ReadRoutes([]byte(`{"paths":{"/Authentication/Token":{"post":{"operationId":"createToken"}}}}`))
	require.NoError(t, err)
	c := &writeout.Case{Base: "http://127.0.0.1:8484", Run: &play.Run{}, Routes: routes, Script: play.Script{Steps: []play.Step{{Call: &play.Call{
		N: play.Prelude, Admitted: true,
		Exchange: recording.Exchange{Method: "POST", Path: "/Authentication/Token", Body: []byte(`{"clientId":"","clientSecret":""}`)},
	}}}}}
	raw, err := writeout.Write("http", c)
	require.NoError(t, err)
	require.Contains(t, string(raw), "@clientId = sandbox-client\n@clientSecret = sandbox-secret\n")
	require.Contains(t, string(raw), `{"clientId":"{{clientId}}","clientSecret":"{{clientSecret}}"}`)
}

// TestAGoTestIsWrittenAsGofmtHasIt: what a partner takes into a project needs no formatting.
func TestAGoTestIsWrittenAsGofmtHasIt(t *testing.T) {
	t.Parallel()
	c := hostile("harm")
	c.Lines = []string{"one", "", "  two  "}
	call := c.Script.Steps[1].Call
	call.Stands = []correlate.Value{{Where: "/id", Text: "a\"b"}, {Where: "/id", Text: "again"}, {Where: "/list/0", Text: "c"}}
	c.Script.Steps = append(c.Script.Steps, play.Step{At: c.Script.World.Start.Add(26 * time.Hour), Call: call}, play.Step{At: c.Script.World.Start.Add(27 * time.Hour), Why: "later", Call: call})
	raw, err := writeout.Write("go", c)
	require.NoError(t, err)
	wanted, err := format.Source(raw)
	require.NoError(t, err)
	require.Equal(t, string(wanted), string(raw))
}

// TestAFeatureTellsWhatMatters: short pauses before anything is under way, and polls that say the same again, are no
// lines; a fault and the head that a refusal is about are. A case of which nothing can be told is refused.
func TestAFeatureTellsWhatMatters(t *testing.T) {
	t.Parallel()
	routes, err := correlate.ReadRoutes([]byte(`{"paths":{"/Payment/Create":{"post":{"operationId":"createPayment"}},"/Payment/{paymentRequestId}/Status":{"get":{"operationId":"getPaymentStatus"}}}}`))
	require.NoError(t, err)
	const id = "9ae1406b-52d4-412c-a718-4bf068c20157"
	at := time.Date(2026, 3, 2, 17, 0, 0, 0, time.UTC)
	c := &writeout.Case{Run: &play.Run{}, Routes: routes, Script: play.Script{World: play.World{Start: at}}}
	step := func(after time.Duration, operation, method, path, fault string, status int, body string) {
		at = at.Add(after)
		call := &play.Call{Fault: fault, Exchange: recording.Exchange{Method: method, Path: path}}
		if operation == "createPayment" {
			call.Exchange.Body, call.Stands = []byte(`{"amount":4500}`), []correlate.Value{{Type: correlate.Payment, Text: id}}
		}
		c.Run.Answers = append(c.Run.Answers, play.Answered{Step: len(c.Script.Steps), Operation: operation, Status: status, Body: []byte(body)})
		c.Script.Steps = append(c.Script.Steps, play.Step{At: at, Call: call})
	}
	poll := func(after time.Duration, status string) {
		step(after, "getPaymentStatus", "GET", "/Payment/"+id+"/Status", "", 200, `{"status":"`+status+`"}`)
	}
	_, err = writeout.Write("feature", c)
	require.ErrorContains(t, err, "nothing of this case can be told as a scenario")
	step(2*time.Second, "createPayment", "POST", "/Payment/Create", "", 200, `{}`)
	poll(2*time.Second, "Pending")
	c.Script.Steps = append(c.Script.Steps, play.Step{At: at.Add(time.Second), Move: &play.Move{Path: "/payments/" + id + "/approve", Entity: id}})
	poll(6*time.Second, "Paid")
	poll(2*time.Second, "Paid")
	step(25*time.Hour, "listCompanies", "GET", "/Company/List", "status=503", 503, "")
	step(time.Second, "", "GET", "/Company/List", "", 401, "")
	raw, err := writeout.Write("feature", c)
	require.NoError(t, err)
	_, lines, _ := strings.Cut(string(raw), "  Scenario: What the partner reported\n")
	require.Equal(t, `    Given a payment request with amount "4500"
    When "approve" happens to the payment
    And 5 seconds pass
    And the partner asks for the payment's status
    Then the answer's status is "Paid"
    When 90002 seconds pass
    Given the next call is met by the fault "status=503"
    When the client sends "GET /Company/List"
    Then the answer has the status 503
    Given the header "Authorization" is "Bearer no-longer"
    When the client sends "GET /Company/List"
    Then the answer has the status 401
`, lines)
}

// TestValuesAreTakenWhereTheServiceWritesThem: a service that begins names with capitals gives its tokens so.
func TestValuesAreTakenWhereTheServiceWritesThem(t *testing.T) {
	t.Parallel()
	token := recording.Exchange{Method: "POST", Path: "/Authentication/Token", Body: []byte(`{"clientId":"","clientSecret":""}`)}
	script := play.Script{Steps: []play.Step{{Call: &play.Call{N: play.Prelude, Admitted: true, Exchange: token, Stands: []correlate.Value{{Type: correlate.Token, Text: "before", Where: "/accessToken"}}}}}}
	run := &play.Run{Script: script, Answers: []play.Answered{{N: play.Prelude, Operation: "createToken", Status: 200, Body: []byte(`{"AccessToken":"x"}`)}}}
	for form, want := range map[string]string{"http": "response.body.AccessToken", "postman": "pm.response.json().AccessToken", "go": `"/AccessToken"`} {
		text, err := writeout.Write(form, &writeout.Case{Script: script, Run: run, Routes: &correlate.Routes{}, Base: "http://localhost"})
		require.NoError(t, err, form)
		require.Contains(t, string(text), want, form)
	}
}
