// Package diff says what changed from one report to another, and writes that.
package diff
