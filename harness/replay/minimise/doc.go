// Package minimise finds the shortest script that still shows something: fewest calls
// and moves, no moves of the clock, and the smallest bodies. What depends on a step goes
// with it; plays are cached and run side by side, and the result is the same however
// many do. What has to be shown, the caller says.
package minimise
