package durable

import (
	"errors"
	"os"
	"path/filepath"
)

// WriteFile writes a file aside, flushes it, renames it and flushes the folder: after
// a loss of power there is the old file or the new one.
func WriteFile(path string, data []byte) error {
	file, err := os.CreateTemp(filepath.Dir(path), ".new-*")
	if err != nil {
		return err
	}
	_, err = file.Write(data)
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
