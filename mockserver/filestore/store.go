package filestore

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"regexp"
	"sync"
)

// Digest is the SHA-256 of a file's bytes.
type Digest = [sha256.Size]byte

// The errors of reading a file back.
var (
	// ErrGone says that the file is not where it was put.
	ErrGone = errors.New("it is not there any more")
	// ErrDamaged says that other bytes stand there.
	ErrDamaged = errors.New("its bytes are not those that were put there")
	// ErrUnreadable says that the disk does not give the bytes.
	ErrUnreadable = errors.New("the disk does not give it back")
)

// Store is a folder of files. It is safe for concurrent use.
type Store struct {
	root  *os.Root
	limit int64
	log   *slog.Logger

	mu    sync.Mutex
	kept  map[Digest]*kept
	bytes int64
}

// kept is a file in the folder.
type kept struct {
	size    int64
	holders int // under the store's lock

	mu      sync.Mutex // held while it is written
	written bool
}

// ours are the names that the store gives: of files, and of what is being written.
var ours = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9a-f]{64}(\.new)?$`) })

// Open takes a folder for this process, which nobody else may use, and makes it when it
// is not there. What a former process has left there is removed, other files are left
// alone. limit is how many bytes all files may take.
func Open(dir string, limit int64, log *slog.Logger) (*Store, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("the folder %s cannot be made: %w", dir, err)
	}
	if about, err := os.Lstat(dir); err != nil || !about.IsDir() {
		return nil, fmt.Errorf("%s is no folder: give one that is not a link", dir)
	}
	if err := os.Chmod(dir, 0o700); err != nil { //nolint:gosec // G302: it is a folder.
		return nil, fmt.Errorf("the folder %s cannot be closed to others: %w", dir, err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("the folder %s cannot be opened: %w", dir, err)
	}
	s := &Store{root: root, limit: limit, log: log, kept: map[Digest]*kept{}}
	if err := s.clear(); err != nil {
		return nil, errors.Join(fmt.Errorf("the folder %s cannot be emptied of what a former process has left: %w", dir, err), root.Close())
	}
	return s, nil
}

// clear removes what a former process has left.
func (s *Store) clear() error {
	list, err := fs.ReadDir(s.root.FS(), ".")
	for _, f := range list {
		if ours().MatchString(f.Name()) && !f.IsDir() {
			err = errors.Join(err, s.root.Remove(f.Name()))
		}
	}
	return err
}

// Used is how many files there are, and how many bytes they take.
func (s *Store) Used() (files int, bytes int64) {
	if s == nil {
		return 0, 0
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.kept), s.bytes
}

func nameOf(d Digest) string { return hex.EncodeToString(d[:]) }

// keep puts bytes in the folder, unless they are there, and counts one more who holds
// them. false is no room, or a disk that does not take them.
func (s *Store) keep(d Digest, data []byte) bool {
	s.mu.Lock()
	f := s.kept[d]
	if f == nil {
		f = &kept{size: int64(len(data))}
		if s.bytes+f.size > s.limit {
			s.mu.Unlock()
			return false
		}
		s.kept[d], s.bytes = f, s.bytes+f.size
	}
	f.holders++
	s.mu.Unlock()
	if err := s.write(f, d, data); err != nil {
		s.log.Warn("a file stays in memory: the disk does not take it", slog.String("file", nameOf(d)), slog.Any("error", err))
		s.release(d)
		return false
	}
	return true
}

// write writes a file aside and renames it, unless it is there.
func (s *Store) write(f *kept, d Digest, data []byte) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.written {
		return nil
	}
	name := nameOf(d)
	aside := name + ".new"
	_ = s.root.Remove(aside) // of a write that was broken off
	file, err := s.root.OpenFile(aside, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	if err = errors.Join(err, file.Close()); err == nil {
		err = s.root.Rename(aside, name)
	}
	if err != nil {
		return errors.Join(err, s.root.Remove(aside))
	}
	f.written = true
	return nil
}

// release counts one fewer who holds a file, and removes it with the last.
func (s *Store) release(d Digest) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.kept[d]
	if f.holders--; f.holders > 0 {
		return
	}
	delete(s.kept, d)
	s.bytes -= f.size
	if err := s.root.Remove(nameOf(d)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		s.log.Warn("a file that nobody needs cannot be removed", slog.String("file", nameOf(d)), slog.Any("error", err))
	}
}

// read gives a file's bytes. The errors are ErrGone, ErrDamaged and ErrUnreadable; the
// log has more.
func (s *Store) read(d Digest, size int64) ([]byte, error) {
	data, err := s.bytesOf(nameOf(d), size)
	if err == nil && sha256.Sum256(data) != d {
		err = ErrDamaged
	}
	if err == nil {
		return data, nil
	}
	s.log.Error("a file that was put on the disk cannot be had", slog.String("file", nameOf(d)), slog.Any("error", err))
	switch {
	case errors.Is(err, ErrDamaged):
		return nil, ErrDamaged
	case errors.Is(err, fs.ErrNotExist):
		return nil, ErrGone
	default:
		return nil, ErrUnreadable
	}
}

// bytesOf reads a file that has to have a size.
func (s *Store) bytesOf(name string, size int64) ([]byte, error) {
	switch about, err := s.root.Lstat(name); {
	case err != nil:
		return nil, err
	case !about.Mode().IsRegular() || about.Size() != size: // a pipe would keep us waiting
		return nil, ErrDamaged
	}
	file, err := s.root.Open(name)
	if err != nil {
		return nil, err
	}
	data := make([]byte, size)
	_, err = io.ReadFull(file, data)
	return data, errors.Join(err, file.Close())
}

// Holder is one who holds files; nil holds none and takes none. It is not safe for
// concurrent use.
type Holder struct {
	store *Store
	sizes map[Digest]int64
}

// Holder gives somebody who holds nothing yet; nil of no store.
func (s *Store) Holder() *Holder {
	if s == nil {
		return nil
	}
	return &Holder{store: s, sizes: map[Digest]int64{}}
}

// Keep takes a file in, and says whether it did: the bytes need not be kept elsewhere.
func (h *Holder) Keep(digest Digest, data []byte) bool {
	if h == nil {
		return false
	}
	if _, held := h.sizes[digest]; !held {
		if !h.store.keep(digest, data) {
			return false
		}
		h.sizes[digest] = int64(len(data))
	}
	return true
}

// Read gives a file that was kept.
func (h *Holder) Read(digest Digest) ([]byte, error) {
	return h.store.read(digest, h.sizes[digest])
}

// Drop lets go of everything.
func (h *Holder) Drop() {
	if h == nil {
		return
	}
	for digest := range h.sizes {
		h.store.release(digest)
	}
	h.sizes = map[Digest]int64{}
}
