package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"paysandbox/mockserver/tape"
)

// oneFile is a folder of which one file alone is seen.
type oneFile struct {
	fs.FS
	name string
}

// onlyFile is the folder of a file, with that file alone in it.
func onlyFile(path string) oneFile {
	return oneFile{os.DirFS(filepath.Dir(path)), filepath.Base(path)}
}

// ReadDir lists the file.
func (o oneFile) ReadDir(string) ([]fs.DirEntry, error) {
	info, err := fs.Stat(o.FS, o.name)
	if err != nil {
		return nil, err
	}
	return []fs.DirEntry{fs.FileInfoToDirEntry(info)}, nil
}

// mostLoaded is the largest snapshot or tape that a sandbox goes on from, in bytes.
const mostLoaded = 256 << 20

// mostFlags is the largest file that stands for flags, in bytes.
const mostFlags = 1 << 20

// readAtMost reads a file that may be anybody's: one of more bytes is an error, and one
// without an end, too.
func readAtMost(path string, most int64) ([]byte, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) //nolint:gosec // G304: the user names the file; a named pipe that nobody writes is empty
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	var b bytes.Buffer
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
		b.Grow(int(min(info.Size(), most)) + bytes.MinRead)
	}
	_, err = b.ReadFrom(io.LimitReader(f, most+1))
	if packed := tape.Packed(b.Bytes(), shellWord(path)); packed != "" {
		return nil, fmt.Errorf("%s: %s", path, packed)
	}
	if err == nil && int64(b.Len()) > most {
		err = fmt.Errorf("%s is larger than %d KiB", path, most>>10)
	}
	return b.Bytes(), err
}

// openPlain opens a file that a flag or an argument names, unless it is packed.
func openPlain(path string) (*os.File, error) {
	file, err := os.Open(path) //nolint:gosec // G304: the user names the file
	if err != nil {
		return nil, err
	}
	begins := make([]byte, 8)
	n, _ := file.ReadAt(begins, 0) // a pipe, of which no place can be read, is read as it is
	if packed := tape.Packed(begins[:n], shellWord(path)); packed != "" {
		return nil, errors.Join(fmt.Errorf("%s: %s", path, packed), file.Close())
	}
	return file, nil
}
