// Command paysandbox is a payment service to rehearse against. It is the only
// place that reads flags, the environment and the operating system; everything
// else takes options.
package main

import (
	"context"
	"io"
	"log"
	"os"
	"os/signal"
	"syscall"
	_ "time/tzdata" // the scratch image has no time zones of its own

	"paysandbox/cmd/paysandbox/hidego"
	_ "paysandbox/cmd/paysandbox/noprofile"
)

// The packages below are initialised by now; commands may be found again.
var _ = hidego.Restore()

// version is set by the linker.
var version = "dev"

func main() {
	log.SetOutput(io.Discard) // where net/http writes what a foreign server or caller gets wrong
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the program at once
	code := run(ctx, os.Args[1:], os.LookupEnv, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}
