package minimise

import (
	"slices"
	"strings"

	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/recording"
)

// needs are, for each step, the earlier steps whose values it takes.
func needs(routes *correlate.Routes, steps []play.Step) [][]int {
	maker := map[string]int{}
	list := make([][]int, len(steps))
	for i := range steps {
		for _, v := range takes(routes, &steps[i]) {
			if at, ok := maker[strings.ToLower(v)]; ok && !slices.Contains(list[i], at) {
				list[i] = append(list[i], at)
			}
		}
		for _, v := range makes(routes, &steps[i]) {
			if _, known := maker[strings.ToLower(v)]; !known {
				maker[strings.ToLower(v)] = i
			}
		}
	}
	return list
}

// takes are the values that a step is made with.
func takes(routes *correlate.Routes, s *play.Step) []string {
	var list []string
	if c := s.Call; c != nil {
		for _, v := range correlate.Takes(routes, &c.Exchange) {
			list = append(list, v.Text)
		}
	}
	if m := s.Move; m != nil {
		list = append(list, strings.Split(m.Path, "/")...)
		for _, v := range correlate.InBody("", m.Body) {
			list = append(list, v.Text)
		}
	}
	return list
}

// makes are the values that a step is the first to show. What was refused has made nothing, whatever the client had chosen for it.
func makes(routes *correlate.Routes, s *play.Step) []string {
	var list []string
	var stands []correlate.Value
	if c := s.Call; c != nil && !refused(&c.Exchange.Answer) {
		operation, _ := routes.Match(c.Exchange.Method, c.Exchange.Path)
		if c.Exchange.Answer.Known == recording.Whole {
			stands = correlate.InBody(operation, c.Exchange.Answer.Body)
		}
		if operation == "createCompany" {
			stands = append(stands, correlate.InBody(operation, c.Exchange.Body)...)
		}
		stands = append(stands, c.Stands...)
	}
	if s.Move != nil {
		stands = s.Move.Stands
	}
	for _, v := range stands {
		list = append(list, v.Text)
	}
	return list
}

// refused says whether an answer is the service's no: what stood in between may have said 502 of what was carried out.
func refused(a *recording.Answer) bool { return a.Status >= 400 && a.Status < 500 }

// closed adds to some steps all that they need.
func closed(need [][]int, keep []bool) []bool {
	out := slices.Clone(keep)
	for i := len(out) - 1; i >= 0; i-- {
		if out[i] {
			for _, n := range need[i] {
				out[n] = true
			}
		}
	}
	return out
}

// without takes steps away, and with them all that needs them.
func without(need [][]int, keep []bool, gone func(i int) bool) []bool {
	out := slices.Clone(keep)
	for i := range out {
		if !out[i] {
			continue
		}
		out[i] = !gone(i) && !slices.ContainsFunc(need[i], func(n int) bool { return !out[n] })
	}
	return out
}
