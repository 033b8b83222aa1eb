package tapes

import (
	"slices"
	"time"

	"paysandbox/harness/trail/told"
	"paysandbox/mockserver/console/feed"
	"paysandbox/mockserver/control"
	"paysandbox/mockserver/tape"
)

// things are the entities that have moved, newest first, and how many are left out.
func things(entries []tape.Entry) ([]Thing, int) {
	var list []*Thing
	byID := map[string]*Thing{}
	for n := range entries {
		e := &entries[n]
		t := e.Transition
		if t == nil {
			continue
		}
		one := byID[t.Entity]
		if one == nil {
			one = &Thing{ID: t.Entity, Machine: t.Machine, First: e.Seq}
			byID[t.Entity] = one
			list = append(list, one)
		}
		one.Status, one.Last = t.To, e.Seq
		one.Moves = append(one.Moves, ThingMove{e.Seq, time.Unix(0, e.At).UTC().Format(time.DateTime), t.From, t.To, t.Event, told.Clean(t.Reason)})
	}
	slices.Reverse(list)
	var out []Thing
	room := mostMoves
	for _, one := range list[:min(len(list), mostThings)] {
		one.Left = max(0, len(one.Moves)-room)
		one.Moves = one.Moves[one.Left:]
		room -= len(one.Moves)
		out = append(out, *one)
	}
	return out, len(list) - len(out)
}

// mails are the newest messages, and how many are left out.
func mails(entries []tape.Entry) (list []Mail, left int) {
	for _, e := range slices.Backward(entries) {
		switch {
		case e.Message == nil:
		case len(list) == mostMails:
			left++
		default:
			list = append(list, Mail{control.Render(e.Message), e.Seq, When(e.At), e.Message.Channel, e.Message.To})
		}
	}
	return list, left
}

// deliveries are the newest events with their attempts at each endpoint, and how many are
// left out.
func deliveries(entries []tape.Entry) (list []feed.Sent, left int) {
	g := feed.Grid{Most: mostSent}
	for n := len(entries) - 1; n >= 0; n-- {
		g.Take(&entries[n])
	}
	return g.List(), g.Left
}
