package main

import (
	"io"
	"os"
)

// readSigned reads the file that a flag names, if it names one, of what people have put
// their names to.
func readSigned[T any](flag, path, hint string, read func(io.Reader) ([]T, error)) ([]T, error) {
	if path == "" {
		return nil, nil
	}
	file, err := os.Open(path) //nolint:gosec // G304: the user names the file
	if err != nil {
		return nil, badUsage("give a file that can be read", "--%s: %w", flag, err)
	}
	defer func() { _ = file.Close() }()
	list, err := read(file)
	if err != nil {
		return nil, badUsage(hint, "--%s %s: %w", flag, path, err)
	}
	return list, nil
}
