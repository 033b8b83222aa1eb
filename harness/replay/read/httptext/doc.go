// Package httptext reads HTTP that is written as text: .http files of editors, with the answers that they keep, what curl -v,
// --trace-ascii and wget print, and messages as they are. It runs nothing and opens no file.
package httptext
