package tapes

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/console/feed"
	"paysandbox/mockserver/tape"
)

// TestAPageIsHarmlessAndBounded: what a tape holds is text on the page, and what is
// left out is said.
func TestAPageIsHarmlessAndBounded(t *testing.T) {
	t.Parallel()
	entries := session(1, strings.Split(strings.Repeat("Paid ", 40), " ")[:40]...)
	entries[0].Exchange.Request.Body = []byte(`{"name":"</pre><script>alert(1)</script>"}`)
	entries[1].Exchange.Response.Status = 500
	whole := &Tape{Entries: entries}
	p := NewPage("a.tape", whole, (&Choice{}).From(entries), 20)
	require.Len(t, p.Live, 20)
	require.Equal(t, uint64(2), p.Live[0].Seq, "what failed is shown although it is old")
	require.Contains(t, p.LeftOut, "100 others are left out")
	all := NewPage("a.tape", whole, (&Choice{}).From(entries), 1000)
	require.Empty(t, all.LeftOut)
	var b bytes.Buffer
	require.NoError(t, all.Write(&b))
	require.NotContains(t, b.String(), "<script>alert")
	require.Contains(t, b.String(), "&lt;script&gt;alert(1)")
	require.NotRegexp(t, `(src|href)="(https?:)?//`, b.String(), "nothing is fetched")
	require.Len(t, all.Things, 40)
}

// TestAPageOfLongBodiesKeepsTheNewest: where its texts are too many bytes, what is left out
// is the oldest, as the page says; the steps of one thing are bounded, too.
func TestAPageOfLongBodiesKeepsTheNewest(t *testing.T) {
	t.Parallel()
	var entries []tape.Entry
	long := bytes.Repeat([]byte("x"), mostText)
	for n := range 2 * mostBytes / mostText {
		entries = append(entries, tape.Entry{Seq: uint64(n + 1), Kind: tape.KindExchange, Label: "anna<i>", Exchange: &tape.Exchange{Response: tape.Response{Status: 200, Body: long}}})
	}
	last := uint64(len(entries))
	for n := range mostMoves + 5 {
		entries = append(entries, tape.Entry{Seq: last + uint64(n) + 1, Kind: tape.KindTransition, Transition: &tape.Transition{Machine: "payment", Entity: "p1", From: "a", To: "b"}})
	}
	p := NewPage("a.tape", &Tape{Entries: entries}, (&Choice{Kinds: []tape.Kind{tape.KindExchange}}).From(entries), len(entries))
	require.Less(t, len(p.Live), int(last))
	require.Equal(t, last, p.Live[len(p.Live)-1].Seq, "the newest is there")
	require.Contains(t, p.LeftOut, "then what is newest")
	require.Len(t, p.Things[0].Moves, mostMoves)
	var b bytes.Buffer
	require.NoError(t, p.Write(&b))
	require.Contains(t, b.String(), "Its first 5 moves are left out.")
	require.Contains(t, b.String(), `<span class="tag">anna&lt;i&gt;</span>`)
	require.Less(t, b.Len(), 2*mostBytes)
}

// TestAPageShowsAllThatATapeHolds: messages, endpoints, trouble, the clock and the choices, each
// number leading to its entry where that is on the page.
func TestAPageShowsAllThatATapeHolds(t *testing.T) {
	t.Parallel()
	entries := session(1, "Paid")
	last := entries[len(entries)-1]
	control := func(seq uint64, operation, answer string) tape.Entry {
		return tape.Entry{Seq: seq, At: last.At, Kind: tape.KindControl, Exchange: &tape.Exchange{Operation: operation, Response: tape.Response{Status: 200, Body: []byte(answer)}}}
	}
	n := last.Seq
	hit := tape.Entry{Seq: n + 3, At: last.At, Kind: tape.KindExchange, Exchange: &tape.Exchange{Fault: "lost: status=503", Response: tape.Response{Status: 503}}}
	entries = append(entries, control(n+1, "addWebhook", `{"id":"e","url":"http://h.example/hooks","status":"Enabled"}`),
		control(n+2, "armFault", `{"id":"lost","effect":"status=503","count":1}`), hit,
		tape.Entry{Seq: n + 4, At: last.At, Kind: tape.KindMessage, Message: &tape.Message{Channel: "email", To: "<b>pat", Template: "payment-request", Params: []tape.Param{{Name: "company", Value: "Fit Gym"}}}},
		tape.Entry{Seq: n + 5, At: last.At, Kind: tape.KindClock, Clock: &tape.Clock{From: last.At, To: last.At + int64(time.Hour)}})
	whole := &Tape{Meta: tape.Meta{Seed: 77, Latitude: map[string]string{"error-body": "empty"}}, Entries: entries}
	write := func(p *Page) string {
		var b bytes.Buffer
		require.NoError(t, p.Write(&b))
		return b.String()
	}
	page := write(NewPage("a.tape", whole, (&Choice{}).From(entries), 1000))
	for _, text := range []string{"http://h.example/hooks", "status=503", "to &lt;b&gt;pat", "Fit Gym", "moved once", "seed 77", "<strong>empty</strong>", fmt.Sprintf(`It has changed <a href="#e%d">`, n+3)} {
		require.Contains(t, page, text)
	}
	few := write(NewPage("a.tape", whole, (&Choice{}).From(entries), 1))
	for _, m := range regexp.MustCompile(`href="#e(\d+)"`).FindAllStringSubmatch(few, -1) {
		require.Contains(t, few, `id="e`+m[1]+`"`, "no link leads nowhere")
	}
}

