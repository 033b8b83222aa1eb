package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"paysandbox/harness/report/words"
	"paysandbox/harness/trail/told"
)

// newClock shows and moves the virtual clock of a running sandbox.
func newClock(env lookup) *cobra.Command {
	var f controlFlags
	var asJSON bool
	cmd := &cobra.Command{
		Use: "clock", Short: "Show the virtual clock of a running sandbox, or move it",
		Args: noArgs,
		RunE: withEnvironment(env, func(cmd *cobra.Command, _ []string) error {
			answer, err := f.call(cmd.Context(), http.MethodGet, "/clock", nil)
			if err != nil {
				return err
			}
			if asJSON || !terminal(cmd.OutOrStdout()) {
				return pretty(cmd.OutOrStdout(), answer)
			}
			return printClock(cmd.OutOrStdout(), answer)
		}),
	}
	f.declare(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the sandbox's answer as it is, as is done where no terminal is")
	cmd.AddCommand(newAdvance(env))
	return cmd
}

func newAdvance(env lookup) *cobra.Command {
	var f controlFlags
	var asJSON bool
	cmd := &cobra.Command{
		Use: "advance DURATION|TIME|next", Short: "Move the virtual clock forward and show what fired",
		Example: "  paysandbox clock advance 24h\n  paysandbox clock advance 2026-04-01T18:00:00Z\n  paysandbox clock advance next",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return badUsage("for example `paysandbox clock advance 24h`", "clock advance takes one argument, got %d", len(args))
			}
			return nil
		},
		RunE: withEnvironment(env, func(cmd *cobra.Command, args []string) error {
			answer, err := f.call(cmd.Context(), http.MethodPost, "/clock/advance", move(args[0]))
			if err != nil {
				return err
			}
			if asJSON {
				return pretty(cmd.OutOrStdout(), answer)
			}
			return printMove(cmd.OutOrStdout(), answer)
		}),
	}
	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		if negative(err) {
			return badUsage("`paysandbox snapshot restore NAME` takes the whole world back to a snapshot", "clock advance: time does not go back")
		}
		return cmd.Root().FlagErrorFunc()(cmd, err)
	})
	f.declare(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the sandbox's answer as it is")
	return cmd
}

// forPeople is how times are written on a terminal.
const forPeople = "2006-01-02 15:04:05 UTC"

// printClock says where the clock stands and what it waits for.
func printClock(w io.Writer, answer []byte) error {
	var c struct {
		Mode string
		Now  time.Time
		Next *time.Time
	}
	if err := json.Unmarshal(answer, &c); err != nil {
		return fmt.Errorf("the sandbox's answer is not what it should be: %w", err)
	}
	how, next := "stands still until it is moved", "nothing is due"
	if c.Mode != "manual" {
		how = "runs with the wall clock"
	}
	if c.Next != nil {
		next = "something is due in " + c.Next.Sub(c.Now).Round(time.Second).String() + ", at " + c.Next.UTC().Format(forPeople)
	}
	_, err := fmt.Fprintf(w, "It is %s; the clock %s.\n%s.\n", c.Now.UTC().Format(forPeople), how, strings.ToUpper(next[:1])+next[1:])
	return err
}

// move reads the word behind advance.
func move(word string) map[string]string {
	switch {
	case word == "next":
		return map[string]string{"until": "next"}
	case strings.Contains(word, "T"):
		return map[string]string{"to": word}
	default:
		return map[string]string{"by": word}
	}
}

// fired is one tape entry, as far as a timeline tells it.
type fired struct {
	At         string `json:"at"`
	Kind       string `json:"kind"`
	Entities   []string
	Timer      *struct{ Name string }
	Transition *struct{ Machine, From, To, Reason string }
	Event      *struct{ Name string }
	Message    *struct{ Channel, To, Template string }
	Attempt    *struct {
		Number int
		URL    string
		Status int
		Error  string
	}
}

// printMove prints what fired, a line each.
func printMove(w io.Writer, answer []byte) error {
	var a struct {
		Now     string  `json:"now"`
		Fired   []fired `json:"fired"`
		Omitted uint64  `json:"omitted"`
	}
	if err := json.Unmarshal(answer, &a); err != nil {
		return fmt.Errorf("the sandbox's answer is not what it should be: %w", err)
	}
	n := 0
	for _, e := range a.Fired {
		if text := e.tell(); text != "" {
			tellLines(w, strings.Repeat(" ", len(e.At)+1), told.Clean(e.At)+"  "+told.Clean(text))
			n++
		}
	}
	switch {
	case a.Omitted > 0:
		_, _ = fmt.Fprintf(w, "and %d entries more; the tape has them all\n", a.Omitted)
	case n == 0:
		_, _ = fmt.Fprintln(w, "nothing was due")
	}
	_, err := fmt.Fprintf(w, "now it is %s\n", told.Clean(a.Now))
	return err
}

// tell is the entry in a few words; the move itself says nothing.
func (e *fired) tell() string {
	switch {
	case e.Timer != nil:
		return "timer " + e.Timer.Name
	case e.Transition != nil:
		return fmt.Sprintf("%s %s: %s → %s", e.Transition.Machine, first(e.Entities), e.Transition.From, e.Transition.To) + words.After(", ", e.Transition.Reason)
	case e.Event != nil:
		return "event " + e.Event.Name
	case e.Message != nil:
		return e.Message.Channel + " to " + e.Message.To + ": " + e.Message.Template
	case e.Attempt != nil && e.Attempt.Status > 0:
		return fmt.Sprintf("webhook attempt %d to %s answered %d", e.Attempt.Number, e.Attempt.URL, e.Attempt.Status)
	case e.Attempt != nil:
		return fmt.Sprintf("webhook attempt %d to %s failed: %s", e.Attempt.Number, e.Attempt.URL, e.Attempt.Error)
	default:
		return ""
	}
}

func first(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[0]
}
