package sampling

import (
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"testing/fstest"
)

// Tree is the checkout as a test should read it. Go's test cache takes the times of all
// that a listed folder holds for inputs of the test, and at the root .git and .build change
// with each run: so the root's names are asked of another program. The time of the root
// itself, which changes when something is put into it or taken out, remains an input.
func Tree(root string) fs.FS { return tree{os.DirFS(root), root} }

type tree struct {
	fs.FS
	root string
}

// Stat does not open the root: that would list it.
func (t tree) Stat(name string) (fs.FileInfo, error) {
	if name == "." {
		return os.Stat(t.root)
	}
	return fs.Stat(t.FS, name)
}

// ReadDir tells of what stands at the root the names alone, and which are folders.
func (t tree) ReadDir(name string) ([]fs.DirEntry, error) {
	if name != "." {
		return fs.ReadDir(t.FS, name)
	}
	out, err := exec.Command("ls", "-Ap", t.root).Output() //nolint:gosec,noctx // G204: a test names the folder; it takes a millisecond
	names := fstest.MapFS{}
	for line := range strings.Lines(string(out)) {
		line, folder := strings.CutSuffix(strings.TrimSpace(line), "/")
		names[line] = &fstest.MapFile{}
		if folder {
			names[line].Mode = fs.ModeDir
		}
	}
	if err != nil {
		return nil, err
	}
	return names.ReadDir(".")
}
