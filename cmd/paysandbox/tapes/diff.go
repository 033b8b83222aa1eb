package tapes

import (
	"encoding/json"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"

	"paysandbox/harness/observe/trouble"
	"paysandbox/harness/trail"
	"paysandbox/harness/trail/told"
	"paysandbox/mockserver/tape"
)

// Difference is one thing in which two tapes differ. One side is nil where only the
// other has the entry.
type Difference struct {
	A, B *tape.Entry
	// Members are those in which the two entries differ, none where one is missing.
	Members []Member
}

// Member is a member of two entries that stand for each other.
type Member struct {
	Pointer string `json:"pointer"`
	A       string `json:"a"`
	B       string `json:"b"`
}

// Comparison is how two tapes compare.
type Comparison struct {
	// Same counts the entries that say the same.
	Same        int
	Differences []Difference
	// Watched counts the entries of both sides that are left out: what a session that
	// watched has noted, armed and set itself.
	Watched int
}

// ids are what is drawn: they differ from tape to tape, and stand for each other by
// the role in which they were first seen.
var ids = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:pm_)?[0-9a-fA-F]{8}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{12}`)
})

// drawn are members that no two tapes share.
var drawn = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(token|signature|timestamp|date|created|traceid|instance$|sandbox-time|sandbox-exchange|/at$|/due$|hmac|secret)`)
})

