package tape_test

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"paysandbox/harness/sampling"
	"paysandbox/mockserver/tape"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// oneOfEach is one full entry of every kind.
func oneOfEach() []tape.Entry {
	const noon = 1_767_268_800_000_000_000
	x := exchange2K().Exchange
	x.Request.Body = []byte(`{"amount":5000,"shortDescription":"Hair & <nails>"}`)
	x.Response.Body = []byte(`{"paymentRequestId":"p1"}`)
	list := []tape.Entry{
		{Kind: tape.KindExchange, Entities: []string{"p1", "u1"}, Exchange: x},
		{Kind: tape.KindPage, Exchange: &tape.Exchange{Method: "GET", Path: "/pay/p1", Query: "a=1", Auth: tape.AuthNoneNeeded, Response: tape.Response{Status: 200, Body: []byte("<html>")}}},
		{Kind: tape.KindControl, Exchange: &tape.Exchange{Method: "POST", Path: "/_sandbox/x", Fault: "f1", Request: tape.Request{
			Header: []tape.Header{{Name: "X-Odd", Value: "caf\xe9"}}, Body: []byte{0xff, 0xfe},
		}}},
		{Kind: tape.KindClock, Clock: &tape.Clock{From: noon, To: noon + 1, Mode: "manual"}},
		{Kind: tape.KindTimer, Cause: 4, Timer: &tape.Timer{Name: "payment.collect", Due: noon, Scheduled: 1}},
		{Kind: tape.KindTransition, Cause: 5, Entities: []string{"p1"}, Transition: &tape.Transition{Machine: "payment", Entity: "p1", From: "Processing", To: "Failed", Event: "fail", Reason: "R01"}},
		{Kind: tape.KindEvent, Cause: 6, Event: &tape.Event{Name: "PAYMENT_STATUS_CHANGED", ID: "e1", Body: []byte(`{"Live":false, "Amount":1.50}`)}},
		{Kind: tape.KindAttempt, Cause: 7, Attempt: &tape.Attempt{
			Delivery: "d1", Endpoint: "w1", Event: "e1", Number: 2, Profile: "normal", URL: "http://127.0.0.1:9/hook",
			Header: []tape.Header{{Name: "X-HMAC-Signature", Value: "sha256=00"}}, Body: []byte(`{}`), Status: 503,
			ResponseHeader: []tape.Header{{Name: "Retry-After", Value: "5"}}, ResponseBody: []byte{0x80},
			Error: "none", Next: noon + 5_000_000_000, Reason: "retry 2 of 8", Took: 12_500_000,
		}},
		{Kind: tape.KindMessage, Cause: 1, Message: &tape.Message{
			Channel: tape.ChannelSMS, To: "+15555550100", Template: "pay", Params: []tape.Param{{Name: "amount", Value: "50.00"}},
			Subject: "s", Text: "t", HTML: "<b>", Links: []string{"http://a"}, Codes: []string{"123456"},
		}},
		{Kind: tape.KindFetch, Fetch: &tape.Fetch{URL: "http://a/b.pdf", Status: 200, Error: "", ContentType: "application/pdf", Size: 4, SHA256: "ab", Body: []byte("%PDF")}},
		{Kind: tape.KindFinding, Cause: 1, Findings: []tape.Finding{{Pointer: "/zipCode", Clause: "company.create.zip", Source: "spec", Received: "1", Expected: "five digits", Fix: "send five digits", Advisory: true}}},
		{Kind: tape.KindExchange, Omitted: 70_000_000},
		{Kind: tape.KindHangup, Cause: 1, Entities: []string{"p1", "u1"}, Hangup: &tape.Hangup{After: 2_000_000_001}},
	}
	for i := range list {
		list[i].Seq, list[i].At = uint64(i+1), noon+int64(i)*1_500_000
	}
	return list
}

func meta() tape.Meta {
	return tape.Meta{
		Version: 1, ToolVersion: "v0.1.0", Seed: 1<<64 - 1, Environment: "rehearsal", Start: 1_767_225_600_000_000_000,
		Clock: "manual", Strict: true, Surface: "all", Latitude: map[string]string{"zip": "x", "accept": "y", "numbers": "z"},
		First: 1, Dropped: 0,
	}
}

func export(t require.TestingT, m tape.Meta, list []tape.Entry) []byte {
	var b bytes.Buffer
	require.NoError(t, tape.Write(&b, m, slices.Values(list)))
	return b.Bytes()
}

