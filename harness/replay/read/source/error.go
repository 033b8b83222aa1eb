package source

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Error is a file that cannot be read, told so that its sender can mend it. Where it
// says which bytes were found, these are too few to hold a secret.
type Error struct {
	// File is its name, and Format what it was read as.
	File, Format string
	// Line and Byte count from 1; Entry is the entry's number from 1. 0 is not known.
	Line, Byte, Entry int
	// Expected says what should stand there, and Fix what to do.
	Expected, Fix string
	// Err is the cause.
	Err error
}

// Error is one line for people.
func (e *Error) Error() string {
	var at []string
	for _, part := range []struct {
		name string
		n    int
	}{{"line", e.Line}, {"byte", e.Byte}, {"entry", e.Entry}} {
		if part.n > 0 {
			at = append(at, fmt.Sprintf("%s %d", part.name, part.n))
		}
	}
	where := e.File
	if len(at) > 0 {
		where += ", " + strings.Join(at, ", ")
	}
	text := fmt.Sprintf("read %s as %s: %v", where, e.Format, e.Err)
	if e.Expected != "" {
		text += "; expected " + e.Expected
	}
	if e.Fix != "" {
		text += "; " + e.Fix
	}
	return text
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// BadJSON is the error for a file whose JSON cannot be read into what was expected.
func BadJSON(f *File, text []byte, format, expected string, err error) *Error {
	at := 0
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		at, err = int(syntax.Offset), errors.New(syntax.Error())
	case errors.As(err, &kind):
		at, err = int(kind.Offset), fmt.Errorf("a JSON %s stands at %q", kind.Value, kind.Field)
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		at, err = len(text), errors.New("the file ends in the middle")
	}
	e := &Error{File: f.Name, Format: format, Expected: expected, Err: err, Fix: "export it again, or cut the file where it breaks"}
	if at > 0 {
		e.Line, e.Byte = LineOf(text, at-1), at
	}
	return e
}
