package main

import (
	"errors"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"paysandbox/harness/observe/judge"
	"paysandbox/harness/report"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// telling writes the report of an observation.
type telling struct {
	collector *report.Collector
	writers   *reports
	began     time.Time
	// say tells people, on standard error, what stands in no report on the terminal.
	say func(string)
	// tape is the file that the tape was saved in, if any.
	tape string
	// history is the file that keeps what each run came to, if any.
	history string
	// took is how long the session was; 0 is until now.
	took time.Duration
}

// start tells what is judged, and with what.
func (t *telling) start(meta *tape.Meta, r report.Run) {
	r.Tool, r.Version, r.Seed, r.Started = "paysandbox", version, meta.Seed, t.began
	t.collector.RunStarted(r)
}

// end tells what it came to, writes the reports, and gives the verdict as an
// error.
func (t *telling) end(judged *judge.Judgement) error {
	if judged.End.Duration = t.took; t.took == 0 {
		judged.End.Duration = time.Since(t.began)
	}
	judged.Tell(t.collector)
	r := t.collector.Report()
	if err := errors.Join(t.writers.write(r), keepRun(t.history, r)); err != nil {
		return err
	}
	t.writers.tellWhere(r, t.tape, t.say)
	_, told := t.writers.paths()
	return readinessError(r, told)
}

// lasted is how long a session was by its tape: what a running clock was moved by
// is taken out.
func lasted(meta *tape.Meta, entries []tape.Entry) time.Duration {
	if len(entries) == 0 {
		return 0
	}
	span := entries[len(entries)-1].At - meta.Start
	for i := range entries {
		if c := entries[i].Clock; c != nil && meta.Clock == "real" {
			span -= c.To - c.From
		}
	}
	return time.Duration(max(span, 1))
}

// environment adds to who was watched where that was.
func environment(who, where string) string {
	if where == "" {
		return who
	}
	return who + " in the " + where + " environment"
}

// readinessError is the verdict as an error, nil where the gate is met: what was
// found, and in a sentence of its own what went wrong besides. told says that a report on
// the standard output has told it.
func readinessError(r *report.Report, told bool) error {
	if r.ExitCode == verdict.CodeMet {
		return nil
	}
	text, reason := r.Headline(), r.Reason
	if reason != "" && !strings.Contains(strings.ToLower(text), strings.ToLower(reason)) {
		text += ". " + strings.ToUpper(reason[:1]) + reason[1:]
	}
	return &verdictError{code: r.ExitCode, text: text, told: told}
}

// sayEvery is how often it is told that something is still waited for.
const sayEvery = 15 * time.Second

// waiting tells what is waited for, when that changes and every now and then.
type waiting struct {
	say  func(string)
	last string
	said time.Time
}

// progress takes a text such as "waiting for … (20 s of 5 min)", or news such as
// what a call lacks, which are told as they come.
func (w *waiting) progress(text string) {
	if !strings.HasPrefix(text, "waiting for ") { // it is news
		w.say(text)
		return
	}
	what, _, _ := strings.Cut(text, " (")
	now := time.Now()
	if what == w.last && now.Sub(w.said) < sayEvery {
		return
	}
	w.last, w.said = what, now
	w.say(text)
}

// again is the command line that judges the same again: the saved tape, or what is
// watched once more in the same sandbox. Secrets are no part of it.
func (o *observation) again() string {
	f := o.flags
	if f.saveTape != "" {
		return "paysandbox observe --tape " + shellWord(f.saveTape) + f.gate()
	}
	words := append([]string{"paysandbox", "observe"}, o.names...)
	words = append(words, "--seed", strconv.FormatUint(o.announced.Seed, 10), "--environment", o.announced.Environment)
	words = append(words, choices(f.sandbox.latitude, f.sandbox.vary, f.sandbox.strict)...)
	if f.noFaults {
		words = append(words, "--no-faults")
	}
	if f.stateURL != "" {
		words = append(words, "--state-url", f.stateURL)
	}
	if f.uses == "polling" {
		words = append(words, "--uses", f.uses)
	}
	line := shellLine(words) + f.gate()
	if len(o.command) > 0 {
		line += " -- " + shellLine(o.command)
	}
	return line
}

// shellWord quotes a word of a command line where that is needed.
func shellWord(s string) string {
	if s != "" && strings.IndexFunc(s, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("-_./:=,@%+", r)
	}) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// shellLine is a command line that a shell reads as these words.
func shellLine(words []string) string {
	quoted := make([]string, 0, len(words))
	for _, w := range words {
		quoted = append(quoted, shellWord(w))
	}
	return strings.Join(quoted, " ")
}

// addTo adds to a judgement what the tape does not tell.
func (o *observation) addTo(judged *judge.Judgement) {
	if o.failed != "" {
		o.notes = append(o.notes, "The observed command failed: "+o.failed+".")
		o.say("the observed command failed: " + o.failed)
		judged.CommandFailed(o.failed)
	}
	if o.broken != nil {
		o.notes = append(o.notes, "The watching broke: "+o.broken.Error())
		judged.Broke(o.broken)
	}
}

// observed is who was watched, in words.
func (o *observation) observed() string {
	who := "whoever called"
	switch {
	case len(o.command) > 0:
		who = shellLine(o.command)
	case len(o.names) > 0:
		who = "whoever lived the journeys " + strings.Join(o.names, ", ")
	}
	return environment(who, o.announced.Environment)
}

// shownAgent is a User-Agent that is fit to be shown: printable, and not too long.
var shownAgent = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[!-~]([ -~]{0,58}[!-~])?$`) })

// mostAgents is how many User-Agents name an application.
const mostAgents = 3

// callers names who called on a tape: by the User-Agents of their calls, in the order in
// which they are met.
func callers(entries []tape.Entry) string {
	var agents []string
	for i := range entries {
		if entries[i].Kind != tape.KindExchange || entries[i].Exchange == nil {
			continue
		}
		for _, h := range entries[i].Exchange.Request.Header {
			if http.CanonicalHeaderKey(h.Name) == "User-Agent" && shownAgent().MatchString(h.Value) && !slices.Contains(agents, h.Value) && len(agents) < mostAgents {
				agents = append(agents, h.Value)
			}
		}
	}
	if agents == nil {
		return "whoever called"
	}
	return "whoever called as " + strings.Join(agents, ", ")
}
