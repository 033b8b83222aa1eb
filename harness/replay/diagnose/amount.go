package diagnose

import (
	"encoding/json"
	"fmt"
	"strings"

	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// dollars are the calls whose amount the files price beside it, and that ask for as many cents as the price has dollars.
func dollars(r *recording.Recording, run *play.Run) []Fault {
	var list []Fault
	for s := range run.Script.Steps {
		call := run.Script.Steps[s].Call
		if call == nil || call.N < 0 {
			continue
		}
		i := call.N
		x := &r.Exchanges[i]
		amount, _ := trail.ReadBody(x.Body).Get("amount").(json.Number)
		cents, err := amount.Int64()
		if x.Dollars == "" || err != nil {
			continue
		}
		list = append(list, Fault{
			Side: Partner, N: i, Place: x.Place, Call: x.Method + " " + x.Path, Calls: []int{i + 1}, Clause: "partner.amount.cents", Also: []string{"partner.intent.amount"}, Pointer: "/amount",
			What: fmt.Sprintf("amount %d is $%d.%02d, and %s: dollars were sent for cents, by all that is shown", cents, cents/100, cents%100, x.Dollars),
			Fix:  fmt.Sprintf("send %d00: an amount is a whole number of cents, and nothing converts it", cents),
		})
	}
	return list
}

// rank is how grave a fault is beside others at its place, the gravest 0. That a service took what it was to refuse stands
// behind what was sent.
func (f *Fault) rank() int {
	lenient := f.Side == Service && f.Pointer == "status" && strings.Contains(f.What, "the replay gives 4")
	switch {
	case f.Side == Service && !lenient:
		return 0
	case f.Side == Partner && f.breaks():
		return 1
	case f.Side == Service:
		return 2
	case f.Side == Partner:
		return 3
	case f.Side == Choice:
		return 4
	default:
		return 5
	}
}