// TestGolden holds the public file format.
func TestGolden(t *testing.T) {
	t.Parallel()
	golden := filepath.Join("testdata", "one-of-each.jsonl")
	got := export(t, meta(), oneOfEach())
	if *update {
		require.NoError(t, os.WriteFile(golden, got, 0o600))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), string(got))
	m, list, err := tape.Read(bytes.NewReader(want))
	require.NoError(t, err)
	require.Equal(t, meta(), m)
	require.Equal(t, oneOfEach(), list)
}

func TestFileRoundTrip(t *testing.T) {
	t.Parallel()
	sampling.Check(t, func(t *rapid.T) {
		var list []tape.Entry
		for seq := range rapid.Uint64Range(0, 5).Draw(t, "entries") {
			list = append(list, entries(seq*2+1).Draw(t, "entry"))
		}
		m := meta()
		m.Seed, m.Start = rapid.Uint64().Draw(t, "seed"), times().Draw(t, "start")
		m.Latitude = rapid.MapOfN(words(), words(), 1, 5).Draw(t, "latitude")
		first := export(t, m, list)
		require.Equal(t, first, export(t, m, list))
		require.Equal(t, len(list)+2, bytes.Count(first, []byte("\n")))
		gotMeta, got, err := tape.Read(bytes.NewReader(first))
		require.NoError(t, err)
		require.Equal(t, wentBack(m.Start, list), gotMeta.Back)
		require.Equal(t, gotMeta.Back > 0, gotMeta.Ending == tape.Changed)
		gotMeta.Ending, gotMeta.Back = tape.Whole, 0
		require.Equal(t, m, gotMeta)
		require.Equal(t, list, got)
	})
}

func TestOddBytesInPathAndQuery(t *testing.T) {
	t.Parallel()
	e := tape.Entry{Seq: 1, Kind: tape.KindPage, Exchange: &tape.Exchange{Path: "/é/\xff", Query: "q=\x80é%41"}}
	_, list, err := tape.Read(bytes.NewReader(export(t, meta(), []tape.Entry{e})))
	require.NoError(t, err)
	require.Equal(t, "/é/%FF", list[0].Exchange.Path)
	require.Equal(t, "q=%80é%41", list[0].Exchange.Query)
	require.Equal(t, "/é/\xff", e.Exchange.Path, "the caller's entry was changed")
}

func TestWriteRefuses(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	bad := tape.Entry{Seq: 1, Kind: tape.KindClock}
	require.ErrorIs(t, tape.Write(&b, meta(), slices.Values([]tape.Entry{bad})), tape.ErrBody)
	twice := []tape.Entry{event(2, "a", 1), event(2, "a", 1)}
	require.ErrorIs(t, tape.Write(&b, meta(), slices.Values(twice)), tape.ErrSeq)
	require.ErrorIs(t, tape.Write(broken{}, meta(), slices.Values(oneOfEach())), errBroken)
}

var errBroken = errors.New("broken pipe")

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errBroken }
func (broken) Read([]byte) (int, error)  { return 0, errBroken }

func TestMetaTellsTheGap(t *testing.T) {
	t.Parallel()
	require.Equal(t, tape.Gap{From: 1, To: 8}, tape.Meta{First: 9, Dropped: 4}.Gap())
	require.True(t, tape.Meta{First: 9}.Gap().Empty())
	require.True(t, tape.Meta{}.Gap().Empty())
}

const (
	header = `{"tape":1,"seed":1,"start":"2026-01-01T00:00:00Z"}` + "\n"
	clock1 = `{"seq":1,"at":"2026-01-01T00:00:00Z","kind":"clock","clock":{"from":"2026-01-01T00:00:00Z","to":"2026-01-01T00:00:00Z"}}` + "\n"
)

