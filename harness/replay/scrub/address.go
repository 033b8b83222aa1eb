package scrub

import (
	"net/url"
	"regexp"
	"slices"
	"strings"

	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// address is an address without what is secret or personal in it.
func (s *Scrubber) address(raw string) string {
	if raw == "" {
		return raw
	}
	raw, fragment, hasFragment := strings.Cut(raw, "#")
	before, query, hasQuery := strings.Cut(raw, "?")
	scheme, rest, ok := strings.Cut(before, "://")
	if !ok {
		rest, scheme = before, ""
	} else {
		scheme += "://"
	}
	host, path := rest, ""
	if i := strings.IndexByte(rest, '/'); i >= 0 {
		host, path = rest[:i], rest[i:]
	}
	if user, after, ok := strings.Cut(host, "@"); ok && scheme != "" {
		host = s.replace(password, user) + "@" + after
	}
	if !slices.ContainsFunc(s.hosts, func(service recording.Service) bool { return strings.EqualFold(service.Host, host) }) {
		host = s.met(host)
	}
	out := scheme + host + s.path(path)
	if hasQuery {
		out += "?" + s.query(query)
	}
	if hasFragment {
		out += "#" + s.query(fragment)
	}
	return s.known1(out)
}

// path is a path without what is personal in it, or opens a door.
func (s *Scrubber) path(path string) string {
	parts := strings.Split(path, "/")
	for i, part := range parts {
		plain, err := url.PathUnescape(part)
		if err != nil || plain == "" || open(plain) {
			continue
		}
		changed := s.known1(s.text(plain))
		if changed == plain && looksRandom(plain) {
			changed = s.replace(capacity, plain)
		}
		if changed != plain {
			parts[i] = url.PathEscape(changed)
		}
	}
	return s.known1(strings.Join(parts, "/"))
}

// doors are further names of parameters whose values open something.
var doors = map[string]bool{"key": true, "code": true, "access": true, "signature": true, "hash": true, "state": true, "nonce": true}

// query is a query or a form without what is secret or personal in it.
func (s *Scrubber) query(raw string) string {
	if raw == "" {
		return raw
	}
	pairs := strings.Split(raw, "&")
	for i, pair := range pairs {
		name, value, ok := strings.Cut(pair, "=")
		plain, err := url.QueryUnescape(value)
		key, nameErr := url.QueryUnescape(name)
		if !ok {
			plain, key = key, ""
		}
		if err != nil || nameErr != nil {
			pairs[i] = "scrubbed"
			s.report.count(secret)
			continue
		}
		changed := s.parameter(bare(key), plain)
		switch {
		case changed == plain:
		case !ok:
			pairs[i] = url.QueryEscape(changed)
		default:
			pairs[i] = name + "=" + url.QueryEscape(changed)
		}
	}
	return s.known1(strings.Join(pairs, "&"))
}

func (s *Scrubber) parameter(name, value string) string {
	s.meetPages(name, value)
	k := kindOfText(name, value)
	switch {
	case k == keep && doors[name]:
		return s.replace(capacity, value)
	case name == "name":
		return s.replace(person, value)
	case k != keep:
		return s.replace(k, value)
	case strings.Contains(value, "://"):
		return s.address(value)
	default:
		value = s.known1(s.text(value))
		s.suspect(value, "parameter "+name)
		return value
	}
}

// namedPairs are "name": "value", to the end of the quotes or the text, name=value and
// name: value; elements are <name>value<, in texts that are neither JSON nor a form.
var (
	namedPairs = trail.Pattern(`(?i)"([a-z][a-z0-9_-]{1,40})("[ \t\r\n]*:[ \t\r\n]*")((?:[^"\\]|\\.)+)|` +
		`\b([a-z][a-z0-9_-]{1,40})("?[ \t]*[=:][ \t]*"?)([^\s"'<>&,;]{3,})`)
	elements = trail.Pattern(`(?i)<(?:[a-z0-9_-]+:)?([a-z][a-z0-9_-]{1,40})([^<>]*>)([^<>]+)`)
)

// namesInPairs are name=value and name: value where the value may be of several words, each with a capital; behind the last of them may
// stand that it is a name itself.
var namesInPairs = trail.Pattern(`(?i)\b([a-z][a-z0-9_-]{1,40})([ \t]*[=:][ \t]*)((?-i:\p{Lu})[^\s"'<>&,;=:]+(?:[ \t]+(?-i:\p{Lu})[^\s"'<>&,;=:]*){1,4})([ \t]*[=:])?`)

// fullNames replaces the names of several words that stand behind a name in a text.
func (s *Scrubber) fullNames(text string) string {
	return namesInPairs().ReplaceAllStringFunc(text, func(pair string) string {
		part := namesInPairs().FindStringSubmatch(pair)
		value, behind := part[3], part[4]
		if i := strings.LastIndexAny(value, " \t"); behind != "" {
			value, behind = value[:i], value[i:]+behind
		}
		if k := kindOfText(bare(part[1]), value); k == person || k == company {
			return part[1] + part[2] + s.replace(k, value) + behind
		}
		return pair
	})
}

// pairs replaces the values that stand behind a name in a text.
func (s *Scrubber) pairs(text string) string {
	text = s.fullNames(text)
	for _, form := range []*regexp.Regexp{elements(), namedPairs()} {
		text = form.ReplaceAllStringFunc(text, func(pair string) string {
			part := form.FindStringSubmatch(pair)
			if part[1] == "" {
				part = part[3:]
			}
			k := kindOfText(bare(part[1]), part[3])
			if k == keep || strings.EqualFold(part[3], "bearer") || strings.EqualFold(part[3], "basic") {
				return pair
			}
			return strings.TrimSuffix(pair, part[3]) + s.replace(k, part[3])
		})
	}
	return text
}
