package writeout_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/replay/writeout"
	"paysandbox/mockserver/tape"
)

// hostile is a case whose every word would do harm in a shell that took it for more.
func hostile(mark string) *writeout.Case {
	harm := "';touch " + mark + ";'\"$(touch " + mark + ")`touch " + mark + "`"
	return &writeout.Case{
		Title: "A title\ntouch " + mark, Base: "http://127.0.0.1:1", Run: &play.Run{},
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
	mark := filepath.Join(t.TempDir(), "harm")
	script, err := writeout.Write("curl", hostile(mark))
	require.NoError(t, err)
	run := exec.CommandContext(t.Context(), "sh", "-c", "curl() { :; }\n"+string(script))
	out, err := run.CombinedOutput()
	require.NoError(t, err, string(out))
	require.Empty(t, string(out))
	require.NoFileExists(t, mark)
	harmed := exec.CommandContext(t.Context(), "sh", "-c", strings.ReplaceAll(string(script), `'\''`, "'"))
	_ = harmed.Run() // it fails, and does harm before
	require.FileExists(t, mark, "without its quoting it would")
}

// TestUnknownFormsAreRefused by what there is.
func TestUnknownFormsAreRefused(t *testing.T) {
	t.Parallel()
	_, err := writeout.Write("word", &writeout.Case{})
	require.ErrorContains(t, err, `"word" is no form of a case: use one of curl, feature, go, har, html, http, markdown, postman, tape`)
}
