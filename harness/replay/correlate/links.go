package correlate

import (
	"bytes"
	"encoding/json"
	"net/url"
	"sort"
	"strings"

	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// Link says that a value of the recording stands for one of the replay.
type Link struct {
	Type     Type   `json:"type" yaml:"type"`
	Recorded string `json:"recorded" yaml:"recorded"`
	Replayed string `json:"replayed" yaml:"replayed,omitempty"`
	// Call is the number from 1 of the call whose answer shows the value, 0 for none of
	// the recording; Where is the JSON pointer there, or in words where else it was seen.
	Call  int    `json:"call,omitempty" yaml:"call,omitempty"`
	Where string `json:"where,omitempty" yaml:"where,omitempty"`
	// Undone says that a person has undone the link: the value stands for nothing.
	Undone bool `json:"undone,omitempty" yaml:"undone,omitempty"`
}

// Links are what stands for what. The zero value has none.
type Links struct {
	list   []Link
	byType map[Value]string
	byText map[string]string
	back   map[string]string
	// undone are the values that stand for nothing that is found.
	undone map[Value]bool
	// brief says that a value is too short to be unlike any other.
	brief bool
}

// Undo says that recorded values stand for nothing, but where Stand says it.
func (l *Links) Undo(values []Value) {
	l.undone = make(map[Value]bool, len(values))
	for _, v := range values {
		l.undone[Value{Type: v.Type, Text: fold(v.Text)}] = true
	}
}

// Bind says that a recorded value was found to stand for a replayed one. The first word
// counts.
func (l *Links) Bind(t Type, recorded, replayed, where string) {
	l.found(Link{Type: t, Recorded: recorded, Replayed: replayed, Where: where})
}

func (l *Links) found(one Link) {
	key := Value{Type: one.Type, Text: fold(one.Recorded)}
	if _, known := l.byType[key]; !known && !l.undone[key] && !recording.Struck(one.Recorded) {
		l.Stand(one)
	}
}

// Stand is Bind for what the script says itself, also where it was undone. A token that is said to be granted anew is the new one from
// then on: a file has a variable in its place.
func (l *Links) Stand(one Link) {
	t, recorded, replayed := one.Type, one.Recorded, one.Replayed
	if l.byType == nil {
		l.byType, l.byText, l.back = map[Value]string{}, map[string]string{}, map[string]string{}
	}
	key := Value{Type: t, Text: fold(recorded)}
	_, before := l.byType[key]
	if before && t != Token || recorded == "" || replayed == "" {
		return
	}
	l.byType[key] = replayed
	l.brief = l.brief || len(key.Text) < shortest
	if _, known := l.byText[key.Text]; !known || before {
		l.byText[key.Text] = replayed
	}
	l.back[fold(replayed)] = recorded
	l.list = append(l.list, one)
}

// fold makes ids equal in any case of letters. Tokens differ by more than that.
func fold(s string) string { return strings.ToLower(s) }

// All lists the links in the order in which they were found.
func (l *Links) All() []Link { return append([]Link(nil), l.list...) }

// Find is what a recorded value stands for: by type and value, else by the value
// alone, which is unlike any other, so that an id that the partner has mixed up with
// another type's is mixed up in the replay too.
func (l *Links) Find(t Type, recorded string) (string, bool) {
	if v, ok := l.byType[Value{Type: t, Text: fold(recorded)}]; ok {
		return v, true
	}
	if len(recorded) < shortest {
		return "", false
	}
	v, ok := l.byText[fold(recorded)]
	return v, ok
}

// shortest is how long a value is at least that agrees by no chance.
const shortest = 8

// Recorded is what a replayed value stands for.
func (l *Links) Recorded(replayed string) (string, bool) {
	v, ok := l.back[fold(replayed)]
	return v, ok
}

// Answer binds what the recorded answer of a call, by its number from 1, shows to what the
// replay's shows in the same place. What stands for one thing already stands for no other that is only shown.
func (l *Links) Answer(call int, operation string, recorded, replayed []byte) {
	at := map[string]string{}
	Walk(replayed, func(path []string, v any) {
		if text, ok := v.(string); ok {
			at[strings.ToLower(Pointer(path))] = text
		}
	})
	makes := trail.OperationNamed(operation).Makes
	Walk(recorded, func(path []string, v any) {
		text, ok := v.(string)
		t := typeOf(operation, path)
		if !ok || !t.Made() {
			return
		}
		where := Pointer(path)
		with := at[strings.ToLower(where)]
		if of, taken := l.Recorded(with); !taken || strings.EqualFold(of, text) || len(makes) > 0 {
			l.found(Link{Type: t, Recorded: text, Replayed: with, Call: call, Where: where})
		}
	})
}

// Request puts the replay's values in the place of the recording's.
func (l *Links) Request(r *Routes, x *recording.Exchange) (path, query string, header []tape.Header, body []byte) {
	path, query, body = x.Path, x.Query, x.Body
	header = append([]tape.Header(nil), x.Header...)
	_, params := r.Match(x.Method, x.Path)
	for _, p := range params {
		if v, ok := l.Find(p.Type, p.Text); ok {
			path = replaceSegment(path, p.Text, v)
		}
	}
	query = l.query(query)
	for i := range header {
		if v, ok := l.Find("", header[i].Value); ok {
			header[i].Value = v
		}
	}
	return path, query, header, l.Body(body)
}

func replaceSegment(path, old, with string) string {
	parts := strings.Split(path, "/")
	for i := range parts {
		if plain, err := url.PathUnescape(parts[i]); err == nil && plain == old {
			parts[i] = url.PathEscape(with)
		}
	}
	return strings.Join(parts, "/")
}

func (l *Links) query(query string) string {
	if query == "" {
		return ""
	}
	args := strings.Split(query, "&")
	for i, arg := range args {
		name, value, _ := strings.Cut(arg, "=")
		plain, err := url.QueryUnescape(value)
		if err != nil {
			continue
		}
		if v, ok := l.Find(members[strings.ToLower(name)], plain); ok {
			args[i] = name + "=" + url.QueryEscape(v)
		}
	}
	return strings.Join(args, "&")
}

// Body puts them into a body whose other bytes stay as they are: also one that is no
// JSON.
func (l *Links) Body(body []byte) []byte {
	return l.short(l.swap(body, func(v string) (string, bool) { return l.Find("", v) }))
}

// Back is Body the other way round: the recording's values in place of the replay's.
func (l *Links) Back(body []byte) []byte { return l.swap(body, l.Recorded) }

func (l *Links) swap(body []byte, find func(string) (string, bool)) []byte {
	found := map[string]string{}
	Walk(body, func(_ []string, v any) {
		if text, ok := v.(string); ok {
			if with, ok := find(text); ok && with != text {
				found[text] = with
			}
		}
	})
	olds := make([]string, 0, len(found))
	for old := range found {
		olds = append(olds, old)
	}
	sort.Strings(olds)
	for _, old := range olds {
		was, with := quoted(old), quoted(found[old])
		body = bytes.ReplaceAll(body, was, with)
	}
	return body
}

// quoted writes a text as JSON does, but for the marks that HTML would want escaped.
func quoted(s string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(s) != nil {
		return []byte(`""`)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
