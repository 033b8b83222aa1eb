package text

import (
	"cmp"
	"strings"

	"paysandbox/harness/replay/read/source"
)

// requests finds a method with an address, or an operation's address alone.
func (m *marks) requests(line string, better func(at, to int, found mark)) {
	if f := m.now.finder.Find(methodThenPath, m.from); f != nil {
		address := trimmed(line[f[4]:f[5]])
		_, ok := source.BasePath(pathOf(address))
		if sent := f[6] >= 0; ok || sent || strings.Contains(address, "://") {
			better(f[0], f[1], mark{kind: markRequest, method: line[f[2]:f[3]], text: address, sure: sent, inner: strings.HasSuffix(line[:f[0]], "Sending HTTP request ")})
		}
	}
	m.lowerRequest(line, better)
	if f := m.now.finder.Find(methodNamed, m.from); f != nil {
		better(f[0], f[1], mark{kind: markRequest, method: strings.ToUpper(line[f[2]:f[3]]), text: trimmed(line[f[4]:f[5]])})
	}
	if f := m.now.finder.Find(addressAlone, m.from); f != nil && !m.toldBefore(line, f[0]) {
		address, before := trimmed(line[f[0]:f[1]]), line[max(0, f[0]-labelSize):f[0]]
		begins := requestLabel().MatchString(before) || m.askedAt(before)
		if _, ok := source.BasePath(pathOf(address)); ok || begins {
			said := ""
			if behind := methodBehind().FindStringSubmatch(line[f[1]:]); behind != nil {
				said = strings.ToUpper(behind[1])
			}
			better(f[0], f[1], mark{kind: markRequest, method: cmp.Or(said, source.MethodOf(pathOf(address)), "GET"), text: address, guessed: said == "", begins: begins, labelled: f[0] < labelSize && fromLabel().MatchString(before)})
		}
	}
	if f := m.now.finder.Find(pathCalled, m.from); f != nil {
		path := "/" + trimmed(line[f[2]:f[3]])
		if _, ok := source.BasePath(pathOf(path)); ok {
			better(f[0], f[1], mark{kind: markRequest, method: source.MethodOf(pathOf(path)), text: path, guessed: true})
		}
	}
}

// labelSize is how long a label before an address may be, in bytes.
const labelSize = 256

// trimmed is an address without what a sentence puts behind it.
func trimmed(s string) string {
	s = strings.TrimRight(s, ".,;:)]*!?|")
	if !strings.Contains(s, "{{") {
		s = strings.TrimSuffix(s, "}}") // as Jira marks it
	}
	return s
}

func pathOf(address string) string {
	path, _, _ := strings.Cut(address, "?")
	return path
}
