//go:build race

package main

// raced says that the race detector is at work, which takes memory of its own.
const raced = true
