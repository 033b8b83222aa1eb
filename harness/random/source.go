// Package random draws calls from the two OpenAPI descriptions of a sandbox: with the
// descriptions' own examples, with ids that earlier answers told, and with members that
// are changed, broken and left out. The same number draws the same calls as long as the
// answers are the same.
package random

import (
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"

	"paysandbox/harness/partner"
	"paysandbox/harness/schema"
)

// Whom a call goes to.
const (
	// Partner is the partner API, Control the control API, Page one of the service's pages.
	Partner = "partner"
	Control = "control"
	Page    = "page"
)

// Call is one call that was drawn. Target is a path with its query, of a page its whole
// address. A nil Body sends none; Header holds names and values in turn.
type Call struct {
	To, Operation, Method, Target string
	Body                          []byte
	Header                        []string
}

// Source draws calls.
type Source struct {
	rand    *rand.Rand
	partner []operation
	control []operation
	known   known
	form    *partner.Form
}

// New is a source of calls of the operations that two descriptions name; either may be nil.
func New(number uint64, partner, control *schema.Document) *Source {
	s := &Source{rand: rand.New(rand.NewPCG(number, 0)), known: known{}}
	if partner != nil {
		s.partner = operations(partner, false)
	}
	if control != nil {
		s.control = operations(control, true)
	}
	return s
}

// Know tells an id, or anything else that members of a name take.
func (s *Source) Know(name, value string) { s.known.add(name, value) }

// Learn takes in the answer to a call that was drawn.
func (s *Source) Learn(c *Call, status int, body []byte) {
	s.form = nil
	switch {
	case c.To == Page:
		s.form = formOf(c.Target, body)
	case status < 300:
		list := ""
		if c.To == Control && c.Method == "POST" {
			list = c.Target[strings.LastIndexByte(c.Target, '/')+1:]
		}
		s.known.learn(list, body)
		s.known.learn("", c.Body)
	}
}

// formOf is the form of a page, nil when it has none.
func formOf(address string, body []byte) *partner.Form {
	at, err := url.Parse(address)
	if err != nil {
		return nil
	}
	f, err := (&partner.Page{Answer: partner.Answer{Body: body}, Address: at}).Form()
	if err != nil {
		return nil
	}
	return f
}

// Next draws a call.
func (s *Source) Next() Call {
	if s.form != nil && !s.oneIn(5) {
		return s.send()
	}
	n := s.rand.IntN(100)
	switch pages := s.known.of(pages); {
	case n < 10 && len(pages) > 0:
		return Call{To: Page, Operation: "open a page", Method: "GET", Target: s.recent(pages)}
	case n < 14 || len(s.partner)+len(s.control) == 0:
		return s.strange()
	case n < 60 && len(s.partner) > 0 || len(s.control) == 0:
		return s.call(&s.partner[s.rand.IntN(len(s.partner))])
	default:
		return s.call(&s.control[s.rand.IntN(len(s.control))])
	}
}

// call draws a call of an operation.
func (s *Source) call(o *operation) Call {
	c := Call{To: Partner, Operation: o.id, Method: o.method, Body: s.body(o)}
	if o.control {
		c.To = Control
	}
	path, query := o.path, url.Values{}
	for i := range o.parameters {
		switch p := &o.parameters[i]; p.in {
		case "path":
			path = strings.ReplaceAll(path, "{"+p.name+"}", url.PathEscape(s.segment(o, p)))
		case "query":
			if s.oneIn(3) || p.required {
				query.Add(p.name, s.argument(p))
			}
		case "header":
			if s.oneIn(3) {
				c.Header = append(c.Header, p.name, pick(s, []string{"key-1", "key-2", "key-3", strings.Repeat("k", 256), "  "}))
			}
		}
	}
	if s.oneIn(30) {
		query.Add(pick(s, []string{"unknown", "Status", "LIMIT", "q"}), "x")
	}
	if s.oneIn(25) {
		c.Header = append(c.Header, "Content-Type", pick(s, []string{"text/json", "application/vnd.x+json", "text/plain", "application/json; charset=latin1", ""}))
	}
	if !o.control && s.oneIn(20) {
		c.Header = append(c.Header, faultHeader, pick(s, faults))
	}
	if c.Target = path; len(query) > 0 {
		c.Target += "?" + query.Encode()
	}
	return c
}