// TestAWarningIsSaidInWords on a page, as it is where entries come one after the other.
func TestAWarningIsSaidInWords(t *testing.T) {
	t.Parallel()
	call := tape.Entry{Seq: 1, Kind: tape.KindExchange, Exchange: &tape.Exchange{Method: "POST", Path: "/x", Response: tape.Response{Status: 200, Header: []tape.Header{{Name: "Sandbox-Warning", Value: "a.b /fee"}}}}}
	found := tape.Entry{Seq: 2, Cause: 1, Kind: tape.KindFinding, Findings: []tape.Finding{{Clause: "a.b", Pointer: "/fee", Expected: "client or ask", Fix: "leave it out", Advisory: true}}}
	whole := &Tape{Entries: []tape.Entry{call, found}}
	require.Equal(t, "warning: fee: client or ask; leave it out", NewPage("a.tape", whole, (&Choice{}).From(whole.Entries), 10).Live[0].Note)
	require.Contains(t, whole.Head(), " UTC of virtual time")
	require.Equal(t, "0 entries; seed 0", (&Tape{Meta: tape.Meta{Ending: tape.Whole}}).Head())
}

// TestAPageHasTheGridOfDeliveries: each event with its attempts, newest first, as far as there
// is room, leading to entries and entities that are on the page.
func TestAPageHasTheGridOfDeliveries(t *testing.T) {
	t.Parallel()
	entries := []tape.Entry{
		{Seq: 1, Kind: tape.KindTransition, Entities: []string{"p1"}, Transition: &tape.Transition{Machine: "payment", Entity: "p1", To: "Paid"}},
		{Seq: 2, Kind: tape.KindEvent, Entities: []string{"p1"}, Label: "anna", Event: &tape.Event{Name: "PAYMENT_STATUS_CHANGED", ID: "ev", Body: []byte(`{"Data":{"Status":"Paid"}}`)}},
	}
	for n := range feed.MaxDots + 2 {
		a := &tape.Attempt{Delivery: "d", Endpoint: "e", Event: "ev", URL: "http://h.example/<hooks>", Number: n + 1, Status: 500, Next: 1}
		entries = append(entries, tape.Entry{Seq: uint64(n + 3), Kind: tape.KindAttempt, Attempt: a})
	}
	last := uint64(len(entries))
	entries = append(entries, tape.Entry{Seq: last + 1, Kind: tape.KindAttempt, Attempt: &tape.Attempt{Delivery: "d", Endpoint: "e", Event: "ev", URL: "http://h.example/<hooks>", Number: 9, Status: 204}})
	for n := range mostSent {
		entries = append(entries, tape.Entry{Seq: last + uint64(n) + 2, Kind: tape.KindAttempt, Attempt: &tape.Attempt{Delivery: id(3, n), Endpoint: "e", Event: id(4, n), URL: "http://h.example", Number: 1, Status: 410}})
	}
	write := func(entries []tape.Entry, most int) string {
		var b bytes.Buffer
		require.NoError(t, NewPage("a.tape", &Tape{Entries: entries}, (&Choice{}).From(entries), most).Write(&b))
		return b.String()
	}
	page := write(entries[:last+1], 10)
	for _, text := range []string{
		`<td data-label="Event"><div>#2 PAYMENT_STATUS_CHANGED <strong>Paid</strong> <span class="tag">anna</span>`, `<a class="mono" href="#p1">p1</a>`,
		"http://h.example/&lt;hooks&gt;", `3 earlier</span> <span class="badge bad">500</span>`, fmt.Sprintf(`<a class="badge good" href="#e%d">204</a>`, last+1), `<span class="badge good">delivered</span>`,
	} {
		require.Contains(t, page, text)
	}
	page = write(entries, 10)
	require.Contains(t, page, "1 delivery is left out")
	require.Equal(t, mostSent, strings.Count(page, `<tr class="sent">`))
	require.Contains(t, page, `<span class="badge bad">given-up</span>`)
	require.Less(t, len(page), 1<<20)
	require.NotContains(t, write(entries[:2], 10), "Events and their attempts")
}

// BenchmarkPage lays out a large tape: PAYSANDBOX_TAPE names one, else 20,000 entries
// are made.
func BenchmarkPage(b *testing.B) {
	entries := session(1, strings.Split(strings.Repeat("Paid ", 6667), " ")[:6667]...)
	if name := os.Getenv("PAYSANDBOX_TAPE"); name != "" {
		file, err := os.Open(name)
		require.NoError(b, err)
		defer func() { _ = file.Close() }()
		_, entries, err = tape.Read(file)
		require.NoError(b, err)
	}
	whole := &Tape{Entries: entries}
	for b.Loop() {
		var out bytes.Buffer
		require.NoError(b, NewPage("a.tape", whole, (&Choice{}).From(entries), MostShown).Write(&out))
		b.ReportMetric(float64(out.Len()), "bytes")
	}
}
