package console_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver"
	"paysandbox/mockserver/console/readiness"
	"paysandbox/mockserver/tape"
)

func TestTheVerdictIsShown(t *testing.T) {
	t.Parallel()
	h := houseWith(t, mockserver.Options{Judge: sampleVerdict})
	require.Contains(t, h.get("readiness").body, "Nothing to judge yet")
	h.shop()
	p := h.judged()
	for _, said := range []string{`data-testid="verdict">not ready<`, `data-testid="blocker"`, "Fix: keep it", "deliver an altered body", "paysandbox observe webhooks", `<details class="chip good">`, `data-testid="coverage"`, "<td>moves</td>"} {
		require.Contains(t, p.body, said)
	}
	require.True(t, p.shows("share"))
}

// TestTheTrendTellsWhatDiffers between the verdicts of this process.
func TestTheTrendTellsWhatDiffers(t *testing.T) {
	t.Parallel()
	h := houseWith(t, mockserver.Options{Judge: func(_ context.Context, _ tape.Meta, entries []tape.Entry, _ string) (readiness.Verdict, error) {
		word, tone := "no evidence", "plain"
		if entries[len(entries)-1].Exchange != nil && entries[len(entries)-1].Exchange.Operation == "getPaymentStatus" {
			word, tone = "pass", "good"
		}
		return readiness.Verdict{Word: "not ready", Clauses: []readiness.Clause{{ID: "partner.status", Title: "Asks", Word: word, Tone: tone}}}, nil
	}})
	h.shop()
	require.False(t, h.judged().shows("trend"))
	h.fill(1)
	require.Eventually(t, func() bool { return h.judged().shows("trend") }, time.Minute, 10*time.Millisecond)
	require.Contains(t, h.judged().body, "partner.status: no evidence → pass")
}

// judged is the screen Readiness when the verdict is there.
func (h *house) judged() (p page) {
	h.t.Helper()
	require.Eventually(h.t, func() bool { p = h.get("readiness"); return !p.shows("judging") }, time.Minute, 10*time.Millisecond)
	return p
}

// TestASlowJudgeHoldsNoPage: the page comes without a verdict, and with it later.
func TestASlowJudgeHoldsNoPage(t *testing.T) {
	t.Parallel()
	now := make(chan struct{})
	h := houseWith(t, mockserver.Options{Judge: func(ctx context.Context, meta tape.Meta, entries []tape.Entry, _ string) (readiness.Verdict, error) {
		<-now
		return sampleVerdict(ctx, meta, entries, "")
	}})
	h.shop()
	p := h.get("readiness")
	require.True(t, p.shows("judging"))
	require.Contains(t, p.body, "data-again")
	close(now)
	require.Contains(t, h.judged().body, `data-testid="verdict">not ready<`)
}

// sampleVerdict is a verdict with something of everything.
func sampleVerdict(_ context.Context, _ tape.Meta, entries []tape.Entry, _ string) (readiness.Verdict, error) {
	return readiness.Verdict{
		Word: "not ready", Tone: "bad", Reason: "a MUST is broken",
		Clauses: []readiness.Clause{
			{ID: "partner.token.reuse", Title: "Reuses its token", Area: "token", Level: "MUST", Word: "fail", Tone: "bad", Blocks: true, Entries: []uint64{uint64(len(entries))}, Fix: "keep it"},
			{ID: "partner.retry", Title: "Retries", Area: "retry", Level: "SHOULD", Word: "pass", Tone: "good"},
		},
		Missing: []readiness.Missing{{Clause: "partner.webhook.altered", Level: "MUST", How: "deliver an altered body", Journeys: []string{"webhooks"}}},
	}, nil
}
