// Package noprofile switches the profile of allocations off before other packages are
// initialised. The log's engine could read it, and nobody asks it to; sampling what all
// packages allocate takes a tenth of a start.
//
// Packages that are ready are initialised by import path, and this one is ready at once:
// it imports nothing but runtime.
package noprofile

import "runtime"

// Rate is how much is allocated between two samples, in bytes: 0 for none.
var Rate = off()

func off() int {
	runtime.MemProfileRate = 0
	return runtime.MemProfileRate
}
