package durable

import (
	"bufio"
	"errors"
	"os"
	"path/filepath"
)

// WriteFile writes pieces to a file aside, flushes it, renames it and flushes the folder: after
// a loss of power there is the old file or the new one.
func WriteFile(path string, pieces ...[]byte) error {
	file, err := os.CreateTemp(filepath.Dir(path), ".new-*")
	if err != nil {
		return err
	}
	to := bufio.NewWriter(file)
	for _, p := range pieces {
		_, _ = to.Write(p) // Flush tells
	}
	err = to.Flush()
	err = errors.Join(err, file.Sync(), file.Close())
	if err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	return flushFolder(filepath.Dir(path))
}

func flushFolder(dir string) error {
	d, err := os.Open(dir) //nolint:gosec // G304: it is the folder that the user names.
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
