package diagnose_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/compare"
	"paysandbox/harness/replay/explain"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/recording"
)

// TestAServiceThatWouldHaveTakenMostIsNotBlamed: of three calls one that was taken wrongly is the service's fault; all three
// are a file that shows something else than what was sent.
func TestAServiceThatWouldHaveTakenMostIsNotBlamed(t *testing.T) {
	t.Parallel()
	for wrong, want := range map[int]compare.Class{1: compare.Service, 2: compare.Service, 3: compare.Unexplained} {
		var r recording.Recording
		run := play.Run{}
		var list []compare.Difference
		for n := range 3 {
			r.Exchanges = append(r.Exchanges, recording.Exchange{Method: "POST", Path: "/Payment/Create", Body: []byte(`{}`), Answer: recording.Answer{Known: recording.Whole, Status: 200}})
			run.Script.Steps = append(run.Script.Steps, play.Step{Call: &play.Call{N: n}})
			run.Answers = append(run.Answers, play.Answered{N: n, Step: n, Operation: "createPayment", Status: 400, Body: []byte(`{"findings":[{"clause":"payment.create.amount","source":"spec"}]}`)})
			if n < wrong {
				list = append(list, compare.Difference{N: n, Operation: "createPayment", Where: "status", Recorded: "200", Replayed: "400", Class: compare.Unexplained})
			}
		}
		explain.Explain(&r, &run, list)
		for i := range list {
			require.Equal(t, want, list[i].Class, "%d of 3", wrong)
		}
	}
}

// TestWhatAFileStruckOutIsNotTheServicesFault: whoever strikes out a part of a body shows no more that another was not sent.
func TestWhatAFileStruckOutIsNotTheServicesFault(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]compare.Class{
		`{"amount":-5}`:                        compare.Service,
		`{"amount":-5,"reference":"***"}`:      compare.Service,
		`{"amount":"***"}`:                     compare.Nobody,
		`{"reference":"[redacted]"}`:           compare.Nobody,
		`{"reference":"r-1","...":"and more"}`: compare.Nobody,
	} {
		r := recording.Recording{Exchanges: []recording.Exchange{{Method: "POST", Path: "/Payment/Create", Body: []byte(body), Answer: recording.Answer{Known: recording.Whole, Status: 200}}}}
		run := play.Run{Script: play.Script{Steps: []play.Step{{Call: &play.Call{}}}}}
		run.Answers = []play.Answered{{Operation: "createPayment", Status: 400, Body: []byte(`{"findings":[{"clause":"payment.create.amount","source":"spec","pointer":"/amount"}]}`)}}
		list := []compare.Difference{{Operation: "createPayment", Where: "status", Recorded: "200", Replayed: "400", Class: compare.Unexplained}}
		explain.Explain(&r, &run, list)
		require.Equal(t, want, list[0].Class, body)
	}
}
