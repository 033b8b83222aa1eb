package receiver

import (
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

// Newer is the first webhook behind another, both from 0, that tells the end of the payment of which that tells that it is under way; -1
// for none.
func Newer(r *recording.Recording, i int) int {
	d := trail.ReadBody(r.Received[i].Body).Object("Data")
	if !slices.Contains(underWay, d.Text("Status")) || d.Text("PaymentId") == "" {
		return -1
	}
	for j := i + 1; j < len(r.Received); j++ {
		later := trail.ReadBody(r.Received[j].Body).Object("Data")
		if strings.EqualFold(later.Text("PaymentId"), d.Text("PaymentId")) && !slices.Contains(underWay, later.Text("Status")) {
			return j
		}
	}
	return -1
}

// Back reads from the lines of the files which events, that are older than another one of the same payment, their receiver took for its
// state behind that: that it went back.
func Back(files []source.File, r *recording.Recording) {
	looked := 0
	for i, before := range Older(r) {
		w := &r.Received[i]
		if before < 0 {
			before = Newer(r, i)
		}
		if before < 0 || w.Did(recording.SetBack) {
			continue
		}
		if looked++; looked > mostAgain {
			return
		}
		b := back{words: named(subjects(r, w)), from: stateOf(&r.Received[before]), to: stateOf(w)}
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
	for line := range strings.Lines(string(f.Text()[:min(len(f.Text()), mostText)])) {
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
