package main

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// endsAs is the payment that went through some states and no others, about which
// nothing but payments and their events is on the tape; the first one.
func (e edited) endsAs(t *testing.T, states ...string) string {
	t.Helper()
	w := ways{went: map[string][]string{}, special: map[string]bool{}}
	for _, raw := range e[1:] {
		var l line
		require.NoError(t, json.Unmarshal(raw, &l))
		w.take(&l)
	}
	settled := e.settled(t)
	for _, id := range w.order {
		if slices.Equal(w.went[id], states) && !w.special[id] && settled[strings.ToLower(id)] {
			return id
		}
	}
	require.Fail(t, "no payment went "+strings.Join(states, " → ")+" so long before the end that its books are what they are")
	return ""
}

// settled are the payments of which the application was told all, each event once, so
// long before it was last asked what it made of them that it has had its time to act.
func (e edited) settled(t *testing.T) map[string]bool {
	t.Helper()
	meta, entries, err := tape.Read(bytes.NewReader(bytes.Join(e, nil)))
	require.NoError(t, err)
	all := trail.New(meta, entries)
	last, settled, seen := map[string]*trail.Probe{}, map[string]bool{}, map[string]bool{}
	for _, p := range all.Probes() {
		for id := range p.By {
			last[id] = p
		}
	}
	for _, h := range all.Deliveries() {
		id, once := h.About(), !seen[h.Event]
		before, known := settled[id]
		seen[h.Event] = true
		settled[id] = once && (before || !known) && h.Told() && last[id] != nil && last[id].Settled(all, id, h.Entry)
	}
	return settled
}

// ways are the states that payments went through, in the order of their making, and
// those that something special happened to.
type ways struct {
	order   []string
	went    map[string][]string
	special map[string]bool
}

func (w *ways) take(l *line) {
	switch m, a, x := l.Transition, l.Attempt, l.Exchange; {
	case m != nil && m.Machine == "payment":
		if m.From == "" {
			w.order = append(w.order, m.Entity)
		}
		w.went[m.Entity] = append(w.went[m.Entity], m.To)
	case a != nil && a.Profile != nil:
		w.special[paymentIn(a.Body)] = true
	case x != nil && (x.Operation == "refundPayment" || strings.Contains(x.Request.Body, `"redirect"`)):
		for id := range w.went {
			w.special[id] = w.special[id] || strings.Contains(x.Path+x.Request.Body, id)
		}
	}
}

// paymentIn is the payment of an event as the tape has its body.
func paymentIn(body json.RawMessage) string {
	var text string
	if json.Unmarshal(body, &text) == nil {
		body = []byte(text)
	}
	var event struct{ Data struct{ PaymentID string } }
	_ = json.Unmarshal(body, &event)
	return event.Data.PaymentID
}
