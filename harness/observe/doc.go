// Package observe watches a partner's application while it integrates, gives it
// the trouble that is still missing, and asks it for its state.
//
// It owns the session that carries this out over a running sandbox's control API
// ([Session]). What trouble is made is decided in trouble, what the tape comes to in
// judge. The package starts no sandbox and no program, reads no flags and no clock
// of its own, and writes no reports.
package observe
