package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/spf13/cobra"

	"paysandbox/harness/replay"
	"paysandbox/harness/replay/play"
	"paysandbox/mockserver/console"
)

// standFlags say where a replay stops, and where its world is served.
type standFlags struct {
	until int
	serve bool
	addr  string
	env   lookup
}

func (f *standFlags) declare(cmd *cobra.Command, env lookup) {
	f.env = env
	fs := cmd.Flags()
	fs.IntVar(&f.until, "until", 0, "stop before call `N` (of what --minimise leaves) and stand where the partner stood (with --serve)")
	fs.BoolVar(&f.serve, "serve", false, "serve the world that --until leaves, its clock standing, until Ctrl-C")
	fs.StringVar(&f.addr, "addr", defaultAddr, "address to serve it on; port 0 takes a free one")
}

func (f *standFlags) check(format string) error {
	if f.until < 0 || f.serve != (f.until > 0) {
		return badUsage("for example `paysandbox replay report.har --until 4 --serve`", "--until N, from 1, and --serve go together")
	}
	if f.serve && format != "pretty" {
		return badUsage("leave --format out", "--serve tells people where they stand: it writes no %s", format)
	}
	return nil
}

// open takes the address that the world will be served on: one that is in use is told before the work.
func (f *standFlags) open(ctx context.Context, stderr io.Writer) (*opened, error) {
	var flags sandboxFlags
	cmd := &cobra.Command{}
	flags.declare(cmd)
	if err := fromEnvironment(cmd.Flags(), f.env); err != nil {
		return nil, err
	}
	if err := cmd.ParseFlags([]string{"--addr", f.addr, "--clock", "manual"}); err != nil {
		return nil, err
	}
	return flags.open(ctx, stderr)
}

// stand plays a case up to a call in a sandbox that others can call, and serves it until
// the context ends.
func (f *standFlags) stand(ctx context.Context, box *opened, c *replay.Case, stdout io.Writer) error {
	base := "http://" + reachable(box.listeners.Partner.Addr())
	s, err := f.before(ctx, box, c, base)
	if err != nil {
		box.listeners.Close()
		return errors.Join(err, box.server.Close(context.WithoutCancel(ctx)))
	}
	served := make(chan error, 1)
	go func() { served <- box.server.Serve(ctx, box.listeners) }()
	if _, err := io.WriteString(stdout, f.standing(s, base, box.opts.ControlToken)); err != nil {
		return err
	}
	return <-served
}

// before plays a case up to the call.
func (f *standFlags) before(ctx context.Context, box *opened, c *replay.Case, base string) (*play.Standing, error) {
	if n := len(c.Recording.Exchanges); f.until > n {
		return nil, badUsage(fmt.Sprintf("the case has %d calls: give one of them", n), "--until %d: there is no such call", f.until)
	}
	sandbox, err := play.Open(ctx, base, box.opts.ControlToken, &http.Client{Transport: inProcess{box.server.Handler()}})
	if err != nil {
		return nil, err
	}
	return sandbox.Until(ctx, &c.Script, f.until-1)
}

// standing says where one stands, and what can be done there.
func (f *standFlags) standing(s *play.Standing, base, token string) string {
	var b strings.Builder
	line := func(name, value string) { fmt.Fprintf(&b, "  %-15s %s\n", name, value) }
	world := base + "/_sandbox/integrations/" + s.ID
	fmt.Fprintf(&b, "\nBefore call %d. The world is served as the partner had it:\n\n", f.until)
	line("base URL", base)
	line("client id", s.ClientID)
	line("client secret", s.ClientSecret)
	line("console", base+console.Prefix+"/"+s.ID+"/live")
	line("control API", world)
	if token != "" {
		line("control token", token)
	}
	line("clock", "manual, "+s.Now.Format("2006-01-02T15:04:05Z"))
	admitted := ""
	if token != "" {
		admitted = " -H 'Authorization: Bearer " + token + "'"
	}
	fmt.Fprintf(&b, "\nCall %d, as this world takes it (edit it as you like):\n\n  %s\n", f.until, asCurl(s.Next))
	fmt.Fprintf(&b, "\nThe clock stands. To let a minute pass:\n\n  curl -s %s/clock/advance%s -H 'Content-Type: application/json' -d '{\"by\":\"1m\"}'\n\nCtrl-C stops it.\n", world, admitted)
	return b.String()
}

// asCurl writes a request for a POSIX shell.
func asCurl(r *http.Request) string {
	var b strings.Builder
	b.WriteString("curl -s -X " + r.Method + " " + shellWord(r.URL.String()))
	for _, name := range sortedNames(r.Header) {
		for _, v := range r.Header[name] {
			b.WriteString(" \\\n    -H " + shellWord(name+": "+v))
		}
	}
	if body, err := io.ReadAll(r.Body); err == nil && len(body) > 0 {
		b.WriteString(" \\\n    --data-raw " + shellWord(string(body)))
	}
	return b.String()
}
