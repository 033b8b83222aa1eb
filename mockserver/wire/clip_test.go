package wire_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/sampling"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/wire"
)

// TestFindingsAreShort: whatever the body, a finding says where and what in a few
// hundred bytes, for it goes into the answer and onto the tape.
func TestFindingsAreShort(t *testing.T) {
	sampling.NotRaced(t, "it reads one body after the other")
	t.Parallel()
	long := strings.Repeat("é~/", 1<<20)
	deep := strings.Repeat(`{"`+long[:100_000]+`":`, 40) + `{"a":1,"a":2}` + strings.Repeat("}", 40)
	for name, body := range map[string]string{
		"an unknown name":      `{"` + long + `":1}`,
		"an unknown value":     `{"nobody":"` + long + `"}`,
		"a name in a list":     `{"employees":[{"` + long + `":1}]}`,
		"a name that is twice": `{"metadata":{"` + long + `":1,"` + long + `":2}}`,
		"names that are deep":  `{"metadata":` + deep + `}`,
		"a value that is not":  `{"amount":"` + long + `"}`,
		"a syntax error":       `{"` + long,
	} {
		var e everything
		r := wire.Decode([]byte(body), &e, wire.Options{})
		if r.Err != nil {
			r.Findings = r.Err.Findings
		}
		require.NotEmpty(t, r.Findings, name)
		for _, f := range r.Findings {
			require.Less(t, len(f.Pointer), 600, name)
			require.Less(t, len(f.Received)+len(f.Expected)+len(f.Fix), 1000, name)
		}
		p := wire.NewProblem(&kernel.Error{Code: kernel.Invalid, Findings: r.Findings}, 400, "/", "1")
		require.Less(t, len(wire.Append(nil, p, wire.Shape{})), 5000, name)
	}
}

// TestProblemsAreShort: an answer repeats the beginning of a path, and not of each id in
// it 60 KB again.
func TestProblemsAreShort(t *testing.T) {
	t.Parallel()
	long := "/Payment/" + strings.Repeat("a", 60_000) + "/Status"
	p := wire.NewProblem(&kernel.Error{Code: kernel.NotFound, Detail: "no payment " + long + " here"}, 404, long, "1")
	require.Less(t, len(wire.Append(nil, p, wire.Shape{})), 6000)
	require.True(t, strings.HasPrefix(p.Instance, long[:2000]) && strings.HasSuffix(p.Instance, "…"), p.Instance)
}
