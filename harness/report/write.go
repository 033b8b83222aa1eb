package report

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
)

// ErrFormat means that a format is not known or not written properly. It comes
// wrapped; use errors.Is.
var ErrFormat = errors.New("report format")

// format is a name and its writer.
type format struct {
	name  string
	write func(*Report, io.Writer) error
}

// formats are the writers, in the order in which they are listed.
func formats() []format {
	return []format{
		{"pretty", writePretty},
		{"html", writeHTML},
		{"markdown", writeMarkdown},
		{"json", writeJSON},
		{"junit", writeJUnit},
		{"ctrf", writeCTRF},
		{"cucumber", writeCucumber},
	}
}

// Formats lists the names that [Write] knows.
func Formats() []string {
	var names []string
	for _, f := range formats() {
		names = append(names, f.name)
	}
	return names
}

// Write writes the report in a format, one of [Formats]. The bytes depend on
// nothing but the report. The error wraps ErrFormat when there is no such format,
// otherwise it is the writer's.
func Write(name string, r *Report, w io.Writer) error {
	for _, f := range formats() {
		if f.name != name {
			continue
		}
		if err := f.write(r, w); err != nil {
			return fmt.Errorf("write the %s report: %w", name, err)
		}
		return nil
	}
	return unknownFormat(name)
}

// Target is a format and where it goes.
type Target struct {
	// Format is one of [Formats].
	Format string
	// Path is a file's; empty stands for the standard output.
	Path string
}

// ParseTarget reads a value of a --format flag: "html=report.html" writes to a
// file, "pretty" alone to the standard output. The error wraps ErrFormat and says
// what to write instead.
func ParseTarget(value string) (Target, error) {
	name, path, toFile := strings.Cut(strings.TrimSpace(value), "=")
	switch {
	case value == "":
		return Target{}, fmt.Errorf("%w is empty: give one of %s, or FORMAT=FILE", ErrFormat, strings.Join(Formats(), ", "))
	case slices.Contains(Formats(), name) && toFile && path == "":
		return Target{}, fmt.Errorf("%w %q names no file after the =: write %s=FILE, or %s alone for the standard output", ErrFormat, value, name, name)
	case slices.Contains(Formats(), name):
		return Target{Format: name, Path: path}, nil
	case severalFormats(name):
		return Target{}, fmt.Errorf("%w %q: write --format once for each report", ErrFormat, value)
	case !toFile && strings.ContainsAny(name, "./\\"):
		return Target{}, fmt.Errorf("%w %q is a file without a format: write %s=%s", ErrFormat, value, guess(name), name)
	default:
		return Target{}, unknownFormat(name)
	}
}

// severalFormats tells whether a text lists formats.
func severalFormats(name string) bool {
	first, _, more := strings.Cut(name, ",")
	return more && slices.Contains(Formats(), strings.TrimSpace(first))
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
				return nil, fmt.Errorf("%w %q and %q both go to the standard output: give one of them a file, for example %s=FILE", ErrFormat, other.Format, t.Format, t.Format)
			}
			if other.Path != "" && t.Path != "" && filepath.Clean(other.Path) == filepath.Clean(t.Path) {
				return nil, fmt.Errorf("%w %q and %q both go to %s: give each its own file", ErrFormat, other.Format, t.Format, t.Path)
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
	return fmt.Errorf("%w %q is not known%s: there are %s", ErrFormat, name, meant, strings.Join(Formats(), ", "))
}

// nearest is the format that was meant by another name; empty when none is near.
func nearest(name string) string {
	for _, other := range [][2]string{{"xml", "junit"}, {"md", "markdown"}, {"htm", "html"}, {"text", "pretty"}, {"txt", "pretty"}} {
		if name == other[0] {
			return other[1]
		}
	}
	for _, f := range Formats() {
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
