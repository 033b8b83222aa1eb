package random

import (
	"html"
	"net/url"
	"regexp"
	"slices"
	"sync"
)

// form is the first form of a page: where it is sent, and the values that its fields offer.
type form struct {
	action string
	names  []string
	values map[string][]string
}

var (
	posted = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`<form method="post" action="([^"]*)"`) })
	fields = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`<(?:input|select|button|textarea)[^>]*>`) })
	named  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(` name="([^"]*)"`) })
	valued = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(` value="([^"]*)"`) })
)

// formOf reads the form of a page; nil when it has none.
func formOf(address string, page []byte) *form {
	action := posted().FindSubmatch(page)
	base, err := url.Parse(address)
	if action == nil || err != nil {
		return nil
	}
	to, err := base.Parse(html.UnescapeString(string(action[1])))
	if err != nil {
		return nil
	}
	f := &form{action: to.String(), values: map[string][]string{}}
	for _, field := range fields().FindAll(page, -1) {
		name := named().FindSubmatch(field)
		if name == nil {
			continue
		}
		n := html.UnescapeString(string(name[1]))
		if !slices.Contains(f.names, n) {
			f.names = append(f.names, n)
		}
		if value := valued().FindSubmatch(field); value != nil && len(value[1]) > 0 {
			f.values[n] = append(f.values[n], html.UnescapeString(string(value[1])))
		}
	}
	return f
}

// entered are what people enter into fields that offer nothing.
var entered = []string{
	"4242424242424242", "4000000000000002", "4000000000009995", "12/30", "01/20", "123", "1234", "Pat Doe", "pat@example.com", "+12025550143",
	"123-45-6789", "1990-01-31", "2020-01-01", "10001", "1 Main Street", "New York", "NY", "021000021", "123456789", "12.50", "1", "", "x",
}

// send draws what is entered into the form, and sends it.
func (s *Source) send() Call {
	f := s.form
	s.form = nil
	sent := url.Values{}
	for _, name := range f.names {
		switch offered := f.values[name]; {
		case s.oneIn(25):
		case len(offered) > 0 && !s.oneIn(20):
			sent.Set(name, pick(s, offered))
		case s.oneIn(6):
			sent.Set(name, s.text())
		default:
			sent.Set(name, pick(s, entered))
		}
	}
	return Call{
		To: Page, Operation: "send a form", Method: "POST", Target: f.action, Body: []byte(sent.Encode()),
		Header: []string{"Content-Type", "application/x-www-form-urlencoded"},
	}
}
