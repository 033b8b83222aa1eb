package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// result is what became of the mutants.
type result struct {
	seed              uint64
	byVerify, byTests int
	survivors         []site
	// seen are those that verify does not find although a partner's journeys see them.
	seen []site
	// asked is false when the tests are not to be run.
	asked bool
}

func (r *result) total() int { return r.byVerify + r.byTests + len(r.survivors) }

// share is a part of all, in percent.
func (r *result) share(n int) float64 { return 100 * float64(n) / float64(max(1, r.total())) }

func (r *result) print(w io.Writer) {
	for _, s := range r.survivors {
		_, _ = fmt.Fprintln(w, "not found:", s)
	}
	_, _ = fmt.Fprintf(w, "seed %d: %d mutants; verify finds %d (%.1f %%)", r.seed, r.total(), r.byVerify, r.share(r.byVerify))
	if r.asked {
		_, _ = fmt.Fprintf(w, ", the tests %d of the others; together %.1f %%", r.byTests, r.share(r.byVerify+r.byTests))
	}
	_, _ = fmt.Fprintf(w, "\n%s\n", r.visible())
}

// mutate makes the mutants and asks about each.
func mutate(ctx context.Context, o *options, progress io.Writer) (*result, error) {
	sources, err := read(o.packages)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	for _, s := range sources {
		s.sites = slices.DeleteFunc(s.sites, func(s site) bool {
			return len(o.at) > 0 && !slices.Contains(o.at, strings.TrimPrefix(s.file, "./")+":"+strconv.Itoa(s.line))
		})
	}
	b := &bench{dir: dir, sources: sources, chosen: choose(sources, o.n+o.n/2, o.seed)}
	if len(b.chosen) == 0 {
		return nil, errNothing
	}
	binary := filepath.Join(dir, "paysandbox")
	if err := b.build(ctx, progress, "build", binary, "./cmd/paysandbox"); err != nil {
		return nil, err
	}
	for _, n := range slices.Sorted(maps.Keys(b.chosen))[min(o.n, len(b.chosen)):] { // more were drawn: some do not compile
		delete(b.chosen, n)
	}
	j := &judge{bench: b, o: o, progress: progress, result: &result{seed: o.seed, asked: !o.noTests}}
	met, well := j.met(ctx, o.verify(binary)...)
	if !well {
		return nil, fmt.Errorf("%w:\n%s", errAlreadyBroken, j.said)
	}
	maps.DeleteFunc(met, func(n int, _ bool) bool { _, chosen := b.chosen[n]; return !chosen })
	_, _ = fmt.Fprintf(progress, "verify comes by %d of %d changes\n", len(met), len(b.chosen))
	left := j.verified(ctx, met, o.verify(binary))
	seen, err := j.seen(ctx, binary, left)
	if err != nil {
		return nil, err
	}
	for _, n := range seen {
		j.result.seen = append(j.result.seen, b.chosen[n])
	}
	if j.result.asked && ctx.Err() == nil {
		if left, err = j.tests(ctx, left); err != nil {
			return nil, err
		}
	}
	for _, n := range left {
		j.result.survivors = append(j.result.survivors, b.chosen[n])
	}
	j.result.byTests = len(b.chosen) - j.result.byVerify - len(left)
	slices.SortFunc(j.result.survivors, func(a, b site) int {
		return cmp.Or(cmp.Compare(a.file, b.file), a.line-b.line)
	})
	return j.result, ctx.Err()
}

// verified asks verify about each change and gives those that it does not find.
func (j *judge) verified(ctx context.Context, met map[int]bool, command []string) []int {
	all := slices.Sorted(maps.Keys(j.bench.chosen))
	left := j.each(ctx, all, func(n int) bool {
		lives := !met[n] || j.alive(ctx, n, command...)
		if lives {
			by := ""
			if !met[n] {
				by = " (and never comes by it)"
			}
			_, _ = fmt.Fprintf(j.progress, "verify does not find %s%s\n", j.bench.chosen[n], by)
		}
		return lives
	})
	j.result.byVerify = len(all) - len(left)
	return left
}

// judge asks about mutants, several at a time.
type judge struct {
	bench    *bench
	o        *options
	progress io.Writer
	result   *result
	// said is the end of what a command said without a change.
	said string
}

