package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"paysandbox/harness/partner"
	"paysandbox/harness/partner/app"
	"paysandbox/harness/partner/tour"
)

// appFlags say what the partner application is to do.
type appFlags struct {
	careless, addr        string
	follow, silent, quiet bool
	keys, polls           bool
	seed                  uint64
}

// newApp runs the reference partner application as a process of its own.
func newApp(env lookup) *cobra.Command {
	var f appFlags
	cmd := &cobra.Command{
		Use: "app", Short: "Run a small, correct partner application against a sandbox",
		Long: "app is the reference partner application: an integration that does everything right, to be read,\n" +
			"to be watched, and to be broken on purpose. It takes its sandbox from the environment:\n\n" +
			"  PAYSANDBOX_URL, PAYSANDBOX_CLIENT_ID, PAYSANDBOX_CLIENT_SECRET,\n" +
			"  PAYSANDBOX_WEBHOOK_SECRET, PAYSANDBOX_CONTROL_URL, PAYSANDBOX_INTEGRATION\n\n" +
			"which `paysandbox observe` sets. It registers its webhook address and then plays a tour of the whole\n" +
			"API, as a partner's own test suite would; with --follow it does the tasks that come as JSON lines on\n" +
			"standard input instead. --careless breaks exactly one clause; `--careless list` names them all.",
		Example: "  paysandbox observe -- paysandbox app\n  paysandbox observe -- paysandbox app --careless webhook.raw-bytes\n" +
			"  paysandbox observe --uses polling -- paysandbox app --polls",
		Args: func(cmd *cobra.Command, args []string) error { return noArgs(cmd, args) },
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f.careless == "list" {
				return listCareless(cmd.OutOrStdout())
			}
			return f.run(cmd.Context(), env, cmd.InOrStdin(), cmd.ErrOrStderr())
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&f.careless, "careless", "", "break this clause; list names them")
	fs.BoolVar(&f.keys, "keys", false, "send idempotency keys: for a service that honours them (--latitude idempotency=honoured)")
	fs.BoolVar(&f.polls, "polls", false, "receive no webhooks and read states again instead: observe it with --uses polling")
	fs.BoolVar(&f.follow, "follow", false, "do the tasks that come as JSON lines on standard input")
	fs.BoolVar(&f.silent, "silent", false, "never call the service")
	fs.BoolVar(&f.quiet, "quiet", false, "say nothing")
	fs.StringVar(&f.addr, "addr", "127.0.0.1:0", "address of its own server")
	fs.Uint64Var(&f.seed, "seed", 1, "decides its keys, references and people")
	return cmd
}

func listCareless(w io.Writer) error {
	var b strings.Builder
	for _, v := range app.Careless() {
		folded(&b, fmt.Sprintf("%-28s ", v.Name), strings.Repeat(" ", 29), v.What)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// run starts the application and lets it work.
func (f *appFlags) run(ctx context.Context, env lookup, stdin io.Reader, stderr io.Writer) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	if f.silent {
		return nil
	}
	options, stage, err := f.fromEnvironment(env, stderr)
	if err != nil {
		return err
	}
	a, err := app.New(options)
	if err != nil {
		return badUsage("`paysandbox app --careless list` names the variants", "%w", err)
	}
	if err := a.Start(ctx); err != nil {
		return badUsage("choose another --addr", "the application cannot listen: %w", err)
	}
	defer func() { _ = a.Close() }()
	if f.follow {
		return follow(ctx, a, stage, stdin, options.Say)
	}
	return tour.Play(ctx, a, stage)
}

// fromEnvironment reads where the sandbox is, and who the application is.
func (f *appFlags) fromEnvironment(env lookup, stderr io.Writer) (app.Options, *partner.Stage, error) {
	values := map[string]string{}
	for _, name := range []string{"URL", "CLIENT_ID", "CLIENT_SECRET", "CONTROL_URL"} {
		value, _ := env("PAYSANDBOX_" + name)
		if value == "" {
			return app.Options{}, nil, badUsage("run it as `paysandbox observe -- paysandbox app`, which sets them, or set what `paysandbox serve` prints",
				"PAYSANDBOX_%s is not set", name)
		}
		values[name] = value
	}
	control, err := url.Parse(values["CONTROL_URL"])
	if err != nil || control.Host == "" {
		return app.Options{}, nil, badUsage("for example http://127.0.0.1:8484/_sandbox", "PAYSANDBOX_CONTROL_URL: %q is no address", values["CONTROL_URL"])
	}
	secret, _ := env("PAYSANDBOX_WEBHOOK_SECRET")
	token, _ := env("PAYSANDBOX_CONTROL_TOKEN")
	integration, _ := env("PAYSANDBOX_INTEGRATION")
	if integration == "" {
		integration = "default"
	}
	options := app.Options{
		BaseURL: strings.TrimSuffix(values["URL"], "/"), ClientID: values["CLIENT_ID"], ClientSecret: values["CLIENT_SECRET"],
		WebhookSecret: secret, Addr: f.addr, Seed: f.seed, Now: time.Now, Parallel: 8, Careless: app.Carelessness(f.careless), Keys: f.keys, Polls: f.polls,
	}
	var saying sync.Mutex // the application says things from several goroutines
	options.Say = func(line string) {
		saying.Lock()
		defer saying.Unlock()
		if !f.quiet {
			tellLines(stderr, "  ", "app: "+line)
		}
	}
	base := strings.TrimSuffix(strings.TrimSuffix(values["CONTROL_URL"], "/"), "/_sandbox")
	return options, &partner.Stage{Base: base, Token: token, Integration: integration}, nil
}

// follow does the tasks that come in, one after the other, and ends when there
// are no more and none is kept. What the service refuses is told and no failure:
// whoever sends the tasks is the one to judge.
func follow(ctx context.Context, a *app.App, stage *partner.Stage, stdin io.Reader, say func(string)) error {
	if _, err := tour.Enter(ctx, a, stage); err != nil {
		return err
	}
	for tasks := json.NewDecoder(stdin); ctx.Err() == nil; {
		var t partner.Task
		if err := tasks.Decode(&t); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return badUsage("send one partner task as JSON on each line", "read a task: %w", err)
		}
		if err := a.Do(ctx, t); err != nil {
			say(fmt.Sprintf("task %d is lost: %v", t.ID, err))
		}
	}
	return tour.Finish(ctx, a)
}
