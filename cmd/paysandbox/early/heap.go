package early

// spare is what a collection of garbage waits for besides as many bytes as are in use:
// without it a small sandbox collects every few hundred calls, and twice while it starts.
// With more, the garbage would not stay in the caches of a processor. It counts as in use
// and takes no memory, as nobody ever writes to it.
var spare = make([]byte, 12<<20)

// Spare is how many bytes count as in use although they take no memory.
func Spare() int64 { return int64(len(spare)) }
