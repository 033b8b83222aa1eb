package control

import (
	"maps"
	"net/url"
	"slices"
	"strconv"
	"time"

	"paysandbox/mockserver/door"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/spelling"
	"paysandbox/mockserver/tape"
)

// asked reads the parameters of a query and collects what is wrong with them.
type asked struct {
	query    url.Values
	known    []string
	findings []kernel.Finding
}

func (x *exchange) asked() *asked { return &asked{query: x.query} }

func (a *asked) refuse(name, received, expected, fix string) {
	a.findings = append(a.findings, wrong("query:"+name, "control.query", received, expected, fix))
}

// text reads a parameter; given twice it is refused.
func (a *asked) text(name string) string {
	a.known = append(a.known, name)
	values := a.query[name]
	if len(values) > 1 {
		a.refuse(name, strconv.Itoa(len(values))+" values", "one value", "send "+name+" once")
	}
	if len(values) == 0 {
		return ""
	}
	return values[0]
}

// number reads a whole number; absent is 0.
func (a *asked) number(name string) uint64 {
	text := a.text(name)
	if text == "" {
		return 0
	}
	n, err := strconv.ParseUint(text, 10, 63)
	if err != nil {
		a.refuse(name, quoted(text), "a whole number, 0 or more", "send for example "+name+"=100")
	}
	return n
}

// wait reads how long a call may wait; absent is not at all.
func (a *asked) wait() time.Duration {
	text := a.text("wait")
	if text == "" {
		return 0
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 || d > maxWait {
		a.refuse("wait", quoted(text), "a duration from 0s to 60s", "send for example wait=10s")
		return 0
	}
	return d
}

// choice reads one of some names; absent is "".
func (a *asked) choice(name string, names []string) string {
	text := a.text(name)
	if text != "" && !slices.Contains(names, text) {
		a.refuse(name, quoted(text), "one of "+joined(names), "nearest: "+spelling.Nearest(text, names))
	}
	return text
}

// kinds reads the kinds of entries; none means all.
func (a *asked) kinds() []tape.Kind {
	a.known = append(a.known, "kind")
	var kinds []tape.Kind
	for _, text := range a.query["kind"] {
		var k tape.Kind
		if err := k.UnmarshalText([]byte(text)); err != nil {
			a.refuse("kind", quoted(text), "one of "+joined(kindNames()), "nearest: "+spelling.Nearest(text, kindNames()))
			continue
		}
		kinds = append(kinds, k)
	}
	return kinds
}

// err refuses the query, unknown parameters among the reasons.
func (a *asked) err() error {
	for _, name := range slices.Sorted(maps.Keys(a.query)) {
		if !slices.Contains(a.known, name) {
			a.refuse(door.Clip(name), "", "one of "+joined(a.known), "nearest: "+spelling.Nearest(name, a.known))
		}
	}
	if a.findings != nil {
		return invalid(a.findings...)
	}
	return nil
}
