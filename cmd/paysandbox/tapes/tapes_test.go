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
	"pgregory.net/rapid"

	"paysandbox/harness/sampling"
	"paysandbox/harness/trail/told"
	"paysandbox/mockserver/console/feed"
	"paysandbox/mockserver/tape"
)

// TestAligned: each thing of both sides stands once and in order, pairs are equal, and
// nothing shorter is missed where one side was made of the other.
func TestAligned(t *testing.T) {
	t.Parallel()
	sampling.Check(t, func(t *rapid.T) {
		word := rapid.SampledFrom([]string{"a", "b", "c"})
		a, b := rapid.SliceOfN(word, 0, 12).Draw(t, "a"), rapid.SliceOfN(word, 0, 12).Draw(t, "b")
		x, y, same := 0, 0, 0
		for _, p := range aligned(a, b) {
			if p.a >= 0 {
				require.Equal(t, x, p.a)
				x++
			}
			if p.b >= 0 {
				require.Equal(t, y, p.b)
				y++
			}
			if p.a >= 0 && p.b >= 0 {
				require.Equal(t, a[p.a], b[p.b])
				same++
			}
		}
		require.Equal(t, []int{len(a), len(b)}, []int{x, y})
		require.Equal(t, longest(a, b), same)
	})
}

// longest is the length of the longest common subsequence, in the plain way.
func longest(a, b []string) int {
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	row := make([]int, len(b)+1)
	for _, x := range a {
		before := 0
		for n, y := range b {
			here := row[n+1]
			if x == y {
				row[n+1] = before + 1
			} else {
				row[n+1] = max(row[n+1], row[n])
			}
			before = here
		}
	}
	return row[len(b)]
}

// id is the n-th id of a tape.
func id(tapeNumber, n int) string {
	return fmt.Sprintf("%08x-0000-4000-8000-%012x", tapeNumber, n)
}

// session is a tape of payments that were asked for and looked at, with ids of its own.
func session(number int, statuses ...string) []tape.Entry {
	var list []tape.Entry
	add := func(e tape.Entry) {
		e.Seq = uint64(len(list) + 1)
		list = append(list, e)
	}
	for n, status := range statuses {
		one := id(number, n)
		add(tape.Entry{Kind: tape.KindExchange, Entities: []string{one}, Exchange: &tape.Exchange{
			Operation: "createPayment", Method: "POST", Path: "/Payment/Create", Request: tape.Request{Body: []byte(`{"amount":5000}`)},
			Response: tape.Response{Status: 200, Body: []byte(`{"paymentRequestId":"` + one + `","accessToken":"` + id(number, 99+n) + `"}`)},
		}})
		add(tape.Entry{Kind: tape.KindExchange, Exchange: &tape.Exchange{
			Operation: "paymentStatus", Method: "GET", Path: "/Payment/" + one + "/Status",
			Response: tape.Response{Status: 200, Body: []byte(`{"id":"` + one + `","status":"` + status + `"}`)},
		}})
		add(tape.Entry{Kind: tape.KindTransition, Cause: list[len(list)-1].Seq, Entities: []string{one}, Transition: &tape.Transition{
			Machine: "payment", Entity: one, To: status, Event: "create",
		}})
	}
	return list
}

