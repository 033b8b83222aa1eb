package natslog

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"

	"paysandbox/mockserver/durable"
)

// Folder is a data folder that this process holds.
type Folder struct {
	dir  string
	lock *os.File
	// copied is where a copy of the log is, which goes when the folder is given back.
	copied string
	// kept is what stands in the folder's own file, and mu guards it.
	mu   sync.Mutex
	kept about
}

// The names in a folder.
const (
	aboutName    = "paysandbox.json"
	lockName     = "lock"
	logName      = "log"
	sleepingName = "sleeping"
	imagesName   = "snapshots"
)

// ErrHeld says that another process has the folder.
var ErrHeld = errors.New("another paysandbox serves this folder")

// about is what stands in a folder's own file.
type about struct {
	// Format is the version of all that is in the folder.
	Format int `json:"format"`
	// Begun says that the log has held a message, and so holds one ever after.
	Begun bool `json:"begun,omitempty"`
}

// Lock takes a folder for this process, and makes it when it is not there. The lock
// ends with the process. The folder may be open to others, what is kept in it is not.
func Lock(dir string) (*Folder, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("the folder %s cannot be made: %w", dir, err)
	}
	file, err := private(dir)
	if err != nil {
		return nil, fmt.Errorf("the folder %s cannot be kept for this sandbox alone: %w", dir, err)
	}
	return hold(dir, file)
}

// hold takes a folder whose lock is open.
func hold(dir string, lock *os.File) (*Folder, error) {
	f := &Folder{dir: dir, lock: lock}
	if err := holdLock(lock); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", dir, ErrHeld), lock.Close())
	}
	if err := f.version(); err != nil {
		return nil, errors.Join(err, f.Unlock())
	}
	return f, nil
}

// ErrNothing says that a folder was never one of ours.
var ErrNothing = errors.New("no sandbox has kept anything in this folder")

// OpenCopy begins the engine on a copy of a folder's log, since it mends what it finds: who
// only looks changes nothing. The folder is held as by OpenFolder, and the copy, in the
// place for such files, goes when the stream is closed. The second error is what the folder
// has lost, and has not kept the engine from beginning.
func OpenCopy(ctx context.Context, dir string, log *slog.Logger) (s *Stream, lost, err error) {
	if _, err := os.Stat(filepath.Join(dir, aboutName)); errors.Is(err, os.ErrNotExist) && !(&Folder{dir: dir}).begun() {
		return nil, nil, fmt.Errorf("%s: %w", dir, ErrNothing)
	}
	folder, err := look(dir)
	if err != nil {
		return nil, nil, err
	}
	short, err := folder.whole() // told with the place in the folder, not in the copy
	if err == nil && !folder.begun() {
		err = fmt.Errorf("%s: %w, or its log is lost: %s is there, and %s holds nothing", dir, ErrNothing, aboutName, logName)
	}
	if err != nil {
		return nil, nil, errors.Join(err, folder.Unlock())
	}
	if short != nil {
		lost = short
	}
	copied, err := os.MkdirTemp("", "paysandbox-log-")
	if err == nil {
		err = os.CopyFS(copied, os.DirFS(folder.Log()))
		folder.copied = copied
	}
	if err != nil {
		return nil, nil, errors.Join(fmt.Errorf("the log cannot be copied, to be looked at: %w", err), folder.Unlock())
	}
	s, err = openFolder(ctx, folder, SyncInterval, log)
	return s, lost, err
}

// look takes a folder and writes nothing, since it may be a backup where nobody writes. One
// without its lock is held by nobody.
func look(dir string) (*Folder, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }()
	if _, err := ours(root); err != nil {
		return nil, fmt.Errorf("the folder %s: %w", dir, err)
	}
	lock, err := root.Open(lockName)
	if errors.Is(err, os.ErrNotExist) {
		f := &Folder{dir: dir}
		return f, f.version()
	}
	if err != nil {
		return nil, err
	}
	return hold(dir, lock)
}

// ours names the folders in a data folder that are there. What stands there instead, as a
// link that leads out of the folder, is refused.
func ours(root *os.Root) (folders []string, err error) {
	for _, name := range []string{logName, sleepingName, imagesName} {
		switch info, err := root.Lstat(name); {
		case errors.Is(err, os.ErrNotExist):
			continue
		case err != nil:
			return nil, err
		case !info.IsDir():
			return nil, fmt.Errorf("%s is no folder: take it away, or give another folder", name)
		}
		folders = append(folders, name)
	}
	if info, err := root.Lstat(lockName); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no file: take it away, or give another folder", lockName)
	}
	return folders, nil
}

// private closes to others what a folder holds, and opens its lock.
func private(dir string) (*os.File, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }()
	if err := root.Mkdir(logName, 0o700); err != nil && !errors.Is(err, os.ErrExist) {
		return nil, err
	}
	folders, err := ours(root)
	if err != nil {
		return nil, err
	}
	for _, name := range folders {
		if err := root.Chmod(name, 0o700); err != nil {
			return nil, err
		}
	}
	return root.OpenFile(lockName, os.O_CREATE|os.O_RDWR, 0o600)
}

// begun says whether an engine has stored anything in the folder.
func (f *Folder) begun() bool {
	held, _ := os.ReadDir(f.Log())
	return len(held) > 0
}

// version checks that this binary can read the folder, and marks one that is new.
func (f *Folder) version() error {
	path := filepath.Join(f.dir, aboutName)
	text, err := os.ReadFile(path) //nolint:gosec // G304: it is the folder that the user names.
	if errors.Is(err, os.ErrNotExist) {
		if f.begun() {
			return fmt.Errorf("%s is gone, and there is a log: nothing says which version has written the folder: restore it from a backup", path)
		}
		return f.note(about{Format: durable.Format})
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
	f.kept = a
	return nil
}

// Log is where the engine stores.
func (f *Folder) Log() string {
	if f.copied != "" {
		return f.copied
	}
	return filepath.Join(f.dir, logName)
}

// Sleeping is where the states of integrations are that sleep.
func (f *Folder) Sleeping() string { return filepath.Join(f.dir, sleepingName) }

// Images is where snapshots are.
func (f *Folder) Images() string { return filepath.Join(f.dir, imagesName) }

// Unlock gives the folder back. A nil Folder holds nothing.
func (f *Folder) Unlock() error {
	if f == nil {
		return nil
	}
	var err error
	if f.lock != nil {
		freeLock(f.lock)
		err = f.lock.Close()
	}
	if f.copied != "" {
		err = errors.Join(err, os.RemoveAll(f.copied))
	}
	return err
}
