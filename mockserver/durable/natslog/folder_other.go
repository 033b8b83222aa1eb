//go:build !unix

package natslog

import "os"

// holdLock takes no lock: there is none that ends with the process.
func holdLock(*os.File) error { return nil }

func freeLock(*os.File) {}
