package replay_test

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v4"

	"paysandbox/harness/replay"
	"paysandbox/harness/replay/diagnose"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/read"
	"paysandbox/harness/sampling"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/mocktest"
)

// expectation is what is to be found in a report of the corpus; its README says what
// each member means.
type expectation struct {
	Report, Made        string
	Files               []string
	WebhookSecret       string `yaml:"webhook-secret"`
	ReceivedComplete    bool   `yaml:"received-complete"`
	Side                string
	Innocent            bool
	Clause              []string
	Knob                string
	Entry, Received     int
	Difference          int
	Moves               []string
	Exchanges, Webhooks int
}

// sandbox is one that cases are played in.
func sandbox(tb testing.TB) *play.Sandbox {
	tb.Helper()
	s := mocktest.Start(tb, mocktest.Options{})
	opened, err := play.Open(tb.Context(), s.URL, "", inProcess(s.Server.Handler()))
	require.NoError(tb, err)
	opened.Tape = s.Server.Tape
	return opened
}

// report is one of the corpus.
type report struct {
	expectation
	path, name string
	files      []string
	options    read.Options
}

// expectations are where the reports of the corpus stand that were chosen.
func expectations(t *testing.T) []string {
	t.Helper()
	list, err := filepath.Glob("../../fixtures/reports/" + *reports + "/expect.yaml")
	require.NoError(t, err)
	require.NotEmpty(t, list)
	return list
}

// some are the reports for a test that does more with each than to judge it: every nth, and of those
// every one, or each that comes quick behind the last.
func some(t *testing.T, nth, quick int) []string {
	t.Helper()
	list := expectations(t)
	if *reports != "*" {
		return list
	}
	return sampling.Every(t, quick, sampling.Nth(t, nth, list, "-reports '[a-z]*'"))
}

func readReport(t *testing.T, path string) *report {
	t.Helper()
	raw, err := os.ReadFile(path)
	require.NoError(t, err)
	r := &report{path: path, name: filepath.Base(filepath.Dir(path))}
	require.NoError(t, yaml.Load(raw, &r.expectation, yaml.WithKnownFields()))
	for _, f := range r.Files {
		r.files = append(r.files, filepath.Join(filepath.Dir(path), f))
	}
	r.options = read.Options{WebhookSecret: r.WebhookSecret, ReceivedComplete: r.ReceivedComplete}
	return r
}

// cases are those of whole reports that a test has made: the next one takes them as they are.
var cases sync.Map

// madeBy is a case and the sandbox in which it was made, whose addresses it shows.
type madeBy struct {
	*replay.Case
	sandbox *play.Sandbox
}

// made is the case of a report.
func (r *report) made(t *testing.T, s *play.Sandbox) madeBy {
	t.Helper()
	first, _ := cases.LoadOrStore(r.path, sync.OnceValue(func() madeBy { return madeBy{made(t, s, r.files, r.options), s} }))
	once, _ := first.(func() madeBy)
	c := once()
	require.NotNil(t, c.Case, "%s could not be made", r.path)
	return c
}

// made is the case of some files.
func made(t *testing.T, s *play.Sandbox, files []string, o read.Options) *replay.Case {
	t.Helper()
	r, err := read.Files(files, o)
	require.NoError(t, err)
	var saved *replay.Tape
	if len(files) == 1 && r.Sources[0].Format == "tape" {
		data, err := os.ReadFile(files[0])
		require.NoError(t, err)
		whole, err := replay.ReadTape(data)
		require.NoError(t, err)
		saved = &replay.Tape{Meta: whole.Meta, Entries: whole.Entries}
	}
	c, err := replay.Make(t.Context(), &r, saved, replay.Options{Sandbox: s, Knobs: knobs(), Parallel: 2})
	require.NoError(t, err)
	return c
}

func knobs() []replay.Knob {
	var list []replay.Knob
	for _, e := range latitude.Ledger() {
		list = append(list, replay.Knob{Name: e.Name, Values: e.Others()})
	}
	return list
}

// least are the shares that were right when this was written, and a little less: what
// is found today is to be found tomorrow.
var least = map[string]float64{"difference": 1, "side": 1, "place": 1, "clause": 1, "knob": 1, "moves": 0.98, "innocent": 1}

