package tree

import (
	"bytes"
	"encoding/json"
	"errors"
	"regexp"
	"strconv"
	"strings"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/trail"
)

// printedAt is where an object may begin that a language has printed: its first member has a name
// that JSON would write otherwise.
var printedAt = trail.Pattern(`\{\s*(?:[A-Za-z_$][\w$]*|'[^'\n]{1,80}'|\[Symbol\([^)\n]*\)\]|:[A-Za-z_]\w*|:?"[^"\n]{1,80}"(?:\s*=>))\s*(?::|=>|,|\s)|\{"|\b(?:Array|[A-Za-z]+ Object)\s*\(\s*\[|\barray ?(?:\(\d+\) ?\{|\()\s*['"\[]|\[\s*'[^'\n]{1,80}'\s*=>`)

// Printed is a text in which the objects that Node, PHP and Ruby print stand as JSON, and those that are a
// whole call as its messages; nil where there are none, and whether there are such calls. Objects of which a part is hidden ([Object])
// stay as they are, but for calls, whose bodies are then not known.
func Printed(text []byte) (plain []byte, calls bool) {
	if len(text) > maxTree {
		return nil, false
	}
	var out bytes.Buffer
	found, from, all := false, 0, string(text)
	for budget, left := 8<<20, 16<<20; budget > 0 && left > 0; {
		at := printedAt().FindIndex(text[from:])
		if at == nil {
			break
		}
		begin := from + at[0]
		end := min(len(text), begin+1<<20)
		n, looked := jsonLength(text[begin:end])
		left -= looked
		if n > 0 { // what is JSON is so already, whatever its texts hold
			out.Write(text[from : begin+n])
			from = begin + n
			continue
		}
		p := &printed{text: all[begin:end]}
		value, spelled, ok := p.object()
		if ok && spelled == "" && onlyCommas(all[begin:begin+p.at], value) { // as it was sent: mended, it would hide what was refused
			out.Write(text[from : begin+p.at])
			from = begin + p.at
			continue
		}
		if !ok {
			budget -= p.at
			out.Write(text[from : begin+1])
			from = begin + 1
			continue
		}
		found, calls = true, calls || spelled != "" && spelled != p.whole
		out.Write(bytes.TrimSuffix(text[from:begin], []byte("%"))) // as Elixir marks a map
		if spelled == "" {
			spelled = value
		}
		out.WriteString(spelled)
		from = begin + p.at
	}
	if !found {
		return nil, false
	}
	out.Write(text[from:])
	return out.Bytes(), calls
}

// onlyCommas says whether an object is written as JSON is, but for commas that nothing follows.
func onlyCommas(said, value string) bool {
	spaces := strings.NewReplacer(" ", "", "\t", "", "\r", "", "\n", "", ",", "")
	return strings.HasPrefix(said, `{"`) && spaces.Replace(said) == spaces.Replace(value)
}

// object is the JSON of the object that begins here and, where it is a whole call, its messages;
// false where it is none, or a part of it is hidden and it is no call.
func (p *printed) object() (value, spelled string, ok bool) {
	value, ok = p.value(0)
	spelled = p.spelled(value)
	if spelled == "" && p.hidden && told(p.whole) {
		spelled = p.whole
	}
	return value, spelled, ok && (!p.hidden || spelled != "")
}

// jsonLength is how long the JSON object is that a text begins with, 0 for none, and how much
// was looked at to know that there is none.
func jsonLength(text []byte) (length, looked int) {
	if !bytes.HasPrefix(text, []byte(`{"`)) {
		return 0, 0
	}
	var value json.RawMessage
	d := json.NewDecoder(bytes.NewReader(text))
	err := d.Decode(&value)
	var wrong *json.SyntaxError
	switch {
	case errors.As(err, &wrong):
		return 0, int(wrong.Offset)
	case err != nil:
		return 0, len(text)
	}
	return int(d.InputOffset()), 0
}

// printed reads one object.
type printed struct {
	text   string
	at     int
	hidden bool   // a part of it is not shown
	whole  string // what is left of it without the members of which a part is not shown
}

var (
	hiddenPart = trail.Pattern(`^(?:\[(?:Object|Array|Circular|Function|AsyncFunction|Getter|Setter|class|[A-Z]\w*)\b(?: \[[^\]\n]*\])?[^\]\n]*\]|#<[^>\n]*>|/(?:[^/\\\n]|\\.)+/[a-z]*|\*RECURSION\*)`) // one ^, or all that follows is searched
	className  = trail.Pattern(`^(?:<ref \*\d+>\s*)?%?(?:[A-Za-z_$][\w$.]*(?:\(\d+\))?\s*)?(?:\[[A-Za-z_:$ ]+\]\s*)?([{\[])`)
	phpArray   = trail.Pattern(`^(?:Array|[\w\\]+ Object)\s*\(`)
	phpExport  = trail.Pattern(`^array ?\(\s*(\d*)\)? ?\{?`)
	phpTyped   = trail.Pattern(`^(?:string\(\d+\) |(?:int|float|double|bool)\(([^)\n]*)\))`)
	memberName = trail.Pattern(`^(?:\[Symbol\([^)\n]*\)\]|\[["']?([^\]\n"']*)["']?(?::[^\]\n]*)?\]|:?'((?:[^'\\\n]|\\.)*)'|:?"((?:[^"\\\n]|\\.)*)"|:?([A-Za-z_$][\w$.-]*))\s*(?:=>|:|=)[ \t]*`)
	rows       = trail.Pattern(`^(?:\s|\.\.\. \d+ more \w+)*`)
	numeric    = trail.Pattern(`^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$`)
	counted    = trail.Pattern(`(?i)(?:amount|limit|seconds|value|status|status_?code|count|total)$`)
	bare       = trail.Pattern(`^[^,\n\]})]+`)
)

