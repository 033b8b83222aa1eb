package main

import (
	"io/fs"
	"os"
	"path/filepath"
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
