package feed_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/console/feed"
	"paysandbox/mockserver/tape"
)

// list is a tape in a slice.
type list []tape.Entry

func (l list) Bounds() (first, last uint64) {
	if len(l) == 0 {
		return 0, 0
	}
	return l[0].Seq, l[len(l)-1].Seq
}

func (l list) Read(f tape.Filter) (out []tape.Entry) {
	for _, e := range l {
		if f.Match(e) && (f.Limit == 0 || len(out) < f.Limit) {
			out = append(out, e)
		}
	}
	return out
}

func (l list) Back(f tape.Filter, fn func(tape.Entry) bool) {
	for n := len(l) - 1; n >= 0; n-- {
		if f.Match(l[n]) && !fn(l[n]) {
			return
		}
	}
}

func (l list) Entry(seq uint64) (tape.Entry, bool) {
	for _, e := range l {
		if e.Seq == seq {
			return e, true
		}
	}
	return tape.Entry{}, false
}

func (l list) Meta() tape.Meta { return tape.Meta{} }

func exchange(seq uint64, status int, body string) tape.Entry {
	return tape.Entry{Seq: seq, Kind: tape.KindExchange, Entities: []string{"e1"}, Exchange: &tape.Exchange{
		Operation: "createPayment", Method: "POST", Path: "/Payment/Create", Auth: tape.AuthValid,
		Request:  tape.Request{Header: []tape.Header{{Name: "User-Agent", Value: "shop"}, {Name: "Content-Type", Value: "application/json"}}, Body: []byte(`{"name":"O'Neill"}`)},
		Response: tape.Response{Status: status, Body: []byte(body)},
	}}
}

const refusal = `{"title":"no","findings":[{"pointer":"/amount","clause":"request.type","expected":"a whole number","fix":"send one"}]}`

func TestAWarningIsSaidInWords(t *testing.T) {
	t.Parallel()
	for header, want := range map[string]string{
		"payment.create.fee-payer /feePayer": "accepted, with a warning about feePayer",
		"a.b /x, a.c /y, a.d /z":             "accepted, with 3 warnings about x, y and z",
		"a.b /x, a.c /y, a.d /z, a.e /w":     "accepted, with 4 warnings about x, y, z and more",
		"a.b /x, 12 more on the tape":        "accepted, with 13 warnings about x and more",
		"a.b header:Idempotency-Key":         "accepted, with a warning about header:Idempotency-Key",
		"odd":                                "accepted, with a warning",
		"a.b ":                               "accepted, with a warning",
	} {
		require.Equal(t, want, feed.Warning(header))
	}
}

// TestAStoryTellsWhatEventsTell, and counts equal lines in a row together.
func TestAStoryTellsWhatEventsTell(t *testing.T) {
	t.Parallel()
	var entries list
	for n, status := range []string{"Paid", "Paid", "Failed", "Paid", "Paid", "Paid"} {
		entries = append(entries, tape.Entry{Seq: uint64(n + 1), Kind: tape.KindAttempt, Attempt: &tape.Attempt{URL: "http://x/hooks", Number: 1, Status: 200, Body: []byte(`{"Data":{"Status":"` + status + `"}}`)}})
	}
	var lines []string
	for _, a := range feed.StoryOf(entries, feed.Query{}).Acts {
		lines = append(lines, strconv.Itoa(a.Times)+" "+a.Text)
	}
	require.Equal(t, []string{"2 event Paid to /hooks", "1 event Failed to /hooks", "3 event Paid to /hooks"}, lines)
}

// TestWarningsStandInTheirOrder on a timeline that has only their calls.
func TestWarningsStandInTheirOrder(t *testing.T) {
	t.Parallel()
	warned := exchange(1, 200, "{}")
	warned.Exchange.Response.Header = []tape.Header{{Name: "Sandbox-Warning", Value: "a.b /x"}}
	entries := list{
		warned,
		{Seq: 2, Kind: tape.KindTransition, Cause: 1, Entities: []string{"e1"}, Transition: &tape.Transition{Machine: "payment", To: "Pending"}},
		{Seq: 3, Kind: tape.KindFinding, Cause: 1, Findings: []tape.Finding{{Clause: "a.b", Advisory: true}}},
	}
	for upTo, want := range map[uint64][]uint64{0: {3, 2, 1}, 2: {2, 1}} {
		var seqs []uint64
		for _, r := range feed.WithWarnings(entries, []feed.Row{feed.RowOf(&entries[1]), feed.RowOf(&entries[0])}, upTo) {
			seqs = append(seqs, r.Seq)
		}
		require.Equal(t, want, seqs)
	}
}

