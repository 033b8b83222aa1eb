package main

import (
	"errors"
	"os"
	"slices"

	"paysandbox/mockserver/tape"
)

// tapeFile is where the tape goes; nil goes nowhere.
type tapeFile struct{ file *os.File }

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

// createTape opens the file before the work is done, so that a wrong path is told.
func createTape(path string) (*tapeFile, error) {
	if path == "" {
		return &tapeFile{}, nil
	}
	file, err := os.Create(path) //nolint:gosec // G304: the user names the file
	if err != nil {
		return nil, badUsage("give a file that can be written", "--save-tape: %w", err)
	}
	return &tapeFile{file}, nil
}

func (t *tapeFile) write(meta tape.Meta, entries []tape.Entry) error {
	if t.file == nil {
		return nil
	}
	return errors.Join(tape.Write(t.file, meta, slices.Values(entries)), t.close())
}

func (t *tapeFile) close() error {
	if t.file == nil {
		return nil
	}
	return t.file.Close()
}
