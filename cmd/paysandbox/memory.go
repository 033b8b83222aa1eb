package main

import (
	"math"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"time"

	"paysandbox/mockserver/budget"
)

const (
	defaultMemory = "1GiB"
	leastMemory   = 128 << 20
	// programMemory is what the program itself takes, besides what it allocates.
	programMemory = 56 << 20
	// spareMemory is what a collection of garbage waits for besides as many bytes as are
	// in use: without it a small sandbox collects every few hundred calls. With more, the
	// garbage would not stay in the caches of a processor.
	spareMemory = 12 << 20
)

// memory turns --memory into the budget of the process. Callers get three fifths of
// it; the rest is for what they cannot be charged for, and for the garbage collector,
// which works harder the nearer the process comes to the bound. It begins to a sixteenth
// before it: while it works, others allocate.
func memory(text string) (*budget.Bytes, error) {
	n, err := byteCount(text)
	if err != nil || n < leastMemory {
		return nil, badUsage("give a number of bytes, at least 128MiB, for example --memory 512MiB or --memory 2GiB", "--memory: %q is no bound", text)
	}
	debug.SetMemoryLimit(n - programMemory - n/16 + spareMemory)
	return budget.New(n / 5 * 3), nil
}

// spare counts as in use and takes no memory, as nobody ever writes to it.
var spare = sync.OnceValue(func() []byte { return make([]byte, spareMemory) })

// collectLess has collections wait for spareMemory. It begins one: not while the first calls
// wait for their answers.
func collectLess() { time.AfterFunc(time.Second, func() { spare() }) }

// byteCount reads a number of bytes with an optional unit: KiB, MiB or GiB.
func byteCount(text string) (int64, error) {
	unit := int64(1)
	for suffix, size := range map[string]int64{"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30} {
		if number, ok := strings.CutSuffix(text, suffix); ok {
			text, unit = number, size
			break
		}
	}
	n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
	if err == nil && (n < 0 || n > math.MaxInt64/unit) {
		err = strconv.ErrRange
	}
	return n * unit, err
}