func TestRows(t *testing.T) {
	t.Parallel()
	entries := list{
		exchange(1, 200, ""), exchange(2, 400, refusal), exchange(3, 0, ""),
		{Seq: 4, Kind: tape.KindTransition, Cause: 1, Transition: &tape.Transition{Machine: "payment", From: "Processing", To: "Failed", Event: "fail", Reason: "R01"}},
		{Seq: 5, Kind: tape.KindTransition, Cause: 1, Transition: &tape.Transition{Machine: "company", To: "Unverified"}},
		{Seq: 6, Kind: tape.KindAttempt, Cause: 4, Attempt: &tape.Attempt{URL: "http://x/hooks", Number: 2, Status: 500, Reason: "status 500", Next: 5e9}},
		{Seq: 7, Kind: tape.KindClock, Clock: &tape.Clock{From: 0, To: 25 * 3600e9}},
		{Seq: 8, Kind: tape.KindFinding, Cause: 1, Findings: []tape.Finding{{Clause: "a.b", Expected: "x", Advisory: true}, {Clause: "c"}}},
		{Seq: 9, Kind: tape.KindExchange, Omitted: 7},
		exchange(10, 503, `{"detail":"a fault answers this call: out: status=503"}`), exchange(11, 200, "{}"),
		exchange(12, 200, "{}"),
		{Seq: 13, Kind: tape.KindFinding, Cause: 12, Findings: []tape.Finding{{Clause: "a.b", Pointer: "/feePayer", Expected: "client or ask", Fix: "leave it out", Advisory: true}}},
	}
	entries[9].Exchange.Fault, entries[10].Exchange.Fault = "out: status=503", "slow: latency=2s"
	entries[11].Exchange.Response.Header = []tape.Header{{Name: "Sandbox-Warning", Value: "payment.create.fee-payer /feePayer, a.b query:pge (nearest: page)"}}
	want := []struct {
		text, note, badge string
		outcome           feed.Outcome
	}{
		{"POST /Payment/Create", "", "200", feed.Good},
		{"POST /Payment/Create", "amount: a whole number", "400", feed.Bad},
		{"POST /Payment/Create", "the connection was cut", "no answer", feed.Bad},
		{"payment: Processing → Failed", "fail, R01", "Failed", feed.Bad},
		{"company created", "", "Unverified", feed.Plain},
		{"POST http://x/hooks (attempt 2)", "status 500; again at 00:00:05", "500", feed.Bad},
		{"the clock moved by 1d1h0m", "to 1970-01-02T01:00:00Z", "", feed.Plain},
		{"warning: a.b", "x (and 1 more)", "", feed.Warned},
		{"an entry that was too large to be kept (7 bytes)", "", "", feed.Warned},
		{"POST /Payment/Create", "a fault answers this call: out: status=503", "503", feed.Bad},
		{"POST /Payment/Create", "fault slow: latency=2s", "200", feed.Good},
		{"POST /Payment/Create", "accepted, with 2 warnings about feePayer and query:pge (nearest: page)", "200", feed.Warned},
		{"warning: a.b", "feePayer: client or ask; leave it out", "", feed.Warned},
	}
	for n := range entries {
		r := feed.RowOf(&entries[n])
		require.Equal(t, want[n].text, r.Text)
		require.Equal(t, want[n].note, r.Note)
		require.Equal(t, want[n].badge, r.Badge)
		require.Equal(t, want[n].outcome, r.Outcome, r.Text)
	}
	payer, payment := "6108f398-6c66-4f91-878f-36f56817c54f", "57c48d7a-34c5-4388-9efc-bdbcd15a0c02"
	for _, answer := range []string{`{"paymentRequestId":"` + payment + `","registrationPersonId":"` + payer + `"}`, ""} {
		made := exchange(10, 200, answer)
		made.Entities = []string{payer, payment} // in the order in which they were made
		require.Equal(t, payment, feed.RowOf(&made).Entity)
		require.Equal(t, []string{payment, payer}, feed.DetailOf(entries, made, "").Entities)
	}
	causes := feed.Causes(entries, entries[5])
	require.Equal(t, []uint64{4, 1}, []uint64{causes[0].Seq, causes[1].Seq})
	effects, more := feed.Effects(entries, 1)
	require.Len(t, effects, 4)
	require.False(t, more)
}

