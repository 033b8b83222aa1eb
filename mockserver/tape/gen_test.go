package tape_test

import (
	"strings"

	"pgregory.net/rapid"

	"paysandbox/mockserver/tape"
)

// The generators draw entries that Validate accepts. Empty lists and bodies are
// nil, as a tape gives them back.

func words() *rapid.Generator[string] {
	return rapid.OneOf(rapid.SampledFrom([]string{"", "a", "Ünï", "<&>\u2028\"\\", "\x00\n"}), rapid.String())
}

func times() *rapid.Generator[int64] {
	return rapid.OneOf(rapid.Just(int64(0)), rapid.Just(int64(1_767_225_600_000_000_000)), rapid.Int64())
}

func blobs() *rapid.Generator[[]byte] {
	return rapid.Custom(func(t *rapid.T) []byte {
		b := rapid.OneOf(
			rapid.SliceOfN(rapid.Byte(), 0, 40),
			rapid.Map(words(), func(s string) []byte { return []byte(s) }),
		).Draw(t, "bytes")
		return orNil(b)
	})
}

func orNil[T any](list []T) []T {
	if len(list) == 0 {
		return nil
	}
	return list
}

func listOf[T any](one *rapid.Generator[T]) *rapid.Generator[[]T] {
	return rapid.Map(rapid.SliceOfN(one, 0, 4), orNil[T])
}

func headers() *rapid.Generator[[]tape.Header] {
	return listOf(rapid.Custom(func(t *rapid.T) tape.Header {
		return tape.Header{Name: words().Draw(t, "name"), Value: string(blobs().Draw(t, "value"))}
	}))
}

func entries(seq uint64) *rapid.Generator[tape.Entry] {
	return rapid.Custom(func(t *rapid.T) tape.Entry {
		e := tape.Entry{
			Seq:      seq,
			Cause:    rapid.Uint64Range(0, seq-1).Draw(t, "cause"),
			At:       times().Draw(t, "at"),
			Kind:     rapid.SampledFrom(tape.Kinds()).Draw(t, "kind"),
			Label:    words().Draw(t, "label"),
			Entities: listOf(words()).Draw(t, "entities"),
		}
		drawBody(t, &e)
		return e
	})
}

func drawBody(t *rapid.T, e *tape.Entry) {
	w := func(name string) string { return words().Draw(t, name) }
	at := func(name string) int64 { return times().Draw(t, name) }
	n := func(name string) int { return rapid.Int().Draw(t, name) }
	b := func(name string) []byte { return blobs().Draw(t, name) }
	h := func(name string) []tape.Header { return headers().Draw(t, name) }
	if rapid.IntRange(0, 9).Draw(t, "stub") == 0 {
		e.Omitted = rapid.Int64Min(1).Draw(t, "omitted")
		return
	}
	switch e.Kind {
	case tape.KindExchange, tape.KindPage, tape.KindControl:
		e.Exchange = &tape.Exchange{
			Operation: w("operation"), Method: w("method"), Path: w("path"), Query: w("query"),
			Auth: w("auth"), Token: w("token"), Fault: tape.FaultLabel(w("fault")),
			Request:  tape.Request{Header: h("request header"), Body: b("request body")},
			Response: tape.Response{Status: n("status"), Header: h("response header"), Body: b("response body")},
		}
	case tape.KindClock:
		e.Clock = &tape.Clock{From: at("from"), To: at("to"), Mode: w("mode")}
	case tape.KindTimer:
		e.Timer = &tape.Timer{Name: w("name"), Due: at("due"), Scheduled: rapid.Uint64().Draw(t, "scheduled")}
	case tape.KindTransition:
		e.Transition = &tape.Transition{
			Machine: w("machine"), Entity: w("entity"), From: w("from"), To: w("to"), Event: w("event"), Reason: w("reason"),
		}
	case tape.KindEvent:
		e.Event = &tape.Event{Name: w("name"), ID: w("id"), Body: b("body")}
	case tape.KindAttempt:
		e.Attempt = &tape.Attempt{
			Delivery: w("delivery"), Endpoint: w("endpoint"), Event: w("event"), Number: n("number"), Profile: tape.Profiles(w("profile")),
			URL: w("url"), Header: h("header"), Body: b("body"), Status: n("status"), ResponseHeader: h("response header"),
			ResponseBody: b("response body"), Error: w("error"), Next: at("next"), Reason: w("reason"),
			Took: rapid.Int64().Draw(t, "took"),
		}
	case tape.KindMessage:
		e.Message = &tape.Message{
			Channel: w("channel"), To: w("to"), Template: w("template"), Params: h("params"), Subject: w("subject"),
			Text: w("text"), HTML: w("html"), Links: listOf(words()).Draw(t, "links"), Codes: listOf(words()).Draw(t, "codes"),
		}
	case tape.KindFetch:
		e.Fetch = &tape.Fetch{
			URL: w("url"), Status: n("status"), Error: w("error"), ContentType: w("contentType"),
			Size: rapid.Int64().Draw(t, "size"), SHA256: w("sha256"), Body: b("body"),
		}
	case tape.KindHangup:
		e.Hangup = &tape.Hangup{After: rapid.Int64().Draw(t, "after")}
	case tape.KindFinding:
		for range rapid.IntRange(1, 3).Draw(t, "findings") {
			e.Findings = append(e.Findings, tape.Finding{
				Pointer: w("pointer"), Clause: w("clause"), Source: w("source"), Received: w("received"),
				Expected: w("expected"), Fix: w("fix"), Advisory: rapid.Bool().Draw(t, "advisory"),
			})
		}
	}
}

// event is an entry about one entity with a body of the given size.
func event(seq uint64, entity string, size int) tape.Entry {
	return tape.Entry{
		Seq: seq, Kind: tape.KindEvent, Entities: []string{entity},
		Event: &tape.Event{Name: "PAYMENT_STATUS_CHANGED", Body: []byte(strings.Repeat("b", size))},
	}
}

func seqs(list []tape.Entry) []uint64 {
	numbers := make([]uint64, 0, len(list))
	for _, e := range list {
		numbers = append(numbers, e.Seq)
	}
	return numbers
}
