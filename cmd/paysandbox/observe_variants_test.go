package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/clause"
	"paysandbox/harness/partner/app"
	"paysandbox/harness/report"
	"paysandbox/harness/sampling"
	"paysandbox/harness/verdict"
)

// atOnce is how many variants are watched at a time: they mostly wait. A variant
// whose carelessness is a matter of milliseconds can get away on a machine that is
// busy with others: it is watched again, watches times at most.
const (
	atOnce  = 8
	watches = 5
)

// outcome is what watching a variant came to: live, and from its saved tape.
type outcome struct {
	code        int
	live, whole *report.Report
	said        string
	err         error
}

// found says whether the clause that a variant breaks was named, and no other.
func (o *outcome) found(v *app.Variant) bool {
	blamed := []string{v.Clause}
	return o.err == nil && o.code == verdict.CodeFailed && slices.Equal(blamed, failures(o.live)) && slices.Equal(blamed, failures(o.whole))
}

// enough hears what is said, and ends the watching once it has heard a line: more
// of the tour would show nothing more.
type enough struct {
	said bytes.Buffer
	line []byte
	end  func()
}

func (e *enough) Write(b []byte) (int, error) {
	if bytes.Contains(b, e.line) {
		e.end()
	}
	return e.said.Write(b)
}

// watchCareless watches one variant, for its clause alone, and judges its tape
// for all.
func watchCareless(ctx context.Context, dir string, v *app.Variant) (out outcome) {
	name := string(v.Name)
	watched, end := context.WithCancel(ctx)
	defer end()
	errs := enough{line: []byte("  " + v.Clause + ": fail so far"), end: end}
	if v.Name == "token.single-flight" {
		errs.end = func() {} // answers that are held back have to be taken in
	}
	tape, live, whole := filepath.Join(dir, name+".jsonl"), filepath.Join(dir, name+".json"), filepath.Join(dir, name+"-whole.json")
	args := []string{"observe", "--environment", "rehearsal", "--clauses", v.Clause, "--save-tape", tape, "--format", "json=" + live}
	careless := []string{"--", "paysandbox", "app", "--careless", name}
	if name != "privacy.output" { // which is about what it says
		careless = append(careless, "--quiet")
	}
	if strings.HasPrefix(name, "idempotency.") { // which means nothing where keys are ignored
		args, careless = append(args, "--latitude", "idempotency=honoured"), append(careless, "--keys")
	}
	out.code = run(watched, append(args, careless...), none, io.Discard, &errs)
	run(ctx, []string{"observe", "--tape", tape, "--format", "json=" + whole}, none, io.Discard, &errs)
	out.said = errs.said.String()
	if out.live, out.err = savedReport(live); out.err == nil {
		out.whole, out.err = savedReport(whole)
	}
	return out
}

func savedReport(path string) (*report.Report, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	return report.Read(file)
}

// TestObserveTheCareless watches every careless variant: the clause that it breaks
// is named, the exit code is 1, and nothing else on its tape is blamed.
func TestObserveTheCareless(t *testing.T) {
	sampling.NotRaced(t, "it goes by the wall clock, in processes of its own")
	t.Parallel()
	require.Len(t, app.Careless(), len(clause.Integration()))
	variants, dir := sampling.Every(t, 29, app.Careless()), t.TempDir()
	outcomes := make([]outcome, len(variants))
	free := make(chan struct{}, atOnce)
	var all sync.WaitGroup
	for i := range variants {
		all.Go(func() {
			free <- struct{}{}
			defer func() { <-free }()
			for n := range watches {
				out := watchCareless(t.Context(), dir, &variants[i])
				if outcomes[i] = out; out.found(&variants[i]) {
					break
				}
				t.Logf("%s was not found out the %d. time: %v, %d, %v, %v", variants[i].Name, n+1, out.err, out.code, failures(out.live), failures(out.whole))
			}
		})
	}
	all.Wait()
	for i, v := range variants {
		t.Run(string(v.Name), func(t *testing.T) {
			t.Parallel()
			out := &outcomes[i]
			require.NoError(t, out.err, out.said)
			require.Equal(t, verdict.CodeFailed, out.code, out.said)
			require.Equal(t, []string{v.Clause}, failures(out.live))
			require.NotEmpty(t, out.live.Clauses[0].Evidence, "it is told what was seen")
			require.Equal(t, []string{v.Clause}, failures(out.whole), "nothing else is blamed")
		})
	}
}
