package read

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// maxOpen is among how many calls one with an open variable in its path is looked for.
const maxOpen = 5_000

// within is how far apart two files may put the same call.
const within = time.Second

// joinCalls puts the calls of all files together. A call that two files tell of is one:
// the same method, path, query and body, and no other answer, within a second; or the
// name that the tool gives it, in a collection and its run.
func joinCalls(parts []*source.Part) []recording.Exchange {
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
	return all
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

func sameHost(a, b *recording.Exchange) bool {
	return a.Host == b.Host || a.Host == "" || b.Host == "" || open(a.Host) || open(b.Host)
}

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

// sameBody says whether two bodies may be the same: files lay JSON out each in a way of its own.
func sameBody(a, b []byte) bool {
	return fits(string(a), string(b)) || len(a) > 0 && len(b) > 0 && a[0] == b[0] && fits(string(compact(a)), string(compact(b)))
}

// open says whether a variable without a value stands in a text.
func open(text string) bool {
	return (strings.Contains(text, "{{") || strings.Contains(text, "${")) && variable().MatchString(text)
}

// fits says whether two texts may be the same, one of them with open variables.
func fits(a, b string) bool {
	if a == b {
		return true
	}
	if open(a) == open(b) {
		return false
	}
	if open(b) {
		a, b = b, a
	}
	parts := variable().Split(a, -1)
	if !strings.HasPrefix(b, parts[0]) {
		return false
	}
	b = b[len(parts[0]):]
	last := len(parts) - 1
	for _, part := range parts[1:max(1, last)] {
		_, after, found := strings.Cut(b, part)
		if !found {
			return false
		}
		b = after
	}
	return strings.HasSuffix(b, parts[last])
}

// variable is one that was left open.
var variable = trail.Pattern(`\{\{[^{}]*\}\}|\$\{[^{}]*\}`)

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

// joinHalves puts an answer that is told apart to its call, in a file that tells of each call twice: as
// it is made, with what was sent, and as it is answered, with nothing of that. Calls that send nothing may be told once.
func joinHalves(p *source.Part) {
	var made []recording.Exchange
	open, taken := 0, map[int]bool{}
	for i, x := range p.Exchanges {
		if taken[i] {
			continue
		}
		if at := otherHalf(p.Exchanges, taken, i); at > 0 {
			x.Answer, x.End, taken[at] = p.Exchanges[at].Answer, p.Exchanges[at].Begin, true
		} else if x.Answer.Known != recording.NotRecorded && x.Answer.Known != recording.NeverArrived && x.Method != "GET" {
			return // a call that is told as a whole
		} else {
			open++
		}
		made = append(made, x)
	}
	if open < len(made) {
		p.Exchanges = made
	}
}

// farHalf is how many calls behind a call its answer may be told, where both tell the same key.
const farHalf = 64

// otherHalf is the place of what tells the answer to a call: right behind it, or the next that tells its key; 0 for none.
func otherHalf(list []recording.Exchange, taken map[int]bool, i int) int {
	a := &list[i]
	if a.Answer.Known != recording.NotRecorded {
		return 0
	}
	key := source.Header(a.Header, "Idempotency-Key")
	for at := i + 1; at < min(len(list), i+farHalf); at++ {
		b := &list[at]
		other := source.Header(b.Header, "Idempotency-Key")
		same := key == other && key != "" || at == i+1 && (key == "" || other == "")
		if same && !taken[at] && answers(b, a) {
			return at
		}
	}
	return 0
}

// answers says whether one tells the answer to the call that another is, and nothing of what was sent.
func answers(b, a *recording.Exchange) bool {
	return b.Answer.Known != recording.NotRecorded && a.Method == b.Method && a.Host == b.Host && a.Path == b.Path && a.Query == b.Query && len(b.Body) == 0 && !tells(b.Header)
}

// tells says whether headers tell more than that bodies are JSON, which readers add.
func tells(list []tape.Header) bool {
	return source.Header(list, "Authorization")+source.Header(list, "User-Agent")+source.Header(list, "Accept") != ""
}

// inOrder puts calls in the order in which they began; one whose time is not known
// stays behind the one before it in its file.
func inOrder(list []recording.Exchange) []recording.Exchange {
	return ordered(list, func(x *recording.Exchange) (time.Time, string) { return x.Begin, x.Place.Source })
}

// receivedInOrder does the same for webhooks.
func receivedInOrder(list []recording.Received) []recording.Received {
	return ordered(list, func(r *recording.Received) (time.Time, string) { return r.At, r.Place.Source })
}

func ordered[T any](list []T, key func(*T) (time.Time, string)) []T {
	type timed struct {
		at   time.Time
		item T
	}
	all, last := make([]timed, len(list)), map[string]time.Time{}
	for i := range list {
		at, file := key(&list[i])
		if at.IsZero() {
			at = last[file]
		}
		last[file] = at
		all[i] = timed{at, list[i]}
	}
	slices.SortStableFunc(all, func(a, b timed) int { return a.at.Compare(b.at) })
	for i := range all {
		list[i] = all[i].item
	}
	return list
}