func TestQueryStandsInAnAddress(t *testing.T) {
	t.Parallel()
	v := url.Values{"kind": {"exchange", "nonsense"}, "outcome": {"bad"}, "q": {" AMOUNT "}, "entity": {"e1"}, "clause": {"request.type"}, "before": {"9"}, "x": {"y"}}
	q := feed.ParseQuery(v)
	require.Equal(t, "clause=request.type&entity=e1&kind=exchange&outcome=bad&q=AMOUNT", q.Values().Encode())
	require.EqualValues(t, 9, q.Before)
	good, bad := exchange(1, 200, "{}"), exchange(2, 400, refusal)
	for _, e := range []tape.Entry{good, bad} {
		r := feed.RowOf(&e)
		require.Equal(t, e.Seq == 2, q.Match(&e, &r))
	}
	require.Len(t, feed.ParseQuery(url.Values{"q": {strings.Repeat("é", 300)}}).Text, 200)
	r := feed.RowOf(&good)
	require.True(t, feed.Query{Text: "o'NEILL"}.Match(&good, &r))
	require.False(t, feed.Query{Text: "o'NEILLE"}.Match(&good, &r))
}

func TestASearchIsBounded(t *testing.T) {
	t.Parallel()
	var l list
	for n := range 10_000 {
		l = append(l, exchange(uint64(n+1), 200, "{}"))
	}
	page := feed.Read(l, feed.Query{})
	require.Len(t, page.Rows, feed.PageRows)
	require.EqualValues(t, 9_901, page.Reached)
	require.True(t, page.More)
	older := feed.Read(l, feed.Query{Before: page.Reached})
	require.EqualValues(t, 9_900, older.Rows[0].Seq)
	none := feed.Read(l, feed.Query{Text: "nothing like it"})
	require.Empty(t, none.Rows)
	require.True(t, none.More)
	require.EqualValues(t, 2_500, none.Looked())
	require.EqualValues(t, 10_000, none.All())
	calls := feed.Read(l, feed.Query{Kinds: []tape.Kind{tape.KindExchange}})
	require.Equal(t, page.Rows, calls.Rows)
	require.Equal(t, page.Reached, calls.Reached)
	last := feed.Read(l[:50], feed.Query{Text: "nothing like it"})
	require.False(t, last.More)
}

// TestASearchTakesTimeByTheLengthAlone: a body in which one case of a letter stands often and
// the other never was looked through once more for each of them, which takes minutes here.
func TestASearchTakesTimeByTheLengthAlone(t *testing.T) {
	t.Parallel()
	l := list{exchange(1, 200, strings.Repeat("n", 8<<20))}
	require.Empty(t, feed.Read(l, feed.Query{Text: "no such text"}).Rows)
}