func (p *printed) rest() string { return p.text[p.at:] }

// take goes behind what a pattern finds here.
func (p *printed) take(pattern *regexp.Regexp) []string {
	found := pattern.FindStringSubmatch(p.rest())
	if found != nil {
		p.at += len(found[0])
	}
	return found
}

// value is the JSON of the value that begins here.
func (p *printed) value(deep int) (string, bool) {
	p.take(rows())
	if deep > source.MaxNesting || p.at >= len(p.text) {
		return "", false
	}
	named := className().FindStringSubmatch(p.rest())
	if (named == nil || named[0] == "[") && p.take(hiddenPart()) != nil {
		p.hidden = true
		return "null", true
	}
	if p.take(phpArray()) != nil {
		return p.members(")", true, deep)
	}
	if strings.HasPrefix(p.rest(), "array") {
		if found := p.take(phpExport()); found != nil {
			return p.members(map[bool]string{true: "}", false: ")"}[found[1] != ""], false, deep)
		}
	}
	if typed := p.take(phpTyped()); typed != nil && typed[1] != "" {
		return plainWord(typed[1]), true
	}
	if named != nil {
		p.at += len(named[0])
		return p.members(map[string]string{"{": "}", "[": "]"}[named[1]], false, deep)
	}
	if quote := p.text[p.at]; strings.IndexByte("'\"`", quote) >= 0 {
		return p.quoted()
	}
	if word := p.take(bare()); word != nil {
		return plainWord(strings.TrimSpace(word[0])), true
	}
	return "", false
}

// members are those of an object, or the values of a list, up to its end. With lines, each value ends
// with its line and has no quotes, as PHP's print_r shows them.
func (p *printed) members(end string, lines bool, deep int) (string, bool) {
	var list, whole []member
	for {
		p.take(rows())
		if strings.HasPrefix(p.rest(), end) {
			p.at += len(end)
			if deep == 0 {
				p.whole, _ = joinedMembers(whole, end == "]")
			}
			return joinedMembers(list, end == "]")
		}
		var one member
		if found := p.take(memberName()); found != nil {
			one.name, one.named = found[1]+found[2]+found[3]+found[4], true
		}
		ok, before := one.named, p.hidden
		p.hidden = false
		if line, _, _ := strings.Cut(p.rest(), "\n"); lines && !phpArray().MatchString(p.rest()) {
			p.at += len(line)
			one.value = lineValue(one.name, strings.TrimRight(line, "\r"))
		} else {
			one.value, ok = p.value(deep + 1)
		}
		if !ok || len(list) > source.MaxEntries {
			return "", false
		}
		if list = append(list, one); !p.hidden {
			whole = append(whole, one)
		}
		p.hidden = p.hidden || before
		p.take(rows())
		if p.at < len(p.text) && strings.IndexByte(",;", p.text[p.at]) >= 0 {
			p.at++
		}
	}
}

// member is one of an object, or a value of a list, which has no name.
type member struct {
	name, value string
	named       bool
}

// joinedMembers is an object, or a list where no member has a name or their names count from 0; false
// where some have names and others have none.
func joinedMembers(list []member, isList bool) (string, bool) {
	isList = isList || len(list) > 0
	for i, one := range list {
		if one.named != list[0].named {
			return "", false
		}
		isList = isList && (!one.named || one.name == strconv.Itoa(i))
	}
	parts := make([]string, len(list))
	for i, one := range list {
		if parts[i] = one.value; !isList {
			parts[i] = string(trail.Quote(one.name)) + ":" + one.value
		}
	}
	if isList {
		return "[" + strings.Join(parts, ",") + "]", true
	}
	return "{" + strings.Join(parts, ",") + "}", true
}

// lineValue is a value as print_r shows it: without its type, which its name tells.
func lineValue(name, value string) string {
	if numeric().MatchString(value) && counted().MatchString(name) {
		return value
	}
	return string(trail.Quote(value))
}

// plainWord is the JSON of a word without quotes.
func plainWord(word string) string {
	switch strings.ToLower(word) {
	case "true", "false":
		return strings.ToLower(word)
	case "null", "nil", "none", "undefined":
		return "null"
	}
	if numeric().MatchString(word) {
		return word
	}
	return string(trail.Quote(word))
}

var escapes = strings.NewReplacer(`\\`, `\`, `\'`, "'", `\"`, `"`, "\\`", "`", `\n`, "\n", `\r`, "\r", `\t`, "\t", `\/`, "/")

// quoted is a text in quotes; Node breaks long ones, with a plus between their parts.
func (p *printed) quoted() (string, bool) {
	var text strings.Builder
	for {
		quote, end := p.text[p.at], p.at+1
		for end < len(p.text) && p.text[end] != quote {
			if p.text[end] == '\\' {
				end++
			}
			end++
		}
		if end >= len(p.text) {
			return "", false
		}
		text.WriteString(escapes.Replace(p.text[p.at+1 : end]))
		p.at = end + 1
		more := strings.TrimLeft(p.rest(), " \t\r\n")
		after, goesOn := strings.CutPrefix(more, "+")
		if after = strings.TrimLeft(after, " \t\r\n"); !goesOn || after == "" || strings.IndexByte("'\"`", after[0]) < 0 {
			return string(trail.Quote(text.String())), true
		}
		p.at = len(p.text) - len(after)
	}
}
