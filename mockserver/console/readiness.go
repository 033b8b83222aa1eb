package console

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"paysandbox/mockserver/console/cases"
	"paysandbox/mockserver/console/readiness"
	"paysandbox/mockserver/integration"
)

// missing is one of what is missing, with the button that arms its rehearsal.
type missing struct {
	readiness.Missing

	Button act
	// NoEndpoint says that its trouble needs a webhook endpoint, and there is none.
	NoEndpoint bool
}

// readinessPage is what the screen Readiness shows.
type readinessPage struct {
	readiness.Verdict
	// Root begins the addresses of entries; empty where they are of another tape.
	Root     string
	Blockers []readiness.Clause
	Areas    []area
	Counts   []count
	Coverage []covered
	// Share is how much of all that can be used has been used, in percent.
	Share   int
	Trend   []readiness.Point
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
	// Stored are the verdicts of stored reports, Drops that one can be opened, and Report
	// is the one that is shown instead of the verdict on the tape.
	Stored []readiness.Series
	Drops  bool
	Report *readiness.Stored
}

// Numbers are entries of the tape that the page is about.
func (p *readinessPage) Numbers(entries []uint64) numbers { return numbers{p.Root, entries} }

type numbers struct {
	Root    string
	Entries []uint64
}

// area is the tiles of one area.
type area struct {
	Name    string
	Clauses []readiness.Clause
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
	p := readinessPage{Root: v.root(), Name: v.frame.Name, None: v.console.opts.Judge == nil, Stored: readiness.Trends(v.console.reports()), Drops: v.console.opts.Report != nil}
	first, last := v.from.Bounds()
	if p.Quiet = last == 0; !p.None && !p.Quiet {
		p.Entries = last - first + 1
		verdict := v.console.verdicts.of(v, last)
		p.cover(v) // while it is judged
		j, underWay := verdict()
		if j.err != nil {
			v.failed(j.err)
			return
		}
		p.Verdict, p.Judging, p.Behind, p.UpTo = j.verdict, underWay && j.upTo == 0, last-min(j.upTo, last), j.upTo
		p.Trend = j.trend
		p.Again = underWay || p.Behind > 0
		p.sort()
		p.rehearse(v)
	}
	v.show(http.StatusOK, "readiness", &p)
}

// reports are the stored reports that are known here.
func (c *Console) reports() []*readiness.Stored {
	list := c.stored.List()
	if c.opts.Reports != nil {
		list = append(list, c.opts.Reports()...)
	}
	return list
}

// keepReports keeps stored reports, all or none, and leads to the one, or to their trend.
func (v *visit) keepReports(files []cases.File) {
	list := make([]*readiness.Stored, len(files))
	for n, f := range files {
		var err error
		if list[n], err = v.console.opts.Report(f.Name, f.Data); err != nil {
			v.askFile(http.StatusBadRequest, []string{f.Name + ": " + err.Error() + ".", "Reports are opened together, and nothing else with them. Nothing was opened."})
			return
		}
	}
	for n, r := range list {
		back, err := v.console.opts.Registry.Budget().Reserve(openWeight * int64(len(files[n].Data)))
		if err != nil {
			v.askFile(http.StatusInsufficientStorage, []string{"There is no memory left to keep " + r.Name + ": reset or delete integrations, or give the process more by --memory."})
			return
		}
		v.console.stored.Put(r, back)
	}
	if len(list) == 1 {
		v.goTo(common + "reports/" + list[0].ID)
		return
	}
	v.goTo(Prefix + "/" + integration.DefaultID + "/readiness#stored")
}

// report shows a stored report as the verdict on a tape is shown.
func (v *visit) report() {
	list, id := v.console.reports(), v.r.PathValue("report")
	at := slices.IndexFunc(list, func(r *readiness.Stored) bool { return r.ID == id })
	if at < 0 {
		v.refuse(http.StatusNotFound, "This report is not here any more", "The console keeps the last reports that were opened, in memory only, and reads those of the folder that --reports names. Open the file again.")
		return
	}
	r := list[at]
	p := readinessPage{Name: r.Name, Verdict: r.Verdict, Report: r}
	list = slices.DeleteFunc(list, func(o *readiness.Stored) bool { return o.Kind != r.Kind || o.Of != r.Of })
	p.Stored = readiness.Trends(list)
	p.sort()
	p.rehearse(v)
	v.common("readiness", r.Name) // which prints on one sheet
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
	slices.SortStableFunc(p.Counts, func(a, b count) int {
		return cmp.Or(cmp.Compare(readiness.Rank(a.Tone), readiness.Rank(b.Tone)), cmp.Compare(b.N, a.N))
	})
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
