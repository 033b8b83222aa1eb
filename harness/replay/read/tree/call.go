package tree

import (
	"encoding/base64"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"paysandbox/harness/replay/read/httptext"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// maxTold is how often an object may tell of its call: as it was configured, sent and answered.
const maxTold = 8

// oneCall says whether all that an object tells of calls, outside of lists, is of the same one: its method
// and path, and no two answers.
func oneCall(v any) bool {
	said, status := "", 0
	var same func(v any) bool
	same = func(v any) bool {
		switch v := v.(type) {
		case []any:
			return (&finder{counts: map[uintptr]int{}}).cores(v) == 0
		case map[string]any:
			below := (&finder{counts: map[uintptr]int{}}).cores(v)
			for _, one := range v {
				if !same(one) {
					return false
				}
			}
			if x, ok := callOf(v); ok && below == 1 {
				if name := x.Method + " " + x.Path; said == "" || said == name {
					said = name
				} else {
					return false
				}
				if code := x.Answer.Status; code > 0 && status > 0 && code != status {
					return false
				}
				status = max(status, x.Answer.Status)
			}
		}
		return true
	}
	return same(v)
}

// cores counts the calls below a value.
func (f *finder) cores(v any) (n int) {
	switch v := v.(type) {
	case map[string]any:
		at := reflect.ValueOf(v).Pointer()
		if known, ok := f.counts[at]; ok {
			return known
		}
		for _, one := range v {
			n += f.cores(one)
		}
		if n == 0 {
			if _, ok := callOf(v); ok {
				n = 1
			}
		}
		f.counts[at] = n
	case []any:
		for _, one := range v {
			n += f.cores(one)
		}
	}
	return n
}

var (
	firstLine = trail.Pattern(`^(GET|POST|PUT|DELETE|PATCH|HEAD) (\S+) HTTP/[0-9.]+$`)
	verb      = trail.Pattern(`^(?i:GET|POST|PUT|DELETE|PATCH|HEAD)$`)
	request   = trail.Pattern(`^(?:GET|POST|PUT|DELETE|PATCH|HEAD) \S+ HTTP/[0-9.]+\r?\n`)
	answer    = trail.Pattern(`^HTTP/[0-9.]+ [1-5][0-9]{2}\b[^\n]*\r?\n`)
)

// callOf is the call that a branch shows.
func callOf(branch map[string]any) (recording.Exchange, bool) {
	all := leaves(branch, nil, nil)
	x := recording.Exchange{Answer: recording.Answer{Known: recording.NotRecorded}}
	if sent, got := message(all, request()), message(all, answer()); sent != "" && (got != "" || statusOf(all) == 0) {
		return fromMessages(sent, got, all)
	}
	address, found := addressOf(all), pick(all, func(s string) bool { return verb().MatchString(s) }, "method", "verb")
	if line := lineOf(all); line != nil {
		found, address = line[1], line[2]
	}
	if address == "" || source.SetAddress(&x, address) != nil {
		return x, false
	}
	if _, ok := source.BasePath(x.Path); ok && found == "" && statusOf(all) > 0 { // a run of which the summary alone is kept
		found = source.MethodOf(x.Path)
		all = answersAlone(all)
	}
	if found == "" {
		return x, false
	}
	all = besideRequest(all)
	x.Method = strings.ToUpper(found)
	x.Header = headersOf(all, "response", false)
	if x.Host == "" {
		x.Host = pick(all, func(s string) bool { return strings.Contains(s, ".") && !strings.ContainsAny(s, " /") }, "host", "domain", "authority", "hostname", "destination", "address")
	}
	sentBody(&x, all)
	x.Header = withKey(x.Header, all)
	answered(&x, all)
	times(&x, all)
	wholeCall(&x, all)
	return x, true
}

// withKey adds the header of an idempotency key that stands as a value of its own.
func withKey(list []tape.Header, all []leaf) []tape.Header {
	for _, l := range all {
		if n := len(l.way); n > 1 && l.way[n-2] == "idempotency" && l.way[n-1] == "key" && side(l.way) != "response" && scalar(l.v) != "" && !strings.ContainsAny(scalar(l.v), "\r\n") {
			return source.SetHeader(list, "Idempotency-Key", scalar(l.v))
		}
	}
	return list
}

// answersAlone are the values of a branch that tells of an answer alone, which may name its address: what has
// no side there is the answer's.
func answersAlone(all []leaf) []leaf {
	if slices.ContainsFunc(all, func(l leaf) bool { return side(l.way) == "request" && namesBody(l) }) ||
		!slices.ContainsFunc(all, func(l leaf) bool { return side(l.way) == "response" && namesStatus(l.way) > 0 }) {
		return all
	}
	for i, l := range all {
		if side(l.way) == "" && namesBody(l) {
			all[i].way = append([]string{"response"}, l.way...)
		}
	}
	return all
}

// lineOf is the first line of a request, which servers' logs name so: method and address; nil without one.
func lineOf(all []leaf) (line []string) {
	for _, l := range all {
		if found := firstLine().FindStringSubmatch(scalar(l.v)); found != nil && side(l.way) == "request" {
			line = found
		}
	}
	return line
}

// fromMessages is a call whose messages a branch holds as they were sent.
func fromMessages(sent, got string, all []leaf) (recording.Exchange, bool) {
	p, err := httptext.Messages(&source.File{Data: []byte(sent + "\r\n" + got)}, nil)
	if err != nil || len(p.Exchanges) != 1 {
		return recording.Exchange{}, false
	}
	x := p.Exchanges[0]
	if address := addressOf(all); strings.Contains(address, "://") && x.Host == "" {
		if source.SetAddress(&x, address) != nil {
			return x, false
		}
	}
	times(&x, all)
	wholeCall(&x, all)
	return x, true
}

// message is a value that is a whole HTTP message, as text or in base64.
func message(all []leaf, begin *regexp.Regexp) string {
	for _, l := range all {
		s := scalar(l.v)
		if m, ok := l.v.(map[string]any); ok {
			s = scalar(m[""])
		}
		if begin.MatchString(s) {
			return s
		}
		if len(s) > 24 && !strings.ContainsAny(s[:24], " :{") {
			if raw, err := base64.StdEncoding.DecodeString(strings.TrimSpace(s)); err == nil && begin.Match(raw) {
				return string(raw)
			}
		}
	}
	return ""
}

// addressOf is the address of a call, joined with what all addresses of a client begin with.
func addressOf(all []leaf) string {
	a, base := wholeAddress(all), ""
	for _, l := range all {
		if n := len(l.way); n > 1 && l.way[n-2] == "base" && (l.way[n-1] == "url" || l.way[n-1] == "uri") && strings.Contains(scalar(l.v), "://") {
			base = strings.TrimSuffix(scalar(l.v), "/")
		}
	}
	if a == "" || strings.HasPrefix(a, "/") {
		return base + a
	}
	return a
}

// wholeAddress is an address: one with a host before one without.
func wholeAddress(all []leaf) string {
	names := []string{"url", "full", "uri", "original", "href", "target", "endpoint", "path", "route", "template"}
	for _, begins := range []string{"http://", "https://", "/", "{{"} {
		if a := pick(all, func(s string) bool { return strings.HasPrefix(s, begins) && !strings.ContainsAny(s, " \n") }, names...); a != "" {
			if !strings.Contains(a, "?") {
				if q := pick(all, func(s string) bool { return strings.Contains(s, "=") }, "query", "querystring"); q != "" {
					a += "?" + strings.TrimPrefix(q, "?")
				}
			}
			return a
		}
	}
	return ""
}

// side says whose a value is by the words on the way to it: "request", "response" or "".
func side(way []string) string {
	for _, w := range slices.Backward(way) {
		switch {
		case strings.HasPrefix(w, "request"), w == "req", w == "reqheaders", w == "reqbody", w == "sent", w == "outgoing", w == "config":
			return "request"
		case strings.HasPrefix(w, "response"), w == "res", w == "resp", w == "resheaders", w == "resbody", strings.HasPrefix(w, "answer"), w == "reply", w == "received":
			return "response"
		}
	}
	return ""
}

// pick is the first value whose name ends in one of the words, the first word first, that
// is not of the answer and is what it should be.
func pick(all []leaf, is func(string) bool, names ...string) string {
	for _, name := range names {
		for _, l := range all {
			if n := len(l.way); n == 0 || l.way[n-1] != name || side(l.way) == "response" || n > 1 && elsewhere().MatchString(l.way[n-2]) {
				continue
			}
			if s := scalar(l.v); is(s) {
				return s
			}
		}
	}
	return ""
}

// elsewhere is a word which says that an address is another's.
var elsewhere = trail.Pattern(`^(?:base|redirect|return|referer|referrer|callback|file|log|user|client|source|peer|remote|initiator)$`)
