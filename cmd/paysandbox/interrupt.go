package main

import (
	"context"

	"paysandbox/harness/verdict"
)

// interruptible does what takes long and writes nothing, and waits no longer for it when the command is interrupted: readers do
// not look whether it is. Nothing is left behind but what the process holds.
func interruptible[T any](ctx context.Context, command string, do func() (T, error)) (T, error) {
	type outcome struct {
		value T
		err   error
	}
	done := make(chan outcome, 1)
	go func() {
		value, err := do()
		done <- outcome{value, err}
	}()
	select {
	case o := <-done:
		if ctx.Err() == nil {
			return o.value, o.err
		}
	case <-ctx.Done():
	}
	var none T
	return none, &verdictError{code: verdict.CodeLittle, text: command + " was interrupted, and nothing was written"}
}
