// Command mutate measures whether faults of the sandbox are found: it makes small
// random changes to the source, one at a time, and asks `paysandbox verify`, then the
// tests, whether anything is wrong. Every fault that neither finds is listed with its
// place.
//
// All changes are compiled into one binary, each behind a switch that the environment
// variable PAYSANDBOX_MUTANT throws. Everything is done in a copy of the tree, so that
// nobody who works on in it spoils what is compared.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"
)

const usage = `mutate makes small random changes to the sandbox and tells which of them nobody notices.

  go run ./cmd/mutate -seed 7 -n 150

`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := 2
	err := inACopy(func() { code = run(ctx, os.Args[1:], os.Stdout, os.Stderr) })
	if err != nil {
		_, _ = fmt.Fprintln(os.Stderr, "mutate:", err)
	}
	stop()
	os.Exit(code)
}

// inACopy does something in a copy of the current folder, without what git and make
// keep in it.
func inACopy(do func()) error {
	dir, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	all, err := os.ReadDir(".")
	if err != nil {
		return err
	}
	for _, e := range all {
		switch to := filepath.Join(dir, e.Name()); {
		case e.Name() == ".git" || e.Name() == ".build":
		case e.IsDir():
			err = os.CopyFS(to, os.DirFS(e.Name()))
		default:
			var text []byte
			if text, err = os.ReadFile(e.Name()); err == nil {
				err = os.WriteFile(to, text, 0o600)
			}
		}
		if err != nil {
			return err
		}
	}
	if err := os.Chdir(dir); err != nil {
		return err
	}
	do()
	return nil
}

// options are what the flags say.
type options struct {
	seed     uint64
	n, jobs  int
	timeout  time.Duration
	packages []string
	// at are places by file and line; empty draws them.
	at      []string
	noTests bool
	// unwritten asks what the scenarios find by themselves.
	unwritten bool
	// clauses are those that verify judges; empty for all.
	clauses string
}

// run gives the exit code: 0 when every share is as asked for, 1 when one is not, 2
// when it could not be told.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	o, least := options{}, 0.0
	fs := flag.NewFlagSet("mutate", flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.Usage = func() { _, _ = io.WriteString(stderr, usage); fs.PrintDefaults() }
	fs.Uint64Var(&o.seed, "seed", rand.Uint64()>>40, "which places are changed; another one each time unless given")
	fs.IntVar(&o.n, "n", 100, "how many changes")
	fs.IntVar(&o.jobs, "jobs", runtime.NumCPU(), "how many at a time")
	fs.DurationVar(&o.timeout, "timeout", 2*time.Minute, "how long one run may take; one that does not end is found out")
	fs.BoolVar(&o.noTests, "verify-only", false, "do not ask the tests about what verify has not found")
	fs.BoolVar(&o.unwritten, "unwritten", false, "ask what the scenarios themselves find: what is given is not held to what was written down")
	fs.StringVar(&o.clauses, "clauses", "", "ask verify about these clauses alone: quicker, while a scenario is written for one survivor")
	fs.Float64Var(&least, "least", 0, "exit 1 when verify and tests together find a smaller share, in percent")
	packages := fs.String("packages", strings.Join(guarded, ","), "folders of the packages, with commas between them")
	at := fs.String("at", "", "FILE:LINE, with commas between them: change what stands there, instead of drawing places")
	if err := fs.Parse(args); err != nil {
		return 2
	}
	o.packages = strings.Split(*packages, ",")
	if *at != "" {
		o.at = strings.Split(*at, ",")
		o.n = len(o.at) * mostOnALine
	}
	r, err := mutate(ctx, &o, stderr)
	if err != nil {
		_, _ = fmt.Fprintln(stderr, "mutate:", err)
		return 2
	}
	r.print(stdout)
	if r.share(r.byVerify+r.byTests) < least {
		return 1
	}
	return 0
}

// verify is the command line that asks about one mutant.
func (o *options) verify(binary string) []string {
	command := []string{binary, "verify", "--fail-fast"}
	if o.unwritten {
		command = append(command, "--seed", "2") // given.Seed is the one that was written down
	}
	if o.clauses != "" {
		command = append(command, "--clauses", o.clauses)
	}
	return command
}

// mostOnALine is how many changes one line admits at the most.
const mostOnALine = 20

// guarded are the packages whose behaviour partners see.
var guarded = []string{
	"./mockserver/world", "./mockserver/delivery", "./mockserver/kernel", "./mockserver/api", "./mockserver/door", "./mockserver/wire",
	"./mockserver/webhook", "./mockserver/integration", "./mockserver/hosted", "./mockserver/control", "./mockserver/fault",
}
