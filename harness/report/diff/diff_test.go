package diff_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"paysandbox/harness/report"
	"paysandbox/harness/report/diff"
	"paysandbox/harness/report/sample"
	"paysandbox/harness/sampling"
	"paysandbox/harness/verdict"
)

// only is a report with one clause, or none for an empty verdict.
func only(v verdict.Word) *report.Report {
	r := &report.Report{}
	if v != "" {
		r.Clauses = []report.ClauseResult{{ID: "a.b", Title: "t", Level: "MUST", Area: "a", Verdict: v}}
	}
	return r
}

// where says in which list a difference of one clause has it.
func where(t require.TestingT, d diff.Diff) string {
	var in []string
	for name, list := range map[string][]diff.Change{
		"regressed": d.Regressed, "fixed": d.Fixed, "newly": d.Newly, "no longer": d.NoLonger, "failing": d.Failing,
	} {
		if len(list) > 0 {
			in = append(in, name)
		}
	}
	if d.Same > 0 {
		in = append(in, "same")
	}
	require.Len(t, in, 1)
	return in[0]
}

// TestEveryPairOfVerdicts holds the table: rows are what was, columns what is.
func TestEveryPairOfVerdicts(t *testing.T) {
	t.Parallel()
	kind := func(v verdict.Word) string {
		switch v {
		case verdict.Pass, verdict.Warning:
			return "held"
		case verdict.Review:
			return "unshown"
		case verdict.Fail:
			return "failed"
		default:
			return "open"
		}
	}
	table := map[string]string{
		"held held": "same", "held failed": "regressed", "held open": "no longer",
		"failed held": "fixed", "failed failed": "failing", "failed open": "no longer",
		"open held": "newly", "open failed": "newly", "open open": "same",
		"held unshown": "no longer", "failed unshown": "no longer", "open unshown": "newly", "unshown unshown": "same",
		"unshown held": "newly", "unshown failed": "regressed", "unshown open": "no longer",
	}
	all := append(verdict.Words(), "")
	for _, was := range all {
		for _, is := range all {
			if was == "" && is == "" {
				continue
			}
			d := diff.Compare(only(was), only(is))
			require.Equal(t, table[kind(was)+" "+kind(is)], where(t, d), "%s to %s", was, is)
			for _, c := range slices.Concat(d.Regressed, d.Fixed, d.Newly, d.NoLonger, d.Failing) {
				require.Equal(t, []verdict.Word{was, is}, []verdict.Word{c.Was, c.Is})
			}
		}
	}
}

func TestKnownDeviationIsNoRegression(t *testing.T) {
	t.Parallel()
	failed := only(verdict.Fail)
	failed.Clauses[0].Deviation = &report.Deviation{Owner: "pat", Reason: "next week", Occurs: true}
	d := diff.Compare(only(verdict.Pass), failed)
	require.Empty(t, d.Regressed)
	require.Equal(t, "next week", d.Failing[0].Deviation)
	failed.Readiness = &report.Readiness{Blocking: []string{"a.b"}}
	require.Len(t, diff.Compare(only(verdict.Pass), failed).Regressed, 1, "what blocks production access is not excused")
}

// TestEveryClauseIsSomewhere draws two reports: each clause is in one list or
// counted, and the way back is the mirror; but what fails where it waited for somebody to
// look has regressed, and is not mended when it waits again.
func TestEveryClauseIsSomewhere(t *testing.T) {
	t.Parallel()
	sampling.Check(t, func(t *rapid.T) {
		draw := func(name string) *report.Report {
			r := &report.Report{}
			for _, id := range rapid.SliceOfDistinct(rapid.StringMatching(`[a-d]\.[a-d]`), rapid.ID[string]).Draw(t, name) {
				r.Clauses = append(r.Clauses, report.ClauseResult{ID: id, Verdict: rapid.SampledFrom(verdict.Words()).Draw(t, "verdict")})
			}
			return r
		}
		a, b := draw("old"), draw("new")
		d, back := diff.Compare(a, b), diff.Compare(b, a)
		n := len(d.Regressed) + len(d.Fixed) + len(d.Newly) + len(d.NoLonger) + len(d.Failing) + d.Same
		require.Equal(t, len(a.Clauses)+len(b.Clauses)-diff.Common(a, b), n)
		count := func(list []diff.Change) int {
			return len(slices.DeleteFunc(slices.Clone(list), func(c diff.Change) bool {
				return c.Was == verdict.Fail && c.Is == verdict.Review || c.Was == verdict.Review && c.Is == verdict.Fail
			}))
		}
		require.Equal(t, []int{count(d.Fixed), count(d.Regressed), count(d.Newly), count(d.NoLonger), len(d.Failing), d.Same},
			[]int{count(back.Regressed), count(back.Fixed), count(back.NoLonger), count(back.Newly), len(back.Failing), back.Same})
		same := diff.Compare(a, a)
		require.Empty(t, slices.Concat(same.Regressed, same.Fixed, same.Newly, same.NoLonger))
	})
}

