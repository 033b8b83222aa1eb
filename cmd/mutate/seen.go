package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// sight is what partners and the people who pay are given in each scenario of the
// features: answers, pages, events and messages, as the features' record tells them.
type sight map[string][]string

var errUnstable = errors.New("what partners are given is another thing in each run: mend that first")

// features is where the record is made.
const features = "./features"

// look plays the features with a change at work and gives what was to be seen; 0 is for
// none.
func (j *judge) look(ctx context.Context, n int) sight {
	file := filepath.Join(j.bench.dir, "given"+strconv.Itoa(n)+".txt")
	defer func() { _ = os.Remove(file) }()
	j.run(ctx, "PAYSANDBOX_MUTANT="+strconv.Itoa(n), "sh", "-c", `cd "$1" && exec "$2" -test.run '^TestFeatures$' -test.timeout "$3" -given "$4"`,
		"sh", features, j.recorder(), j.o.timeout.String(), file)
	text, _ := os.ReadFile(file) //nolint:gosec // G304: it was written here; a run that did not end has written nothing.
	return readSight(string(text))
}

func (j *judge) recorder() string { return filepath.Join(j.bench.dir, "features.test") }

// readSight reads a record in full: a scenario's name begins a line, what is given in it
// stands behind one tab, and its further lines behind two.
func readSight(text string) sight {
	seen, name := sight{}, ""
	for line := range strings.Lines(text) {
		list := seen[name]
		switch further, isFurther := strings.CutPrefix(line, "\t\t"); {
		case isFurther && len(list) > 0:
			list[len(list)-1] += further
		case line[0] == '\t':
			seen[name] = append(list, line)
		default:
			name = line
		}
	}
	return seen
}

// usual is what is seen when no change is at work.
func (j *judge) usual(ctx context.Context) (sight, error) {
	if err := j.bench.build(ctx, j.progress, "test -c", j.recorder(), features); err != nil {
		return nil, err
	}
	first, again := j.look(ctx, 0), j.look(ctx, 0)
	if len(first) == 0 || !maps.EqualFunc(first, again, slices.Equal) {
		return nil, errUnstable
	}
	return first, nil
}

// other names a scenario in which something else was given than is usual. Of a change
// that was found, only what is new counts: the scenario may have broken off.
func (s sight) other(now sight, found bool) string {
	for _, name := range slices.Sorted(maps.Keys(s)) {
		fresh := slices.ContainsFunc(now[name], func(line string) bool { return !slices.Contains(s[name], line) })
		if fresh || !found && !slices.Equal(s[name], now[name]) {
			return strings.TrimSpace(name)
		}
	}
	return ""
}

// weigh looks at each change that verify comes by: whether a partner is given anything
// else because of it. What only the control API tells is no partner's.
func (j *judge) weigh(ctx context.Context, met map[int]bool, left []int) error {
	usual, err := j.usual(ctx)
	if err != nil {
		return err
	}
	_, _ = fmt.Fprintf(j.progress, "what partners are given is compared in %d scenarios\n", len(usual))
	numbers := slices.DeleteFunc(slices.Clone(left), func(n int) bool { return !met[n] })
	j.result.seen = map[site]string{}
	j.each(ctx, numbers, func(n int) bool {
		found := !slices.Contains(left, n)
		name := usual.other(j.look(ctx, n), found)
		if name == "" {
			return false
		}
		j.result.mu.Lock()
		defer j.result.mu.Unlock()
		if j.result.seen[j.bench.chosen[n]] = name; found {
			j.result.seenFound++
		}
		return true
	})
	return nil
}
