//go:build unix

package natslog

import (
	"os"
	"syscall"
)

// holdLock takes a lock on a file that ends with the process.
func holdLock(f *os.File) error { return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) }
