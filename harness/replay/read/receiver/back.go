package receiver

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"time"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// Older are, for each webhook, the one from 0 that told before it that its payment is Paid or Failed, and is the later of the two by
// what both say; -1 for none.
func Older(r *recording.Recording) []int {
	type told struct {
		n  int
		at time.Time
	}
	ended, list := map[string]told{}, make([]int, len(r.Received))
	for i := range r.Received {
		list[i] = -1
		d := trail.ReadBody(r.Received[i].Body).Object("Data")
		id, at := strings.ToLower(d.Text("PaymentId")), source.Time(d.Text("Timestamp"))
		if id == "" || recording.Struck(id) || at.IsZero() {
			continue
		}
		end, known := ended[id]
		switch underWay := slices.Contains(underWay, d.Text("Status")); {
		case underWay && known && end.at.After(at):
			list[i] = end.n
		case !underWay && (!known || at.After(end.at)):
			ended[id] = told{i, at}
		}
	}
	return list
}

// Newer are, for each webhook that tells that its payment is under way, the first one from 0 behind it that tells of its end; -1 for none.
func Newer(r *recording.Recording) []int {
	ends, list := map[string]int{}, make([]int, len(r.Received))
	for i := len(r.Received) - 1; i >= 0; i-- {
		list[i] = -1
		d := trail.ReadBody(r.Received[i].Body).Object("Data")
		id := strings.ToLower(d.Text("PaymentId"))
		if id == "" || recording.Struck(id) {
			continue
		}
		if end, known := ends[id]; slices.Contains(underWay, d.Text("Status")) && known {
			list[i] = end
		} else if !slices.Contains(underWay, d.Text("Status")) {
			ends[id] = i
		}
	}
	return list
}

// Back reads from the lines of the files which events, that are older than another one of the same payment, their receiver took for its
// state behind that: that it went back. Those that came late are looked at first.
func Back(files []source.File, r *recording.Recording) {
	older := Older(r)
	wentBack(files, r, older)
	if !slices.ContainsFunc(files, tellsUnderWay) { // then nothing went back that came in time
		return
	}
	newer := Newer(r)
	for i := range newer {
		if older[i] >= 0 {
			newer[i] = -1
		}
	}
	wentBack(files, r, newer)
}

// tellsUnderWay says whether a line of a file tells that something was set to a state that is under way.
func tellsUnderWay(f source.File) bool {
	text := f.Head(mostText)
	lower := bytes.ToLower(text)
	if len(lower) != len(text) { // a letter that is longer in capitals
		lower = text
	}
	for _, state := range underWay { // the words are rare, and the pattern is dear
		word := []byte(strings.ToLower(state))
		for from, at := 0, 0; at >= 0; from += at + len(word) {
			if at = bytes.Index(lower[from:], word); at < 0 {
				break
			}
			end := from + at + len(word)
			found := became().FindAllSubmatchIndex(text[max(0, from+at-longestBecame):min(len(text), end+1)], -1)
			if n := len(found); n > 0 && max(0, from+at-longestBecame)+found[n-1][3] == end {
				return true
			}
		}
	}
	return false
}

// longestBecame is how many bytes before a state say at most that it was kept.
const longestBecame = 64

// wentBack looks for it behind the event, from 0, that each webhook has beside it; -1 for none.
func wentBack(files []source.File, r *recording.Recording, beside []int) {
	looked := 0
	for i, other := range beside {
		w := &r.Received[i]
		if other < 0 || w.Did(recording.SetBack) {
			continue
		}
		if looked++; looked > mostAgain {
			return
		}
		b := back{words: named(subjects(r, w)), from: stateOf(&r.Received[other]), to: stateOf(w)}
		for _, f := range files {
			if b.words != nil && !turned(r, f.Name) {
				b.file(&f)
			}
		}
		w.Tell(recording.SetBack, some(b.said)...)
	}
}

func stateOf(w *recording.Received) string {
	return trail.ReadBody(w.Body).Object("Data").Text("Status")
}

// named are words as they stand by themselves.
func named(words []string) *regexp.Regexp {
	quoted := make([]string, 0, len(words))
	for _, word := range words {
		quoted = append(quoted, regexp.QuoteMeta(word))
	}
	if len(quoted) == 0 {
		return nil
	}
	return regexp.MustCompile(`(?:^|[^\pL\pN])(?:` + strings.Join(quoted, "|") + `)(?:[^\pL\pN]|$)`)
}

// back are the lines of a log that tell how a payment's state was kept.
type back struct {
	words          *regexp.Regexp
	from, to, said string
}

// became is how a line tells that a state was kept.
var became = trail.Pattern(`(?i)\b(?:(?:status|state) (?::=|->|=>|→)|(?:set|changed|updated|moved|switched|reset) (?:back )?to|marked (?:as )?|(?:is|status) now|gesetzt auf|passée? à|cambiad[oa] a|alterad[oa] para)[\s"'=:]{0,3}([A-Za-z]{4,12})\b`)

func (b *back) file(f *source.File) {
	arrived, n := false, 0
	for line := range strings.Lines(string(f.Head(mostText))) {
		if n++; n > mostLines {
			return
		}
		line = strings.TrimSpace(line)
		if len(line) > longest || !b.words.MatchString(line) || undone().MatchString(line) || passing().MatchString(line) {
			continue
		}
		found := became().FindStringSubmatch(line)
		switch {
		case found == nil:
		case strings.EqualFold(found[1], b.from):
			arrived, b.said = true, "" // it came right again
		case arrived && strings.EqualFold(found[1], b.to):
			b.said = strings.TrimSpace(moments().ReplaceAllString(spoken(line, became()), ""))
		}
	}
}

// Late says by how much an event is older than the one that came before it.
func Late(r *recording.Recording, i, before int) time.Duration {
	at := func(w *recording.Received) time.Time {
		return source.Time(trail.ReadBody(w.Body).Object("Data").Text("Timestamp"))
	}
	return at(&r.Received[before]).Sub(at(&r.Received[i]))
}
