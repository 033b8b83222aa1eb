package tree

import (
	"slices"
	"strings"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/trail"
)

// pseudo adds what stands among the headers of HTTP/2: a call's method, path and host, an answer's status.
func pseudo(out []leaf, way []string, headers map[string]any) []leaf {
	for _, one := range [][2]string{{":method", "method"}, {":path", "path"}, {":authority", "host"}, {":status", "status"}} {
		if v := headers[one[0]]; v != nil {
			out = append(out, leaf{append(slices.Clone(way[:len(way)-1]), one[1]), v})
		}
	}
	return out
}

// matched is the value of a matcher, as tools that play recordings back keep what was sent; nil for anything else.
func matched(v any) any {
	m, _ := v.(map[string]any)
	if _, named := m["matcher"].(string); !named {
		return nil
	}
	return m["value"]
}

// hasHeaders says whether an object holds headers beside what else a message begins with.
func hasHeaders(v map[string]any) bool {
	return isObject(v["headers"])
}

// showsCall says whether an object that is named as bodies are is a call itself, as the
// data of an error reporter's breadcrumb.
func showsCall(v map[string]any) bool {
	verb, address := false, false
	for name, one := range v {
		last := words(name)
		if len(last) == 0 {
			continue
		}
		switch last[len(last)-1] {
		case "method", "verb":
			verb = true
		case "url", "uri", "path":
			address = true
		}
		_, below := one.(map[string]any)
		verb, address = verb || below && last[0] == "request", address || below && last[0] == "request"
	}
	return verb && address
}

// namesHeaders says whether the last words of a way name headers, or their parameters.
func namesHeaders(way []string) bool {
	n := len(way)
	return n > 0 && isHeaders(way[n-1]) || n > 1 && way[n-1] == "parameters" && isHeaders(way[n-2])
}

// besideRequest are the values of a branch in which the request stands as an object, beside the status of the
// answer: what has no side there is the answer's, but for times and an event, which no call is answered with.
func besideRequest(all []leaf) []leaf {
	if !requestApart(all) {
		return all
	}
	made := slices.Clone(all)
	for i, l := range made {
		if last := len(l.way) - 1; side(l.way) == "" && last >= 0 && (namesHeaders(l.way) || isBody(l.way[last]) || l.way[last] == "text") && !source.IsEvent([]byte(scalar(l.v))) {
			made[i].way = append([]string{"response"}, l.way...)
		}
	}
	return made
}

// requestApart says whether the address or method of a branch stands on the request's side alone, and a status on none.
func requestApart(all []leaf) bool {
	asked, status := false, false
	for _, l := range all {
		named := len(l.way) > 0 && addressed().MatchString(l.way[len(l.way)-1])
		of := side(l.way)
		if of == "response" || of == "" && named {
			return false
		}
		asked, status = asked || named, status || of == "" && namesStatus(l.way) > 0
	}
	return asked && status
}

var addressed = trail.Pattern(`^(?:method|url|uri|path)$`)

// wordsOf are the words of a member's name; of a step's that has one for what went in and one for what came out of it, as
// tools that run workflows call a request and its answer, these words.
func wordsOf(name string, in map[string]any) []string {
	list := words(name)
	for way, side := range map[string]string{"in": "request", "input": "request", "out": "response", "output": "response"} {
		n := len(list)
		if n == 0 || list[n-1] != way || !isObject(in[name]) {
			continue
		}
		for other := range in {
			both := words(other)
			if len(both) == n && slices.Equal(both[:n-1], list[:n-1]) && both[n-1] == opposite[way] && isObject(in[other]) {
				return []string{side}
			}
		}
	}
	return list
}

var opposite = map[string]string{"in": "out", "out": "in", "input": "output", "output": "input"}

// unpiped is a header as Zapier's forms have it, with a bar before its value, as any other.
func unpiped(line string) string {
	if name, value, ok := strings.Cut(line, "|"); ok && !strings.ContainsAny(name, ": \t") {
		return name + ":" + value
	}
	return line
}

// variable is a variable of Hoppscotch.
var variable = trail.Pattern(`<<([A-Za-z_]\w{0,60})>>`)
