//go:build unix

package natslog

import (
	"os"
	"syscall"
)

// holdLock takes a lock on a file that ends with the process.
func holdLock(f *os.File) error { return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) }

// freeLock gives a lock back at once. Closing the file would not do while a process that
// was just started from this one still has it.
func freeLock(f *os.File) { _ = syscall.Flock(int(f.Fd()), syscall.LOCK_UN) }
