package harness

import (
	"fmt"
	"strings"

	"paysandbox/harness/report"
	"paysandbox/harness/verdict"
)

// The exit codes that a run can end with; the report holds one of them.
const (
	// CodeMet: the gate is met.
	CodeMet = 0
	// CodeFailed: a clause failed.
	CodeFailed = 1
	// CodeConfig: the plan is wrong.
	CodeConfig = 2
	// CodeLittle: nothing ran, or an applicable MUST was not reached.
	CodeLittle = 3
	// CodeBroken: the harness or the target broke.
	CodeBroken = 4
	// CodeGone: a listed deviation no longer occurs.
	CodeGone = 5
)

// verdict is what the tally comes to. A failure that was seen outweighs
// everything that was not seen.
func (t *tally) verdict(broken error, allowUnreached bool) report.RunEnd {
	switch {
	case len(t.failed) > 0:
		return report.RunEnd{Verdict: verdict.Fail, ExitCode: CodeFailed, Reason: failedReason(t, broken)}
	case broken != nil:
		return report.RunEnd{Verdict: verdict.HarnessError, ExitCode: CodeBroken, Reason: broken.Error()}
	case len(t.broken) > 0:
		return report.RunEnd{Verdict: verdict.HarnessError, ExitCode: CodeBroken, Reason: "the harness or the way to the target broke at " + some(t.broken)}
	case t.judged == 0:
		return report.RunEnd{Verdict: verdict.Inconclusive, ExitCode: CodeLittle, Reason: "nothing was judged"}
	case len(t.unreached) > 0 && !allowUnreached:
		return report.RunEnd{Verdict: verdict.Inconclusive, ExitCode: CodeLittle, Reason: fmt.Sprintf("%d clauses of level MUST were not reached: %s", len(t.unreached), some(t.unreached))}
	case len(t.gone) > 0:
		return report.RunEnd{Verdict: verdict.Fail, ExitCode: CodeGone, Reason: "take these out of the deviations, they no longer occur: " + some(t.gone)}
	case len(t.unreached) > 0:
		return report.RunEnd{Verdict: verdict.Pass, ExitCode: CodeMet, Reason: fmt.Sprintf("%d clauses of level MUST were not reached, which was allowed: %s", len(t.unreached), some(t.unreached))}
	default:
		return report.RunEnd{Verdict: verdict.Pass, ExitCode: CodeMet}
	}
}

func failedReason(t *tally, broken error) string {
	reason := "broken: " + some(t.failed)
	if broken != nil {
		reason += "; besides, " + broken.Error()
	}
	return reason
}

// some names a few of many.
func some(ids []string) string {
	const few = 5
	if len(ids) <= few {
		return strings.Join(ids, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(ids[:few], ", "), len(ids)-few)
}
