package writeout_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/read/text"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/replay/writeout"
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
	part, err := text.HTTPFile(&source.File{Name: "a.http", Data: file}, nil)
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