// loopback is an address of this machine, whose port is chance.
var loopback = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(127\.0\.0\.1|localhost|\[::1\]):[0-9]+`) })

// pointers writes names as JSON pointers do.
var pointers = strings.NewReplacer("~", "~0", "/", "~1")

// Diff lays two tapes side by side: calls, pages, control calls, transitions, events,
// attempts and messages. Entries stand for each other by what they are, ids by the
// role in which both sides use them.
func Diff(a, b []tape.Entry) Comparison {
	var c Comparison
	left, right := c.essential(a), c.essential(b)
	names := binding{ab: map[string]string{}, ba: map[string]string{}}
	for _, p := range aligned(keys(left), keys(right)) {
		switch {
		case p.a < 0:
			c.Differences = append(c.Differences, Difference{B: right[p.b]})
		case p.b < 0:
			c.Differences = append(c.Differences, Difference{A: left[p.a]})
		default:
			if m := names.compare(left[p.a], right[p.b]); len(m) > 0 {
				c.Differences = append(c.Differences, Difference{left[p.a], right[p.b], m})
			} else {
				c.Same++
			}
		}
	}
	return c
}

// essential leaves out what follows from the rest, and what is of who watched: what trouble
// does to a call shows in the call. Attempts stand behind the event that they deliver: when a
// receiver answers is chance.
func (c *Comparison) essential(entries []tape.Entry) []*tape.Entry {
	attempts := map[uint64][]*tape.Entry{}
	for n := range entries {
		if e := &entries[n]; e.Attempt != nil && e.Cause != 0 {
			attempts[e.Cause] = append(attempts[e.Cause], e)
		}
	}
	var list []*tape.Entry
	for n := range entries {
		e := &entries[n]
		if ofWatcher(e) {
			c.Watched++
			continue
		}
		if e.Attempt != nil && e.Cause != 0 {
			continue
		}
		if e.Exchange != nil || e.Transition != nil || e.Event != nil || e.Attempt != nil || e.Message != nil || e.Clock != nil {
			list = append(list, e)
		}
		list = append(list, attempts[e.Seq]...)
	}
	return list
}

// ofWatcher says whether a session that watches has made an entry: by a note, or by a control call.
func ofWatcher(e *tape.Entry) bool {
	return trail.NoteOf(e).Kind != "" || e.Kind == tape.KindControl && e.Exchange != nil && trouble.Own(e.Exchange)
}

// keys are what entries are known by, whoever they are about.
func keys(entries []*tape.Entry) []string {
	list := make([]string, 0, len(entries))
	for _, e := range entries {
		key := e.Kind.String()
		switch {
		case e.Exchange != nil:
			key += " " + e.Exchange.Method + " " + ids().ReplaceAllString(e.Exchange.Path, "{id}")
		case e.Transition != nil:
			key += " " + e.Transition.Machine + " " + e.Transition.Event
		case e.Event != nil:
			key += " " + e.Event.Name
		case e.Attempt != nil:
			key += " " + strconv.Itoa(e.Attempt.Number)
		case e.Message != nil:
			key += " " + e.Message.Template
		}
		list = append(list, key)
	}
	return list
}

// binding says which id of one tape stands for which of the other.
type binding struct{ ab, ba map[string]string }

// same says whether two texts are the same but for the names of ids: an id stands for
// the one that stood in its place first, for good.
func (n *binding) same(a, b string) bool {
	a, b = loopback().ReplaceAllString(a, "$1"), loopback().ReplaceAllString(b, "$1")
	if a == b {
		return true
	}
	left, right := ids().FindAllString(a, -1), ids().FindAllString(b, -1)
	if len(left) != len(right) || ids().ReplaceAllString(a, "\x00") != ids().ReplaceAllString(b, "\x00") {
		return false
	}
	for i := range left {
		bound, known := n.ab[left[i]]
		back, taken := n.ba[right[i]]
		switch {
		case !known && !taken:
			n.ab[left[i]], n.ba[right[i]] = right[i], left[i]
		case bound != right[i] || back != left[i]:
			return false
		}
	}
	return true
}

// compare lists the members in which two entries differ.
func (n *binding) compare(a, b *tape.Entry) []Member {
	left, right := values(a), values(b)
	names := make([]string, 0, len(left))
	for name := range left {
		names = append(names, name)
	}
	for name := range right {
		if _, both := left[name]; !both {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	var list []Member
	for _, name := range names {
		l, r := left[name], right[name]
		if l == r {
			continue
		}
		if chance := drawn().MatchString(name) && l != "" && r != ""; !chance && !n.same(l, r) {
			list = append(list, Member{name, l, r})
		}
	}
	return list
}

// values are the members of an entry that two tapes can be compared by.
func values(e *tape.Entry) map[string]string {
	all := map[string]string{}
	bodies := func(at string, raw []byte) {
		var v any
		if json.Unmarshal(raw, &v) != nil {
			if len(raw) > 0 {
				all[at] = string(raw)
			}
			return
		}
		flatten(all, at, v)
	}
	switch {
	case e.Exchange != nil:
		x := e.Exchange
		all["/path"] = x.Path
		all["/query"] = x.Query
		bodies("/request", x.Request.Body)
		all["/status"] = strconv.Itoa(x.Response.Status)
		bodies("/answer", x.Response.Body)
		for _, h := range x.Response.Header {
			if slices.Contains([]string{"Retry-After", "Idempotent-Replayed", "Content-Type", "Sandbox-Fault", "Sandbox-Warning"}, h.Name) {
				all["/answer/header/"+h.Name] = h.Value
			}
		}
	case e.Transition != nil:
		t := e.Transition
		all["/entity"], all["/from"], all["/to"], all["/reason"] = t.Entity, t.From, t.To, t.Reason
	case e.Event != nil:
		bodies("/event", e.Event.Body)
	case e.Attempt != nil:
		all["/attempt/status"] = strconv.Itoa(e.Attempt.Status)
		all["/attempt/profile"] = string(e.Attempt.Profile)
	case e.Message != nil:
		all["/to"] = e.Message.To
	case e.Clock != nil:
		all["/by"] = strconv.FormatInt(e.Clock.To-e.Clock.From, 10)
	}
	return all
}

func flatten(all map[string]string, at string, v any) {
	switch v := v.(type) {
	case map[string]any:
		for name, one := range v {
			flatten(all, at+"/"+pointers.Replace(name), one)
		}
	case []any:
		for n, one := range v {
			flatten(all, at+"/"+strconv.Itoa(n), one)
		}
	case string:
		all[at] = v
	default:
		raw, _ := json.Marshal(v)
		all[at] = string(raw)
	}
}

// Brief is a comparison for programs.
func (c *Comparison) Brief() any {
	type row struct {
		A       uint64   `json:"a,omitempty"`
		B       uint64   `json:"b,omitempty"`
		Says    string   `json:"says"`
		Members []Member `json:"members,omitempty"`
	}
	rows := []row{}
	for _, d := range c.Differences {
		r := row{Members: d.Members}
		if d.B != nil {
			r.B, r.Says = d.B.Seq, told.Says(d.B)
		}
		if d.A != nil {
			r.A, r.Says = d.A.Seq, told.Says(d.A)
		}
		rows = append(rows, r)
	}
	return map[string]any{"same": c.Same, "watched": c.Watched, "differences": rows}
}

// Quoted shows a value of a member; nothing where there is none.
func Quoted(text string) string {
	const most = 120
	switch {
	case text == "":
		return "(nothing)"
	case len(text) > most:
		return told.Clean(strings.ToValidUTF8(text[:most], "")) + "…"
	default:
		return told.Clean(text)
	}
}
