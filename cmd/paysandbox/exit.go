package main

import (
	"errors"
	"fmt"
)

// The exit codes, for scripts. 1, 3 and 5 are verdicts of commands to come: a
// clause failed, too little evidence, a deviation that no longer occurs.
const (
	// exitOK: the command did what it was asked, the gate is met.
	exitOK = 0
	// exitUsage: the command line or the configuration is wrong.
	exitUsage = 2
	// exitBroken: the harness or the target broke.
	exitBroken = 4
)

// usageError is a mistake on the command line, with a hint how to mend it.
type usageError struct {
	problem error
	hint    string
}

func (e *usageError) Error() string { return e.problem.Error() }

func (e *usageError) Unwrap() error { return e.problem }

// badUsage makes a usageError.
func badUsage(hint, format string, args ...any) error {
	return &usageError{problem: fmt.Errorf(format, args...), hint: hint}
}

// exitCode chooses the code for an error.
func exitCode(err error) int {
	var usage *usageError
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &usage):
		return exitUsage
	default:
		return exitBroken
	}
}