// each gives those for which nobody noticed anything.
func (j *judge) each(ctx context.Context, list []int, alive func(n int) bool) []int {
	var mu sync.Mutex
	var left []int
	done := 0
	slots := make(chan struct{}, max(1, j.o.jobs))
	var all sync.WaitGroup
	for _, n := range list {
		slots <- struct{}{}
		all.Go(func() {
			defer func() { <-slots }()
			if ctx.Err() != nil {
				return
			}
			lives := alive(n)
			mu.Lock()
			defer mu.Unlock()
			if done++; lives {
				left = append(left, n)
			}
			if done%10 == 0 || done == len(list) {
				_, _ = fmt.Fprintf(j.progress, "%d of %d, %d not found\n", done, len(list), len(left))
			}
		})
	}
	all.Wait()
	slices.Sort(left)
	return left
}

// alive says whether a command ends well although a mutant is at work.
func (j *judge) alive(ctx context.Context, n int, command ...string) bool {
	well, _ := j.run(ctx, "PAYSANDBOX_MUTANT="+strconv.Itoa(n), command...)
	return well
}

// run says whether a command ends well, in time, and what it said at its end.
func (j *judge) run(ctx context.Context, setting string, command ...string) (well bool, said string) {
	ctx, stop := context.WithTimeout(ctx, j.o.timeout)
	defer stop()
	cmd := exec.CommandContext(ctx, command[0], command[1:]...) //nolint:gosec // G204: it is what was built here.
	cmd.Env = append(os.Environ(), setting)
	out, err := cmd.CombinedOutput()
	said = string(out[max(0, len(out)-2000):])
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		said += "\nit did not end within " + j.o.timeout.String() + ": give it more with -timeout, or a machine that does nothing else"
	}
	return err == nil, said
}

// met are the changes that a command comes by when none is at work: no other can make
// a difference to it. well is false when the command fails all the same.
func (j *judge) met(ctx context.Context, command ...string) (met map[int]bool, well bool) {
	file := filepath.Join(j.bench.dir, "met")
	_ = os.Remove(file)
	well, j.said = j.run(ctx, "PAYSANDBOX_MUTANTS_MET="+file, command...)
	text, _ := os.ReadFile(file) //nolint:gosec // G304: it was written here; without it nothing was met.
	met = map[int]bool{}
	for number := range strings.FieldsSeq(string(text)) {
		if n, err := strconv.Atoi(number); err == nil {
			met[n] = true
		}
	}
	return met, well
}

// suite is the tests of a package, compiled, and the changes that they come by.
type suite struct {
	dir, binary string
	met         map[int]bool
	// limit is how long one run may take.
	limit time.Duration
}

func (s *suite) command() []string {
	return []string{"sh", "-c", `cd "$1" && exec "$2" -test.failfast -test.timeout "$3"`, "sh", s.dir, s.binary, s.limit.String()}
}

// suites compiles the tests of all packages. Those that fail without any change say
// nothing about one, and are told.
func (j *judge) suites(ctx context.Context) ([]*suite, error) {
	var all []*suite
	for _, dir := range append(slices.Clone(j.o.packages), whole) {
		binary := filepath.Join(j.bench.dir, strings.ReplaceAll(strings.TrimPrefix(dir, "./"), "/", "-")+".test")
		if err := j.bench.build(ctx, j.progress, "test -c", binary, dir); err != nil {
			return nil, err
		}
		if _, err := os.Stat(binary); err != nil { // a package may be without tests
			continue
		}
		s, well := &suite{dir: filepath.Clean(dir), binary: binary, limit: j.o.timeout}, false
		if s.met, well = j.met(ctx, s.command()...); !well {
			_, _ = fmt.Fprintf(j.progress, "the tests of %s fail without any change, so they are not asked\n", dir)
			continue
		}
		all = append(all, s)
	}
	return all, nil
}

// tests asks the tests of each mutant's own package, then those of the server as a
// whole, then all others.
func (j *judge) tests(ctx context.Context, left []int) ([]int, error) {
	all, err := j.suites(ctx)
	if err != nil {
		return left, err
	}
	return j.each(ctx, left, func(n int) bool {
		own := filepath.Dir(filepath.Clean(j.bench.chosen[n].file))
		near := func(s *suite) int {
			switch s.dir {
			case own:
				return 0
			case filepath.Clean(whole):
				return 1
			}
			return 2
		}
		mine := slices.SortedStableFunc(slices.Values(all), func(a, b *suite) int { return near(a) - near(b) })
		return !slices.ContainsFunc(mine, func(s *suite) bool { return s.met[n] && !j.alive(ctx, n, s.command()...) })
	}), nil
}

// whole is the package in which the server is tested as a whole.
const whole = "./mockserver"
