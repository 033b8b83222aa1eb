package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

//go:embed switch.go.txt
var switchText string

// bench is where the changed program is built.
type bench struct {
	dir     string
	sources []*source
	// chosen are the mutants by their numbers, counted from 1.
	chosen map[int]site
	// laid are the tree's files by the names of those that lie over them.
	laid map[string]string
}

// overlay is the file that tells the compiler what lies over the tree.
const overlay = "overlay.json"

// choose draws n places, none inside another.
func choose(list []*source, n int, seed uint64) map[int]site {
	var all []site
	for _, s := range list {
		all = append(all, s.sites...)
	}
	r := rand.New(rand.NewPCG(seed, 0))
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	chosen := map[int]site{}
	taken := map[string][]site{}
next:
	for _, s := range all {
		for _, t := range taken[s.file] {
			if s.from < t.to && t.from < s.to {
				continue next
			}
		}
		taken[s.file] = append(taken[s.file], s)
		chosen[len(chosen)+1] = s
		if len(chosen) == n {
			break
		}
	}
	return chosen
}

// write lays the changed files over the tree.
func (b *bench) write() error {
	replace := map[string]string{}
	b.laid = map[string]string{}
	put := func(path string, text []byte) error {
		path, err := filepath.Abs(path)
		if err != nil {
			return err
		}
		at := filepath.Join(b.dir, strconv.Itoa(len(replace))+".go")
		replace[path], b.laid[at] = at, path
		return os.WriteFile(at, text, 0o600)
	}
	done := map[string]bool{}
	for _, s := range b.sources {
		if err := put(s.path, s.changed(b.chosen)); err != nil {
			return err
		}
		if done[s.dir] {
			continue
		}
		done[s.dir] = true
		if err := put(filepath.Join(s.dir, "zz_mutant.go"), fmt.Appendf(nil, switchText, s.pkg)); err != nil {
			return err
		}
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(b.dir, overlay), text, 0o600)
}

// build compiles what a command line asks for. A change that does not compile is
// taken back: only the compiler knows the types.
func (b *bench) build(ctx context.Context, progress io.Writer, verb, binary, pkg string) error {
	args := append(strings.Fields(verb), "-overlay", filepath.Join(b.dir, overlay), "-gcflags=paysandbox/...=-e", "-o", binary, pkg)
	for {
		if err := b.write(); err != nil {
			return err
		}
		cmd := exec.CommandContext(ctx, "go", args...) //nolint:gosec // G204: it is this module's own code.
		out, err := cmd.CombinedOutput()
		if err == nil {
			return nil
		}
		gone := b.drop(out)
		if gone == 0 {
			return fmt.Errorf("the changed program does not compile, and no change is to blame: %w\n%s", err, bytes.TrimSpace(out))
		}
		_, _ = fmt.Fprintf(progress, "%d changes do not fit the types, %d are left\n", gone, len(b.chosen))
	}
}

var blamed = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^(\S+\.go):(\d+):`) })

// drop takes back the changes on the lines that the compiler names, and says how
// many. It names the file that lies over the tree's or the tree's own.
func (b *bench) drop(out []byte) int {
	gone := 0
	for _, m := range blamed().FindAllSubmatch(out, -1) {
		line, err := strconv.Atoi(string(m[2]))
		if err != nil {
			continue
		}
		named := string(m[1])
		if path, err := filepath.Abs(named); err == nil && b.laid[path] != "" { // the compiler shortens what is near
			named = b.laid[path]
		}
		for n, s := range b.chosen {
			same := strings.HasSuffix(named, strings.TrimPrefix(filepath.ToSlash(s.file), "./"))
			if same && s.line <= line && line <= s.line+strings.Count(s.text, "\n") {
				delete(b.chosen, n)
				gone++
			}
		}
	}
	return gone
}

// Errors of a run that cannot begin.
var (
	errNothing       = errors.New("no place was found that could be changed")
	errAlreadyBroken = errors.New("verify fails without any change: mend that first")
)
