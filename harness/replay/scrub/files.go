package scrub

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"paysandbox/harness/trail"
)

// signatures are what files begin with, which says of what form they are.
var signatures = [][]byte{
	[]byte("%PDF-"), []byte("\x89PNG\r\n\x1a\n"), []byte("\xff\xd8\xff"), []byte("GIF87a"), []byte("GIF89a"), []byte("PK\x03\x04"), []byte("II*\x00"), []byte("MM\x00*"),
	[]byte("RIFF"), []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), []byte("{\\rtf"), []byte("\x1f\x8b"),
}

// form is what the bytes of a file begin with, nil for what is of no known form.
func form(raw []byte) []byte {
	at := slices.IndexFunc(signatures, func(sign []byte) bool { return bytes.HasPrefix(raw, sign) })
	if at < 0 {
		return nil
	}
	return signatures[at]
}

// ending is what the name of a file ends with, which says of what form it is.
var ending = trail.Pattern(`\.[A-Za-z0-9]{1,5}$`)

// encodings are those in which bytes stand in a text.
var encodings = []*base64.Encoding{base64.StdEncoding, base64.RawStdEncoding, base64.URLEncoding, base64.RawURLEncoding}

// dataAddress is how an address begins that holds what is at it.
var dataAddress = trail.Pattern(`^data:[a-zA-Z0-9.+/;=-]{0,80};base64,`)

// file is another file in the place of one that stands in a text: as long, of the same form, and in the same encoding. What is no
// file in any has other letters.
func (s *Scrubber) file(value string) string {
	before := dataAddress().FindString(value)
	text := value[len(before):]
	for _, e := range encodings {
		raw, err := e.DecodeString(text)
		if err != nil || len(raw) == 0 {
			continue
		}
		return before + brokenLike(e.EncodeToString(s.otherBytes(raw)), text)
	}
	return before + s.shaped(file, text)
}

// brokenLike breaks a text into lines where another of the same length is broken.
func brokenLike(text, like string) string {
	if !strings.ContainsAny(like, "\r\n") {
		return text
	}
	var b strings.Builder
	for i := range len(like) {
		if like[i] == '\r' || like[i] == '\n' {
			b.WriteByte(like[i])
		} else if text != "" {
			b.WriteByte(text[0])
			text = text[1:]
		}
	}
	return b.String() + text
}

// otherBytes are as many bytes of the same form.
func (s *Scrubber) otherBytes(raw []byte) []byte {
	sign := form(raw)
	if sign == nil && utf8.Valid(raw) {
		return []byte(s.shaped(file, string(raw)))
	}
	out := append(make([]byte, 0, len(raw)+64), sign...)
	var end []byte
	text := bytes.Equal(sign, []byte("%PDF-"))
	if text && len(raw) >= len("%PDF-1.4\n%") && raw[6] == '.' { // which it says in figures
		out = append(append(out, raw[5:8]...), "\n%"...)
		if tail := []byte("%%EOF"); bytes.Contains(raw[max(0, len(raw)-16):], tail) && len(raw) > 32 {
			end = append([]byte("\n"), tail...)
		}
	}
	for block := 0; len(out) < len(raw)-len(end); block++ {
		more := s.digest(file, string(s.digest(file, string(raw), 0)), block+1)
		if text {
			more = []byte(hex.EncodeToString(more))
		}
		out = append(out, more...)
	}
	return append(out[:len(raw)-len(end)], end...)
}

// partNamed and fileNamed are how the head of a part of a form says its name, and that of its file.
var (
	partNamed = trail.Pattern(`(?i)\bform-data\b[^\r\n]*?[; ]name="?([^"\r\n;]*)"?`)
	fileNamed = trail.Pattern(`(?i)[; ]filename="?([^"\r\n;]+)"?`)
)

// partHead is what stands before the value of a part.
var partHead = trail.Pattern(`(?s)^\r?\n(?:.*?\r?\n)?\r?\n`)

// isMultipart says whether a body is a form in parts, by its own text: who writes a recording may tell no media type.
func isMultipart(body []byte) bool {
	line, rest, _ := bytes.Cut(body, []byte("\n"))
	line = bytes.TrimSpace(line)
	return len(line) > 3 && bytes.HasPrefix(line, []byte("--")) && partNamed().Match(rest) && bytes.HasSuffix(bytes.TrimSpace(body), append(bytes.Clone(line), "--"...))
}

// multipart is a form in parts with other values in those that are of people, and other files.
func (s *Scrubber) multipart(body []byte) []byte {
	line, _, _ := bytes.Cut(bytes.TrimSpace(body), []byte("\n"))
	line = bytes.TrimSpace(line)
	parts := bytes.Split(body, line)
	for i := 1; i < len(parts); i++ {
		head := partHead().Find(parts[i])
		name := partNamed().FindSubmatch(head)
		if name == nil { // the end of all, or what is no part
			parts[i] = []byte(s.words(s.text(string(parts[i]))))
			continue
		}
		value := bytes.TrimSuffix(bytes.TrimSuffix(parts[i][len(head):], []byte("\n")), []byte("\r"))
		end := parts[i][len(head)+len(value):]
		changed := []byte(nil)
		if fileNamed().Match(head) {
			head = replaceGroup(fileNamed(), head, func(was string) string { return s.replace(fileName, was) })
			changed = s.partFile(value)
		} else {
			changed = []byte(s.field(string(name[1]), string(value)))
		}
		parts[i] = slices.Concat(head, changed, end)
	}
	return bytes.Join(parts, line)
}

// field is the value of a part that is no file.
func (s *Scrubber) field(name, value string) string {
	if text := strings.TrimSpace(value); strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[") {
		return string(s.body([]byte(value), member{}.below(name)))
	}
	return s.parameter(bare(name), value)
}

// partFile is another file in the place of one that stands in a body as it is.
func (s *Scrubber) partFile(raw []byte) []byte {
	if s.o.KeepData || len(raw) == 0 {
		return raw
	}
	s.report.count(file)
	return s.otherBytes(raw)
}

// replaceGroup replaces what the group of a pattern's first match has found.
func replaceGroup(pattern *regexp.Regexp, text []byte, change func(string) string) []byte {
	at := pattern.FindSubmatchIndex(text)
	return slices.Concat(text[:at[2]], []byte(change(string(text[at[2]:at[3]]))), text[at[3]:])
}
