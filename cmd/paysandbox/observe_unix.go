//go:build unix

package main

import (
	"os"
	"os/exec"
	"syscall"
)

// ownGroup lets a command be a process group of its own, and gives what interrupts
// all of it, and what ends those that are left.
func ownGroup(cmd *exec.Cmd) (interrupt func() error, sweep func()) {
	cmd.SysProcAttr.Setpgid = true
	interrupt = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGINT) }
	sweep = func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) } // nobody is left, mostly
	return interrupt, sweep
}

// holdLock takes a lock on a file that ends with the process.
func holdLock(f *os.File) error { return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) }
