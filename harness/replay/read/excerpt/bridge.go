package excerpt

import (
	"bytes"
	"encoding/json"
	"iter"
	"slices"
	"strings"

	"paysandbox/harness/trail"
)

// more stands in a body in the place of what is left out of it, where readers of shortened bodies look for it.
const more = "…"

// Bounds of what is looked at: bodies, and the places of one at which something may be left out.
const (
	mostBody  = 1 << 20
	mostGaps  = 16
	deepest   = 64
	mostShown = 10_000
)

// gap is what loggers and people write where they have left something out of a body.
var gap = trail.Pattern(`(?i)(?:…|\.{3,})?[ \t]*[\[(<{]+[ \t]*(?:[0-9][0-9.,]*[ \t]+\pL[^\[\](){}<>"\n]{0,60}|[^\[\](){}<>"\n]{0,30}(?:truncated|omitted|snip(?:ped)?|cut|shortened|elided|gekürzt|ausgelassen|tronqué|coupé|omis|cortado|truncado|omitido|troncato|ingekort|obcięto)[^\[\](){}<>"\n]{0,40})[\])>}]+[ \t]*(?:…|\.{3,})?|…|\.{3,}`)

// counted is one that says how much: it may stand within a text of a body that is JSON all the same, as it was cut within two texts.
var counted = trail.Pattern(`(?i)[\[(<{]+[ \t.…]*(?:[0-9][0-9.,]*[ \t]+(?:more|further|weitere|andere|autres|más|altri)?[ \t]*(?:char\w*|bytes?|signs?|letters?|Zeichen|caractères?|octets?|caracteres|caratteri|tekens|znak\pL*)[^\[\](){}<>"\n]{0,30}|(?:truncated|omitted|snipped|shortened)[ \t:]+[0-9][^\[\](){}<>"\n]{0,40})[\])>}]+`)

// signs are what a text holds that leaves something out, by which most that leave nothing out are known without a search.
var signs = []string{"...", more, "omit", "trunc", "snip", "shortened", "elided", "gekürzt", "ausgelassen", "tronqué", "coupé", "cortado", "troncato", "ingekort", "obcięto"}

// Leaves says whether a text may leave something out.
func Leaves(text string) bool {
	return slices.ContainsFunc(signs, func(sign string) bool { return strings.Contains(text, sign) })
}

// Bridge is a JSON object of which a text shows the beginning and the end, with what is left out between them said in it: as an
// entry of the list that it was left out of, or as a member. It is nil for any other text. Of members and entries that are shown in
// part nothing is told.
func Bridge(text []byte) []byte {
	text = bytes.TrimSpace(text)
	if len(text) > mostBody || !bytes.HasPrefix(text, []byte("{")) || !bytes.HasSuffix(text, []byte("}")) || !Leaves(string(text)) {
		return nil
	}
	for _, at := range gaps(text) {
		end, told := ending(text[at[1]:])
		if !told {
			continue
		}
		parts, list := beginning(text[:at[0]])
		if list == "" {
			list = member(more, trail.Quote(more))
		}
		if parts = append(parts, list); end != "" {
			parts = append(parts, end)
		}
		var whole bytes.Buffer
		if shows := len(parts) > 1 || strings.Contains(list, "},"); shows && json.Compact(&whole, []byte("{"+strings.Join(parts, ",")+"}")) == nil {
			return whole.Bytes()
		}
	}
	return nil
}

// cutOff is what a logger writes behind what it has cut.
var cutOff = trail.Pattern(`(?i)(?:…|\.{3,})?[ \t]*(?:[\[(<]\s*(?:truncated|cut|omitted|\+?[0-9][0-9.,]*k?\s*\pL)[^)\]>]{0,40}[)\]>])?\s*$`)

// Begun is the JSON object that a text begins, where a logger has cut it and says so: its members that are whole, with word of
// what is left out. It is nil for any other text, and for one of which no member is whole.
func Begun(text []byte) []byte {
	at := cutOff().FindIndex(text)
	if text = bytes.TrimSpace(text); len(text) > mostBody || !bytes.HasPrefix(text, []byte("{")) || at == nil || at[0] == at[1] {
		return nil
	}
	made := begun(text[:min(at[0], len(text))], 0)
	if made == "" || !json.Valid([]byte(made)) {
		return nil
	}
	return []byte(made)
}

// begun is an object that breaks off.
func begun(text []byte, deep int) string {
	members, list := beginning(text)
	if list == "" && deep < deepest {
		list = brokenObject(text, deep)
	}
	if list != "" {
		members = append(members, list)
	}
	if len(members) == 0 {
		return ""
	}
	return "{" + strings.Join(append(members, member(more, trail.Quote(more))), ",") + "}"
}

