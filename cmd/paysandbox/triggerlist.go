package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/tape"
)

// newest is the newest entity of a machine that admits an event.
func (f *triggerFlags) newest(ctx context.Context, name, event string) (string, error) {
	all, err := f.entities(ctx)
	if err != nil {
		return "", err
	}
	m := triggered()[slices.IndexFunc(triggered(), func(m *kernel.Machine) bool { return m.Name == name })]
	if list := admitting(m, event, all[name]); len(list) > 0 {
		return list[len(list)-1].id, nil
	}
	if len(all[name]) == 0 {
		return "", badUsage("create one first, or give its id", "the tape of the integration knows no %s", name)
	}
	last := all[name][len(all[name])-1]
	return "", badUsage("`paysandbox trigger --list` says what is possible now", "no %s of %d admits %s: the newest, %s, is %s", name, len(all[name]), event, last.id, last.state)
}

// standing is an entity and the state in which it stands.
type standing struct{ id, state string }

// entities are the entities that the tape tells of, by machine, oldest first.
func (f *triggerFlags) entities(ctx context.Context) (map[string][]standing, error) {
	raw, err := f.call(ctx, http.MethodGet, "/tape?kind=transition", nil)
	if err != nil {
		return nil, err
	}
	_, entries, err := tape.Read(bytes.NewReader(raw))
	all, place := map[string][]standing{}, map[string]int{}
	for i := range entries {
		t := entries[i].Transition
		if t == nil {
			continue
		}
		if at, known := place[t.Machine+t.Entity]; known {
			all[t.Machine][at].state = t.To
			continue
		}
		place[t.Machine+t.Entity] = len(all[t.Machine])
		all[t.Machine] = append(all[t.Machine], standing{t.Entity, t.To})
	}
	return all, err
}

// admitting are those whose state admits an event.
func admitting(m *kernel.Machine, event string, list []standing) []standing {
	return slices.DeleteFunc(slices.Clone(list), func(s standing) bool {
		state, known := m.StateNamed(s.state)
		_, admits := m.Find(state, event)
		return !known || !admits
	})
}

// tellEvents lists the events of the machines whose name begins so, from where to
// where they lead, and what admits them now, where a sandbox runs.
func (f *triggerFlags) tellEvents(ctx context.Context, begin string, stdout io.Writer) error {
	all, gone := f.entities(ctx)
	var b strings.Builder
	wide := 0
	for _, name := range triggers() {
		wide = max(wide, len(name))
	}
	for _, m := range triggered() {
		for _, event := range m.Events() {
			if event == "create" || !strings.HasPrefix(m.Name+"."+event, begin) {
				continue
			}
			from, to := ends(m, event)
			folded(&b, fmt.Sprintf("%-*s ", wide, m.Name+"."+event), "        ", strings.Join(from, ", ")+" → "+strings.Join(to, ", "))
			if list := admitting(m, event, all[m.Name]); len(list) > 0 {
				folded(&b, "        now ", "        ", counted(len(list), list[len(list)-1].id))
			}
		}
	}
	if b.Len() == 0 {
		return badUsage(meant(begin, triggers()), "no event begins with %q", begin)
	}
	if gone != nil {
		folded(&b, "", "", fmt.Sprintf("What admits them now is not known: %v.", gone))
	}
	_, err := io.WriteString(stdout, b.String())
	return err
}

// counted names one, or how many there are and the newest.
func counted(n int, newest string) string {
	if n == 1 {
		return newest
	}
	return fmt.Sprintf("%d, the newest %s", n, newest)
}

// ends are the states from and to which an event leads; what creates comes from none.
func ends(m *kernel.Machine, event string) (from, to []string) {
	for _, mv := range m.Moves {
		if mv.Event != event {
			continue
		}
		if name := m.States[mv.From]; name != "" && !slices.Contains(from, name) {
			from = append(from, name)
		}
		if name := m.States[mv.To]; !slices.Contains(to, name) {
			to = append(to, name)
		}
	}
	return from, to
}
