package format

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"paysandbox/harness/report"
)

// Target is a format and where it goes.
type Target struct {
	// Format is one of [Names].
	Format string
	// Path is a file's; empty stands for the standard output.
	Path string
}

// ParseTarget reads a value of a --format flag: "html=report.html" writes to a
// file, "pretty" alone or "pretty=-" to the standard output. The error wraps ErrFormat and says
// what to write instead.
func ParseTarget(value string) (Target, error) {
	name, path, toFile := strings.Cut(strings.TrimSpace(value), "=")
	switch {
	case value == "":
		return Target{}, fmt.Errorf("%w is empty: give one of %s, or FORMAT=FILE", report.ErrFormat, strings.Join(Names(), ", "))
	case slices.Contains(Names(), name) && toFile && path == "":
		return Target{}, fmt.Errorf("%w %q names no file after the =: write %s=FILE, or %s alone for the standard output", report.ErrFormat, value, name, name)
	case slices.Contains(Names(), name) && path == "-":
		return Target{Format: name}, nil
	case slices.Contains(Names(), name):
		return Target{Format: name, Path: path}, nil
	case severalFormats(name):
		return Target{}, fmt.Errorf("%w %q: write --format once for each report", report.ErrFormat, value)
	case !toFile && strings.ContainsAny(name, "./\\"):
		return Target{}, fmt.Errorf("%w %q is a file without a format: write %s=%s", report.ErrFormat, value, guess(name), name)
	default:
		return Target{}, unknownFormat(name)
	}
}

// severalFormats tells whether a text lists formats.
func severalFormats(name string) bool {
	first, _, more := strings.Cut(name, ",")
	return more && slices.Contains(Names(), strings.TrimSpace(first))
}

// ParseTargets reads all values of a repeated --format flag. Beyond ParseTarget
// it refuses two reports into one file, or two on the standard output.
func ParseTargets(values []string) ([]Target, error) {
	targets := make([]Target, 0, len(values))
	for _, v := range values {
		t, err := ParseTarget(v)
		if err != nil {
			return nil, err
		}
		for _, other := range targets {
			if other.Path == "" && t.Path == "" {
				return nil, fmt.Errorf("%w %q and %q both go to the standard output: give one of them a file, for example %s=FILE", report.ErrFormat, other.Format, t.Format, t.Format)
			}
			if other.Path != "" && t.Path != "" && filepath.Clean(other.Path) == filepath.Clean(t.Path) {
				return nil, fmt.Errorf("%w %q and %q both go to %s: give each its own file", report.ErrFormat, other.Format, t.Format, t.Path)
			}
		}
		targets = append(targets, t)
	}
	return targets, nil
}

// unknownFormat says which formats there are, and which was meant.
func unknownFormat(name string) error {
	meant := ""
	if f := nearest(strings.ToLower(name)); f != "" {
		meant = fmt.Sprintf(" (did you mean %s?)", f)
	}
	return fmt.Errorf("%w %q is not known%s: there are %s", report.ErrFormat, name, meant, strings.Join(Names(), ", "))
}

// nearest is the format that was meant by another name; empty when none is near.
func nearest(name string) string {
	for _, other := range [][2]string{{"xml", "junit"}, {"md", "markdown"}, {"htm", "html"}, {"text", "pretty"}, {"txt", "pretty"}} {
		if name == other[0] {
			return other[1]
		}
	}
	for _, f := range Names() {
		if distance(name, f) <= 2 {
			return f
		}
	}
	return ""
}

// guess is the format that a file's name suggests.
func guess(file string) string {
	for _, g := range [][2]string{{".html", "html"}, {".md", "markdown"}, {".xml", "junit"}, {".json", "json"}} {
		if strings.HasSuffix(file, g[0]) {
			return g[1]
		}
	}
	return "FORMAT"
}

// distance is the number of letters to add, drop or change between two words.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
