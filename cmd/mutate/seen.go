package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// sight is what partners and the people who pay were given in each scenario of verify, by
// the name of its tape: answers, pages, deliveries and messages, line by line in one order.
type sight map[string][]string

var errUnstable = errors.New("what partners are given is another thing in each run")

// chance is what is another in each run though nothing has changed: the port, and the
// part of references that tells runs apart.
var chance = regexp.MustCompile(`127\.0\.0\.1:\d+|-[a-z2-7]{8}-[0-9a-f]{16}`)

// look plays verify with a change at work and gives what was to be seen; 0 is for none.
func (j *judge) look(ctx context.Context, n int) (sight, error) {
	dir, err := os.MkdirTemp(j.bench.dir, "tapes")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	command := slices.DeleteFunc(j.o.verify(filepath.Join(j.bench.dir, "paysandbox")), func(flag string) bool { return flag == "--fail-fast" })
	j.run(ctx, "PAYSANDBOX_MUTANT="+strconv.Itoa(n), append(command, "--save-tapes", dir)...)
	seen := sight{}
	return seen, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path) //nolint:gosec // G304, G122: it was written here.
		seen[filepath.Base(path)] = visible(text)
		return err
	})
}

// given is what of an entry of a tape somebody else than the sandbox's owner is given.
type given struct {
	Kind     string
	Exchange *struct {
		Method, Path, Query string
		Request             struct{ Body any }
		Response            struct {
			Status int
			Header []header
			Body   any
		}
	} `json:",omitempty"`
	Attempt *struct {
		Header []header
		Body   any
	} `json:",omitempty"`
	Message any `json:",omitempty"`
}

type header struct{ Name, Value string }

// visible are the lines of a tape that tell what was given, in their own order.
func visible(text []byte) []string {
	var list []string
	for line := range bytes.Lines(text) {
		var g given
		if json.Unmarshal(line, &g) != nil || !slices.Contains([]string{"exchange", "page", "attempt", "message"}, g.Kind) {
			continue
		}
		if g.Attempt != nil { // the signature covers the references
			g.Attempt.Header = slices.DeleteFunc(g.Attempt.Header, func(h header) bool { return h.Name == "X-HMAC-Signature" })
		}
		told, _ := json.Marshal(g)
		list = append(list, chance.ReplaceAllString(string(told), "…"))
	}
	slices.Sort(list)
	return list
}

// usual is what is seen when no change is at work, of the scenarios in which it is the
// same each time.
func (j *judge) usual(ctx context.Context) (sight, error) {
	first, err := j.look(ctx, 0)
	if err != nil {
		return nil, err
	}
	again, err := j.look(ctx, 0)
	if err != nil {
		return nil, err
	}
	maps.DeleteFunc(first, func(name string, lines []string) bool { return !slices.Equal(lines, again[name]) })
	if 2*len(first) < len(again) || len(first) == 0 {
		return nil, errUnstable
	}
	return first, nil
}

// other names a scenario in which something else was given than is usual. Of a change
// that was found, only what is new counts: the scenario may have broken off.
func (s sight) other(now sight, found bool) string {
	for _, name := range slices.Sorted(maps.Keys(s)) {
		fresh := slices.ContainsFunc(now[name], func(line string) bool { _, usual := slices.BinarySearch(s[name], line); return !usual })
		if fresh || !found && !slices.Equal(s[name], now[name]) {
			return name
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
	numbers := slices.DeleteFunc(slices.Sorted(maps.Keys(j.bench.chosen)), func(n int) bool {
		return !met[n] || strings.Contains(filepath.ToSlash(j.bench.chosen[n].file), "mockserver/control/")
	})
	j.result.seen = map[site]string{}
	j.each(ctx, numbers, func(n int) bool {
		now, err := j.look(ctx, n)
		found := !slices.Contains(left, n)
		name := usual.other(now, found)
		if err != nil || name == "" {
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
