package main

import (
	"errors"
	"fmt"

	"paysandbox/harness/verdict"
)

// The exit codes, for scripts. 1, 3 and 5 are verdicts.
const (
	// exitOK: the command did what it was asked, the gate is met.
	exitOK = verdict.CodeMet
	// exitFailed: a clause failed.
	exitFailed = verdict.CodeFailed
	// exitUsage: the command line or the configuration is wrong.
	exitUsage = verdict.CodeConfig
	// exitLittle: too little evidence: nothing ran, or an applicable MUST was not
	// reached.
	exitLittle = verdict.CodeLittle
	// exitBroken: the harness or the target broke.
	exitBroken = verdict.CodeBroken
	// exitGone: a listed deviation no longer occurs.
	exitGone = verdict.CodeGone
)

// usageError is a mistake on the command line, with a hint how to mend it.
type usageError struct {
	problem error
	hint    string
}

func (e *usageError) Error() string { return e.problem.Error() }

func (e *usageError) Unwrap() error { return e.problem }

// verdictError is how a command ends that did its work and whose gate is not met.
type verdictError struct {
	code int
	text string
}

func (e *verdictError) Error() string { return e.text }

// badUsage makes a usageError.
func badUsage(hint, format string, args ...any) error {
	return &usageError{problem: fmt.Errorf(format, args...), hint: hint}
}

// exitCode chooses the code for an error.
func exitCode(err error) int {
	var usage *usageError
	var verdict *verdictError
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &verdict):
		return verdict.code
	case errors.As(err, &usage):
		return exitUsage
	default:
		return exitBroken
	}
}