// faultHeader asks the sandbox for a fault, and faults are some, and what is none.
const faultHeader = "Sandbox-Fault"

var faults = []string{
	"status=503", "status=429; retry-after=3", "status=500", "latency=1ms", "slow-body=1ms", "token-revoked=token", "token-revoked=all",
	"cut-connection=headers", "cut-connection=body", "commit-then-drop", "commit-then-drop=true", "status=200", "status=999", "status=503; latency=1ms",
	"status=503; status=503", "retry-after=3", "nothing", "latency=forever", ";", "Status=503", "status = 503",
}

// segment draws what stands in a path.
func (s *Source) segment(o *operation, p *parameter) string {
	name := p.name
	if before, _, _ := strings.Cut(o.path, "/{"+p.name+"}"); name == "id" || name == "s" {
		name = before[strings.LastIndexByte(before, '/')+1:] // the kind of things, as paths call it
	}
	if id, ok := s.reference(name); ok && len(p.values) < 2 {
		return id
	}
	if len(p.values) > 0 && !s.oneIn(10) {
		return pick(s, p.values)
	}
	return s.text()
}

// argument draws what stands in a query.
func (s *Source) argument(p *parameter) string {
	id, ok := s.reference(p.name)
	switch n := s.rand.IntN(6); {
	case ok && n < 4:
		return id
	case n < 5 && len(p.values) > 0:
		return pick(s, p.values)
	default:
		return s.text()
	}
}

// reference is mostly what is known under a name, sometimes something else; false when
// nothing is known.
func (s *Source) reference(name string) (string, bool) {
	list := s.known.of(name)
	switch {
	case len(list) == 0:
		return "", false
	case s.oneIn(12):
		return s.text(), true
	default:
		return s.recent(list), true
	}
}

// recent is mostly one of the last.
func (s *Source) recent(list []string) string {
	if len(list) > 3 && !s.oneIn(4) {
		list = list[len(list)-3:]
	}
	return pick(s, list)
}

// text is an odd text that is not empty.
func (s *Source) text() string {
	for {
		if text, ok := pick(s, odd).(string); ok && strings.TrimSpace(text) != "" {
			return text
		}
	}
}

// strange draws what no description has: other methods, and paths that are nearly right.
func (s *Source) strange() Call {
	all := append(append([]operation{}, s.partner...), s.control...)
	if len(all) == 0 {
		return Call{To: Partner, Operation: "nothing", Method: "GET", Target: "/"}
	}
	n := s.rand.IntN(len(all))
	c := s.call(&all[n])
	c.Operation = "nearly " + c.Operation
	path, query, _ := strings.Cut(c.Target, "?")
	switch s.rand.IntN(7) {
	case 0:
		if c.Method = pick(s, []string{"HEAD", "OPTIONS", "PATCH", "TRACE", "DELETE", "PUT", "BREW"}); slices.Contains(besides, c.Method+" "+all[n].path) {
			c.Method = "HEAD"
		}
	case 1:
		path += "/"
	case 2:
		path = strings.ToLower(path)
	case 3:
		path = strings.Replace(path, "/", "//", 1)
	case 4:
		path = path[:len(path)-1]
	case 5:
		path += pick(s, []string{"/more", "s", "%2F", "/../x", ".json", "%zz"})
	default:
		c.Header = append(c.Header, pick(s, []string{"Authorization", "Accept", "Sandbox-Label", "Accept-Encoding", "If-None-Match", "Origin"}), s.plain())
	}
	if c.Target = path; query != "" {
		c.Target += "?" + query
	}
	return c
}

// plain is a text that may stand in a header.
func (s *Source) plain() string {
	for {
		if text := s.text(); strings.IndexFunc(text, func(r rune) bool { return r < ' ' || r > '~' }) < 0 {
			return text
		}
	}
}

func (s *Source) oneIn(n int) bool { return s.rand.IntN(n) == 0 }

func pick[T any](s *Source, list []T) T { return list[s.rand.IntN(len(list))] }
