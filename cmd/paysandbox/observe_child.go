package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"paysandbox/harness/observe"
)

// shared is a writer for several goroutines.
type shared struct {
	mu sync.Mutex
	w  io.Writer
}

// Write writes all of b at once.
func (s *shared) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.w.Write(b)
}

// reads passes on what the command prints, and looks for the secrets of the integration
// in it.
func (o *observation) reads(ctx context.Context, stream string) io.Writer {
	o.session.Reads(ctx, stream)
	a := &o.announced
	secrets := []observe.Secret{{Name: "client secret", Value: a.ClientSecret}, {Name: "webhook secret", Value: a.WebhookSecret}}
	return observe.NewOutput(o.stderr, secrets, func(secret string) { o.session.Spilled(ctx, stream, secret) })
}

// childGrace is how long a command may take to end: after it was interrupted, and
// after the last task.
const (
	childGrace = 10 * time.Second
	childLast  = 30 * time.Second
)

// child is the observed command.
type child struct {
	cmd   *exec.Cmd
	stdin io.WriteCloser
	// stop interrupts it, gone ends when it has ended.
	stop context.CancelFunc
	gone context.Context
	err  error
	// deaf ends the listening to a second Ctrl-C, once it has ended.
	deaf func()
	// sweep ends what an interrupted command has left behind; nil where nobody can.
	sweep func()
}

// start runs the command with the sandbox in its environment. What it prints goes
// to standard error. When the context ends it is interrupted, and killed later.
func (o *observation) start(ctx context.Context) (*child, error) {
	ctx, stop := context.WithCancel(ctx)
	c := &child{stop: stop}
	c.cmd = exec.CommandContext(ctx, o.command[0], o.command[1:]...) //nolint:gosec // G204: the user names the command
	c.cmd.Env = append(withoutSigning(os.Environ()), o.environment()...)
	c.cmd.Stdout, c.cmd.Stderr = o.reads(ctx, "standard output"), o.reads(ctx, "standard error")
	c.cmd.WaitDelay = childGrace
	c.cmd.SysProcAttr = childAttributes()
	// Under a terminal Ctrl-C reaches all that the command has started by itself.
	c.cmd.Cancel = func() error { return c.cmd.Process.Signal(os.Interrupt) }
	if !interactive() {
		c.cmd.Cancel, c.sweep = ownGroup(c.cmd)
	}
	interrupt := c.cmd.Cancel
	c.cmd.Cancel = func() error {
		o.interrupting(ctx)
		return interrupt()
	}
	if len(o.names) > 0 {
		var err error
		if c.stdin, err = c.cmd.StdinPipe(); err != nil {
			stop()
			return nil, fmt.Errorf("start %s: %w", o.command[0], err)
		}
	}
	if err := c.cmd.Start(); err != nil {
		stop()
		return nil, badUsage("name a program behind the --", "start %s: %w", o.command[0], err)
	}
	gone, end := context.WithCancel(context.WithoutCancel(ctx))
	c.gone = gone
	done := make(chan struct{})
	unheard := context.AfterFunc(ctx, func() {
		defer close(done)
		c.killable(o.say)
	})
	c.deaf = func() {
		if !unheard() {
			<-done
		}
	}
	go func() {
		defer end()
		c.err = c.cmd.Wait()
		if ctx.Err() == nil {
			return
		}
		if c.cmd.ProcessState.String() == "signal: killed" {
			o.say("the command did not end when it was interrupted, and was killed")
		}
		if c.sweep != nil {
			c.sweep()
		}
	}()
	return c, nil
}

// killable lets a second Ctrl-C kill a command that does not end when it is
// interrupted: what was seen is judged all the same.
func (c *child) killable(say func(string)) {
	if c.gone.Err() != nil {
		return
	}
	again := make(chan os.Signal, 1)
	signal.Notify(again, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(again)
	say("the command is interrupted and may finish; another Ctrl-C kills it")
	select {
	case <-again:
		_ = c.cmd.Process.Kill() // it may have ended by itself
	case <-c.gone.Done():
	}
}

// interrupting notes on the tape that what the command does from now on is not its
// own doing.
func (o *observation) interrupting(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	if err := o.session.Interrupted(ctx); err != nil {
		o.say("the interruption could not be noted: " + err.Error())
	}
}

// interactive says whether somebody may press Ctrl-C.
func interactive() bool {
	in, err := os.Stdin.Stat()
	none, noneErr := os.Stat(os.DevNull)
	return terminal(os.Stdin) && err == nil && noneErr == nil && !os.SameFile(in, none)
}

// environment is what the command learns of the sandbox.
func (o *observation) environment() []string {
	a := &o.announced
	list := []string{
		"PAYSANDBOX_URL=" + a.BaseURL, "PAYSANDBOX_CLIENT_ID=" + a.ClientID, "PAYSANDBOX_CLIENT_SECRET=" + a.ClientSecret,
		"PAYSANDBOX_WEBHOOK_SECRET=" + a.WebhookSecret, "PAYSANDBOX_CONTROL_URL=" + a.ControlURL, "PAYSANDBOX_INTEGRATION=default",
	}
	if a.ControlToken != nil {
		list = append(list, "PAYSANDBOX_CONTROL_TOKEN="+*a.ControlToken)
	}
	return list
}

// wait waits until the command has ended, and says what went wrong with it. One
// that reads tasks is interrupted when it does not end after the last.
func (c *child) wait(ctx context.Context) string {
	defer c.stop()
	if c.stdin != nil {
		timer := time.AfterFunc(childLast, c.stop)
		defer timer.Stop()
	}
	<-c.gone.Done()
	c.deaf()
	var exit *exec.ExitError
	switch {
	case c.err == nil, ctx.Err() != nil, errors.Is(c.err, exec.ErrWaitDelay): // it was interrupted because the time was over
		return ""
	case errors.As(c.err, &exit):
		return exit.Error()
	default:
		return c.err.Error()
	}
}

// withoutSigning leaves out of an environment what signs reports: it is not the
// command's.
func withoutSigning(environ []string) []string {
	return slices.DeleteFunc(environ, func(e string) bool { return strings.HasPrefix(e, "PAYSANDBOX_SIGN") })
}
