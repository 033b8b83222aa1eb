package tree

import (
	"maps"
	"slices"
	"strings"
	"unicode"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/trail"
)

// plain gives a value without what tools wrap around it: a list of names with their values
// is an object, a value in an object that says only its kind stands for itself, and a name
// with dots is a way down.
func plain(v any, deep int) any {
	if deep > source.MaxNesting {
		return nil
	}
	switch v := v.(type) {
	case []any:
		if len(v) == 1 && matched(v[0]) != nil {
			return plain(matched(v[0]), deep+1)
		}
		return plainList(v, deep)
	case map[string]any:
		if len(v) == 1 {
			for name, one := range v {
				if typed().MatchString(name) {
					return plain(one, deep+1)
				}
			}
		}
		made := map[string]any{}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			put(made, strings.Split(name, "."), plain(v[name], deep+1))
		}
		return made
	case string:
		if said := spelledCall(v, deep); said != nil {
			return said
		}
		return source.Template(v)
	default:
		return v
	}
}

// typed is a name that says only what kind a value is.
var typed = trail.Pattern(`^(?:string|int|double|bool|array|kvlist|bytes)_?[vV]alue$|^[SN]$`)

func plainList(list []any, deep int) any {
	made := map[string]any{}
	for _, one := range list {
		pair, _ := one.(map[string]any)
		name, value, ok := pairOf(pair)
		if !ok {
			made = nil
			break
		}
		put(made, []string{name}, plain(value, deep+1))
	}
	if len(made) > 0 {
		split := map[string]any{}
		for _, name := range slices.Sorted(maps.Keys(made)) {
			put(split, strings.Split(name, "."), made[name])
		}
		return split
	}
	kept := make([]any, len(list))
	for i := range list {
		kept[i] = plain(list[i], deep+1)
	}
	return kept
}

// pairOf is the name and the value that an object pairs.
func pairOf(pair map[string]any) (name string, value any, ok bool) {
	if len(pair) < 2 || len(pair) > 5 {
		return "", nil, false
	}
	for _, names := range [][2]string{{"name", "value"}, {"key", "value"}, {"Name", "Value"}, {"Key", "Value"}, {"tag", "value"}, {"header", "value"}, {"field", "value"}} {
		name, isText := pair[names[0]].(string)
		if value, is := pair[names[1]]; isText && is && name != "" {
			return name, value, true
		}
	}
	return "", nil, false
}

// put puts a value at the end of a way; what stands on it already is kept under "".
func put(in map[string]any, way []string, v any) {
	if len(way) > 1 && slices.Contains(way, "") {
		way = []string{strings.Join(way, ".")}
	}
	name := way[0]
	if len(way) == 1 {
		if below, ok := in[name].(map[string]any); ok {
			if both, is := v.(map[string]any); is {
				maps.Copy(below, both)
				return
			}
			below[""] = v
			return
		}
		in[name] = v
		return
	}
	below, ok := in[name].(map[string]any)
	if !ok {
		below = map[string]any{}
		if was, is := in[name]; is {
			below[""] = was
		}
		in[name] = below
	}
	put(below, way[1:], v)
}

// words are the words of a name, in small letters: responseBody and response_body are two.
func words(name string) []string {
	var list []string
	from := 0
	end := func(to int) {
		if to > from {
			list = append(list, strings.ToLower(name[from:to]))
		}
	}
	lower := false
	for i, r := range name {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			end(i)
			from, lower = i+len(string(r)), false
		case unicode.IsUpper(r) && lower:
			end(i)
			from, lower = i, false
		default:
			lower = unicode.IsLower(r) || unicode.IsDigit(r)
		}
	}
	end(len(name))
	return list
}

// leaf is a value with the words of the names that lead to it.
type leaf struct {
	way []string
	v   any
}

