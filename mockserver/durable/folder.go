package durable

import (
	"bufio"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// folder is a place on this machine's disk: each snapshot is a file.
type folder string

// imageSuffix ends the name of a snapshot, and asideMark begins that of a file until it is
// written.
const (
	imageSuffix = ".image"
	asideMark   = ".new-"
)

// Name is Place's.
func (f folder) Name(top uint64) string {
	return filepath.Join(string(f), strconv.FormatUint(top, 10)+imageSuffix)
}

// List is Place's.
func (f folder) List(context.Context) ([]uint64, error) {
	files, err := os.ReadDir(string(f))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	var tops []uint64
	for _, file := range files {
		name, ok := strings.CutSuffix(file.Name(), imageSuffix)
		if top, err := strconv.ParseUint(name, 10, 64); ok && err == nil {
			tops = append(tops, top)
		}
	}
	slices.Sort(tops)
	return tops, nil
}

// Written is Place's.
func (f folder) Written(_ context.Context, top uint64) (time.Time, error) {
	about, err := os.Stat(f.Name(top))
	if err != nil {
		return time.Time{}, err
	}
	return about.ModTime().UTC(), nil
}

// errNoFile says that something else, which may have no end, stands in the place of a snapshot.
var errNoFile = errors.New("it is no regular file")

// Read is Place's.
func (f folder) Read(_ context.Context, top uint64) ([]byte, error) {
	about, err := os.Stat(f.Name(top))
	if err == nil && !about.Mode().IsRegular() {
		err = errNoFile
	}
	if err != nil {
		return nil, err
	}
	return os.ReadFile(f.Name(top))
}

// Write is Place's. A process that was killed while it wrote has left a file aside.
func (f folder) Write(_ context.Context, top uint64, pieces [][]byte) error {
	if err := os.MkdirAll(string(f), 0o700); err != nil {
		return err
	}
	left, err := filepath.Glob(filepath.Join(string(f), asideMark+"*"))
	for _, file := range left {
		err = errors.Join(err, os.Remove(file))
	}
	if err != nil {
		return err
	}
	return WriteFile(f.Name(top), pieces...)
}

// Drop is Place's.
func (f folder) Drop(ctx context.Context, drop func(top uint64) bool) error {
	tops, err := f.List(ctx)
	for _, top := range tops {
		if drop(top) {
			err = errors.Join(err, os.Remove(f.Name(top)))
		}
	}
	return err
}

// WriteFile writes pieces to a file aside, flushes it, renames it and flushes the folder: after
// a loss of power there is the old file or the new one.
func WriteFile(path string, pieces ...[]byte) error {
	file, err := os.CreateTemp(filepath.Dir(path), asideMark+"*")
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
