package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"paysandbox/cmd/paysandbox/traffic"
	"paysandbox/harness/replay"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/trail"
	"paysandbox/harness/trail/told"
)

// stepper carries a case out step by step, as somebody at the terminal says.
type stepper struct {
	session *play.Session
	total   int
	out     io.Writer
	last    *play.Done
	// skipped and edited count the steps that were left out or changed, done those that were carried out; passed is the
	// time that was let pass besides. others are the calls that were answered otherwise than recorded.
	skipped, edited, done int
	passed                time.Duration
	others                []string
}

// changed says whether the world is another than that of the files.
func (s *stepper) changed() bool { return s.skipped+s.edited > 0 || s.passed > 0 }

// ended tells what was done in the end, where that is not what the files tell.
func (s *stepper) ended() {
	if !s.changed() {
		return
	}
	s.say("\nThis world is another than that of the files: %d steps were carried out, %d left out, %d changed, and %s let pass besides.\n", s.done, s.skipped, s.edited, s.passed)
	if len(s.others) == 0 {
		s.say("Each call that was made was answered as recorded.\n")
	}
	for _, line := range s.others {
		s.say("Answered otherwise than recorded: %s\n", line)
	}
}

const stepHelp = `  next [N]          carry the next step out, or N of them (also: Enter)
  edit {…}          send this body with the next call instead
  edit METHOD PATH  make the next call this one instead
  skip              leave the next step out
  why               what the last step has caused, and why it was refused
  advance 10m       let time pass
  quit              end it
`

// step plays a case step by step until its end, the input's end, or quit, and says whether something else was done
// than the files tell.
func step(ctx context.Context, sandbox *play.Sandbox, c *replay.Case, in io.Reader, out io.Writer) (changed bool, err error) {
	session, err := sandbox.Session(ctx, &c.Script)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, session.Close(ctx)) }()
	s := &stepper{session: session, total: len(c.Script.Steps), out: out}
	defer func() { s.ended(); changed = s.changed() }()
	s.say("\nStep by step: %d steps. Say:\n%s", s.total, stepHelp)
	for lines := bufio.NewScanner(in); ; {
		s.upcoming()
		s.say("> ")
		if !lines.Scan() || ctx.Err() != nil {
			return false, lines.Err()
		}
		word, rest, _ := strings.Cut(strings.TrimSpace(lines.Text()), " ")
		if word == "quit" || word == "q" {
			return false, nil
		}
		if err := s.command(ctx, word, strings.TrimSpace(rest)); err != nil {
			return false, err
		}
	}
}

func (s *stepper) say(format string, args ...any) { _, _ = fmt.Fprintf(s.out, format, args...) }

// upcoming tells the next step.
func (s *stepper) upcoming() {
	next, n := s.session.Next()
	if next == nil {
		s.say("\nThat was the last step: say why, advance or quit.\n")
		return
	}
	recorded := ""
	if next.Call != nil && next.Call.Exchange.Answer.Status > 0 {
		recorded = fmt.Sprintf("   (recorded: %d)", next.Call.Exchange.Answer.Status)
	}
	s.say("\n%d of %d, %s\n  %s%s\n", n, s.total, s.session.Now().Format("2006-01-02 15:04:05Z"), trail.Show([]byte(next.Text())), recorded)
}

// command does what was said. An error ends the session; what was said wrongly does not.
func (s *stepper) command(ctx context.Context, word, rest string) error {
	switch word {
	case "", "next", "n":
		return s.next(ctx, rest)
	case "skip", "s":
		if step, _ := s.session.Next(); step != nil {
			s.session.Skip()
			s.skipped++
		}
	case "edit", "e":
		s.edit(rest)
	case "why", "w":
		s.why()
	case "advance", "a":
		return s.advance(ctx, rest)
	default:
		s.say("  there is no %q; say one of:\n%s", word, stepHelp)
	}
	return nil
}

