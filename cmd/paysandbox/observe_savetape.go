package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"paysandbox/mockserver/tape"
)

// tapeFile is where the tape goes. While the session lasts it is written beside the
// file as it goes, so that what was seen is there whatever becomes of this process;
// at the end the whole tape takes the file's place at once.
type tapeFile struct {
	path string
	// partial is the file beside it, lock the one that names who writes.
	partial, lock *os.File
	writer        *tape.Writer
	last          uint64
	// broken is what went wrong while it was written as it goes.
	broken error
}

// hole gives the first entries that are missing of what the header promises, or
// between others; 0 when none are.
func hole(meta *tape.Meta, entries []tape.Entry) (from, to uint64) {
	next := meta.First
	for i := range entries {
		seq := entries[i].Seq
		if next != 0 && seq > next {
			return next, seq - 1
		}
		next = seq + 1
	}
	return 0, 0
}

// createTape opens the file beside the tape's before the work is done, so that a
// wrong path, and another session that writes the same tape, are told. An empty
// path is nowhere.
func createTape(path string) (*tapeFile, error) {
	if path == "" {
		return &tapeFile{}, nil
	}
	path = behindLinks(path)
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, badUsage("give a file", "--save-tape %s is no file, and the tape would take its place", path)
	}
	t := &tapeFile{path: path}
	var err error
	if t.lock, err = os.OpenFile(path+".lock", os.O_RDWR|os.O_CREATE, 0o600); err != nil { //nolint:gosec // G304: the user names the file
		return nil, badUsage("give a file that can be written", "--save-tape: %w", err)
	}
	if err := holdLock(t.lock); err != nil {
		owner, _ := os.ReadFile(path + ".lock") //nolint:gosec // G304: the same
		_ = t.lock.Close()
		return nil, badUsage("end it, or give another file", "--save-tape %s: process %s writes this tape: %w", path, cmp.Or(string(bytes.TrimSpace(owner)), "(unknown)"), err)
	}
	_ = t.lock.Truncate(0)
	_, _ = t.lock.WriteAt([]byte(strconv.Itoa(os.Getpid())+"\n"), 0)
	if t.partial, err = os.Create(t.beside()); err != nil {
		return nil, errors.Join(badUsage("give a file that can be written", "--save-tape: %w", err), t.close())
	}
	return t, nil
}

// behindLinks is the file that links lead to, which need not be there yet: two names of
// one file are one file.
func behindLinks(path string) string {
	for range 40 { // as many as the system follows
		if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
			path = filepath.Join(dir, filepath.Base(path))
		}
		to, err := os.Readlink(path)
		if err != nil {
			return path
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(path), to)
		}
		path = to
	}
	return path
}

// beside is the file that is written as the session goes.
func (t *tapeFile) beside() string { return t.path + ".partial" }

// keep writes what is new. A tape that has begun anew takes the place of the old.
func (t *tapeFile) keep(meta tape.Meta, entries []tape.Entry) {
	if t.partial == nil || t.broken != nil {
		return
	}
	if t.writer == nil || entries[0].Seq <= t.last {
		if t.broken = errors.Join(t.partial.Truncate(0), rewind(t.partial)); t.broken == nil {
			t.writer = tape.NewWriter(t.partial)
			t.broken = t.writer.WriteMeta(meta)
		}
	}
	for i := range entries {
		if t.broken == nil {
			t.broken = t.writer.WriteEntry(entries[i])
			t.last = entries[i].Seq
		}
	}
}

func rewind(f *os.File) error {
	_, err := f.Seek(0, 0)
	return err
}

// finish writes the whole tape, and puts it in the file's place once it is on disk.
// When that fails, what was written as it went stays where it is.
func (t *tapeFile) finish(meta tape.Meta, entries []tape.Entry) error {
	if t.partial == nil {
		return nil
	}
	whole, err := asideOf(t.path)
	if err == nil {
		err = errors.Join(tape.Write(whole, meta, slices.Values(entries)), whole.Chmod(0o644), whole.Sync(), whole.Close())
		if err == nil {
			err = os.Rename(whole.Name(), t.path)
		}
		if err != nil {
			_ = os.Remove(whole.Name())
		}
	}
	if err != nil {
		left := "nothing is left of it: " + t.beside() + " is gone, too"
		if _, gone := os.Stat(t.beside()); gone == nil {
			left = "what there is of it stands in " + t.beside()
		}
		return errors.Join(fmt.Errorf("the tape could not be written; %s: %w", left, err), t.close())
	}
	_ = os.Remove(t.beside())
	return t.close()
}

// close ends the writing, and lets others write the tape.
func (t *tapeFile) close() error {
	if t.lock == nil {
		return nil
	}
	_ = os.Remove(t.lock.Name())
	err := t.lock.Close()
	if t.partial != nil {
		err = errors.Join(err, t.partial.Close())
	}
	t.lock, t.partial = nil, nil
	return err
}
