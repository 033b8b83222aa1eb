package service_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/check"
	"paysandbox/harness/check/checktest"
	"paysandbox/harness/sampling"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// cut drops everything up to and with an entry, and says so.
func (r *reel) cut(through uint64) {
	r.entries = slices.DeleteFunc(r.entries, func(e tape.Entry) bool { return e.Seq <= through })
	r.meta.First, r.meta.Dropped = through+1, through
}

// TestCutTapes drops ever more of the beginning of a good session. Whatever is
// gone, no check says fail.
func TestCutTapes(t *testing.T) {
	t.Parallel()
	sampling.NotRaced(t, "it judges one tape after the other; TestBrokenServers judges the same way with it")
	f := shoot(t, rich(t).tape())
	whole := f.copy(t).entries
	step := uint64(23 * sampling.Step(t, 4))
	for through := uint64(1); through <= uint64(len(whole)); through += step {
		r := f.copy(t)
		r.cut(through)
		require.Empty(t, failing(r.tape(f.opts).judge()), "through entry %d", through)
	}
}

// TestStubs takes the content of single entries away. No check says fail.
func TestStubs(t *testing.T) {
	t.Parallel()
	sampling.NotRaced(t, "it judges one tape after the other; TestBrokenServers judges the same way with it")
	f := shoot(t, rich(t).tape())
	for i, step := 0, 29*sampling.Step(t, 4); i < len(f.copy(t).entries); i += step {
		r := f.copy(t)
		checktest.Stub(&r.entries[i])
		for _, res := range r.tape(f.opts).judge() {
			require.NotEqual(t, verdict.Fail, res.Word, "without the content of entry %d: %s", i+1, checktest.Told(res))
		}
	}
}

// TestInconclusive drops for each check something that it needs.
func TestInconclusive(t *testing.T) {
	sampling.NotRaced(t, "it judges one tape after the other; TestBrokenServers judges the same way with it")
	t.Parallel()
	f := shoot(t, rich(t).tape())
	exchange := func(operation string, n int) func(r *reel) uint64 {
		return func(r *reel) uint64 {
			return r.find(n, func(e *tape.Entry) bool {
				return e.Kind == tape.KindExchange && e.Exchange.Operation == operation && e.Exchange.Response.Status == 200
			}).Seq
		}
	}
	move := func(machine, event string) func(r *reel) uint64 {
		return func(r *reel) uint64 { return r.move(0, machine, event).Seq }
	}
	keyed := func(r *reel) uint64 {
		return r.find(0, func(e *tape.Entry) bool { return e.Exchange == r.repeated() }).Seq - 1
	}
	failed := func(r *reel) uint64 { return r.attempt(0, func(a *tape.Attempt) bool { return a.Status == 500 }).Seq }
	for id, through := range map[string]func(r *reel) uint64{
		"auth.lifetime": exchange("createToken", 0), "idempotency": keyed,
		"machine.chain": move("registration", "create"), "event.each": move("company", "verify"), "event.content": move("company", "verify"),
		"delivery.bytes": exchange("registerUser", 0), "delivery.order": exchange("registerUser", 0), "delivery.retry": failed,
		"money.refund": exchange("refundPayment", 0), "money.final": move("payment", "approve"), "money.event": move("payment", "approve"),
		"money.plan": exchange("createPlan", 1), "tape.ids": exchange("registerUser", 0),
	} {
		r := f.copy(t)
		r.cut(through(r))
		require.Equal(t, verdict.Inconclusive, status(t, r.tape(f.opts), id), id)
	}
	for id, entry := range map[string]func(r *reel) uint64{
		"wire.conform": exchange("listCompanies", 0), "wire.refusal": exchange("listCompanies", 0), "wire.method": exchange("listCompanies", 0),
		"wire.challenge": exchange("listCompanies", 0), "auth.admitted": exchange("listCompanies", 0), "money.charge": exchange("chargeSavedCard", 0),
		"machine.moves": move("company", "create"), "delivery.signed": failed, "tape.secrets": failed,
	} {
		r := f.copy(t)
		checktest.Stub(&r.entries[entry(r)-1])
		require.Equal(t, verdict.Inconclusive, status(t, r.tape(f.opts), id), id)
	}
}

// status is what one check says about a tape.
func status(tb testing.TB, s session, id string) verdict.Word {
	tb.Helper()
	for _, c := range check.Service(s.opts) {
		if c.ID == id {
			return c.Judge(s.Trail).Word
		}
	}
	require.Fail(tb, "no such check", id)
	return ""
}

// TestMutantsOnCutTapes expects a promise that was broken in the dropped part to
// be neither seen nor denied.
func TestMutantsOnCutTapes(t *testing.T) {
	sampling.NotRaced(t, "it judges one tape after the other; TestBrokenServers judges the same way with it")
	t.Parallel()
	f := shoot(t, rich(t).tape())
	for _, m := range sampling.Every(t, 4, slices.Concat(brokenMoney(), brokenPlans())) {
		r := f.copy(t)
		m.spoil(r)
		r.cut(r.entries[len(r.entries)/2].Seq)
		for _, id := range failing(r.tape(f.opts).judge()) {
			require.Contains(t, m.kills, id, m.name)
		}
	}
}