func TestDiffMatchesIDsByRole(t *testing.T) {
	t.Parallel()
	same := Diff(session(1, "Pending", "Paid"), session(2, "Pending", "Paid"))
	require.Empty(t, same.Differences)
	require.Equal(t, 6, same.Same)

	other := Diff(session(1, "Pending", "Paid", "Paid"), session(2, "Pending", "Failed", "Paid"))
	require.Len(t, other.Differences, 2)
	require.Equal(t, []Member{{"/answer/status", "Paid", "Failed"}}, other.Differences[0].Members)

	short := session(2, "Pending", "Paid")
	gone := Diff(session(1, "Pending", "Paid"), short[:len(short)-1])
	require.Len(t, gone.Differences, 1)
	require.Nil(t, gone.Differences[0].B)
	require.NotNil(t, gone.Differences[0].A.Transition)

	// Where a refusal stands on its tape is its own.
	refused := func(instance, detail string) []tape.Entry {
		return []tape.Entry{{Seq: 1, Kind: tape.KindExchange, Exchange: &tape.Exchange{
			Method: "POST", Path: "/Payment/Create", Response: tape.Response{Status: 400, Body: []byte(`{"instance":"` + instance + `","detail":"` + detail + `"}`)},
		}}}
	}
	require.Empty(t, Diff(refused("/console/-/entries/1", "x"), refused("/console/-/entries/7", "x")).Differences)
	require.Len(t, Diff(refused("/console/-/entries/1", "x"), refused("/console/-/entries/7", "y")).Differences, 1)

	// What a watcher noted and set is no difference between two sessions.
	note := tape.Entry{Seq: 1, Kind: tape.KindControl, Exchange: &tape.Exchange{
		Operation: "addNote", Method: "POST", Request: tape.Request{Body: []byte(`{"kind":"trouble","text":"armed"}`)}, Response: tape.Response{Status: 200},
	}}
	profile := func(agent string) tape.Entry {
		return tape.Entry{Seq: 2, Kind: tape.KindControl, Exchange: &tape.Exchange{
			Operation: "setProfile", Method: "POST", Path: "/_sandbox/integrations/default/webhooks/" + id(1, 9) + "/profile", Response: tape.Response{Status: 200},
			Request: tape.Request{Header: []tape.Header{{Name: "User-Agent", Value: agent}}, Body: []byte(`{"profile":"duplicate","next":1}`)},
		}}
	}
	noted := Diff(append([]tape.Entry{note, profile("paysandbox-observe/1.0")}, session(1, "Paid")...), session(2, "Paid"))
	require.Empty(t, noted.Differences)
	require.Equal(t, 2, noted.Watched)
	require.Len(t, Diff(append([]tape.Entry{profile("curl/8")}, session(1, "Paid")...), session(2, "Paid")).Differences, 1, "what a person has set is one")

	// The right payment is not the other one.
	crossed := session(2, "Pending", "Pending")
	crossed[4].Exchange.Path = "/Payment/" + id(2, 0) + "/Status"
	require.NotEmpty(t, Diff(session(1, "Pending", "Pending"), crossed).Differences)
}

// TestADeliveryIsAboutWhatItTells: who looks for a payment finds the deliveries that tell of it.
func TestADeliveryIsAboutWhatItTells(t *testing.T) {
	t.Parallel()
	about := func(n int) tape.Entry {
		return tape.Entry{Seq: uint64(n + 1), Kind: tape.KindAttempt, Entities: []string{id(1, 50+n)}, Attempt: &tape.Attempt{Body: []byte(`{"Data":{"PaymentRequestId":"` + id(1, n) + `"}}`)}}
	}
	list := (&Choice{Entity: id(1, 0)}).From([]tape.Entry{about(0), about(1)})
	require.Len(t, list, 1)
	require.Contains(t, string(list[0].Attempt.Body), id(1, 0))
}

func TestGrepTellsWhere(t *testing.T) {
	t.Parallel()
	entries := session(1, "Paid")
	hits := Grep((&Choice{}).From(entries), regexp.MustCompile(`"status":"Pa..`))
	require.Len(t, hits, 1)
	require.Equal(t, "/response/body", hits[0].Pointer)
	require.Contains(t, hits[0].Around, `"status":"Paid"`)
	require.Empty(t, Grep((&Choice{Kinds: []tape.Kind{tape.KindEvent}}).From(entries), regexp.MustCompile("Paid")))
	require.NotContains(t, told.Clean("a\x1b[31mb\u202e"), "\x1b")
}

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
