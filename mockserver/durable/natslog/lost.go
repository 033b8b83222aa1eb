package natslog

import (
	"encoding/json"
	"fmt"
	"path/filepath"

	"paysandbox/mockserver/durable"
)

// A folder's own file says that the log has held a message: a log without any is then lost,
// and no new one is begun in its place, as it would be without a word.

// note writes the folder's own file.
func (f *Folder) note(a about) error {
	text, err := json.Marshal(a)
	if err == nil {
		err = durable.WriteFile(filepath.Join(f.dir, aboutName), text)
	}
	if err == nil {
		f.kept = a
	}
	return err
}

// began notes, once, that the log has held a message. Where that cannot be written the next
// message tries again: this one is kept.
func (f *Folder) began() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if a := f.kept; !a.Begun && f.copied == "" {
		a.Begun = true
		_ = f.note(a)
	}
}

// whole looks at the log before the engine begins: the error is why it is refused.
func (f *Folder) whole() (*short, error) {
	lost, empty, err := whole(f.Log())
	if err == nil && empty != "" && f.hasBegun() {
		err = f.gone(empty)
	}
	return lost, err
}

func (f *Folder) hasBegun() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.kept.Begun
}

// gone refuses a log that has lost all that it held.
func (f *Folder) gone(why string) error {
	return fmt.Errorf("%s: %w: %s, and a sandbox has kept things in this folder, as %s beside it says: restore the folder from a backup", filepath.Join(f.dir, logName), durable.ErrBroken, why, aboutName)
}
