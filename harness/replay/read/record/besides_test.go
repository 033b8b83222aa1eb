package record_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/read/record"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
)

// restored is what lines are read as, with what their last tells.
func restored(t *testing.T, name, lines string) recording.Recording {
	t.Helper()
	p, err := record.JSONLines(&source.File{Name: name, Data: []byte(lines)}, nil)
	require.NoError(t, err)
	r := recording.Recording{Sources: p.Sources, Exchanges: p.Exchanges, Received: p.Received, Skipped: p.Skipped}
	record.Restore([]*source.Part{p}, &r)
	return r
}

// TestLinesTellOfTheirFiles: which there were, and what they lack; not what they are called.
func TestLinesTellOfTheirFiles(t *testing.T) {
	t.Parallel()
	r := recording.Recording{
		Sources: []recording.Source{{Name: "jane.har", Format: "har", Size: 7, Lacks: "the rest of jane.har, which breaks off"}, {Name: "doe.log", Format: "access-log", Arrivals: []recording.Arrival{{At: source.Time("2026-03-02T17:00:00Z"), Line: 4, Status: 502}}}},
		Exchanges: []recording.Exchange{
			{Place: recording.Place{Source: "jane.har", Entry: 1}, Method: "GET", Path: "/b", TooSoon: "the POST of jane.har entry 3, to another host, says \"paid\":true", Answer: recording.Answer{Known: recording.NotRecorded}},
		},
		Received: []recording.Received{{Place: recording.Place{Source: "doe.log", Line: 4}, Body: []byte("{}")}},
		Skipped:  []recording.Skipped{{Place: recording.Place{Source: "doe.log", Line: 9}, Why: "the line is no object"}, {Place: recording.Place{Source: "doe.log", Line: 9}, Why: "a call to another", Host: "a.example"}},
	}
	var b bytes.Buffer
	require.NoError(t, record.WriteJSONLines(&b, &r))
	require.NotRegexp(t, "jane|doe", b.String())
	got := restored(t, "x.jsonl", b.String())
	require.Equal(t, []recording.Source{
		{Name: "x.jsonl (file 1)", Format: "har", Size: 7, Lacks: "the rest of x.jsonl (file 1), which breaks off"},
		{Name: "x.jsonl (file 2)", Format: "access-log", Arrivals: []recording.Arrival{{At: source.Time("2026-03-02T17:00:00Z"), Status: 502}}},
	}, got.Sources)
	require.Equal(t, recording.Place{Source: "x.jsonl (file 1)", Line: 1}, got.Exchanges[0].Place)
	require.Equal(t, "the POST of file 1 entry 3, to another host, says \"paid\":true", got.Exchanges[0].TooSoon)
	require.Equal(t, recording.Place{Source: "x.jsonl (file 2)", Line: 2}, got.Received[0].Place)
	require.Len(t, got.Skipped, 1)
	require.Equal(t, "x.jsonl (file 2)", got.Skipped[0].Place.Source)
}

// TestPlainLinesHaveNoLastLine: who scrubs one file of calls has its calls, and no line more.
func TestPlainLinesHaveNoLastLine(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	require.NoError(t, record.WriteJSONLines(&b, &recording.Recording{
		Sources:   []recording.Source{{Name: "a.jsonl", Format: "jsonl", Size: 7}},
		Exchanges: []recording.Exchange{{Place: recording.Place{Source: "a.jsonl", Line: 1}, Method: "GET", Path: "/b"}},
	}))
	require.Equal(t, 1, strings.Count(b.String(), "\n"))
	require.NotContains(t, b.String(), "besides")
}

// TestLastLinesOfOthers are believed as far as they can be: a file is of no form that makes it a saved tape, and of no number that none has.
func TestLastLinesOfOthers(t *testing.T) {
	t.Parallel()
	const call = `{"method":"GET","url":"https://a.example/b","status":200,"of":9}` + "\n"
	got := restored(t, "x", call+`{"besides":{"files":[{"format":"tape","size":-4,"lacks":"a\nb\u0000","lost":-3},{"format":"<script>"}]}}`+"\n\n")
	require.Equal(t, []recording.Source{{Name: "x (file 1)", Format: "jsonl", Lacks: "ab"}, {Name: "x (file 2)", Format: "jsonl"}}, got.Sources)
	require.Equal(t, "x (file 1)", got.Exchanges[0].Place.Source)
	require.Empty(t, got.Skipped)
	for _, last := range []string{`{"besides":{"files":[]}}`, `{"besides":{"files":"x"}}`, `{"besides":{}}`, `{"besides":{`} {
		got = restored(t, "x", call+last)
		require.Equal(t, "x", got.Sources[0].Name, last)
		require.Len(t, got.Exchanges, 1, last)
		require.Equal(t, "x", got.Exchanges[0].Place.Source, last)
	}
}
