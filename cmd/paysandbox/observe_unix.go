//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// ownGroup lets a command be a process group of its own, and gives what interrupts
// all of it, and what ends those that are left.
func ownGroup(cmd *exec.Cmd) (interrupt func() error, sweep func()) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	interrupt = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGINT) }
	sweep = func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) } // nobody is left, mostly
	return interrupt, sweep
}