// brokenObject is the member, an object, in which an object breaks off; "" for none.
func brokenObject(text []byte, deep int) string {
	d := json.NewDecoder(bytes.NewReader(text))
	_, _ = d.Token()
	for range mostShown {
		token, err := d.Token()
		name, isName := token.(string)
		if err != nil || !isName {
			return ""
		}
		rest := bytes.TrimLeft(text[d.InputOffset():], ": \t\r\n")
		if value := json.RawMessage(nil); d.Decode(&value) == nil {
			continue
		}
		if !bytes.HasPrefix(rest, []byte("{")) {
			return ""
		}
		if within := begun(rest, deep+1); within != "" {
			return member(name, []byte(within))
		}
		return ""
	}
	return ""
}

// gaps are the places at which something may be left out of a text. Of one that is JSON they are those within its texts: a value
// that is nothing else is struck out.
func gaps(text []byte) [][]int {
	if !json.Valid(text) {
		return gap().FindAllIndex(text, mostGaps)
	}
	return slices.DeleteFunc(counted().FindAllIndex(text, mostGaps), func(at []int) bool { return text[at[0]-1] == '"' || text[at[1]] == '"' })
}

// beginning are the whole members that an object begins with, and the list that it breaks off in, as far as its entries are whole.
func beginning(text []byte) (members []string, list string) {
	d := json.NewDecoder(bytes.NewReader(text))
	if _, err := d.Token(); err != nil {
		return nil, ""
	}
	for len(members) < mostShown {
		token, err := d.Token()
		name, isName := token.(string)
		if err != nil || !isName {
			break
		}
		from := d.InputOffset()
		var value json.RawMessage
		if d.Decode(&value) != nil {
			return members, brokenList(name, text[from:])
		}
		if !goesOn(value, text[d.InputOffset():]) {
			members = append(members, member(name, value))
		}
	}
	return members, ""
}

// goesOn says whether a value is a number behind which a text breaks off: more figures may have followed.
func goesOn(value, behind []byte) bool {
	last := value[len(value)-1]
	return len(behind) == 0 && last >= '0' && last <= '9'
}

func member(name string, value []byte) string { return string(trail.Quote(name)) + ":" + string(value) }

// brokenList is a member whose list breaks off, behind its colon: with the entries that are whole, and with word of the others.
func brokenList(name string, text []byte) string {
	text = bytes.TrimLeft(text, ": \t\r\n")
	d := json.NewDecoder(bytes.NewReader(text))
	if open, err := d.Token(); err != nil || open != json.Delim('[') {
		return ""
	}
	var entries []string
	var entry json.RawMessage
	for len(entries) < mostShown && d.Decode(&entry) == nil && !goesOn(entry, text[d.InputOffset():]) {
		entries = append(entries, string(entry))
	}
	return member(name, []byte("["+strings.Join(append(entries, string(trail.Quote(more))), ",")+"]"))
}

// ending are the whole members that an object ends with, joined, and whether the text is the end of one: whether it begins within
// a text of it is told by how it ends.
func ending(text []byte) (members string, told bool) {
	for _, quoted := range []bool{false, true} {
		closed, first, ends := levels(text, quoted)
		if !ends {
			continue
		}
		last := len(text) - 1
		if n := len(closed); n > 1 {
			first = closed[n-2] + 1
		} else if first < 0 {
			return "", true
		}
		members = strings.TrimPrefix(strings.TrimSpace(string(text[first:last])), ",")
		return members, json.Valid([]byte("{" + members + "}"))
	}
	return "", false
}

// levels are the places at which a text closes what was opened before it, the first comma that stands in none of what it opens
// itself, -1 for none, and whether nothing is left open where it ends.
func levels(text []byte, quoted bool) (closed []int, comma int, ends bool) {
	open := 0
	comma = -1
	for i, c := range unquoted(text, quoted) {
		switch {
		case c == '"': // which is left open
			return nil, -1, false
		case c == '{' || c == '[':
			open++
		case c == ',' && open == 0 && comma < 0:
			comma = i
		case c != '}' && c != ']':
		case open > 0:
			open--
		case len(closed) == deepest:
			return nil, -1, false
		default:
			closed = append(closed, i)
		}
	}
	return closed, comma, open == 0 && slices.Index(closed, len(text)-1) >= 0
}

// unquoted are the places of a text that stand in no quotes; a quote is the last where they are left open.
func unquoted(text []byte, quoted bool) iter.Seq2[int, byte] {
	return func(yield func(int, byte) bool) {
		for i := 0; i < len(text); i++ {
			switch c := text[i]; {
			case quoted && c == '\\':
				i++
			case c == '"':
				quoted = !quoted
			case !quoted && !yield(i, c):
				return
			}
		}
		if quoted {
			yield(len(text), '"')
		}
	}
}
