package main

import (
	"context"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// readSigned reads the file that a flag names, if it names one, of what people have put
// their names to.
func readSigned[T any](flag, path, hint string, read func(io.Reader) ([]T, error)) ([]T, error) {
	if path == "" {
		return nil, nil
	}
	file, err := openPlain(path)
	if err != nil {
		return nil, badUsage("give a file that can be read", "--%s: %w", flag, err)
	}
	defer func() { _ = file.Close() }()
	list, err := read(file)
	if err != nil {
		return nil, badUsage(hint, "--%s %s: %w", flag, path, err)
	}
	return list, nil
}

// revision is the git revision of this folder, as "git 3f2a1c9d0b7e", with -dirty behind
// it where a file differs; empty where there is no repository, or no git. `git describe`
// would write its index.
func revision(ctx context.Context) string {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, "git", "--no-optional-locks", "status", "--porcelain=2", "--branch", "--untracked-files=no").Output()
	var head, dirty string
	for line := range strings.Lines(string(out)) {
		if id, found := strings.CutPrefix(line, "# branch.oid "); found && len(id) > 12 {
			head = id[:12]
		} else if line[0] != '#' {
			dirty = "-dirty"
		}
	}
	if err != nil || head == "" {
		return ""
	}
	return "git " + head + dirty
}

// days reads a length of time that may be given in days; empty is none.
func days(s string) (time.Duration, error) {
	if s == "" {
		return 0, nil
	}
	d, err := time.ParseDuration(s)
	if n, found := strings.CutSuffix(s, "d"); found {
		var count uint64
		count, err = strconv.ParseUint(n, 10, 16)
		d = time.Duration(count) * 24 * time.Hour
	}
	if err != nil || d <= 0 {
		return 0, badUsage("give a length such as --valid-for 30d or 12h", "--valid-for: %q is no length of time", s)
	}
	return d, nil
}
