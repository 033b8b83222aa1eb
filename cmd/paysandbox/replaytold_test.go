package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/diagnose"
)

// TestTheSameFaultIsToldOnce: what went wrong in the same way again has its number behind the first; another call, or another
// reason, stands by itself.
func TestTheSameFaultIsToldOnce(t *testing.T) {
	t.Parallel()
	cancel := diagnose.Fault{Side: diagnose.Partner, Clause: "payment.cancel.refused", Call: "PUT /Payment/1/Cancel", What: "was refused with 400"}
	at := func(f diagnose.Fault, n int) diagnose.Fault { f.N = n; return f }
	other := cancel
	other.Call = "PUT /Payment/2/Cancel"
	hook := diagnose.Fault{Side: diagnose.Partner, Clause: "partner.webhook.raw-bytes", N: -1, What: "was refused with 401"}
	heard := func(n int) diagnose.Fault { f := hook; f.Heard, f.Call = n, "webhook"; return f }
	list := eachOnce([]diagnose.Fault{at(cancel, 3), at(other, 4), at(cancel, 5), heard(1), at(cancel, 6), heard(2)})
	require.Len(t, list, 3)
	require.Regexp(t, `^partner: call 4, .*; the same again: call 6, call 7$`, list[0])
	require.NotContains(t, list[1], "the same again")
	require.Regexp(t, `; the same again: webhook 2$`, list[2])
}
