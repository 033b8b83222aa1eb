package main

import (
	"cmp"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/anishathalye/porcupine"
)

// payment is what a payment request is to the model: it knows nothing of sandboxes.
type payment struct {
	status   string // "" until it was cancelled or approved
	refunded int
}

// after is what an operation makes of it, if it is admitted.
func (p payment) after(what string) (payment, bool) {
	move := map[string][2]string{"cancel": {"", "Canceled"}, "approve": {"", "Processing"}, "pay": {"Processing", "Paid"}}[what]
	switch {
	case what == "refund" && p.status == "Paid" && p.refunded < 2: // of 5,000, 2,000 each
		return payment{p.status, p.refunded + 1}, true
	case what != "refund" && move[0] == p.status:
		return payment{move[1], p.refunded}, true
	default:
		return p, false
	}
}

// says is whether an answer may tell the payment's status.
func (p payment) says(status string) bool {
	if p.status == "" {
		return status != "" && !slices.Contains([]string{"Canceled", "Processing", "Paid"}, status)
	}
	return status == p.status
}

// payments is the model of many of them.
var payments = porcupine.Model{
	Partition: func(all []porcupine.Operation) [][]porcupine.Operation {
		parts := map[string][]porcupine.Operation{}
		var order []string
		for _, o := range all {
			id := o.Input.(racedCall).payment //nolint:forcetypeassert // It is what was put in.
			if parts[id] == nil {
				order = append(order, id)
			}
			parts[id] = append(parts[id], o)
		}
		list := make([][]porcupine.Operation, 0, len(order))
		for _, id := range order {
			list = append(list, parts[id])
		}
		return list
	},
	Init: func() any { return payment{} },
	Step: func(state, input, _ any) (bool, any) {
		a, p := input.(racedCall), state.(payment) //nolint:forcetypeassert // It is what was put in.
		if a.what == "status" {
			return p.says(a.said), p
		}
		next, admitted := p.after(a.what)
		return a.unknown() || admitted == (a.status == http.StatusOK), next
	},
}

// operations are the history as porcupine reads it: what nobody knows may happen later,
// or not at all. Of like calls of which nobody knows, those that were made first can
// stand for all: as many as can change a payment, which is two refunds. So the search
// stays short, however many callers have lost their answers.
func (r *race) operations() []porcupine.Operation {
	list := make([]porcupine.Operation, 0, len(r.list))
	lost := map[[2]string]int{}
	for n, a := range slices.SortedFunc(slices.Values(r.list), func(a, b racedCall) int { return cmp.Compare(a.from, b.from) }) {
		end := int64(a.to)
		if a.unknown() {
			end = math.MaxInt64
			if lost[[2]string{a.payment, a.what}]++; lost[[2]string{a.payment, a.what}] > 2 {
				continue
			}
		}
		list = append(list, porcupine.Operation{ClientId: n, Input: a, Call: int64(a.from), Return: end})
	}
	return list
}

// linearizable is why no order of the calls explains the answers; empty when one does.
func (r *race) linearizable() string {
	for _, part := range payments.Partition(r.operations()) {
		if verdict := porcupine.CheckOperationsTimeout(payments, part, time.Minute); verdict != porcupine.Ok {
			return fmt.Sprintf("%s: %.3000s", verdict, fmt.Sprintf("%+v", part))
		}
	}
	return ""
}

// witnessed says where what was answered is not what the log gives, by the tape of a
// sandbox that has read it all: each answer stands there, in an order that those could
// have seen who asked, and no race has two winners. Empty when all is as it should be.
func (r *race) witnessed(tape []string) string {
	for _, a := range r.list {
		if a.unknown() || a.seq == 0 { // the control API's calls have no number
			continue
		}
		if a.seq > uint64(len(tape)) || !strings.Contains(tape[a.seq-1], a.payment) || !strings.Contains(tape[a.seq-1], fmt.Sprintf(`"status":%d`, a.status)) {
			return fmt.Sprintf("what was answered is not what the log gives: %+v", a)
		}
		for _, b := range r.list {
			if b.seq >= a.seq && b.to < a.from {
				return fmt.Sprintf("what was answered before another was asked stands behind it: %+v, %+v", b, a)
			}
		}
	}
	return r.winners()
}

// winners says which race has more of them than it may.
func (r *race) winners() string {
	winners := map[[2]string]int{}
	for _, a := range r.list {
		if a.status == http.StatusOK && a.what != "status" {
			winners[[2]string{a.payment, a.what}]++
		}
	}
	for race, n := range winners {
		most := 1
		if race[1] == "refund" {
			most = 2
		}
		if n > most || race[1] == "cancel" && winners[[2]string{race[0], "approve"}] > 0 {
			return fmt.Sprintf("%s of %s has %d winners", race[1], race[0], n)
		}
	}
	return ""
}