// advance lets a time pass.
func (s *stepper) advance(ctx context.Context, said string) error {
	by, wrong := time.ParseDuration(said)
	if wrong == nil && by > 0 {
		done, err := s.session.Advance(ctx, by)
		if err != nil {
			return err
		}
		s.last, s.passed = done, s.passed+by
		s.caused()
		return nil
	}
	s.say("  advance wants a time such as 90s, 10m or 24h, not %q\n", said)
	return nil
}

// next carries as many steps out as was said; one when nothing was.
func (s *stepper) next(ctx context.Context, said string) error {
	times, wrong := strconv.Atoi(cmp.Or(said, "1"))
	if wrong != nil || times < 1 {
		s.say("  next wants a number from 1, not %q\n", said)
	}
	for ; times > 0; times-- {
		step, n := s.session.Next()
		if step == nil {
			return nil
		}
		done, err := s.session.Do(ctx)
		if err != nil {
			return err
		}
		s.last = done
		s.done++
		switch {
		case done.Answer != nil:
			s.compare(n, step, done.Answer)
			s.say("  → %d %s\n", done.Answer.Status, trail.Show(s.session.Recorded(done.Answer.Body)))
		case done.Problem != "":
			s.say("  → not possible: %s\n", done.Problem)
		default:
			s.caused()
		}
	}
	return nil
}

// edit changes the call to come.
func (s *stepper) edit(rest string) {
	next, _ := s.session.Next()
	if next == nil {
		s.say("  no call is left to be changed: one is edited before it is carried out\n")
		return
	}
	if next.Call == nil {
		s.say("  the next step is no call; skip it, or say next\n")
		return
	}
	step, call := *next, *next.Call
	if method, path, ok := strings.Cut(rest, " "); ok && strings.HasPrefix(strings.TrimSpace(path), "/") {
		call.Exchange.Method = strings.ToUpper(method)
		call.Exchange.Path, call.Exchange.Query, _ = strings.Cut(strings.TrimSpace(path), "?")
		if call.Exchange.Method == http.MethodGet {
			call.Exchange.Body = nil
		}
	} else if json.Valid([]byte(rest)) {
		call.Exchange.Body, call.Fault = []byte(rest), ""
	} else {
		s.say("  edit wants a body that is JSON, or a method and a path such as GET /Company/List\n")
		return
	}
	step.Call = &call
	s.session.Edit(&step)
	s.edited++
}

// compare notes an answer that is another than was recorded.
func (s *stepper) compare(n int, step *play.Step, a *play.Answered) {
	x := &step.Call.Exchange
	if was := x.Answer.Status; was > 0 && was != a.Status && step.Call.N != play.Prelude {
		s.others = append(s.others, fmt.Sprintf("step %d, %s %s, with %d instead of %d", n, x.Method, trail.Show([]byte(x.Path)), a.Status, was))
	}
}

// why tells what the last step came to.
func (s *stepper) why() {
	switch {
	case s.last == nil:
		s.say("  nothing was done yet\n")
		return
	case s.last.Answer != nil && s.last.Answer.Status >= 400:
		b := trail.ReadBody(s.last.Answer.Body)
		s.say("  refused with %d: %s\n", s.last.Answer.Status, b.Text("detail"))
		for _, f := range b.List("findings") {
			s.say("    %s (clause %s): received %s, expected %s; %s\n", f.Text("pointer"), f.Text("clause"), f.Text("received"), f.Text("expected"), f.Text("fix"))
		}
	case s.last.Answer != nil:
		s.say("  served with %d\n", s.last.Answer.Status)
	}
	s.caused()
}

// caused tells the entries that the last step has left on the tape.
func (s *stepper) caused() {
	var b bytes.Buffer
	printer := &traffic.Text{W: &b}
	for i := range s.last.Caused {
		if line, ok := told.Among(s.last.Caused, i); ok {
			printer.Line("", &line)
		}
	}
	if text := strings.TrimRight(string(s.session.Recorded(b.Bytes())), "\n"); text != "" {
		s.say("    %s\n", strings.ReplaceAll(text, "\n", "\n    "))
	}
}
