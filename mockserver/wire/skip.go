package wire

import (
	"strings"

	"paysandbox/mockserver/secret"
)

// sweep reads over JSON text that no field takes and finds the secrets in it
// by the names of the members.
type sweep struct {
	secrets *secret.Names // nil: look for nothing
	spans   []secret.Span
	depth   int
	deep    int // offset of the first bracket below maxDepth, or -1

	pending bool // the next value belongs to a secret name
	hidden  int  // the depth of the container that is a secret, or 0
	start   int  // where it begins
}

// skip gives the position after the value at i, whose brackets, if it has any,
// are at the given depth. With look its secrets are noted.
func (d *decoder) skip(i, depth int, look bool) int {
	s := sweep{depth: depth - 1, deep: -1, spans: d.spans}
	if look {
		s.secrets = d.secrets
	}
	end := s.run(d.text, i, len(d.text), true)
	d.spans = s.spans
	if s.deep >= 0 {
		d.deep = s.deep
	}
	return end
}

// run reads tokens from i on until limit, or with single until one value is
// complete. It stops before a token that is broken or reaches beyond limit.
func (s *sweep) run(text string, i, limit int, single bool) int {
	base := s.depth
	for i < limit {
		end := i + 1
		switch c := text[i]; c {
		case ' ', '\t', '\n', '\r', ',', ':':
			i++
			continue
		case '{', '[':
			if !s.open(i) {
				return i
			}
		case '}', ']':
			s.shut(end)
		case '"':
			end = s.str(text, i, limit)
		default:
			end = s.bare(text, i, limit)
		}
		if end < 0 {
			return i
		}
		i = end
		if single && s.depth == base {
			break
		}
	}
	return i
}

// open enters a container.
func (s *sweep) open(i int) bool {
	if s.depth++; s.depth > maxDepth {
		s.deep = i
		return false
	}
	if s.pending {
		s.pending, s.hidden, s.start = false, s.depth, i
	}
	return true
}

// shut leaves a container that ends before end.
func (s *sweep) shut(end int) {
	if s.hidden > 0 && s.hidden == s.depth {
		s.spans = append(s.spans, secret.Span{Offset: s.start, Length: end - s.start})
		s.hidden = 0
	}
	s.depth--
}

// str reads a name or a string value; -1 says that it does not end in time.
func (s *sweep) str(text string, i, limit int) int {
	end := endOfString(text, i)
	if end < 0 || end > limit {
		return -1
	}
	if s.secrets == nil || s.hidden > 0 {
		return end
	}
	after := end
	for after < limit && text[after] <= ' ' {
		after++
	}
	if after < limit && text[after] == ':' && !s.pending {
		s.pending = s.secrets.Has(plainName(text[i:end]))
		return after + 1
	}
	s.value(i, end)
	return end
}

// bare reads a number or a literal; -1 says that it is none, or cut off.
func (s *sweep) bare(text string, i, limit int) int {
	end := i
	if isLetter(text[i]) {
		for end < len(text) && isAlnum(text[end]) {
			end++
		}
		if w := text[i:end]; end > limit || w != "true" && w != "false" && w != "null" {
			return -1
		}
		s.pending = false
		return end
	}
	for end < limit && (isDigit(text[end]) || strings.IndexByte("+-.eE", text[end]) >= 0) {
		end++
	}
	if end == i || end == limit {
		return -1
	}
	s.value(i, end)
	return end
}

// value notes a scalar that belongs to a secret name.
func (s *sweep) value(i, end int) {
	if s.pending {
		s.spans = append(s.spans, secret.Span{Offset: i, Length: end - i})
		s.pending = false
	}
}

// endOfString gives the position after the string that begins at i, or -1.
func endOfString(text string, i int) int {
	rest := text[i+1:]
	n := strings.IndexByte(rest, '"')
	if n >= 0 && strings.IndexByte(rest[:n], '\\') < 0 {
		return i + n + 2
	}
	for n = 0; n < len(rest); n++ {
		switch rest[n] {
		case '"':
			return i + n + 2
		case '\\':
			n++
		}
	}
	return -1
}
