package diagnose

import (
	"slices"
	"strings"

	"paysandbox/harness/clause"
	"paysandbox/harness/replay/compare"
)

// Shown says whether a replay of a part of the recording still shows the fault: the same
// side, clause, operation and place; and as the first, but for those that the case has
// before it.
func (f *Fault) Shown(in *Input, before []Fault) bool {
	list := append(contradicted(in), refusals(in.Recording, in.Run)...)
	if in.Saved == nil {
		list = append(list, redelivered(in.Recording, in.Run)...)
	}
	told := Tape(in.Recording, in.Run, true)
	if f.Side == Service || f.Side == Choice {
		bare := Tape(in.Recording, in.Run, false)
		list = append(list, differences(in.Differences)...)
		list = append(list, services(in.Recording, in.Run, &told, &bare, in.Document)...)
	}
	if !slices.ContainsFunc(list, f.same) && !strings.HasPrefix(f.Clause, clause.IntegrationPrefix) {
		return false
	}
	list = append(list, partners(in.Recording, &told)...)
	in.sort(list)
	for _, o := range merged(list) {
		if f.same(o) || o.Side == f.Side && slices.Contains(o.Also, f.Clause) {
			return true
		}
		if !slices.ContainsFunc(before, func(b Fault) bool { return b.same(o) }) {
			return false
		}
	}
	return false
}

func (f *Fault) same(o Fault) bool {
	return f.Clause == o.Clause && f.Operation == o.Operation && f.Pointer == o.Pointer && (f.Side == o.Side || f.Side == Choice && o.Side != Partner)
}

// Signature is equal for cases of the same cause.
func (f *Fault) Signature() string {
	return strings.Join([]string{string(f.Side), f.Clause, f.Knob, f.Operation, stem(f.Pointer)}, " ")
}

// stem is a pointer without the places in lists.
func stem(pointer string) string {
	parts := strings.Split(pointer, "/")
	for i := range parts {
		if parts[i] != "" && strings.Trim(parts[i], "0123456789") == "" {
			parts[i] = "*"
		}
	}
	return strings.Join(parts, "/")
}

// Different says whether a difference is there again.
func Different(list []compare.Difference, d *compare.Difference) bool {
	return slices.ContainsFunc(list, func(o compare.Difference) bool {
		return o.Operation == d.Operation && stem(o.Where) == stem(d.Where) && o.N == d.N && o.Heard == d.Heard
	})
}
