package source

import (
	"errors"
	"net/url"
	"strings"

	"paysandbox/harness/replay/recording"
)

// SetAddress puts the parts of an address into an exchange. It reads addresses that
// net/url refuses, because names of variables stand in them ("{{base}}/Company/List"),
// and such without a scheme. What stands before an @ becomes an Authorization header.
func SetAddress(x *recording.Exchange, raw string) error {
	raw = strings.TrimSpace(raw)
	if raw == "" || len(raw) > MaxAddress {
		return errors.New("there is no address")
	}
	raw, _, _ = strings.Cut(raw, "#")
	raw, x.Query, _ = strings.Cut(raw, "?")
	scheme, rest, ok := strings.Cut(raw, "://")
	if !ok || !isScheme(scheme) {
		scheme, rest = "", strings.TrimPrefix(raw, "//")
	}
	host, path := rest, "/"
	if i := strings.IndexByte(rest, '/'); i >= 0 {
		host, path = rest[:i], rest[i:]
	}
	if user, after, ok := cutLast(host, "@"); ok {
		host = after
		name, password, _ := strings.Cut(user, ":")
		x.Header = SetHeader(x.Header, "Authorization", Basic(unescaped(name), unescaped(password)))
	}
	x.Scheme, x.Path = strings.ToLower(scheme), escaped(percents(path))
	x.Host = withoutPort(host, x.Scheme)
	x.Query = escaped(x.Query)
	return nil
}

// percents is a path in which each percent sign that begins no escape stands for itself, as servers take it.
func percents(path string) string {
	var b strings.Builder
	for {
		before, after, found := strings.Cut(path, "%")
		if b.WriteString(before); !found {
			return b.String()
		}
		if b.WriteByte('%'); len(after) < 2 || !isHex(after[0]) || !isHex(after[1]) {
			b.WriteString("25")
		}
		path = after
	}
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f'
}

// withoutPort is the host in small letters without the scheme's own port.
func withoutPort(host, scheme string) string {
	if !strings.Contains(host, "{{") {
		host = strings.ToLower(host)
	}
	switch scheme {
	case "http":
		return strings.TrimSuffix(host, ":80")
	case "https":
		return strings.TrimSuffix(host, ":443")
	default:
		return host
	}
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return "", s, false
}

func isScheme(s string) bool {
	for i := range len(s) {
		c := s[i] | 0x20
		if (c < 'a' || c > 'z') && (i == 0 || !strings.ContainsRune("0123456789+-.", rune(s[i]))) {
			return false
		}
	}
	return s != ""
}

func unescaped(s string) string {
	if plain, err := url.PathUnescape(s); err == nil {
		return plain
	}
	return s
}

// escaped is a path or a query in which what may not stand there is escaped; what is
// escaped already stays as it is.
func escaped(s string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(s) {
		if c := s[i]; c <= ' ' || c >= 0x7f || c == '"' || c == '<' || c == '>' {
			b.WriteString("%" + hex[c>>4:c>>4+1] + hex[c&15:c&15+1])
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}
