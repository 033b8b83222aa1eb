// Package given holds what partners and the people who pay were given in each scenario
// when it was last looked at: answers, pages, events and messages, and what the control
// API said, as digests. It owns the list, and tells what is another thing now. It does
// not know whether that is wrong: what is meant to change is written down anew.
package given

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
)

//go:embed given.txt
var known string

// Seed is the seed of the run that was written down: in others, ids are others.
const Seed = 1

// digestSize is how many letters of Base64 stand for one thing that was given: another has
// the same once in 262,144 times.
const digestSize = 3

// Record is what was given in each scenario. It is safe for concurrent use.
type Record struct {
	was map[string]string
	mu  sync.Mutex
	now map[string][]string
}

// Known is the record as it is written down.
func Known() *Record { return Read(known) }

// Read reads a record, a line for each scenario: its key, then its digests.
func Read(text string) *Record {
	r := &Record{was: map[string]string{}, now: map[string][]string{}}
	for line := range strings.Lines(text) {
		key, digests, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		r.was[key] = digests
	}
	return r
}

// Key names a scenario by the texts that it is made of.
func Key(texts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(texts, "\x00")))
	return hex.EncodeToString(sum[:4])
}

// Add notes what was given in a scenario, in its order, and tells what is another thing
// than what is written down: empty when nothing is, or when the scenario does not stand there.
func (r *Record) Add(key string, list []string) string {
	r.mu.Lock()
	r.now[key] = list
	r.mu.Unlock()
	digests, ok := r.was[key]
	if !ok {
		return ""
	}
	for i, text := range list {
		if at := i * digestSize; at >= len(digests) || digests[at:at+digestSize] != digest(text) {
			return fmt.Sprintf("the %d. of %d, where there were %d: %s", i+1, len(list), len(digests)/digestSize, text)
		}
	}
	if n := len(digests) / digestSize; n > len(list) {
		return fmt.Sprintf("the first %d of %d and nothing more", len(list), n)
	}
	return ""
}

// Text is what was given now, as it is to be written down.
func (r *Record) Text() string { return r.written(" ", digest, "\n") }

// Full is what was given now with all its words, for people who compare two builds.
func (r *Record) Full() string {
	return r.written("\n", func(text string) string { return "\t" + strings.ReplaceAll(text, "\n", "\n\t\t") + "\n" }, "")
}

// written is each scenario's key, and what was given in it, in the order of the keys.
func (r *Record) written(after string, show func(text string) string, end string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var b strings.Builder
	for _, key := range slices.Sorted(maps.Keys(r.now)) {
		b.WriteString(key + after)
		for _, text := range r.now[key] {
			b.WriteString(show(text))
		}
		b.WriteString(end)
	}
	return b.String()
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return base64.RawURLEncoding.EncodeToString(sum[:])[:digestSize]
}
