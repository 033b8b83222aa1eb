package tapes

import (
	"fmt"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"paysandbox/harness/sampling"
	"paysandbox/harness/trail/told"
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