// TestASearchReachesWhatIsShown: the texts of an entry that its page shows.
func TestASearchReachesWhatIsShown(t *testing.T) {
	t.Parallel()
	l := list{
		{Seq: 1, Kind: tape.KindAttempt, Attempt: &tape.Attempt{
			Delivery: "d-17", Endpoint: "e-17", URL: "http://x/hooks", Status: 500, Reason: "status 500",
			ResponseHeader: []tape.Header{{Name: "X-Trace", Value: "abc-17"}}, ResponseBody: []byte("no room"),
		}},
		{Seq: 2, Kind: tape.KindTimer, Entities: []string{"p-17"}, Timer: &tape.Timer{Name: "settle", Due: 1}},
		{Seq: 3, Kind: tape.KindMessage, Message: &tape.Message{Channel: "sms", To: "+1202", Template: "ask", Links: []string{"http://x/pages/17"}, Codes: []string{"424217"}}},
		{Seq: 4, Kind: tape.KindFetch, Fetch: &tape.Fetch{URL: "http://x/a.pdf", Error: "refused the name"}},
		{Seq: 5, Kind: tape.KindFinding, Findings: []tape.Finding{{Clause: "a.b", Fix: "send a number"}}},
	}
	for text, seq := range map[string]uint64{"ABC-17": 1, "no ROOM": 1, "d-17": 1, "p-17": 2, "pages/17": 3, "424217": 3, "a.PDF": 4, "the name": 4, "send a number": 5, "#5": 5, "#6": 0} {
		list := feed.Read(l, feed.Query{Text: text})
		if seq == 0 {
			require.Empty(t, list.Rows, text)
			continue
		}
		require.Len(t, list.Rows, 1, text)
		require.Equal(t, seq, list.Rows[0].Seq, text)
	}
}

func TestSignature(t *testing.T) {
	t.Parallel()
	body := []byte(`{"Live":false}`)
	mac := hmac.New(sha256.New, []byte("whsec_secret"))
	mac.Write(body)
	a := &tape.Attempt{Body: body, Header: []tape.Header{{Name: "X-HMAC-Signature", Value: "sha256=" + hex.EncodeToString(mac.Sum(nil))}}}
	s := feed.SignatureOf(a, "whsec_secret")
	require.True(t, s.Same)
	require.NotContains(t, s.Secret, "secret")
	require.False(t, feed.SignatureOf(a, "another").Same)
	require.Contains(t, feed.SignatureOf(&tape.Attempt{Body: body}, "x").Verdict, "No signature was sent")
	require.Empty(t, feed.SignatureOf(a, "").Worked)
}

func TestCurlIsSafeInAShell(t *testing.T) {
	t.Parallel()
	e := exchange(1, 200, "")
	e.Exchange.Query = "a=$(rm -rf /)"
	e.Exchange.Auth = tape.AuthExpired
	curl := feed.Curl(e.Exchange, "http://127.0.0.1:8484", false)
	require.Contains(t, curl, `'http://127.0.0.1:8484/Payment/Create?a=$(rm -rf /)'`)
	require.Contains(t, curl, `--data-raw '{"name":"O'\''Neill"}'`)
	require.Contains(t, curl, `"Authorization: Bearer $TOKEN"`)
	require.NotContains(t, curl, "User-Agent")
	for auth, sends := range map[string]string{tape.AuthMissing: "", tape.AuthMalformed: "'Authorization: malformed'", tape.AuthNoneNeeded: "", "": ""} {
		e.Exchange.Auth = auth
		curl = feed.Curl(e.Exchange, "http://127.0.0.1:8484", false)
		require.Equal(t, sends != "", strings.Contains(curl, "Authorization"), "a call without a token is not the same with one: %s", curl)
		require.Contains(t, curl, sends)
	}
	require.Contains(t, feed.Curl(e.Exchange, "http://127.0.0.1:8484", true), "$TOKEN")
}

// TestTwoEntriesDiffer but for their places and times.
func TestTwoEntriesDiffer(t *testing.T) {
	t.Parallel()
	refused := func(seq, detail string) *tape.Entry {
		e := exchange(7, 400, `{"instance":"/console/-/entries/`+seq+`","traceId":"`+seq+`","detail":"`+detail+`"}`)
		e.Exchange.Response.Header = []tape.Header{{Name: "Sandbox-Exchange", Value: seq}}
		return &e
	}
	require.Empty(t, feed.Differences(refused("1", "x"), refused("2", "x")))
	differences := feed.Differences(refused("1", "x"), refused("2", "y"))
	require.Len(t, differences, 1)
	require.True(t, strings.HasSuffix(differences[0].Where, "/detail"), differences)
}
