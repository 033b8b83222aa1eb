package tree

import (
	"slices"

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
// answer: what has no side there is the answer's, but for times.
func besideRequest(all []leaf) []leaf {
	if !requestApart(all) {
		return all
	}
	made := slices.Clone(all)
	for i, l := range made {
		if last := len(l.way) - 1; side(l.way) == "" && last >= 0 && (namesHeaders(l.way) || isBody(l.way[last]) || l.way[last] == "text") {
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