// later is the sample's integration some days after: one clause mended, one
// broken, one seen for the first time, one not seen any more.
func later() *report.Report {
	r := sample.Integration()
	r.Version, r.Seed = "1.3.0", 8
	r.Readiness.Sentence, r.Readiness.Blocking = "Not ready for production: 2 requirements are broken.", []string{"partner.amount.cents", "partner.webhook.signature"}
	r.Readiness.Digests[0].SHA256, r.Readiness.Digests[1].SHA256 = strings.Repeat("c", 64), strings.Repeat("d", 64)
	for i := range r.Clauses {
		switch c := &r.Clauses[i]; c.ID {
		case "partner.token.reuse":
			c.Verdict, c.Evidence = verdict.Pass, nil
		case "partner.amount.cents":
			c.Verdict, c.Evidence = verdict.Fail, []report.Evidence{{Expected: "5000", Received: "50.00\nin EUR"}}
		case "partner.return.late":
			c.Verdict, c.Reason = verdict.Pass, ""
		case "partner.polling.hot":
			c.Verdict, c.Reason = verdict.NotExercised, "nothing was polled"
		}
	}
	return r
}

func TestDiffGoldens(t *testing.T) {
	t.Parallel()
	d := diff.Compare(sample.Integration(), later())
	files := map[string]string{"text": "diff.txt", "markdown": "diff.md", "json": "diff.json"}
	for _, name := range diff.Formats() {
		var b bytes.Buffer
		require.NoError(t, diff.Write(name, &d, &b))
		sample.Golden(t, files[name], b.Bytes())
	}
	require.Equal(t, "1 regressed, 2 still failing, 1 no longer judged, 1 newly applicable, 1 fixed, 3 as before", d.Summary())
	require.Equal(t, []string{"The version of the tool was 1.2.3 and is 1.3.0.", "The seed was 7 and is 8.", "The integration clauses changed."}, d.Notes)
}

func TestDiffComesBackAsJSON(t *testing.T) {
	t.Parallel()
	d := diff.Compare(&report.Report{}, &report.Report{})
	var b bytes.Buffer
	require.NoError(t, diff.Write("json", &d, &b))
	require.NotContains(t, b.String(), "null", "a list is never absent")
	d = diff.Compare(sample.Integration(), later())
	b.Reset()
	require.NoError(t, diff.Write("json", &d, &b))
	var got struct {
		Format string
		diff.Diff
	}
	require.NoError(t, json.Unmarshal(b.Bytes(), &got))
	require.Equal(t, diff.Format, got.Format)
	require.Equal(t, d, got.Diff)
}

func TestDiffIsNotTakenOver(t *testing.T) {
	t.Parallel()
	d := diff.Compare(&report.Report{}, sample.HostileService())
	for _, name := range diff.Formats() {
		var b bytes.Buffer
		require.NoError(t, diff.Write(name, &d, &b))
		require.NotContains(t, b.String(), "\x1b", name)
		if name == "markdown" {
			require.NotContains(t, b.String(), "<script")
			require.NotContains(t, b.String(), " | a | b | ")
		}
	}
	full := errors.New("disk full")
	for _, name := range diff.Formats() {
		require.ErrorIs(t, diff.Write(name, &d, sample.Failing{Err: full}), full)
	}
	require.ErrorIs(t, diff.Write("html", &d, &bytes.Buffer{}), report.ErrFormat)
}

func TestKindsAreTold(t *testing.T) {
	t.Parallel()
	require.Zero(t, diff.Common(sample.Service(), sample.Integration()))
	d := diff.Compare(sample.Service(), sample.Integration())
	require.Contains(t, d.Notes, "The reports are of two kinds: service acceptance, and integration readiness.")
}

// TestPortsOfThisMachineDoNotDiffer: they are drawn anew for each run.
func TestPortsOfThisMachineDoNotDiffer(t *testing.T) {
	t.Parallel()
	for _, c := range [][3]string{
		{"http://127.0.0.1:1", "http://127.0.0.1:2", ""},
		{"http://[::1]:1", "http://[::1]:2", ""},
		{"https://a.example:1", "https://a.example:2", "The target was https://a.example:1 and is https://a.example:2."},
		{"http://127.0.0.1:1", "built-in sandbox", "The target was http://127.0.0.1:1 and is built-in sandbox."},
		{"", "%", "The target was unknown and is %."},
	} {
		d := diff.Compare(&report.Report{Target: c[0]}, &report.Report{Target: c[1]})
		require.Equal(t, c[2], strings.Join(d.Notes, " "))
	}
}
