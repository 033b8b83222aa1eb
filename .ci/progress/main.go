// Command progress reads what `go test -json` prints and shows it to people: one
// line that moves on a terminal, a line for each package elsewhere, what failed in
// full, and a sum at the end. It ends with 1 when something failed.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"
)

// wants is how a test says that it cannot do without a program that is not here.
var wants = regexp.MustCompile(`: NOT (?:TESTED|LOOKED AT|JUDGED|LINTED): ([^,:]+)`)

// event is one line of `go test -json`.
type event struct {
	Action, Package, ImportPath, Test, Output string
	Elapsed                                   float64
}

// run is what was seen so far.
type run struct {
	begun            time.Time
	terminal         bool
	open             []string
	output           map[string]*strings.Builder
	packages, passed int
	failed, skipped  []string
	// missing counts the tests that were left out for want of a program, by what is missing.
	missing map[string]int
}

func main() {
	info, err := os.Stdout.Stat()
	r := run{begun: time.Now(), terminal: err == nil && info.Mode()&os.ModeCharDevice != 0, output: map[string]*strings.Builder{}, missing: map[string]int{}}
	os.Exit(r.read(os.Stdin, os.Stdout))
}

// read shows events until they end, and gives the exit code.
func (r *run) read(in io.Reader, out io.Writer) int {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var e event
		if json.Unmarshal(lines.Bytes(), &e) != nil {
			r.say(out, lines.Text()+"\n")
			continue
		}
		r.take(out, &e)
	}
	r.say(out, fmt.Sprintf("%d packages, %d tests passed, %d failed, %d skipped or left to make check, %.0f s\n",
		r.packages, r.passed, len(r.failed), len(r.skipped), time.Since(r.begun).Seconds()))
	for _, what := range slices.Sorted(maps.Keys(r.missing)) {
		r.say(out, fmt.Sprintf("NOT TESTED: %s (tests: %d)\n", what, r.missing[what]))
	}
	for _, name := range r.failed {
		r.say(out, "FAILED: "+name+"\n")
	}
	if len(r.failed) > 0 || r.packages == 0 {
		return 1
	}
	return 0
}

// take counts an event, and shows what is worth a line.
func (r *run) take(out io.Writer, e *event) {
	name := strings.TrimSuffix(e.Package+" "+e.Test, " ")
	switch e.Action {
	case "start":
		r.open = append(r.open, e.Package)
	case "output":
		if r.output[name] == nil {
			r.output[name] = &strings.Builder{}
		}
		r.output[name].WriteString(e.Output)
	case "build-output":
		r.say(out, e.Output)
	case "build-fail":
		r.failed = append(r.failed, e.ImportPath+" does not build")
	case "pass", "fail", "skip":
		r.end(out, e, name)
	}
	if r.terminal && len(r.open) > 0 {
		fmt.Fprintf(out, "\r\033[K%3.0f s  %d packages done, %d tests passed  %s", time.Since(r.begun).Seconds(), r.packages, r.passed, strings.Join(r.open, " "))
	}
}

// end notes the end of a test or of a package.
func (r *run) end(out io.Writer, e *event, name string) {
	if e.Action == "fail" && r.output[name] != nil {
		r.say(out, r.output[name].String())
	}
	switch {
	case e.Action == "fail":
		r.failed = append(r.failed, name)
	case e.Test != "" && e.Action == "skip":
		r.skipped = append(r.skipped, name)
		if said := r.output[name]; said != nil { // a test may skip without a word
			if m := wants.FindStringSubmatch(said.String()); m != nil {
				r.missing[m[1]]++
			}
		}
	case e.Test != "":
		r.passed++
	}
	delete(r.output, name)
	if e.Test != "" {
		return
	}
	r.packages++
	r.open = slices.DeleteFunc(r.open, func(p string) bool { return p == e.Package })
	if !r.terminal {
		fmt.Fprintf(out, "%3.0f s  %-4s %s %.1f s\n", time.Since(r.begun).Seconds(), e.Action, e.Package, e.Elapsed)
	}
}

// say prints text that stays, above the line that moves.
func (r *run) say(out io.Writer, text string) {
	if r.terminal {
		text = "\r\033[K" + text
	}
	fmt.Fprint(out, text)
}
