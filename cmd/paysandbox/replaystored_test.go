package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/sampling"
	"paysandbox/harness/verdict"
)

const (
	storedCaseFolder = "../../fixtures/cases/refund-too-much"
	ofTwoPayments    = "../../harness/replay/testdata/two-payments.jsonl"
)

// TestADamagedCaseIsRefused: each damage to a case's folder is told with where it is and what to do, in no words of our code; none
// makes a partner's report of it.
func TestADamagedCaseIsRefused(t *testing.T) {
	sampling.NotRaced(t, "it reads one folder after the other")
	t.Parallel()
	cut := func(n int) func([]byte) []byte { return func(text []byte) []byte { return text[:n] } }
	put := func(was, is string) func([]byte) []byte {
		return func(text []byte) []byte { return bytes.Replace(text, []byte(was), []byte(is), 1) }
	}
	for _, damage := range []struct {
		file, says string
		change     func([]byte) []byte
	}{
		{"case.yaml", "it has no case.yaml", nil},
		{"case.yaml", "case.yaml: line .*cut off; copy it again", func(text []byte) []byte { return text[:bytes.Index(text, []byte("\ndiagnosis:"))+1] }},
		{"case.yaml", "case.yaml: line .*cut off; copy it again", func(text []byte) []byte { return bytes.TrimSuffix(text, []byte("\n")) }},
		{"case.yaml", "case.yaml: .*line .*copy it again", put("sources:", "source:")},
		{"script.json", "it has no script.json", nil},
		{"script.json", "script.json: line .*ends before it is whole.*copy it again", cut(600)},
		{"script.json", "script.json: line .*no moment such as", put(`"at": "`, `"at": 7, "x": "`)},
		{"script.json", "script.json: line .*`steps` is a string, expected a list", put(`"steps": [`, `"steps": "", "x": [`)},
		{"script.json", "script.json: step .*it is call 701, and recording.json has", put(`"n": 0`, `"n": 700`)},
		{"script.json", "script.json: it says nothing of its .world.", func([]byte) []byte { return []byte("{}\n") }},
		{"recording.json", "it has no recording.json", nil},
		{"recording.json", "recording.json: line .*is a number, expected a text", put(`"method": "`, `"method": 7, "x": "`)},
		{"recording.json", "recording.json: it names no .sources.", func([]byte) []byte { return []byte("{}\n") }},
		{"replay.tape", "it has no replay.tape", nil},
		{"replay.tape", "replay.tape: line .*it was cut off", func(text []byte) []byte { return text[:bytes.Index(text, []byte("{\"end\":"))] }},
		{"replay.tape", "replay.tape: its last line says that it had other entries", put(`"status":200`, `"status":201`)},
	} {
		folder := filepath.Join(t.TempDir(), "case")
		require.NoError(t, os.CopyFS(folder, os.DirFS(storedCaseFolder)))
		path := filepath.Join(folder, damage.file)
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		require.NoError(t, os.Remove(path))
		if damage.change != nil {
			require.NoError(t, os.WriteFile(path, damage.change(text), 0o600))
		}
		code, out, said := ran(t, "replay", folder)
		require.Equal(t, verdict.CodeConfig, code, "%s: %s", damage.says, said)
		require.Empty(t, out)
		require.Regexp(t, damage.says, said)
		require.NotRegexp(t, `Go struct|statat|: json: |replay\.Stored|input is not`, said)
	}
}

// TestAStoredCaseSaysWhyItEndsWith0: its fault is the partner's, and the command ends well because nothing has changed.
func TestAStoredCaseSaysWhyItEndsWith0(t *testing.T) {
	t.Parallel()
	code, out, said := ran(t, "replay", storedCaseFolder)
	require.Equal(t, verdict.CodeMet, code, said)
	require.Contains(t, out, "came out as it was stored: side partner")
	_, help, _ := ran(t, "replay", "--help")
	require.Regexp(t, `The folder of a stored case:\s+0 when it comes out as it was stored`, help)
}

// TestKnownWantsCases: what is no folder of cases is refused before the work; machines are told the answer, too.
func TestKnownWantsCases(t *testing.T) {
	t.Parallel()
	for path, says := range map[string]string{"/no/such/folder": "no such", ofTwoPayments: "not a directory", t.TempDir(): "holds no folder with a case", storedCaseFolder: "is a case itself"} {
		code, _, said := ran(t, "replay", ofTwoPayments, "--known", path)
		require.Equal(t, verdict.CodeConfig, code, path)
		require.Contains(t, said, says, path)
	}
	var r struct{ Known *[]string }
	_, out, _ := ran(t, "replay", ofTwoPayments, "--known", "../../fixtures/cases", "--format", "json")
	require.NoError(t, json.Unmarshal([]byte(out), &r))
	require.NotNil(t, r.Known)
	_, out, _ = ran(t, "replay", ofTwoPayments, "--format", "json")
	r.Known = nil
	require.NoError(t, json.Unmarshal([]byte(out), &r))
	require.Nil(t, r.Known, "none were looked through")
	_, out, _ = ran(t, "replay", ofTwoPayments, "--known", "../../fixtures/cases", "--format", "markdown")
	require.Contains(t, out, "**Known**: the same as refund-too-much")
}

// TestReplayIsAskedForWhatThereIs: what a flag cannot mean is refused with what it can.
func TestReplayIsAskedForWhatThereIs(t *testing.T) {
	t.Parallel()
	code, out, said := ran(t, "replay", ofTwoPayments, "--to", "foo=x")
	require.Equal(t, verdict.CodeConfig, code)
	require.Empty(t, out, "before the work")
	require.Regexp(t, `use one of .*\bcase\b`, said)
	code, _, said = ran(t, "replay", ofTwoPayments, "--minimise", "--keep", "state=xx:Failed")
	require.Equal(t, verdict.CodeConfig, code)
	require.Regexp(t, `nothing with the id "xx" comes to "Failed" in this case; there are \S+:`, said)
	_, help, _ := ran(t, "replay", "--help")
	require.Contains(t, help, "no --format but pretty")
}

// TestWhatAFeatureLeavesOutIsTold: the command says which part of the case the scenario is without.
func TestWhatAFeatureLeavesOutIsTold(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "case.jsonl")
	text, err := os.ReadFile(ofTwoPayments)
	require.NoError(t, err)
	text = text[:bytes.LastIndexByte(bytes.TrimSpace(text), '\n')+1] // without the refund
	require.NoError(t, os.WriteFile(path, text, 0o600))
	_, _, said := ran(t, "replay", path, "--to", "feature="+filepath.Join(t.TempDir(), "case.feature"))
	require.Contains(t, said, "does not say: partner.reference.present")
}
