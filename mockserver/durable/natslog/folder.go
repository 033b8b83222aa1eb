package natslog

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"paysandbox/mockserver/durable"
)

// Folder is a data folder that this process holds.
type Folder struct {
	dir  string
	lock *os.File
}

// ErrHeld says that another process has the folder.
var ErrHeld = errors.New("another paysandbox serves this folder")

// about is what stands in a folder's own file.
type about struct {
	// Format is the version of all that is in the folder.
	Format int `json:"format"`
}

// Lock takes a folder for this process, and makes it when it is not there. The lock
// ends with the process.
func Lock(dir string) (*Folder, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("the folder %s cannot be made: %w", dir, err)
	}
	file, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_CREATE|os.O_RDWR, 0o600) //nolint:gosec // G304: the user names the folder
	if err != nil {
		return nil, fmt.Errorf("the folder %s cannot be written: %w", dir, err)
	}
	f := &Folder{dir, file}
	if err := holdLock(file); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", dir, ErrHeld), file.Close())
	}
	if err := f.version(); err != nil {
		return nil, errors.Join(err, f.Unlock())
	}
	return f, nil
}

// version checks that this binary can read the folder, and marks one that is new.
func (f *Folder) version() error {
	path := filepath.Join(f.dir, "paysandbox.json")
	text, err := os.ReadFile(path) //nolint:gosec // G304: it is the folder that the user names.
	if errors.Is(err, os.ErrNotExist) {
		if text, err = json.Marshal(about{durable.Format}); err != nil {
			return err
		}
		return durable.WriteFile(path, text)
	}
	var a about
	switch {
	case err != nil:
		return err
	case json.Unmarshal(text, &a) != nil || a.Format < 1:
		return fmt.Errorf("%s: it does not say which version has written the folder: restore it from a backup", path)
	}
	if err := durable.Readable(a.Format); err != nil {
		return fmt.Errorf("%s: %w", f.dir, err)
	}
	return nil
}

// Log is where the engine stores.
func (f *Folder) Log() string { return filepath.Join(f.dir, "log") }

// Sleeping is where the states of integrations are that sleep.
func (f *Folder) Sleeping() string { return filepath.Join(f.dir, "sleeping") }

// Images is where snapshots are.
func (f *Folder) Images() string { return filepath.Join(f.dir, "snapshots") }

// Unlock gives the folder back. A nil Folder holds nothing.
func (f *Folder) Unlock() error {
	if f == nil {
		return nil
	}
	return f.lock.Close()
}
