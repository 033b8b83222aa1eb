package main

import (
	"context"
	"errors"

	"paysandbox/harness/replay"
	"paysandbox/harness/replay/diagnose"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/mockserver/console"
)

// caseOf makes the case that the console shows, as `paysandbox replay FILE` does.
func caseOf(ctx context.Context, name string, file []byte) (console.Case, error) {
	sandbox, again, stop, err := replaySandbox(ctx)
	if err != nil {
		return console.Case{}, err
	}
	told := ""
	clean := func(r recording.Recording) (c recording.Recording) { c, told = scrubbed(r, false); return c }
	c, err := replay.MakeCase(ctx, []source.File{{Name: name, Data: file}}, clean, replay.Options{Sandbox: sandbox, Again: again, Knobs: knobs(), Parallel: 1})
	if err = errors.Join(err, stop()); err != nil {
		return console.Case{}, err
	}
	if told != "" {
		c.Notes = append(c.Notes, told)
	}
	d := &c.Diagnosis
	return console.Case{
		Side: string(d.Side), Tone: sideTones[d.Side], Lines: d.Lines, Assumptions: append(c.Assumptions, c.Chosen()...), Notes: c.Notes, Differences: differing(c),
	}, nil
}

// sideTones are the colours of the sides.
var sideTones = map[diagnose.Side]string{
	diagnose.Partner: "bad", diagnose.Service: "bad", diagnose.Undecidable: "warn", diagnose.Choice: "good", diagnose.Nobody: "good",
}

// differing tells the differences of a case, each with its class.
func differing(c *replay.Case) []string {
	var list []string
	for i := range c.Differences {
		list = append(list, string(c.Differences[i].Class)+": "+c.Differences[i].Text())
	}
	return list
}