func TestReadTellsWhatIsWrong(t *testing.T) {
	t.Parallel()
	seq := func(n string) string { return strings.Replace(clock1, `"seq":1`, `"seq":`+n, 1) }
	for name, c := range map[string]struct {
		file string
		line int
		says string
		kept int
	}{
		"empty":             {"", 1, "header", 0},
		"no header":         {clock1, 1, `no member "tape"`, 0},
		"newer version":     {`{"tape":2}`, 1, "version 2", 0},
		"array":             {`[1]`, 1, "not a JSON object", 0},
		"null line":         {header + "null\n", 2, "not a JSON object", 0},
		"cut off":           {header + clock1 + clock1[:40], 3, "incomplete", 1},
		"two on a line":     {header + strings.TrimSpace(clock1) + clock1, 2, "after top-level value", 0},
		"unknown kind":      {header + strings.Replace(clock1, `"clock",`, `"clocks",`, 1), 2, `unknown entry kind "clocks"`, 0},
		"no kind":           {header + strings.Replace(clock1, `"kind":"clock",`, ``, 1), 2, "kind is not declared", 0},
		"duplicate":         {header + clock1 + "\r\n" + clock1, 4, "a number above 1", 1},
		"decreasing":        {header + seq("5") + seq("4"), 3, "entry 4 after entry 5", 1},
		"number 0":          {header + seq("0"), 2, "does not increase", 0},
		"negative number":   {header + seq("-1"), 2, "-1", 0},
		"own cause":         {header + seq(`1,"cause":1`), 2, "caused by itself", 0},
		"no body":           {header + `{"seq":1,"kind":"clock"}`, 2, "exactly the body", 0},
		"time":              {header + strings.Replace(clock1, "2026", "26", 1), 2, "not RFC 3339", 0},
		"far time":          {header + strings.Replace(clock1, "2026", "9999", 1), 2, "outside the years", 0},
		"both forms":        {header + `{"seq":1,"kind":"event","event":{"name":"E","body":"a","bodyBase64":"YQ=="}}`, 2, "given twice", 0},
		"bad base64":        {header + `{"seq":1,"kind":"event","event":{"name":"E","bodyBase64":"?"}}`, 2, "base64", 0},
		"not UTF-8":         {header + strings.Replace(clock1, `"clock"`, "\"\xff\"", 1), 2, "UTF-8", 0},
		"two tapes":         {header + endOf("0") + header, 3, "has ended before", 0},
		"two ends":          {header + endOf("0") + endOf("0"), 3, "has ended before", 0},
		"half an end":       {header + endOf("0")[:12], 2, "ends the file", 0},
		"long is shortened": {header + strings.Repeat("x", 9999), 2, "…", 0},
	} {
		_, list, err := tape.Read(strings.NewReader(c.file))
		var bad *tape.LineError
		require.ErrorAs(t, err, &bad, name)
		require.Equal(t, c.line, bad.Line, name)
		require.ErrorContains(t, err, c.says, name)
		require.NotEmpty(t, bad.Fix, name)
		require.NotEmpty(t, bad.Expected, name)
		require.Less(t, len(err.Error()), 600, name)
		require.Len(t, list, c.kept, name)
	}
}

func TestReadIsPatient(t *testing.T) {
	t.Parallel()
	file := "\n" + header + "  \r\n" + strings.Replace(clock1, `"seq":1`, `"later":{"x":[1]},"seq":1`, 1)
	_, list, err := tape.Read(strings.NewReader(strings.TrimSuffix(file, "\n")))
	require.NoError(t, err)
	require.Len(t, list, 1)
	_, list, err = tape.Read(strings.NewReader(strings.TrimSuffix(header, "\n")))
	require.NoError(t, err)
	require.Empty(t, list)
}

func TestReadBounds(t *testing.T) {
	t.Parallel()
	for _, eol := range []string{"\n", "\r\n"} {
		line, file := len(clock1)-1, strings.ReplaceAll(header+clock1, "\n", eol)
		_, _, err := tape.ReadWith(strings.NewReader(file), tape.ReadOptions{LineBytes: line})
		require.NoError(t, err)
		_, _, err = tape.ReadWith(strings.NewReader(file), tape.ReadOptions{LineBytes: line - 1})
		require.ErrorIs(t, err, tape.ErrTooLarge)
		require.ErrorContains(t, err, "line 2")
	}
	size := int64(len(header) + len(clock1))
	_, _, err := tape.ReadWith(strings.NewReader(header+clock1), tape.ReadOptions{FileBytes: size})
	require.NoError(t, err)
	_, _, err = tape.ReadWith(strings.NewReader(header+clock1), tape.ReadOptions{FileBytes: size - 2})
	require.ErrorIs(t, err, tape.ErrTooLarge)
	_, _, err = tape.Read(broken{})
	require.ErrorIs(t, err, errBroken)
}
