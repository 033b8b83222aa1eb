package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"paysandbox/harness/partner"
	"paysandbox/harness/replay"
	"paysandbox/harness/replay/diagnose"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/verdict"
	"paysandbox/harness/verify"
)

// targetFlags name the service that a case is played to.
type targetFlags struct {
	target, clientID, clientSecret, controlURL, controlToken string
	// verdict is how the command ends once the case was played.
	verdict error
}

func (f *targetFlags) declare(fs *pflag.FlagSet) {
	fs.StringVar(&f.target, "target", "", "address of a service: play the case (what --minimise leaves) to it, and tell people what shows there (no --format but pretty)")
	fs.StringVar(&f.clientID, "client-id", "", "client id at the target, where it has no control API")
	fs.StringVar(&f.clientSecret, "client-secret", "", "client secret at the target, where it has no control API")
	fs.StringVar(&f.controlURL, "control-url", "", "address of the target's control API; none does without (default: the target is asked)")
	fs.StringVar(&f.controlToken, "control-token", "", "token of the target's control API, when it wants one")
}

// check holds the flags to make sense together; other says that the command also writes
// for machines, or waits for something else.
func (f *targetFlags) check(other bool) error {
	if f.target == "" {
		if f.clientID+f.clientSecret+f.controlURL+f.controlToken != "" {
			return badUsage("name the service with --target", "credentials and a control API are a target's, and there is none")
		}
		return nil
	}
	if u, err := url.Parse(f.target); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return badUsage("for example --target http://"+defaultAddr, "--target: %q is no address of a service", f.target)
	}
	if other {
		return badUsage("leave --step, --serve and --format out", "--target tells people what shows at the service: it writes pretty alone")
	}
	f.target, f.controlURL = strings.TrimSuffix(f.target, "/"), strings.TrimSuffix(f.controlURL, "/")
	return nil
}

// atTarget plays a case to the target and tells what shows there.
func (f *replayFlags) atTarget(ctx context.Context, c *replay.Case, o replay.Options, stdin io.Reader, stdout io.Writer) error {
	there, err := f.target.play(ctx, c, o.Sandbox, stdin, stdout)
	if err != nil {
		return err
	}
	clean, _ := scrubbed(*there, true) // people's data are stand-ins already
	o.Again, o.Progress = nil, nil
	again, compared, err := c.Against(ctx, &clean, o)
	if err != nil {
		return err
	}
	_, _ = fmt.Fprintf(stdout, "\nAt %s\n", f.target.target)
	tellAnswers(stdout, c, there)
	_, _ = fmt.Fprintf(stdout, "\n%s\n\n", compared)
	tellCase(stdout, again)
	f.target.verdict = targetVerdict(c, again)
	return nil
}

// play plays the case by the control API, or by hand.
func (f *targetFlags) play(ctx context.Context, c *replay.Case, inside *play.Sandbox, stdin io.Reader, stdout io.Writer) (*recording.Recording, error) {
	client := &http.Client{Timeout: time.Minute}
	at := &play.Sandbox{Base: f.target, HTTP: client, Routes: inside.Routes, Token: f.controlToken}
	script := c.ToTarget()
	var err error
	if at.Control, err = f.control(ctx, client); err != nil {
		return nil, err
	}
	if at.Control != "" {
		_, _ = fmt.Fprintf(stdout, "\nPlayed to a fresh integration of %s, by its control API.\n", f.target)
		there, problems, err := at.Record(ctx, &script)
		for _, p := range problems {
			_, _ = fmt.Fprintln(stdout, p)
		}
		return there, unreached(err)
	}
	hand := &play.ByHand{ClientID: f.clientID, ClientSecret: f.clientSecret, Due: c.Due(), Now: time.Now}
	if f.clientID == "" || f.clientSecret == "" {
		return nil, badUsage("give --client-id and --client-secret, or the control API with --control-url and --control-token",
			"%s has no control API that is open, so no fresh integration can be made there", f.target)
	}
	if tasks := hand.Tasks(&script); len(tasks) > 0 && !terminal(stdin) {
		return nil, badUsage("run it at a terminal, or name the control API with --control-url",
			"%d things have to be done at %s by hand, and there is no terminal at which to say that they are:\n  %s", len(tasks), f.target, strings.Join(tasks, "\n  "))
	}
	return playByHand(ctx, at, &script, hand, stdin, stdout)
}

