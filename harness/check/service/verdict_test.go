package service_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/check"
	"paysandbox/harness/check/checktest"
	"paysandbox/harness/check/service"
	"paysandbox/harness/trail"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// answered is a tape of one answer of the partner API.
func answered(status int, header ...tape.Header) []tape.Entry {
	const at = 1_767_225_600_000_000_000
	return []tape.Entry{{Seq: 1, At: at, Kind: tape.KindExchange, Exchange: &tape.Exchange{
		Operation: "listCompanies", Method: "GET", Path: "/Company/List", Auth: tape.AuthValid,
		Response: tape.Response{Status: status, Header: append(header, tape.Header{Name: "Sandbox-Time", Value: "2026-01-01T00:00:00Z"})},
	}}}
}

// honoured are the choices under which keys are honoured.
var honoured = map[string]string{"idempotency": "honoured"}

// TestEmptyTape expects nothing to be said about nothing.
func TestEmptyTape(t *testing.T) {
	t.Parallel()
	for _, r := range (session{Trail: trail.New(tape.Meta{Latitude: honoured}, nil)}).judge() {
		require.Equal(t, verdict.NotReached, r.Word, checktest.Told(r))
		require.Len(t, r.Judgements, 1)
		require.NotEmpty(t, r.Judgements[0].Received)
	}
}

func TestStatuses(t *testing.T) {
	t.Parallel()
	one := func(id string, meta tape.Meta, entries []tape.Entry) verdict.Word {
		return status(t, session{Trail: trail.New(meta, entries)}, id)
	}
	chosen := tape.Meta{Latitude: map[string]string{"error-body": "empty", "event-order": "shuffled"}}
	faulted := tape.Header{Name: "Sandbox-Fault", Value: "own"}
	require.Equal(t, verdict.NotReached, one("wire.conform", tape.Meta{}, answered(200)))
	require.Equal(t, verdict.NotReached, one("wire.conform", chosen, answered(200)))
	usual, err := service.ReadDocument([]byte(`{"paths":{"/a":{"get":{"operationId":"a"}}}}`))
	require.NoError(t, err)
	other := session{Trail: trail.New(chosen, answered(200)), opts: service.Options{Document: usual}}
	require.Equal(t, verdict.NotApplicable, status(t, other, "wire.conform"), "the description is that of other choices")
	require.Equal(t, verdict.NotApplicable, one("wire.refusal", chosen, answered(400)))
	require.Equal(t, verdict.NotApplicable, one("idempotency", chosen, answered(200)))
	require.Equal(t, verdict.NotApplicable, one("delivery.order", chosen, answered(200)))
	require.Equal(t, verdict.Review, one("wire.refusal", tape.Meta{}, answered(500)))
	require.Equal(t, verdict.NotReached, one("wire.refusal", tape.Meta{}, answered(500, faulted)))
	require.Equal(t, verdict.Pass, one("tape.time", tape.Meta{}, answered(200)))
	for _, r := range bare(answered(200)...).judge("tape.time") {
		require.Equal(t, r.Check == "tape.time", r.Word == verdict.Disabled, r.Check)
	}
	for _, text := range []string{"{", `{"paths":{}}`} {
		_, err := service.ReadDocument([]byte(text))
		require.Error(t, err, text)
	}
}

// TestTokensOfAReadyWorld were granted without a call, and break nothing; those of anybody
// else do.
func TestTokensOfAReadyWorld(t *testing.T) {
	t.Parallel()
	for header, want := range map[string]verdict.Word{"Sandbox-World": verdict.NotApplicable, "Accept": verdict.Fail} {
		entries := answered(200)
		x := entries[0].Exchange
		x.Token, x.Request.Header = "of-nobody", []tape.Header{{Name: header, Value: "ready"}}
		require.Equal(t, want, status(t, bare(entries...), "auth.lifetime"), header)
	}
}

// TestMasks expects what is masked to give nothing away, and a secret to be seen.
func TestMasks(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]verdict.Word{"xxxx-11": verdict.Pass, "": verdict.Pass, "•••": verdict.Pass, "xxxA": verdict.Fail, "x2": verdict.Fail, "ß": verdict.Fail, `x\u0000x`: verdict.Pass, `x\u0000b`: verdict.Fail} {
		entries := answered(200)
		entries[0].Exchange.Request.Body = []byte(`{"clientSecret":"` + text + `"}`)
		require.Equal(t, want, status(t, bare(entries...), "tape.secrets"), text)
	}
}

// TestPanicIsAHarnessError expects a check that breaks to blame nobody.
func TestPanicIsAHarnessError(t *testing.T) {
	t.Parallel()
	c := check.Check{ID: "broken", Run: func(*trail.Trail) []verdict.Judgement { panic("no") }}
	r := c.Judge(trail.New(tape.Meta{}, nil))
	require.Equal(t, verdict.HarnessError, r.Word)
	require.Contains(t, r.Judgements[0].Received, "broken panicked: no")
}

// TestEvidence expects a failure to name its entries, what was expected, what
// was received and where to look, and the line for people to tell it all.
func TestEvidence(t *testing.T) {
	t.Parallel()
	entries := answered(200)
	entries[0].Exchange.Auth = tape.AuthExpired
	for _, r := range bare(entries...).judge() {
		if r.Check != "auth.admitted" {
			continue
		}
		v := r.Judgements[0]
		require.Equal(t, []uint64{1}, v.Entries)
		require.NotEmpty(t, v.Hint)
		require.Equal(t, `fail; expected a refusal of a caller that is "expired"; received GET /Company/List was answered with 200; entries 1`, v.Text())
	}
}

// TestManyProblems expects a bounded number of verdicts, and the rest counted.
func TestManyProblems(t *testing.T) {
	t.Parallel()
	var entries []tape.Entry
	for i := range 80 {
		e := answered(401)[0]
		e.Seq = uint64(i) + 1
		entries = append(entries, e)
	}
	for _, r := range bare(entries...).judge() {
		if r.Check == "wire.challenge" {
			require.Len(t, r.Judgements, 51)
			require.Equal(t, "30 more of the kind", r.Judgements[50].Received)
		}
	}
}
