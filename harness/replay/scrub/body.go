package scrub

import (
	"bytes"
	"cmp"
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// content is a body without secrets, and whether it could be looked into.
func (s *Scrubber) content(body []byte, header []tape.Header) ([]byte, bool) {
	media := ""
	for _, h := range header {
		if strings.EqualFold(h.Name, "Content-Type") {
			media = strings.ToLower(h.Value)
		}
	}
	switch trimmed := bytes.TrimSpace(body); {
	case len(trimmed) == 0:
		return body, true
	case json.Valid(trimmed):
		return []byte(s.known1(string(s.body(body, member{})))), true
	case isMultipart(trimmed):
		return []byte(s.known1(string(s.multipart(body)))), true
	case !utf8.Valid(body) || bytes.ContainsAny(body, "\x00\x01\x02\x03\x04\x05\x06\x07\x08") || strings.Contains(media, "multipart"):
		s.report.unread(s.at, "a body that is no text was taken out: "+cmp.Or(media, untold))
		return nil, false
	case strings.Contains(media, "form-urlencoded") || isForm(trimmed):
		return []byte(s.known1(s.query(string(body)))), true
	default:
		s.report.unread(s.at, "a text was looked through for forms alone, not by names: "+cmp.Or(media, untold))
		text := s.known1(s.words(s.text(s.pairs(string(body)))))
		s.suspect(text, "body")
		return []byte(text), true
	}
}

// untold is the media type of a body of which nothing tells it.
const untold = "no media type is told"

// isForm says whether a text is one of name=value&name=value.
func isForm(body []byte) bool {
	if bytes.ContainsAny(body, " \n\t<>{}") || !bytes.Contains(body, []byte("=")) {
		return false
	}
	_, err := url.ParseQuery(string(body))
	return err == nil
}

// body replaces the values of a JSON text and leaves everything else as it is written.
func (s *Scrubber) body(data []byte, in member) []byte {
	if !json.Valid(bytes.TrimSpace(data)) {
		return []byte(s.text(string(data)))
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var out bytes.Buffer
	at := int64(0)
	s.value(d, data, &at, &out, in)
	out.Write(data[at:])
	return out.Bytes()
}

// value reads one value and writes it.
func (s *Scrubber) value(d *json.Decoder, data []byte, at *int64, out *bytes.Buffer, in member) {
	t, err := d.Token()
	if err != nil {
		return
	}
	raw := data[*at:d.InputOffset()]
	*at = d.InputOffset()
	switch v := t.(type) {
	case json.Delim:
		out.Write(raw)
		for n := 0; d.More(); n++ {
			below := in
			if v == '{' {
				name, _ := d.Token()
				raw := data[*at:d.InputOffset()]
				*at = d.InputOffset()
				text, _ := name.(string)
				out.Write(s.name(raw, text, in))
				below = in.below(text)
			}
			s.value(d, data, at, out, below)
		}
		_, _ = d.Token() // the end
		out.Write(data[*at:d.InputOffset()])
		*at = d.InputOffset()
	case string:
		i := bytes.IndexByte(raw, '"')
		out.Write(raw[:i])
		out.Write(quoted(raw[i:], v, s.member(v, in)))
	case json.Number:
		i := bytes.IndexAny(raw, "-0123456789")
		out.Write(raw[:i])
		out.WriteString(s.number(v.String(), in))
	default:
		out.Write(raw)
	}
}

// name is a member's name, which may be a person's, or a secret; in metadata partners choose it.
func (s *Scrubber) name(raw []byte, name string, of member) []byte {
	i, changed := bytes.IndexByte(raw, '"'), s.forms
	if strings.Contains(name, " ") || of.path != nil && bare(of.path.name) == "metadata" { // no name of a member
		changed = s.text
	}
	return slices.Concat(raw[:i], quoted(raw[i:], name, s.known1(changed(name))))
}

// quoted is a text of JSON; one that does not change stays as it was written.
func quoted(raw []byte, v, changed string) []byte {
	if changed == v {
		return raw
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(strings.ToValidUTF8(changed, string(utf8.RuneError))) // a string always encodes
	out := bytes.TrimSuffix(b.Bytes(), []byte("\n"))
	if !utf8.Valid(raw) { // what was no text is none
		out = bytes.ReplaceAll(out, []byte(string(utf8.RuneError)), []byte{0xff})
	}
	return out
}

// member is the value of a member.
func (s *Scrubber) member(v string, in member) string {
	if in.path != nil {
		s.meetPages(bare(in.path.name), v)
	}
	if changed := s.encoded(v, in); changed != v {
		return changed
	}
	switch k := in.kindOf(v); {
	case in.ofHeaders():
		return s.headers([]tape.Header{{Name: in.path.name, Value: v}})[0].Value
	case isJSON(strings.TrimSpace(v)):
		return string(s.body([]byte(v), in))
	case k == token && strings.Contains(v, " "):
		return s.authorization(v)
	case k != keep:
		return s.replace(k, v)
	default:
		return s.untyped(v, in)
	}
}

func isJSON(text string) bool {
	return len(text) > 1 && (text[0] == '{' || text[0] == '[') && json.Valid([]byte(text))
}

// untyped is the value of a member whose name says nothing of it.
func (s *Scrubber) untyped(v string, in member) string {
	switch {
	case strings.Contains(v, "://"):
		v = s.address(v)
	case isForm([]byte(v)) && !strings.ContainsAny(v, `"'`):
		v = s.query(v)
	case in.ofMachine():
		v = s.forms(v)
	default:
		was := v
		if v = s.text(v); v == was && in.path != nil && bare(in.path.name) != "title" { // a job's, or a problem's
			s.mayBeName(v, in.path.String())
		}
	}
	if v = s.known1(v); in.path != nil {
		s.suspect(v, in.path.String())
	}
	return v
}

// encoded is a text that stands as base64, with what stands in it replaced. One in which nothing is, or that is no text
// in another writing, stays as it is.
func (s *Scrubber) encoded(v string, in member) string {
	if len(v) < 16 || in.kindOf(v) != keep || strings.Trim(v, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_=") != "" {
		return v
	}
	for _, e := range encodings {
		raw, err := e.DecodeString(v)
		if err == nil && form(raw) != nil {
			return s.replace(file, v)
		}
		if err != nil || !utf8.Valid(raw) || bytes.ContainsFunc(raw, func(r rune) bool { return r < ' ' && r != '\n' && r != '\r' && r != '\t' }) {
			continue
		}
		if changed := s.member(string(raw), in); changed != string(raw) {
			return e.EncodeToString([]byte(changed))
		}
		break
	}
	return v
}

// number is a number of JSON: those that are names of people's things change.
func (s *Scrubber) number(v string, in member) string {
	k := in.kind
	switch k {
	case ssn, taxID, card, code, account, routing, telephone, zip, secret, token:
	default:
		if len(v) >= 13 && trail.Luhn(digits(v)) && len(v) <= 19 && v[0] >= '2' && v[0] <= '6' {
			k = card
		} else if len(v) >= leastDigits && digits(v) == v {
			return s.met(v)
		} else {
			return v
		}
	}
	if _, err := strconv.ParseUint(v, 10, 64); err != nil {
		return v
	}
	if k == secret || k == token {
		k = code
	}
	out := s.replace(k, v)
	if out[0] == '0' { // no number begins with it
		out = "7" + out[1:]
	}
	return out
}

// otherwise are the pointers at which two bodies of one form have other values.
func otherwise(was, now []byte) []string {
	values := map[string]any{}
	correlate.Walk(was, func(path []string, v any) { values[correlate.Pointer(path)] = v })
	var list []string
	correlate.Walk(now, func(path []string, v any) {
		if at := correlate.Pointer(path); values[at] != v {
			list = append(list, at)
		}
	})
	return list
}

// resized says in a header how long a body is now.
func resized(list []tape.Header, was, now []byte) {
	for i := range list {
		if h := &list[i]; len(was) != len(now) && strings.EqualFold(h.Name, "Content-Length") && h.Value == strconv.Itoa(len(was)) {
			h.Value = strconv.Itoa(len(now))
		}
	}
}
