package diagnose

import (
	"slices"
	"strings"

	"paysandbox/harness/check"
	"paysandbox/harness/clause"
	"paysandbox/harness/replay/compare"
	"paysandbox/harness/trail"
	"paysandbox/harness/verdict"
)

// Shown says whether a replay of a part of the recording still shows the fault: the same
// side, clause, operation and place.
func (f *Fault) Shown(in *Input) bool {
	if strings.HasPrefix(f.Clause, clause.IntegrationPrefix) {
		return broken(in, f.Clause)
	}
	list := append(contradicted(in), refusals(in.Recording, in.Run)...)
	list = append(list, differences(in.Differences)...)
	if slices.ContainsFunc(list, f.same) {
		return true
	}
	if f.Side != Service {
		return false
	}
	told, bare := Tape(in.Recording, in.Run, true), Tape(in.Recording, in.Run, false)
	return slices.ContainsFunc(services(in.Recording, &told, &bare, in.Document), f.same)
}

func (f *Fault) same(o Fault) bool {
	return f.Clause == o.Clause && f.Operation == o.Operation && f.Pointer == o.Pointer && (f.Side == o.Side || f.Side == Choice && o.Side != Partner)
}

// broken holds the recording's part to one clause of the partner's.
func broken(in *Input, id string) bool {
	told := Tape(in.Recording, in.Run, true)
	t := trail.New(told.Meta, told.Entries)
	for _, c := range check.Integration() {
		if c.ID == id {
			r := c.Judge(t)
			return r.Word == verdict.Fail
		}
	}
	return false
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
