package replay

import (
	"context"
	"strings"
	"time"

	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/recording"
	"paysandbox/mockserver/tape"
)

// expires is how long at least a call comes after the one before it for a refusal to
// tell that something has expired.
const expires = time.Minute

// Due lists what time alone brought when the case was played, and what had expired.
func (c *Case) Due() []play.Due {
	var list []play.Due
	timers := map[uint64]bool{}
	for i := range c.Run.Entries {
		e := &c.Run.Entries[i]
		timers[e.Seq] = e.Kind == tape.KindTimer
		m := e.Transition
		if m == nil || m.From == "" || !timers[e.Cause] || strings.HasPrefix(m.Machine, "webhook") {
			continue
		}
		if id, known := c.Run.Links.Recorded(m.Entity); known {
			list = append(list, play.Due{At: time.Unix(0, e.At).UTC(), Machine: m.Machine, Entity: id, To: m.To})
		}
	}
	last := c.Run.Script.World.Start
	for i := range c.Run.Answers {
		a := &c.Run.Answers[i]
		at := c.Run.Script.Steps[a.Step].At
		if (a.Status == 401 || a.Status == 410) && at.Sub(last) >= expires {
			list = append(list, play.Due{At: at, Call: a.N})
		}
		last = at
	}
	return list
}

// ToTarget is the script that is played to a service which is no fresh sandbox of ours:
// without the moves that were not possible here.
func (c *Case) ToTarget() play.Script { return possible(c.Run) }

// Against makes the case of what a service has answered when this case was played to it,
// and says in a sentence how it compares.
func (c *Case) Against(ctx context.Context, there *recording.Recording, o Options) (*Case, string, error) {
	again, err := Make(ctx, there, nil, o)
	if err != nil {
		return nil, "", err
	}
	was, is := c.Diagnosis.Fault, again.Diagnosis.Fault
	switch {
	case was == nil && is == nil:
		return again, "Nothing went wrong in the files, and nothing does there.", nil
	case is == nil:
		return again, "The fault of the files is gone there: " + was.Text(), nil
	case was != nil && c.Signature() == again.Signature():
		return again, "The same fault shows there as in the files.", nil
	default:
		return again, "Another fault shows there than in the files: " + is.Text(), nil
	}
}
