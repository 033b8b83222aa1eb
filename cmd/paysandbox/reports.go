package main

import (
	"errors"
	"io"
	"os"
	"strings"
	"syscall"

	"github.com/spf13/pflag"
	"go.yaml.in/yaml/v4"

	"paysandbox/harness/report"
	"paysandbox/harness/report/format"
	"paysandbox/harness/report/words"
	"paysandbox/harness/seal"
	"paysandbox/harness/verdict"
)

// reports are where a run is told.
type reports struct {
	targets []format.Target
	files   []*os.File
	stdout  io.Writer
	// brief is set where one screen is told on the terminal, and how it is painted.
	brief format.Paint
	// key signs what is stored as JSON; nil where nothing is signed.
	key seal.Key
}

// openReports opens the files before the run, so that a wrong path is told before
// the work is done.
func openReports(formats []string, stdout io.Writer) (*reports, error) {
	if len(formats) == 0 {
		formats = []string{"pretty"}
	}
	targets, err := format.ParseTargets(formats)
	if err != nil {
		return nil, badUsage("for example --format html=report.html", "--format: %w", err)
	}
	r := &reports{targets: targets, stdout: stdout}
	for _, t := range targets {
		var file *os.File
		if t.Path != "" {
			// What stands there stays until there is something to take its place.
			if file, err = os.OpenFile(t.Path, os.O_WRONLY|os.O_CREATE, 0o666); err != nil { //nolint:gosec // G302: a report is for others
				return nil, errors.Join(badUsage("give a file that can be written", "--format: %w", err), r.close())
			}
		}
		r.files = append(r.files, file)
	}
	return r, nil
}

// write writes the report in every format and closes the files.
func (r *reports) write(told *report.Report) error {
	var err error
	if r.brief != nil {
		err = format.Brief(told, r.stdout, columns(r.stdout), r.brief, "all of it: --verbose, or --format html=report.html")
	}
	for i, t := range r.targets {
		if r.files[i] == nil {
			err = errors.Join(err, r.tell(t.Format, told))
			continue
		}
		if cut := r.files[i].Truncate(0); cut != nil && !errors.Is(cut, syscall.EINVAL) { // a pipe has no length
			err = errors.Join(err, cut)
		}
		err = errors.Join(err, format.Write(t.Format, told, r.files[i]))
	}
	return errors.Join(err, r.close(), r.seal(told))
}

// tell writes a report to the standard output, and breaks no words of what people
// read on a terminal.
func (r *reports) tell(name string, told *report.Report) error {
	width := columns(r.stdout)
	if width == 0 || name != "pretty" {
		return format.Write(name, told, r.stdout)
	}
	var b strings.Builder
	if err := format.Write(name, told, &b); err != nil {
		return err
	}
	_, err := io.WriteString(r.stdout, words.FoldLines(b.String(), width, "  "))
	return err
}

// seal signs what was stored as JSON.
func (r *reports) seal(told *report.Report) error {
	var err error
	for _, path := range r.signatures() {
		err = errors.Join(err, sealReport(strings.TrimSuffix(path, statementSuffix+r.key.Suffix()), told, r.key))
	}
	return err
}

// signatures are the files that the signatures are written to.
func (r *reports) signatures() (list []string) {
	for _, t := range r.targets {
		if r.key != nil && t.Format == "json" && t.Path != "" {
			list = append(list, t.Path+statementSuffix+r.key.Suffix())
		}
	}
	return list
}

// paths are the files that are written, and spoken says whether a person reads one
// of the reports on the terminal.
func (r *reports) paths() (list []string, spoken bool) {
	spoken = r.brief != nil
	for _, t := range r.targets {
		if t.Path != "" {
			list = append(list, t.Path)
		}
		spoken = spoken || t.Path == "" && t.Format == "pretty"
	}
	return list, spoken
}

// tellWhere says what was written where, and the verdict where nothing else does. tape
// is the file that the tape was saved in, if any.
func (r *reports) tellWhere(told *report.Report, tape string, say func(string)) {
	files, spoken := r.paths()
	if told.ExitCode == verdict.CodeMet && !spoken {
		say(told.Headline() + " (exit code 0)")
	}
	var where []string
	if len(files) > 0 {
		where = append(where, "reports: "+strings.Join(files, ", "))
	}
	if r.key != nil {
		where = append(where, "signed: "+strings.Join(r.signatures(), ", "))
	}
	if tape != "" {
		where = append(where, "tape: "+tape)
	}
	if len(where) > 0 {
		say(strings.Join(where, "; "))
	}
}

// close closes the files.
func (r *reports) close() error {
	var err error
	for _, f := range r.files {
		if f != nil {
			err = errors.Join(err, f.Close())
		}
	}
	return err
}

// fromPlan fills every flag that was not given from a YAML file that holds flags
// by their names, a list where a flag can be repeated.
func fromPlan(flags *pflag.FlagSet, path string) error {
	if path == "" {
		return nil
	}
	raw, err := readAtMost(path, mostFlags)
	if err != nil {
		return badUsage("give a file of YAML that can be read", "--plan: %w", err)
	}
	var held map[string]yaml.Node
	if err := yaml.Load(raw, &held); err != nil {
		return badUsage("a plan holds flags by their names, for example target: https://host.example", "--plan %s: %w", path, err)
	}
	for _, name := range sortedNames(held) {
		f := flags.Lookup(name)
		if f == nil || name == "plan" || name == "help" {
			return badUsage("`paysandbox verify --help` lists the flags", "--plan %s: there is no flag %q", path, name)
		}
		if f.Changed {
			continue
		}
		node := held[name]
		if err := fill(flags, name, &node); err != nil {
			return badUsage("mend "+path, "--plan %s: %s: %w", path, name, err)
		}
	}
	return nil
}

var errNoFlagValue = errors.New("expected a value, or a list of values")

// fill sets a flag to what a plan holds for it.
func fill(flags *pflag.FlagSet, name string, node *yaml.Node) error {
	values := []*yaml.Node{node}
	if node.Kind == yaml.SequenceNode {
		values = node.Content
	}
	for _, v := range values {
		if v.Kind != yaml.ScalarNode {
			return errNoFlagValue
		}
		if err := flags.Set(name, v.Value); err != nil {
			return err
		}
	}
	return nil
}
