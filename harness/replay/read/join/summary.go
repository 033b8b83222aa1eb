package join

import (
	"time"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
)

// DropSummaries leaves out the lines of a log that only tell, with its status, of the call which the log shows beside
// them: each call that is shown as a whole has one.
func DropSummaries(p *source.Part) {
	for _, side := range []int{-1, 1} {
		told, whole := map[int]bool{}, 0
		for i := range p.Exchanges {
			if short(&p.Exchanges[i]) {
				continue
			}
			whole++
			if at := i + side; at >= 0 && at < len(p.Exchanges) && sums(&p.Exchanges[at], &p.Exchanges[i]) {
				told[at] = true
			}
		}
		if whole < 2 || len(told) < whole {
			continue
		}
		var kept []recording.Exchange
		for i := range p.Exchanges {
			if !told[i] {
				kept = append(kept, p.Exchanges[i])
			}
		}
		p.Exchanges = kept
		return
	}
}

// short says whether nothing but the status of a call is shown.
func short(x *recording.Exchange) bool {
	return len(x.Body) == 0 && !tells(x.Header) && (x.Answer.Known == recording.WithoutBody || x.Answer.Known == recording.NotRecorded)
}

// sums says whether a line sums a call up.
func sums(line, x *recording.Exchange) bool {
	return short(line) && line.Method == x.Method && line.Path == x.Path && line.Query == x.Query && sameHost(line, x) &&
		(line.Answer.Status == x.Answer.Status || line.Answer.Known == recording.NotRecorded)
}

// met says whether two files may tell of the same moment, one of them moved by so much: a server's line is often of when it had answered.
func met(line, x *recording.Exchange, by time.Duration) bool {
	return sameTime(line.Begin, x.Begin.Add(by)) || short(line) && !x.End.IsZero() && sameTime(line.Begin, x.End.Add(by))
}

// DropNamed leaves out what a file names right before it tells it as a whole, where it does so of each call: a command that
// was shortened, before what it has printed.
func DropNamed(p *source.Part) {
	list := p.Exchanges
	if len(list)%2 != 0 {
		return
	}
	var whole []recording.Exchange
	for i := 0; i < len(list); i += 2 {
		a, b := &list[i], &list[i+1]
		if a.Answer.Known != recording.NotRecorded || len(a.Body) > 0 || tells(a.Header) || b.Answer.Status == 0 || !tells(b.Header) || a.Method != b.Method || a.Host != b.Host || a.Path != b.Path || a.Query != b.Query {
			return
		}
		whole = append(whole, *b)
	}
	if len(whole) > 0 {
		p.Exchanges = whole
	}
}

// mostListed is among how many calls of a file those are looked for that a list of it tells once more.
const mostListed = 2000

// DropListed leaves out the lines of a list that tell, with status and time, of calls that the file shows as a whole elsewhere: one who
// shows some calls puts the log of all of them beside. Two of them at least are shown.
func DropListed(p *source.Part) {
	list := p.Exchanges
	if len(list) > mostListed {
		return
	}
	of, taken := map[int]int{}, map[int]bool{}
	for i := range list {
		if at := shownElsewhere(list, taken, i); at >= 0 {
			of[i], taken[at] = at, true
		}
	}
	if len(of) < 2 {
		return
	}
	for i, at := range of {
		list[at].Also = append(list[at].Also, list[i].Place)
	}
	var kept []recording.Exchange
	for i := range list {
		if _, told := of[i]; !told {
			kept = append(kept, list[i])
		}
	}
	p.Exchanges = kept
}

// shownElsewhere is the place of the call that a line of a list tells once more, -1 for none.
func shownElsewhere(list []recording.Exchange, taken map[int]bool, i int) int {
	line := &list[i]
	if !listed(list, i) || line.Begin.IsZero() || line.Answer.Known != recording.WithoutBody {
		return -1
	}
	for at := range list {
		if x := &list[at]; !short(x) && !taken[at] && !x.Begin.IsZero() && sums(line, x) && met(line, x, 0) {
			return at
		}
	}
	return -1
}

// listed says whether a call stands in a list of a file: another that is told as shortly stands on the line before or behind.
func listed(list []recording.Exchange, i int) bool {
	near := func(at int) bool {
		return at >= 0 && at < len(list) && short(&list[at]) && (list[at].Place.Line-list[i].Place.Line == at-i)
	}
	return short(&list[i]) && list[i].Place.Line > 0 && (near(i-1) || near(i+1))
}