// reports chooses some of the corpus, to count them alone.
var reports = flag.String("reports", "*", "pattern of the names of the reports to judge")

// score counts what was right of what was asked.
type score struct{ right, of int }

func (s *score) add(right bool) bool {
	s.of++
	if right {
		s.right++
	}
	return right
}

// TestCorpus finds in every report what its expectation says.
func TestCorpus(t *testing.T) {
	t.Parallel()
	expected := expectations(t)
	s := sandbox(t)
	scores := map[string]*score{"difference": {}, "side": {}, "clause": {}, "knob": {}, "moves": {}, "innocent": {}, "place": {}}
	stored := sampling.Every(t, 32, expected)
	for _, path := range sampling.Every(t, 16, expected) {
		e := readReport(t, path)
		c := e.made(t, s)
		for what, problem := range judged(c.Case, &e.expectation, scores) {
			t.Logf("%s: %s: %s", e.name, what, problem)
		}
		if slices.Contains(stored, path) {
			if c.sandbox != s { // which has gone, or has other addresses
				c.Case = made(t, s, e.files, e.options)
			}
			again(t, s, c.Case)
		}
	}
	for _, what := range []string{"difference", "side", "place", "clause", "knob", "moves", "innocent"} {
		t.Logf("%s: %d of %d", what, scores[what].right, scores[what].of)
		if scores[what].of == 0 {
			continue
		}
		assert.GreaterOrEqual(t, float64(scores[what].right)/float64(scores[what].of), least[what], what)
	}
}

// again stores a case: taken again, it is what it was.
func again(t *testing.T, s *play.Sandbox, c *replay.Case) {
	t.Helper()
	folder := t.TempDir()
	require.NoError(t, c.Save(folder, s))
	stored, r, script, err := replay.Load(folder)
	require.NoError(t, err)
	taken, err := replay.Again(t.Context(), r, script, replay.Options{Sandbox: s, Knobs: replay.Chosen(stored.Choices), Parallel: 2})
	require.NoError(t, err)
	require.Empty(t, stored.Changed(taken), stored.Title)
}

// judged holds a case to what is expected, and tells what is not so.
func judged(c *replay.Case, e *expectation, scores map[string]*score) map[string]string {
	wrong := map[string]string{}
	d := &c.Diagnosis
	check := func(what string, right bool, is string) {
		if !scores[what].add(right) {
			wrong[what] = is
		}
	}
	first := 0
	if d.First != nil {
		first = d.First.N + 1
	}
	check("difference", first == e.Difference, "first difference at "+text(first)+", expected "+text(e.Difference)+"\n"+differences(c))
	check("side", string(d.Side) == e.Side, string(d.Side)+", expected "+e.Side+": "+strings.Join(d.Lines, "\n"))
	if e.Innocent {
		check("innocent", d.Side == diagnose.Nobody || d.Side == diagnose.Choice, string(d.Side)+": "+strings.Join(d.Lines, "\n"))
	}
	if len(e.Clause) > 0 {
		names := []string{"none"}
		if f := d.Fault; f != nil {
			names = append([]string{f.Clause}, f.Also...)
		}
		check("clause", slices.ContainsFunc(e.Clause, func(id string) bool { return slices.Contains(names, id) }), strings.Join(names, ", ")+", expected "+strings.Join(e.Clause, " or "))
	}
	if f := d.Fault; f != nil && (e.Entry > 0 || e.Received > 0) {
		check("place", e.Entry > 0 && f.N+1 == e.Entry || e.Received > 0 && f.Heard == e.Received, "call "+text(f.N+1)+" webhook "+text(f.Heard)+", expected "+text(e.Entry)+"/"+text(e.Received))
	}
	if e.Knob != "" {
		check("knob", d.Fault.Chooses(e.Knob) || slices.Contains(c.Chosen(), e.Knob), strings.Join(c.Chosen(), ", ")+", expected "+e.Knob)
	}
	moves := c.Moves()
	check("moves", slices.Equal(moves, e.Moves), strings.Join(moves, " ")+", expected "+strings.Join(e.Moves, " "))
	return wrong
}
