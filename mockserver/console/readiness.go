package console

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"paysandbox/mockserver/tape"
)

// Judge comes to the verdict on a tape: whether the integration that made it is
// ready. cmd hands it in.
type Judge func(ctx context.Context, meta tape.Meta, entries []tape.Entry) (Verdict, error)

// Verdict is whether an integration is ready for production.
type Verdict struct {
	// Word is the verdict, Tone its colour (good, warn or bad), Reason why.
	Word, Tone, Reason string
	// Clauses are all that were judged, in the order of the catalogue.
	Clauses []Clause
	// Missing is what was not seen.
	Missing []Missing
	// Notes tell about the tape what the clauses do not.
	Notes []string
}

// Clause is the verdict on one clause.
type Clause struct {
	ID, Title, Level, Area, Source string
	// Word is the verdict, Tone its colour.
	Word, Tone string
	// Reason is why, Expected, Received and Fix tell the first piece of evidence, and
	// Entries are its numbers on the tape.
	Reason, Expected, Received, Fix string
	Entries                         []uint64
	// Blocks says that it must be mended before production.
	Blocks bool
}

// Missing is a clause that nothing on the tape had to do with.
type Missing struct {
	Clause, Level, Title string
	// How says how to bring it up, Why what stands in the way, and Journeys are those
	// in which it comes up.
	How, Why string
	Journeys []string
	// Rehearsal is trouble that brings it up, nil where no trouble does.
	Rehearsal *Rehearsal
}

// Rehearsal is trouble that shows a clause: a fault for calls to come, or a delivery
// profile for deliveries to come.
type Rehearsal struct {
	// Says tells what happens next.
	Says string
	// Fault is the fault as forms write it: names and values in turn; empty for a profile.
	Fault []string
	// Profile is for the Next deliveries that tell ForStatus, or with an empty one any.
	Profile, ForStatus string
	Next               int
}

// missing is one of what is missing, with the button that arms its rehearsal.
type missing struct {
	Missing

	Button act
	// NoEndpoint says that its trouble needs a webhook endpoint, and there is none.
	NoEndpoint bool
}

// readinessPage is what the screen Readiness shows.
type readinessPage struct {
	Verdict
	Root     string
	Blockers []Clause
	Areas    []area
	Counts   []count
	Coverage []covered
	// Share is how much of all that can be used has been used, in percent.
	Share   int
	Trend   []point
	Missing []missing
	More    int
	// None says that nothing can be judged here; Quiet that nothing has happened.
	None, Quiet bool
	// Judging says that the first verdict is not known yet; Behind counts the entries
	// since the one that is shown, which is on those up to UpTo; Again that another
	// look will show more.
	Judging, Again bool
	Behind, UpTo   uint64
	Name           string
	Entries        uint64
}

// area is the tiles of one area.
type area struct {
	Name    string
	Clauses []Clause
}

// count is how many clauses came to a verdict.
type count struct {
	Word, Tone string
	N          int
}

// covered is how much of what can be used has been used.
type covered struct {
	Name       string
	Seen, All  int
	Percentage int
	Unseen     []string
}

// maxMissing bounds what is listed of the missing.
const maxMissing = 40

// readiness shows the verdict.
func (v *visit) readiness() {
	v.open("readiness", "Readiness")
	p := readinessPage{Root: v.root(), Name: v.frame.Name, None: v.console.opts.Judge == nil}
	first, last := v.from.Bounds()
	if p.Quiet = last == 0; !p.None && !p.Quiet {
		p.Entries = last - first + 1
		j, underWay := v.console.verdicts.of(v, last)
		if j.err != nil {
			v.failed(j.err)
			return
		}
		p.Verdict, p.Judging, p.Behind, p.UpTo = j.verdict, underWay && j.upTo == 0, last-min(j.upTo, last), j.upTo
		p.Trend = j.trend
		p.Again = underWay || p.Behind > 0
		p.sort()
		p.rehearse(v)
		p.cover(v)
	}
	v.show(http.StatusOK, "readiness", &p)
}

// partKnown is the part of which only what was seen is known: it says nothing of a share.
const partKnown = "rules"

// Known says that only what was seen is known of it.
func (c covered) Known() bool { return c.Name == partKnown }

// maxUnseen bounds what is named of what was not seen.
const maxUnseen = 40

// cover asks how much of what can be used has been used.
func (p *readinessPage) cover(v *visit) {
	var c struct {
		Parts []struct {
			Part        string
			Seen, Total int
			Items       []struct {
				Of, Name string
				Count    int
			}
		}
	}
	if v.on == nil || v.get("/coverage", &c) != nil {
		return
	}
	seen, total := 0, 0
	for _, part := range c.Parts {
		if part.Total == 0 {
			continue
		}
		if part.Part != partKnown {
			seen, total = seen+part.Seen, total+part.Total
			p.Share = 100 * seen / total
		}
		one := covered{Name: part.Part, Seen: part.Seen, All: part.Total, Percentage: 100 * part.Seen / part.Total}
		for _, i := range part.Items {
			if i.Count == 0 && len(one.Unseen) < maxUnseen {
				one.Unseen = append(one.Unseen, strings.TrimPrefix(i.Of+": "+i.Name, ": "))
			}
		}
		p.Coverage = append(p.Coverage, one)
	}
}

// sort puts the clauses into their places on the page.
func (p *readinessPage) sort() {
	for _, c := range p.Clauses {
		if c.Blocks {
			p.Blockers = append(p.Blockers, c)
		}
		at := slices.IndexFunc(p.Areas, func(a area) bool { return a.Name == c.Area })
		if at < 0 {
			at = len(p.Areas)
			p.Areas = append(p.Areas, area{Name: c.Area})
		}
		p.Areas[at].Clauses = append(p.Areas[at].Clauses, c)
		at = slices.IndexFunc(p.Counts, func(n count) bool { return n.Word == c.Word })
		if at < 0 {
			at = len(p.Counts)
			p.Counts = append(p.Counts, count{Word: c.Word, Tone: c.Tone})
		}
		p.Counts[at].N++
	}
	slices.SortStableFunc(p.Counts, func(a, b count) int { return cmp.Compare(b.N, a.N) })
}

// rehearse puts what is missing on the page, each with the button that brings it up.
func (p *readinessPage) rehearse(v *visit) {
	list := p.Verdict.Missing
	if p.More = len(list) - maxMissing; p.More > 0 {
		list = list[:maxMissing]
	}
	var hooks struct {
		Webhooks []struct{ ID, Status string }
	}
	if v.frame.Acts {
		_ = v.get("/webhooks", &hooks)
	}
	for _, m := range list {
		row := missing{Missing: m}
		switch r := m.Rehearsal; {
		case r == nil || !v.frame.Acts:
		case len(r.Fault) > 0:
			row.Button = v.frame.Act(http.MethodPost, "/faults", "Rehearse this", "small", r.Fault...)
		default:
			at := slices.IndexFunc(hooks.Webhooks, func(h struct{ ID, Status string }) bool { return h.Status == "Enabled" })
			if row.NoEndpoint = at < 0; !row.NoEndpoint {
				row.Button = v.frame.Act(http.MethodPost, "/webhooks/"+hooks.Webhooks[at].ID+"/profile", "Rehearse this", "small",
					"profile", r.Profile, "next:int", strconv.Itoa(r.Next), "forStatus", r.ForStatus)
			}
		}
		p.Missing = append(p.Missing, row)
	}
}
