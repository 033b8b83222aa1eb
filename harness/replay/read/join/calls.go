package join

import (
	"cmp"
	"strings"
	"time"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/mockserver/tape"
)

// maxOpen is among how many calls one with an open variable in its path is looked for.
const maxOpen = 5_000

// within is how far apart two files may put the same call.
const within = time.Second

// Calls puts the calls of all files together, in the order in which they began. A call that two files tell of is one:
// the same method, path, query and body, and no other answer, within a second; or the
// name that the tool gives it, in a collection and its run.
func Calls(parts []*source.Part) []recording.Exchange {
	var all []recording.Exchange
	for _, p := range parts {
		taken, index, before := make([]bool, len(all)), indexed(all), all
		for i := range p.Exchanges {
			x := &p.Exchanges[i]
			at := findSame(before, index, taken, x, sameAnswer)
			if at < 0 {
				at = findSame(before, index, taken, x, gaveUp)
			}
			if at >= 0 {
				taken[at] = true
				join(&all[at], x)
				continue
			}
			all = append(all, *x)
		}
	}
	return inOrder(all)
}

// indexed are the places of calls by their keys.
func indexed(all []recording.Exchange) map[string][]int {
	index := map[string][]int{}
	for i := range all {
		for _, key := range keys(&all[i]) {
			index[key] = append(index[key], i)
		}
	}
	return index
}

// keys are what calls are looked up by: the tool's name for it, and what was called.
// A path in which a variable is open may be any.
func keys(x *recording.Exchange) []string {
	var list []string
	if x.Link != "" {
		list = append(list, "link "+x.Link)
	}
	path := strings.ToLower(x.Path)
	if open(path) {
		path = "?"
	}
	return append(list, x.Method+" "+path)
}

// findSame is the place of the call among the others, -1 for none.
func findSame(all []recording.Exchange, index map[string][]int, taken []bool, x *recording.Exchange, may func(a, b *recording.Answer) bool) int {
	lookups := keys(x)
	if open(x.Path) {
		for i := range all[:min(len(all), maxOpen)] {
			if !taken[i] && isSame(&all[i], x, may) {
				return i
			}
		}
	}
	lookups = append(lookups, x.Method+" ?")
	for _, key := range lookups {
		for len(index[key]) > 0 && taken[index[key][0]] { // what is taken is not looked at again
			index[key] = index[key][1:]
		}
		for _, i := range index[key] {
			if !taken[i] && (strings.HasPrefix(key, "link ") || isSame(&all[i], x, may)) {
				return i
			}
		}
	}
	return -1
}

func isSame(a, b *recording.Exchange, may func(a, b *recording.Answer) bool) bool {
	return (met(a, b, 0) || met(b, a, 0)) && a.Method == b.Method && sameHost(a, b) && fits(strings.ToLower(a.Path), strings.ToLower(b.Path)) &&
		fits(a.Query, b.Query) && (a.BodyMissing || b.BodyMissing || sameBody(a.Body, b.Body)) && may(&a.Answer, &b.Answer)
}

func sameTime(a, b time.Time) bool { return a.IsZero() || b.IsZero() || a.Sub(b).Abs() <= within }

func sameAnswer(a, b *recording.Answer) bool {
	if a.Known == recording.NotRecorded || b.Known == recording.NotRecorded {
		return true
	}
	return a.Status == b.Status && (a.Known != recording.Whole || b.Known != recording.Whole || sameBody(a.Body, b.Body))
}

// gaveUp says whether one tells that no answer came, and the other, of somebody on the way, which one came too late.
func gaveUp(a, b *recording.Answer) bool {
	if a.Known == recording.NeverArrived {
		a, b = b, a
	}
	return b.Known == recording.NeverArrived && b.Status == 0 && a.Status/100 == 2
}

// isRun says whether a call is a request of a collection as a run has made it: what was sent is the run's.
func isRun(request, run *recording.Exchange) bool {
	return request.Link != "" && request.Link == run.Link && request.Answer.Known == recording.NotRecorded && run.Answer.Known != recording.NotRecorded
}

// join adds to a call what another file knows of it.
func join(to, from *recording.Exchange) {
	if isRun(to, from) {
		run := *from
		run.Place, run.Also = to.Place, append(to.Also, from.Place)
		*to = run
		return
	}
	to.Also = append(to.Also, from.Place)
	if to.Begin.IsZero() || to.Begin.Equal(from.Begin.Truncate(time.Second)) { // the other tells it more exactly
		to.Begin, to.End = from.Begin, cmp.Or(from.End, to.End)
	}
	if open(to.Path) || open(to.Query) || open(string(to.Body)) || to.Host == "" || open(to.Host) {
		to.Scheme, to.Host, to.Path, to.Query = from.Scheme, from.Host, from.Path, from.Query
		to.BodyMissing = to.BodyMissing || !from.BodyMissing // the other's is taken
	}
	if to.BodyMissing && !from.BodyMissing {
		to.Body, to.BodyMissing = from.Body, false
	}
	for _, h := range from.Header {
		joinHeader(to, h)
	}
	if gaveUp(&to.Answer, &from.Answer) != (weight(from.Answer.Known) > weight(to.Answer.Known)) { // that no answer came is what its caller knows
		to.Answer = from.Answer
	}
}

// joinHeader adds a header that is not there, or was left open.
func joinHeader(x *recording.Exchange, h tape.Header) {
	x.Header = source.SetHeader(x.Header, h.Name, h.Value)
	for i := range x.Header {
		if strings.EqualFold(x.Header[i].Name, h.Name) && open(x.Header[i].Value) {
			x.Header[i].Value = h.Value
		}
	}
}

// weight is how much is known of an answer.
func weight(k recording.Known) int {
	switch k {
	case recording.Whole:
		return 3
	case recording.WithoutBody:
		return 2
	case recording.NeverArrived:
		return 1
	default:
		return 0
	}
}
