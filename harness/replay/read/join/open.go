package join

import (
	"strings"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

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

// sameBody says whether two bodies may be the same: files lay JSON out each in a way of its own.
func sameBody(a, b []byte) bool {
	return fits(string(a), string(b)) || len(a) > 0 && len(b) > 0 && a[0] == b[0] && fits(string(source.Compact(a)), string(source.Compact(b)))
}

func sameHost(a, b *recording.Exchange) bool {
	return a.Host == b.Host || a.Host == "" || b.Host == "" || open(a.Host) || open(b.Host)
}
