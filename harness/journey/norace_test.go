//go:build !race

package journey_test

// raced is true under the race detector, which takes its time.
const raced = false
