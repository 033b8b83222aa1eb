package excerpt

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// Bounds of what is looked through for pages: how many lines behind a call may tell of its page, how long such a line is, how deep its
// object is, and how many ids a page has.
const (
	behindCall = 12
	longLine   = 64 << 10
	pageDepth  = 4
	mostIDs    = 500
)

// Pages notes what logs tell in words of their own of the pages of reports whose answers they do not show: the ids of the rows, which may
// be shortened, and the cursor of the next page. Each page stands behind its call, before the next one.
func Pages(files []source.File, r *recording.Recording) {
	for _, f := range files {
		calls := reports(r, f.Name)
		if len(calls) == 0 {
			continue
		}
		lines := bytes.Split(f.Head(mostLog), []byte("\n"))
		at := slices.Sorted(maps.Keys(calls))
		for i, line := range at {
			end := min(len(lines), line+behindCall)
			if i+1 < len(at) {
				end = min(end, at[i+1]-1)
			}
			x := calls[line]
			if x == nil || x.Page != nil || line > end {
				continue
			}
			x.Page = onlyPage(lines[line:end], runOf(lines[line-1]))
		}
	}
}

// reports are the calls for reports by the lines of a file at which they stand, nil for one whose answer is shown, or is no page.
func reports(r *recording.Recording, file string) map[int]*recording.Exchange {
	calls := map[int]*recording.Exchange{}
	for i := range r.Exchanges {
		x := &r.Exchanges[i]
		if x.Place.Source != file || x.Place.Line == 0 || !strings.HasSuffix(strings.ToLower(x.Path), "/transaction/report") {
			continue
		}
		if calls[x.Place.Line] = nil; x.Answer.Known == recording.WithoutBody && x.Answer.Status == 200 {
			calls[x.Place.Line] = x
		}
	}
	return calls
}

// onlyPage is the page that one of some lines tells of, nil where none does, or several: whose they are is not known then.
func onlyPage(lines [][]byte, run string) (page *recording.Page) {
	for _, line := range lines {
		if len(line) > longLine || !mayTellPage(line) {
			continue
		}
		if other := runOf(line); run != "" && other != "" && other != run {
			return nil // several runs write one log
		}
		told := pageIn(line)
		if told == nil {
			continue
		}
		if page != nil {
			return nil
		}
		page = told
	}
	return page
}

// mayTellPage says whether a line names a next cursor: nearly none does, and reading an object is dear.
func mayTellPage(line []byte) bool {
	low := bytes.ToLower(line)
	return bytes.Contains(low, []byte("next")) && bytes.Contains(low, []byte("cursor"))
}

// pageIn is the page that a line tells of; nil for none.
func pageIn(line []byte) *recording.Page {
	var members map[string]any
	if at := bytes.IndexByte(line, '{'); at >= 0 && json.NewDecoder(bytes.NewReader(line[at:])).Decode(&members) == nil {
		if p := pageOf(members, pageDepth); p != nil {
			return p
		}
	}
	next := nextNamed().FindSubmatch(line)
	if next == nil {
		return nil
	}
	p := &recording.Page{Next: string(next[1])}
	for _, list := range listed().FindAll(line, mostIDs) {
		p.Rows = append(p.Rows, rowID().FindAllString(string(list), mostIDs)...)
	}
	return usual(p)
}

// pageOf is the page that an object tells of, itself or in one of its members.
func pageOf(members map[string]any, deep int) *recording.Page {
	p := &recording.Page{}
	told := false
	for _, name := range slices.Sorted(maps.Keys(members)) {
		switch value := members[name].(type) {
		case string:
			if isNext(name) {
				p.Next, told = value, true
			}
		case []any:
			for _, row := range value[:min(len(value), mostIDs)] {
				if id := idOf(row); id != "" {
					p.Rows = append(p.Rows, id)
				}
			}
		case map[string]any:
			if deep > 1 {
				if inner := pageOf(value, deep-1); inner != nil {
					return inner
				}
			}
		}
	}
	if !told {
		return nil
	}
	return usual(p)
}

// isNext says whether a member is named as the cursor of a next page.
func isNext(name string) bool {
	return slices.Contains([]string{"nextcursor", "cursornext", "next"}, strings.ToLower(strings.NewReplacer("_", "", "-", "", ".", "").Replace(name)))
}

// idOf is the id of a row: itself, or the member that holds one, that of the transfer before any other; "" for none.
func idOf(row any) string {
	switch row := row.(type) {
	case string:
		if found := rowID().FindString(row); found == row {
			return row
		}
	case map[string]any:
		best := ""
		for _, name := range slices.Sorted(maps.Keys(row)) {
			id, _ := row[name].(string)
			if id == "" || rowID().FindString(id) != id {
				continue
			}
			if low := strings.ToLower(name); strings.Contains(low, "xfer") || strings.Contains(low, "transfer") {
				return id
			} else if best == "" && strings.HasSuffix(low, "id") {
				best = id
			}
		}
		return best
	}
	return ""
}

// usual is a page that has rows, and names the next one by what may be a cursor; nil for any other.
func usual(p *recording.Page) *recording.Page {
	if len(p.Rows) == 0 || len(p.Next) < 4 || recording.Struck(p.Next) {
		return nil
	}
	return p
}

// runOf is the run of a program of which a line tells, as it names it; "" for none.
func runOf(line []byte) string {
	if found := run().FindSubmatch(line[:min(len(line), longLine)]); found != nil {
		return string(found[1])
	}
	return ""
}

var (
	// rowID is an id, or how one begins.
	rowID = trail.Pattern(`[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){0,3}(?:-[0-9A-Fa-f]{12})?`)
	// listed is a list of ids alone.
	listed = trail.Pattern(`[\[(](?:["' ]{0,2}[0-9A-Fa-f]{8}[0-9A-Fa-f-]{0,28}["'… ,;.]{0,6})+[\])]`)
	// nextNamed is the cursor of the next page behind its name.
	nextNamed = trail.Pattern(`(?i)\bnext[_-]?cursor\\?["']?\s*[=:]\s*\\?["']?([A-Za-z0-9+/=_.~-]{4,400})`)
	// run is how a line names the run of a program that wrote it.
	run = trail.Pattern(`(?i)\b(?:run|run_?id|job_?id|trace_?id|correlation_?id)["']?\s*[=:]\s*["']?([A-Za-z0-9_.-]{2,80})`)
)
