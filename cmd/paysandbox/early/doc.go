// Package early does what has to be done before the variables of other packages are
// initialised. The language guarantees the order: packages that are ready are initialised by
// import path, and this one is ready as soon as os is. So it must import nothing but os, and
// TestStartRunsNoOtherProgram holds it to that.
package early
