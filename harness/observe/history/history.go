// Package history reads and writes what earlier runs of an observation came to, one JSON
// line each, so that a verdict can say how many runs there were since the last one that
// was ready. It judges nothing, and opens no file.
package history

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"sync"
	"time"
)

// Run is one observation that was judged.
type Run struct {
	// At is when it was judged, in RFC 3339, UTC; Subject is the build, SHA256 the digest
	// of the tape in lower-case hex.
	At      string `json:"at"`
	Subject string `json:"subject,omitempty"`
	SHA256  string `json:"sha256"`
	// Ready is what it came to, ExitCode how it ended.
	Ready    bool `json:"ready"`
	ExitCode int  `json:"exitCode"`
}

// The longest line, and the most of them, that [Read] reads.
const (
	maxLine = 4 << 10
	maxRuns = 100_000
)

// ErrRead means that a file is no history. It comes wrapped, with the line.
var ErrRead = errors.New("read a history")

// Read reads the runs, the oldest first. An empty file has none. The error wraps ErrRead.
func Read(from io.Reader) ([]Run, error) {
	var list []Run
	lines := bufio.NewScanner(from)
	lines.Buffer(nil, maxLine)
	for n := 1; lines.Scan(); n++ {
		var r Run
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return nil, fmt.Errorf("%w: line %d is not what --history writes: %w", ErrRead, n, err)
		}
		if err := r.check(); err != "" {
			return nil, fmt.Errorf("%w: line %d: %s", ErrRead, n, err)
		}
		if list = append(list, r); len(list) > maxRuns {
			return nil, fmt.Errorf("%w: it has more than %d lines: begin another", ErrRead, maxRuns)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%w: line %d: %w", ErrRead, len(list)+1, err)
	}
	return list, nil
}

var digest = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9a-f]{64}$`) })

// check says what is wrong with a run; empty where nothing is.
func (r *Run) check() string {
	if _, err := time.Parse(time.RFC3339, r.At); err != nil {
		return fmt.Sprintf("at is %q: expected a time such as 2026-03-01T12:00:00Z", r.At)
	}
	if !digest().MatchString(r.SHA256) {
		return "sha256 is no digest of 64 hex digits"
	}
	if r.ExitCode < 0 || r.ExitCode > 5 {
		return fmt.Sprintf("exitCode is %d: expected 0 to 5", r.ExitCode)
	}
	return ""
}

// Write adds a run.
func Write(to io.Writer, r Run) error {
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	_, err = to.Write(append(line, '\n'))
	return err
}

// SinceReady gives the runs after the last one that was ready, and that one; nil where
// none was.
func SinceReady(list []Run) (since []Run, ready *Run) {
	for i := len(list) - 1; i >= 0; i-- {
		if list[i].Ready {
			return list[i+1:], &list[i]
		}
	}
	return list, nil
}