// leaves are the values of a branch, without what stands below bodies and headers, which
// are leaves as a whole. Lists of objects are no part of it.
func leaves(v any, way []string, out []leaf) []leaf {
	switch v := v.(type) {
	case map[string]any:
		last := ""
		if len(way) > 0 {
			last = way[len(way)-1]
		}
		if isWhole(last, v) || namesHeaders(way) && !hasHeaders(v) {
			return pseudo(append(out, leaf{way, v}), way, v)
		}
		if isAnswer(v) {
			way = append(slices.Clone(way), "response")
		}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			out = leaves(v[name], append(slices.Clone(way), wordsOf(name, v)...), out)
		}
		return out
	case []any:
		if len(v) == 1 && holdsAnswer(v, 5) {
			return leaves(v[0], way, out)
		}
		if len(v) == 0 || len(way) > 0 && isHeaders(way[len(way)-1]) || !slices.ContainsFunc(v, isObject) {
			return append(out, leaf{way, v})
		}
		return out
	default:
		return append(out, leaf{way, v})
	}
}

// isWhole says whether an object is a leaf by its name and what it holds.
func isWhole(last string, v map[string]any) bool {
	switch {
	case isBody(last) && !showsCall(v) && !holdsAnswer(v, 5), isMessage(last) && holdsBody(last, v):
		return true
	default:
		return isHeaders(last) && !hasHeaders(v) || last == "query" || last == "metadata"
	}
}

// isMessage says whether a name is that of a message as a whole.
func isMessage(word string) bool {
	switch word {
	case "request", "req", "response", "res", "resp", "answer", "reply":
		return true
	}
	return false
}

// messagePart is a member by which an object shows that it is a message as a whole, and
// addressPart one by which a request does.
var (
	messagePart = trail.Pattern(`^(?:http|request|response|req|res)?(?:method|verb|headers?|hdrs|body|payload|content|data|text|raw|statuscode|statustext|(?:http)?version|phrase|reason|line)$`)
	addressPart = trail.Pattern(`^(?:request|req)?(?:url|uri|path|host)$`)
)

// holdsBody says whether an object that is named as a message is its body alone.
func holdsBody(last string, v map[string]any) bool {
	for name, one := range v {
		plain := strings.Join(words(name), "")
		switch {
		case plain == "" || messagePart().MatchString(plain):
			return false
		case (plain == "status" || plain == "code") && len(scalar(one)) == 3:
			return false
		case addressPart().MatchString(plain) && side([]string{last}) == "request":
			return false
		}
	}
	return len(v) > 0 || side([]string{last}) == "response"
}

// isAnswer says whether an object is an answer whatever its name: it holds a status beside headers
// or a body, and no method or address.
func isAnswer(v map[string]any) bool {
	status, more := false, false
	for name, one := range v {
		switch plain := strings.Join(words(name), ""); plain {
		case "statuscode", "httpstatus", "httpstatuscode":
			status = status || len(scalar(one)) == 3
		case "method", "verb", "url", "uri", "path", "request", "requestmethod":
			return false
		case "headers", "body", "data":
			more = true
		}
	}
	return status && more
}

// holdsAnswer says whether such an object stands in a value, as the only one on its way down.
func holdsAnswer(v any, deep int) bool {
	switch v := v.(type) {
	case map[string]any:
		if isAnswer(v) {
			return true
		}
		if len(v) == 1 && deep > 0 {
			for _, one := range v {
				return holdsAnswer(one, deep-1)
			}
		}
	case []any:
		return len(v) == 1 && deep > 0 && holdsAnswer(v[0], deep-1)
	}
	return false
}

func isObject(v any) bool { _, ok := v.(map[string]any); return ok }

func isHeaders(word string) bool {
	return strings.HasSuffix(word, "headers") || word == "header" || word == "hdrs"
}

func isBody(word string) bool {
	switch word {
	case "body", "payload", "content", "data", "entity", "postdata", "requestbody", "responsebody", "reqbody", "resbody", "json":
		return true
	}
	return false
}

// isNothing says whether a value is no body whatever its name, such as "encodedBody": false, or an
// object in which nothing is said.
func isNothing(v any) bool {
	if m, ok := v.(map[string]any); ok && len(m) > 0 {
		for _, one := range m {
			if one != nil {
				return false
			}
		}
		return true
	}
	_, flag := v.(bool)
	list, many := v.([]any)
	return flag || many && len(list) == 0
}
