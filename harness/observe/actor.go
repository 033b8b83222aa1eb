package observe

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"paysandbox/harness/partner"
)

// Announcer is the actor of a journey that is observed: it tells the tasks of the
// story to whoever does them, to a person in words and to a program as JSON lines.
type Announcer struct {
	// Say hears the task in words: all of them, or their first line when there is a
	// program that takes it.
	Say func(line string)
	// Lines takes one JSON line a task; nil when nobody reads them. A program that
	// does not read them, or has gone, is no error: what counts is what it does.
	Lines io.Writer
}

// Perform announces a task and returns: whether it is done is seen on the tape.
func (a *Announcer) Perform(_ context.Context, t partner.Task) error {
	line, err := json.Marshal(t)
	if err != nil {
		return fmt.Errorf("announce task %d: %w", t.ID, err)
	}
	if a.Say != nil {
		say := t.Say
		if a.Lines != nil { // the program has the rest
			say, _, _ = strings.Cut(say, "\n")
		}
		a.Say(fmt.Sprintf("task %d: %s", t.ID, say))
	}
	if a.Lines != nil {
		_, _ = a.Lines.Write(append(line, '\n'))
	}
	return nil
}

// Settle returns at once: an announcer cannot know what an application still does.
func (a *Announcer) Settle(context.Context) error { return nil }
