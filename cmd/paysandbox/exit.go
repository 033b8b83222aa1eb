package main

import (
	"errors"
	"fmt"
	"io"

	"paysandbox/harness/verdict"
)

// usageError is a mistake on the command line, or a sandbox that does not answer, with a
// hint how to mend it.
type usageError struct {
	problem error
	hint    string
	// broken says that the command line is good and the target is not.
	broken bool
}

func (e *usageError) Error() string { return e.problem.Error() }

func (e *usageError) Unwrap() error { return e.problem }

// verdictError is how a command ends that did its work and whose gate is not met.
type verdictError struct {
	code int
	text string
	// told says that a report that people read has said so on standard output.
	told bool
}

// said tells whether an error is a verdict that whoever looks has read already. Where
// standard output is kept elsewhere a terminal is told once more.
func said(err error, stdout, stderr io.Writer) bool {
	var judged *verdictError
	return errors.As(err, &judged) && judged.told && err.Error() == judged.text && (terminal(stdout) || !terminal(stderr))
}

func (e *verdictError) Error() string { return e.text }

// badUsage makes a usageError.
func badUsage(hint, format string, args ...any) error {
	return &usageError{problem: fmt.Errorf(format, args...), hint: hint}
}

// unreachable is badUsage for a sandbox that does not answer as it should.
func unreachable(hint, format string, args ...any) error {
	return &usageError{problem: fmt.Errorf(format, args...), hint: hint, broken: true}
}

// exitCode chooses the code for an error.
func exitCode(err error) int {
	var usage *usageError
	var judged *verdictError
	switch {
	case err == nil:
		return verdict.CodeMet
	case errors.As(err, &judged):
		return judged.code
	case errors.As(err, &usage) && !usage.broken:
		return verdict.CodeConfig
	default:
		return verdict.CodeBroken
	}
}
