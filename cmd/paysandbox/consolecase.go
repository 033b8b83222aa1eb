package main

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"paysandbox/harness/replay"
	"paysandbox/harness/replay/compare"
	"paysandbox/harness/replay/diagnose"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/replay/writeout"
	"paysandbox/mockserver/console/cases"
)

// mostAnswered bounds the answers that one play for the console may hold, in bytes.
const mostAnswered = 64 << 20

// caseOf makes the case that the console shows, as `paysandbox replay FILE...` does.
func caseOf(ctx context.Context, files []cases.File) (*cases.Case, error) {
	told, list, name := "", make([]source.File, len(files)), ""
	for i, f := range files {
		list[i], name = source.File{Name: f.Name, Data: f.Data}, strings.TrimPrefix(name+", "+f.Name, ", ")
	}
	clean := func(r recording.Recording) (c recording.Recording) { c, told = scrubbed(r, false); return c }
	return forConsole(ctx, name, func(o replay.Options) (*replay.Case, error) {
		c, err := replay.MakeCase(ctx, list, clean, o)
		if err == nil && told != "" {
			c.Notes = append(c.Notes, told)
		}
		var unread *source.Error
		if as := "say which it is with --as, or "; errors.As(err, &unread) && strings.HasPrefix(unread.Fix, as) { // a page has no flags
			unread.Expected = "a tape, a report that --format json wrote, or what a partner sent: HAR, curl lines, .http, Postman, JSON lines, a log"
			unread.Fix = strings.TrimPrefix(unread.Fix, as)
		}
		return c, err
	})
}

// forConsole makes a case in a sandbox of its own, as the console shows it.
func forConsole(ctx context.Context, name string, make func(replay.Options) (*replay.Case, error)) (*cases.Case, error) {
	sandbox, again, stop, err := replaySandbox(ctx)
	if err != nil {
		return nil, err
	}
	sandbox.Most = mostAnswered
	c, err := make(replay.Options{Sandbox: sandbox, Again: again, Knobs: knobs(), Parallel: 1})
	if err = errors.Join(err, stop()); err != nil {
		return nil, err
	}
	d := &c.Diagnosis
	return &cases.Case{
		Name: name, Side: string(d.Side), Tone: sideTones[d.Side], Lines: d.Lines, Assumptions: append(slices.Clone(c.Assumptions), c.Chosen()...), Notes: c.Notes,
		Timeline: timeline(c), Minimise: minimised(c, name), Bytes: weight(c), Forms: append(writeout.Forms(), "case"),
		Write: func(form string) ([]byte, string, error) { return caseFile(c, sandbox, form) },
	}, nil
}

// weight is about what a case takes in memory: some 4 KiB for each call that the files tell
// and each entry of its play, and their bodies; and what is shown of these.
func weight(c *replay.Case) int64 {
	const each = 4 << 10
	bytes := int64(1<<20 + each*(len(c.Recording.Exchanges)+len(c.Run.Entries)))
	for i := range c.Run.Entries {
		if e := c.Run.Entries[i].Exchange; e != nil {
			bytes += int64(2 * (len(e.Request.Body) + len(e.Response.Body))) // recorded and replayed
		}
	}
	return bytes
}

// minimised makes the smallest case of one, nil where it has nothing to keep.
func minimised(c *replay.Case, name string) func(context.Context) (*cases.Case, error) {
	if c.Diagnosis.First == nil && c.Diagnosis.Fault == nil || c.Diagnosis.Side == diagnose.Undecidable {
		return nil
	}
	return func(ctx context.Context) (*cases.Case, error) {
		made, err := forConsole(ctx, name+", minimised", func(o replay.Options) (*replay.Case, error) {
			small, result, err := c.Minimise(ctx, "", o)
			if err == nil {
				small.Notes = append(small.Notes, fmt.Sprintf("Minimised in %d plays: %d steps of %d are left.", result.Plays, result.After, result.Before))
			}
			return small, err
		})
		if made != nil {
			made.Minimise = nil // it is
		}
		return made, err
	}
}

// caseFile gives a case in a form: what it holds, and what the file is called.
func caseFile(c *replay.Case, s *play.Sandbox, form string) ([]byte, string, error) {
	if form != "case" {
		content, err := writeout.Write(form, c.Written(s))
		return content, "case" + endings[form], err
	}
	files, err := c.Files(s)
	if err != nil {
		return nil, "", err
	}
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		w, err := z.Create(path.Join("case", name))
		if err != nil {
			return nil, "", err
		}
		if _, err := w.Write(files[name]); err != nil {
			return nil, "", err
		}
	}
	err = z.Close()
	return b.Bytes(), "case.zip", err
}

// endings are those of the files that a case is written to.
var endings = map[string]string{
	"feature": ".feature", "go": "_test.go", "curl": ".sh", "http": ".http", "har": ".har", "html": ".html", "postman": ".postman_collection.json", "tape": ".tape", "markdown": ".md",
}

// timeline tells a case as the console shows it.
func timeline(c *replay.Case) []cases.Row {
	var rows []cases.Row
	for _, h := range c.Timeline() {
		row := cases.Row{Kind: h.Kind, What: h.What, Recorded: h.Recorded, Replayed: h.Replayed, Assumed: h.Assumed}
		if h.N > 0 {
			row.Kind += " " + strconv.Itoa(h.N)
		}
		for i := range h.Faults {
			f := &h.Faults[i]
			if slices.ContainsFunc(h.Differences, func(d compare.Difference) bool { return string(d.Class) == string(f.Side) }) {
				continue // the difference says it
			}
			row.Differs = append(row.Differs, strings.TrimSpace(string(f.Side)+": "+f.Clause+f.Knob+" "+f.What))
			if tone := sideTones[f.Side]; row.Tone != "bad" {
				row.Tone = tone
			}
		}
		if !h.At.IsZero() {
			row.At = h.At.Format("2006-01-02 15:04:05")
		}
		for i := range h.Differences {
			d := &h.Differences[i]
			row.Differs = append(row.Differs, string(d.Class)+": "+d.Sides())
			if tone := classTones[d.Class]; row.Tone != "bad" {
				row.Tone = tone
			}
		}
		row.Bodies = bodiesOf(h.Bodies)
		rows = append(rows, row)
	}
	return rows
}

// bodiesOf are those of a happening, as the console shows them.
func bodiesOf(list []replay.Body) (shown []cases.Body) {
	for _, b := range list {
		one := cases.Body{Name: b.Name, Left: b.Left}
		for _, line := range b.Lines {
			one.Lines = append(one.Lines, cases.Line{Text: line.Text, Tone: classTones[line.Class]})
		}
		shown = append(shown, one)
	}
	return shown
}

// sideTones and classTones are the colours of the sides, and of what differs.
var (
	sideTones = map[diagnose.Side]string{
		diagnose.Partner: "bad", diagnose.Service: "bad", diagnose.Undecidable: "warn", diagnose.Choice: "good", diagnose.Nobody: "good",
	}
	classTones = map[compare.Class]string{compare.Service: "bad", compare.Partner: "bad", compare.Unexplained: "warn", compare.Choice: "good", compare.Nobody: "good"}
)

// differing tells the differences of a case, each with its class.
func differing(c *replay.Case) []string {
	var list []string
	for i := range c.Differences {
		list = append(list, string(c.Differences[i].Class)+": "+c.Differences[i].Text())
	}
	return list
}
