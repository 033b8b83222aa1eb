//go:build !race

package sampling

// Raced says whether the race detector is at work.
const Raced = false
