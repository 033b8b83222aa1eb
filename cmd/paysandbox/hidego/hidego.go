// Package hidego keeps the program from running `go env` whenever it starts.
//
// The library of the acceptance features, github.com/cucumber/godog, brings a
// package that builds test programs. Nothing here calls it, but its variables
// are initialised with those of every other package, and one of them runs the
// command `go` where it finds one: milliseconds at each start, and a start that
// differs with what is installed.
//
// This package empties PATH before that variable is initialised, so that no
// command is found, and Restore puts it back. The language guarantees the order:
// packages that are ready are initialised by import path, this one is ready as
// soon as os is, and godog's needs text/template, which sorts behind it. So it
// must import nothing but os, and TestStartRunsNoOtherProgram holds it to that.
package hidego

import "os"

const name = "PATH"

// path is what PATH held when the program started, and whether it was set.
var path, set = take()

func take() (value string, was bool) {
	if value, was = os.LookupEnv(name); was {
		_ = os.Setenv(name, "")
	}
	return value, was
}

// Restore puts PATH back. The main package calls it while its own variables are
// initialised: behind all that it imports, before anything runs.
func Restore() bool {
	if set {
		_ = os.Setenv(name, path)
	}
	return set
}
