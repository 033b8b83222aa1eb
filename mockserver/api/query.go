package api

import (
	"maps"
	"slices"
	"strings"

	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/spelling"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

// The most query parameters that are warned of, and the longest name that is shown.
const (
	maxStray     = 10
	longestStray = 80
)

// strayQuery warns a partner of query parameters that the operation does not have;
// strangers are told nothing, and leave nothing on the tape. Their
// values are not shown: they may be secrets.
func (x *exchange) strayQuery(w *world.World) {
	if x.route == nil || len(x.query) == 0 || x.Call.Seq == 0 || x.Call.Exchange.Auth != tape.AuthValid {
		return
	}
	var known []string
	for _, p := range x.route.Params {
		if p.In == "query" {
			known = append(known, p.Name)
		}
	}
	var stray []kernel.Finding
	for _, name := range slices.Sorted(maps.Keys(x.query)) {
		if len(stray) < maxStray && !slices.ContainsFunc(known, func(k string) bool { return strings.EqualFold(k, name) }) {
			stray = append(stray, strayName(name, known))
		}
	}
	if stray != nil {
		w.Advise(stray...)
	}
}

func strayName(name string, known []string) kernel.Finding {
	f := kernel.Finding{
		Pointer: "query:" + name[:min(len(name), longestStray)], Clause: "request.unknown-member", Source: kernel.Assumed,
		Expected: "no query parameters", Fix: "leave it out: it is not looked at", Advisory: true,
	}
	if len(known) > 0 {
		f.Expected = strings.Join(known, ", ")
	}
	if near := spelling.Near(name, known); near != "" {
		f.Fix = "nearest: " + near
	}
	return f
}