// playByHand plays a script to a service and asks somebody for what it cannot be asked.
func playByHand(ctx context.Context, at *play.Sandbox, script *play.Script, hand *play.ByHand, stdin io.Reader, stdout io.Writer) (*recording.Recording, error) {
	asker := &asker{in: bufio.NewScanner(stdin), out: stdout, of: len(hand.Tasks(script))}
	hand.Do = asker.ask
	_, _ = fmt.Fprintf(stdout, "\nPlayed to %s, which has no control API that is open. Things to do there by hand: %d. No webhook of it is seen.\n", at.Base, asker.of)
	there, err := at.RecordByHand(ctx, script, hand)
	return there, unreached(err)
}

// control is the address of the target's control API, "" for none.
func (f *targetFlags) control(ctx context.Context, client *http.Client) (string, error) {
	if f.controlURL == verify.NoControl {
		return "", nil
	}
	at, named := f.controlURL, f.controlURL+f.controlToken != ""
	if at == "" {
		at = f.target
	}
	var header []string
	if f.controlToken != "" {
		header = []string{"Authorization", "Bearer " + f.controlToken}
	}
	a, err := (&partner.Client{Base: at, HTTP: client}).Send(ctx, http.MethodGet, "/_sandbox/integrations", nil, header...)
	switch {
	case err != nil:
		return "", unreached(err)
	case a.Status == http.StatusOK:
		return at, nil
	case named:
		return "", badUsage("`paysandbox serve` prints its control API and token", "the control API at %s answers %d", at, a.Status)
	default:
		return "", nil
	}
}

// unreached says that a target broke: that is no mistake on the command line.
func unreached(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("the target: %w", err)
}

// asker asks somebody at a terminal to do things.
type asker struct {
	in    *bufio.Scanner
	out   io.Writer
	n, of int
}

// ask says what has to be done, and waits for Enter.
func (a *asker) ask(ctx context.Context, t play.Task) error {
	a.n++
	var b strings.Builder
	fmt.Fprintf(&b, "\nBy hand, %d of %d: %s\n", a.n, a.of, t.What)
	for _, id := range t.IDs {
		fmt.Fprintf(&b, "  %s is %s there\n", id.Recorded, id.Replayed)
	}
	if t.Page != "" {
		fmt.Fprintf(&b, "  page: %s\n", t.Page)
	}
	b.WriteString("Press Enter when it is done: ")
	if _, err := io.WriteString(a.out, b.String()); err != nil {
		return err
	}
	if !a.in.Scan() || ctx.Err() != nil {
		return badUsage("run it at a terminal, and press Enter after each", "given up at thing %d of %d: nobody said that it is done", a.n, a.of)
	}
	return nil
}

// tellAnswers tells each call's status: as recorded, and as the target has answered.
func tellAnswers(w io.Writer, c *replay.Case, there *recording.Recording) {
	var b strings.Builder
	n := 0
	for i := range c.Run.Script.Steps {
		call := c.Run.Script.Steps[i].Call
		if call == nil || n >= len(there.Exchanges) {
			continue
		}
		x := &there.Exchanges[n]
		n++
		recorded := "assumed"
		if call.N != play.Prelude {
			recorded = "recorded " + statusText(call.Exchange.Answer)
		}
		mark := " "
		if call.N != play.Prelude && call.Exchange.Answer.Status > 0 && call.Exchange.Answer.Status != x.Answer.Status {
			mark = "≠"
		}
		fmt.Fprintf(&b, "%s %3d  %-22s there %-14s %s %s\n", mark, n, recorded, statusText(x.Answer), x.Method, x.Path)
	}
	_, _ = io.WriteString(w, b.String())
}

func statusText(a recording.Answer) string {
	if a.Status == 0 {
		return string(a.Known)
	}
	return fmt.Sprint(a.Status)
}

// targetVerdict is how the command ends: what a target is at fault for, or shows besides
// what the files do, is a failure.
func targetVerdict(was, is *replay.Case) error {
	if is.Diagnosis.Side == diagnose.Partner && was.Signature() == is.Signature() {
		return nil
	}
	err := caseVerdict(is)
	var told *verdictError
	if errors.As(err, &told) && told.code == verdict.CodeFailed {
		told.text = "at the target, " + told.text
	}
	return err
}
