// Package shelf keeps the states of integrations that sleep, one file each. It owns
// where they stand and how long they stay: as long as one of the two snapshots that are
// kept may refer to them. It knows nothing of what is in them.
package shelf

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// ErrDamaged says that a file is not what was put there.
var ErrDamaged = errors.New("the file of a sleeping integration is damaged")

// ErrNoFile says that something else stands where a file should.
var ErrNoFile = errors.New("it is no regular file")

// Shelf is a folder of such files. It is safe for concurrent use.
type Shelf struct {
	dir string
	mu  sync.Mutex
	// loose are the files that have not been flushed to the disk.
	loose map[string]bool
	// dropped are those that nobody asks for any more: since the last snapshot, between
	// the last two, and before both.
	dropped [3]map[string]bool
}

// Open takes a folder, which need not be there. What is in it counts as dropped until
// Keep says otherwise.
func Open(dir string) (*Shelf, error) {
	s := &Shelf{dir: dir, loose: map[string]bool{}}
	names, err := s.List()
	for n := range s.dropped {
		s.dropped[n] = map[string]bool{}
	}
	for _, name := range names {
		s.dropped[0][name] = true
	}
	return s, err
}

// List gives the names of all files, sorted.
func (s *Shelf) List() ([]string, error) {
	parts, err := os.ReadDir(s.dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	var names []string
	for _, part := range parts {
		files, wrong := os.ReadDir(filepath.Join(s.dir, part.Name()))
		err = errors.Join(err, wrong)
		for _, f := range files {
			names = append(names, f.Name())
		}
	}
	slices.Sort(names)
	return names, err
}

// path is where a file stands: in one of 256 folders, by its digest.
func (s *Shelf) path(name string) string {
	return filepath.Join(s.dir, name[max(0, len(name)-2):], name)
}

// digest is the end of a file's name.
func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:12])
}

// Put keeps bytes, of an integration, and gives the name that Get knows them by.
func (s *Shelf) Put(id string, b []byte) (string, error) {
	name := id + "." + digest(b)
	path := s.path(name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return "", err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, err := s.Get(name); err != nil { // a snapshot may refer to one that is whole: it is left as it is
		aside := s.path(asideMark + name)
		if err := errors.Join(os.WriteFile(aside, b, 0o600), os.Rename(aside, path)); err != nil {
			return "", errors.Join(err, os.Remove(aside))
		}
		s.loose[name] = true
	}
	s.keep(name)
	return name, nil
}

// asideMark begins the name of a file that is being written. One that was never finished is a
// file that nobody asks for.
const asideMark = "new."

// Get gives the bytes of a name. The error tells the file, and what is wrong with it.
func (s *Shelf) Get(name string) ([]byte, error) {
	about, err := os.Stat(s.path(name))
	if err == nil && !about.Mode().IsRegular() { // a pipe, or a link to a device, may have no end
		err = fmt.Errorf("%s: %w", s.path(name), ErrNoFile)
	}
	if err != nil {
		return nil, err
	}
	b, err := os.ReadFile(s.path(name))
	if err != nil {
		return nil, err
	}
	if _, want, _ := strings.Cut(name, "."); want != digest(b) {
		return nil, fmt.Errorf("%s: %w: its %d bytes have the digest %s", s.path(name), ErrDamaged, len(b), digest(b))
	}
	return b, nil
}

// Size is how many bytes a file has; 0 when it is not there.
func (s *Shelf) Size(name string) int64 {
	info, err := os.Stat(s.path(name))
	if err != nil {
		return 0
	}
	return info.Size()
}

// Keep says that a file is needed, and fails when it is not there.
func (s *Shelf) Keep(name string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.keep(name) && !s.loose[name] {
		return fmt.Errorf("%s: %w: it is not there", s.path(name), ErrDamaged)
	}
	return nil
}

func (s *Shelf) keep(name string) (was bool) {
	for _, list := range s.dropped {
		was = was || list[name]
		delete(list, name)
	}
	return was
}

// Drop says that a file is not needed any more, but by snapshots that there are.
func (s *Shelf) Drop(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dropped[0][name] = true
}

// Idle says whether nobody has asked for a file, as far as Keep and Drop tell.
func (s *Shelf) Idle(name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.ContainsFunc(s.dropped[:], func(list map[string]bool) bool { return list[name] })
}

// Turn begins a snapshot: what is dropped from now on may stand in it.
func (s *Shelf) Turn() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for name := range s.dropped[1] {
		s.dropped[2][name] = true
	}
	s.dropped[1], s.dropped[0] = s.dropped[0], map[string]bool{}
}

// Flush brings to the disk what the snapshot refers to that is to be written.
func (s *Shelf) Flush() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	folders := map[string]bool{}
	for name := range s.loose {
		if err := flush(s.path(name)); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		folders[filepath.Dir(s.path(name))] = true
	}
	for dir := range folders {
		if err := flush(dir); err != nil {
			return err
		}
	}
	s.loose = map[string]bool{}
	return nil
}

func flush(path string) error {
	f, err := os.Open(path) //nolint:gosec // G304: it is in the folder that the user names.
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// Sweep removes what no snapshot refers to, once the one that Turn began is written.
func (s *Shelf) Sweep() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for name := range s.dropped[2] {
		_ = os.Remove(s.path(name)) // the next start finds it again
		delete(s.loose, name)
	}
	s.dropped[2] = map[string]bool{}
}
