package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// played are the journeys that a partner lives, each time with other people and other
// choices: what they see of a change is a part of what a partner can see.
var played = [][]string{
	{"journey", "run"},
	{"journey", "run", "--seed", "2", "--vary", "1"},
	{"journey", "run", "--seed", "3", "--vary", "2"},
	{"journey", "run", "--seed", "4", "--vary", "3", "--strict"},
}

// reaches are the kinds of entries that reach a partner or the people it works for:
// answers, events, webhooks as they were sent, mails and SMS.
var reaches = []string{"exchange", "event", "attempt", "message"}

// seen gives the changes, of those that verify does not find, by which a partner's
// journeys are given something else than without one.
func (j *judge) seen(ctx context.Context, binary string, list []int) ([]int, error) {
	without, err := j.given(ctx, 0, binary)
	if err != nil {
		return nil, err
	}
	same := j.each(ctx, list, func(n int) bool {
		with, err := j.given(ctx, n, binary)
		return err == nil && with == without
	})
	return slices.DeleteFunc(slices.Clone(list), func(n int) bool { return slices.Contains(same, n) }), ctx.Err()
}

// given is what all journeys are given while one change is at work, digested.
func (j *judge) given(ctx context.Context, n int, binary string) (string, error) {
	sum := sha256.New()
	for _, command := range played {
		dir, err := os.MkdirTemp(j.bench.dir, "tapes")
		if err != nil {
			return "", err
		}
		command = append(append([]string{binary}, command...), "--tape", dir)
		// A journey that does not pass under other choices has a tape all the same.
		_, _ = j.run(ctx, fmt.Sprint("PAYSANDBOX_MUTANT=", n), command...)
		err = digest(sum, dir)
		_ = os.RemoveAll(dir)
		if err != nil {
			return "", err
		}
	}
	return fmt.Sprintf("%x", sum.Sum(nil)), nil
}

// digest writes what reached a partner, of all tapes of a folder.
func digest(w io.Writer, dir string) error {
	tapes, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil {
		return err
	}
	if len(tapes) == 0 {
		return fmt.Errorf("%w: no tape in %s", errNothing, dir)
	}
	slices.Sort(tapes)
	for _, tape := range tapes {
		text, err := os.ReadFile(tape) //nolint:gosec // G304: a journey has just written it here.
		if err != nil {
			return err
		}
		_, _ = fmt.Fprintln(w, filepath.Base(tape))
		lines := bufio.NewScanner(bytes.NewReader(text))
		lines.Buffer(nil, len(text)+1)
		for lines.Scan() {
			// Numbers are left out: an entry more for the operator moves all others'.
			var entry struct {
				Kind                              string
				Exchange, Event, Attempt, Message json.RawMessage
			}
			if err := json.Unmarshal(lines.Bytes(), &entry); err != nil {
				return err
			}
			if slices.Contains(reaches, entry.Kind) {
				_, _ = fmt.Fprintf(w, "%s %s%s%s%s\n", entry.Kind, entry.Exchange, entry.Event, entry.Attempt, entry.Message)
			}
		}
	}
	return nil
}

// visible says in words what share verify finds of what a partner is known to see.
func (r *result) visible() string {
	known := r.byVerify + len(r.seen)
	if len(r.seen) == 0 {
		return fmt.Sprintf("a partner's journeys (%d runs of all) see none of those that verify does not find", len(played))
	}
	text := make([]string, 0, len(r.seen))
	for _, s := range r.seen {
		text = append(text, "  "+s.String())
	}
	return fmt.Sprintf("a partner's journeys (%d runs of all) see %d that verify does not find, so it finds %.1f %% of what they are known to see:\n%s",
		len(played), len(r.seen), 100*float64(r.byVerify)/float64(known), strings.Join(text, "\n"))
}
