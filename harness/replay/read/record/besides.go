package record

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
)

// besides is what the last line tells of a recording that was made of other files, and that no call tells: of which files it was made,
// for what stands in two files has two clocks, and what these do not hold. They have numbers, for their names may be people's.
type besides struct {
	Files []fileBesides `json:"files"`
}

// fileBesides is one of them; Lost counts what of it could not be read, and may have been a call.
type fileBesides struct {
	recording.Source
	Lost int `json:"lost,omitempty"`
}

// beginsBesides is how that line begins.
const beginsBesides = `{"besides":{`

// besidesOf is what there is to tell besides, nil for nothing, and the number of each file, by its name.
func besidesOf(r *recording.Recording) (*besides, map[string]int) {
	all, of := &besides{}, map[string]int{}
	for _, s := range r.Sources {
		if of[s.Name] > 0 {
			continue
		}
		f := fileBesides{Source: s}
		f.Name = fmt.Sprintf("file %d", len(all.Files)+1)
		of[s.Name] = len(all.Files) + 1
		f.Lacks, f.Offsets = strings.ReplaceAll(s.Lacks, s.Name, f.Name), nil // the times of the lines are the service's
		f.Arrivals = slices.Clone(s.Arrivals)
		for i := range f.Arrivals {
			f.Arrivals[i].Line = 0
		}
		if f.Format == "tape" { // which only the sandbox itself writes
			f.Format, f.Events = "jsonl", 0
		}
		if f.Creator = ""; s.Format == "har" && !s.IsExport() {
			f.Creator = recording.ByUs
		}
		for i := range r.Skipped {
			if k := &r.Skipped[i]; k.Place.Source == s.Name && k.Lost() {
				f.Lost += max(1, k.Count)
			}
		}
		all.Files = append(all.Files, f)
	}
	if len(all.Files) == 0 || len(all.Files) == 1 && all.Files[0].plain(len(r.Received)) {
		return nil, nil
	}
	return all, of
}

// plain says whether there is nothing to tell of a file that was the only one.
func (f *fileBesides) plain(received int) bool {
	return len(f.Arrivals) == 0 && !f.Unheard && f.Lacks == "" && !f.Altered && !f.ReceivedComplete && f.Lost == 0 && !f.IsExport() &&
		f.Format != recording.Unread && (f.Events == 0 || received > 0)
}

// takeBesides takes what the last line of lines tells besides, and leaves the others.
func takeBesides(p *source.Part, data []byte) []byte {
	trimmed := bytes.TrimRight(data, " \t\r\n")
	at := bytes.LastIndexByte(trimmed, '\n') + 1
	var last struct{ Besides besides }
	if !bytes.HasPrefix(trimmed[at:], []byte(beginsBesides)) || json.Unmarshal(trimmed[at:], &last) != nil || len(last.Besides.Files) == 0 || len(last.Besides.Files) > mostFiles {
		return data
	}
	p.Besides = &source.Besides{Of: map[int]int{}}
	name := p.Source().Name
	for i, f := range last.Besides.Files {
		s := f.Source
		if s.Name = name; len(last.Besides.Files) > 1 {
			s.Name = fmt.Sprintf("%s (file %d)", name, i+1)
		}
		if strings.Trim(s.Format, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" || s.Format == "tape" || len(s.Format) > 40 {
			s.Format = "jsonl"
		}
		s.Lacks = strings.ReplaceAll(oneLine(s.Lacks), fmt.Sprintf("file %d", i+1), s.Name)
		s.Creator, s.Offsets, s.Size, s.Events = oneLine(s.Creator), nil, max(0, s.Size), max(0, s.Events)
		s.Arrivals = s.Arrivals[:min(len(s.Arrivals), mostArrivals)]
		p.Besides.Files = append(p.Besides.Files, s)
		if f.Lost > 0 {
			p.Besides.Left = append(p.Besides.Left, recording.Skipped{Place: recording.Place{Source: s.Name}, Why: "what could not be read of the file of which the line was made", Count: f.Lost})
		}
		p.Source().Arrivals = append(p.Source().Arrivals, s.Arrivals...)
	}
	return data[:at]
}

// Bounds of what a last line is believed.
const (
	mostFiles    = 1000
	mostArrivals = 10_000
	longestLacks = 400
)

// oneLine is a text that is one line, and not long.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' {
			return -1
		}
		return r
	}, text[:min(len(text), longestLacks)])
}

// Restore tells of calls and webhooks that were read from lines in which files' numbers stand of which of these they are, as
// what reads them goes by what stands in one file.
func Restore(parts []*source.Part, r *recording.Recording) {
	for _, p := range parts {
		if p.Besides == nil {
			continue
		}
		name := p.Source().Name
		if i := slices.IndexFunc(r.Sources, func(s recording.Source) bool { return s.Name == name }); i >= 0 {
			for k := range p.Besides.Files { // which who gives the lines may say
				p.Besides.Files[k].ReceivedComplete = p.Besides.Files[k].ReceivedComplete || r.Sources[i].ReceivedComplete
			}
			r.Sources = slices.Replace(r.Sources, i, i+1, p.Besides.Files...)
		}
		r.Skipped = append(r.Skipped, p.Besides.Left...)
		set := func(at *recording.Place) {
			n := p.Besides.Of[at.Line]
			if n < 1 || n > len(p.Besides.Files) {
				n = 1
			}
			if at.Source == name {
				at.Source = p.Besides.Files[n-1].Name
			}
		}
		for i := range r.Exchanges {
			set(&r.Exchanges[i].Place)
		}
		for i := range r.Received {
			set(&r.Received[i].Place)
		}
	}
}
