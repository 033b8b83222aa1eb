//go:build !unix

package main

import (
	"os"
	"os/exec"
)

// ownGroup gives what interrupts a command; where there are no process groups, what
// it has started is left alone.
func ownGroup(cmd *exec.Cmd) (interrupt func() error, sweep func()) {
	return func() error { return cmd.Process.Signal(os.Interrupt) }, nil
}

// holdLock takes no lock: there is none that ends with the process.
func holdLock(*os.File) error { return nil }
