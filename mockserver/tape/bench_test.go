package tape_test

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"paysandbox/mockserver/tape"
)

// exchange2K is an exchange of about 2 KB, as creating a payment makes it.
func exchange2K() tape.Entry {
	return tape.Entry{
		Seq: 1, At: 1_767_225_600_000_000_000, Kind: tape.KindExchange,
		Entities: []string{"6f1a6a52-0f0c-4b1f-9c0e-2d6a0a7f3b11", "0a3c2f5e-7d7b-4e47-8a53-6d1b5be0c9d2"},
		Exchange: &tape.Exchange{
			Operation: "payment.create", Method: "POST", Path: "/Payment/Create",
			Auth: tape.AuthValid, Token: "c9b1f0a4-2f8e-4f6c-a7d1-3e5b7d9f1a2c",
			Request: tape.Request{
				Header: []tape.Header{
					{Name: "Accept", Value: "application/json"},
					{Name: "Authorization", Value: "Bearer •••"},
					{Name: "Content-Type", Value: "application/json; charset=utf-8"},
					{Name: "Idempotency-Key", Value: "f1d2c3b4-a5f6-4e7d-8c9b-0a1b2c3d4e5f"},
					{Name: "User-Agent", Value: "partner/1.0"},
				},
				Body: []byte(`{"amount":5000,"metadata":{"note":"` + strings.Repeat("x", 1305) + `"}}`),
			},
			Response: tape.Response{
				Status: 200,
				Header: []tape.Header{
					{Name: "Content-Type", Value: "application/json; charset=utf-8"},
					{Name: "Sandbox-Exchange", Value: "1"},
					{Name: "Sandbox-Time", Value: "2026-01-01T00:00:00Z"},
				},
				Body: []byte(`{"paymentRequestId":"` + strings.Repeat("y", 280) + `"}`),
			},
		},
	}
}

// contentBytes is what the entry says, without any structure.
func contentBytes(e tape.Entry) int {
	x := e.Exchange
	n := len(x.Operation) + len(x.Method) + len(x.Path) + len(x.Query) + len(x.Auth) + len(x.Token) +
		len(x.Request.Body) + len(x.Response.Body)
	for _, h := range append(append([]tape.Header{}, x.Request.Header...), x.Response.Header...) {
		n += len(h.Name) + len(h.Value)
	}
	for _, id := range e.Entities {
		n += len(id)
	}
	return n
}

func fill(tb testing.TB, m *tape.Memory, e tape.Entry, n int) {
	tb.Helper()
	for range n {
		e.Seq = m.Last() + 1
		if err := m.Append(&e); err != nil {
			tb.Fatal(err)
		}
	}
}

func BenchmarkAppend(b *testing.B) {
	m, e := tape.New(tape.Limits{}), exchange2K()
	fill(b, m, e, tape.DefaultEntries+1000)
	b.ReportAllocs()
	for b.Loop() {
		e.Seq = m.Last() + 1
		if err := m.Append(&e); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(m.Allocated())/float64(m.Len()), "B/entry")
	b.ReportMetric(float64(m.Allocated())/float64(m.Len())/float64(contentBytes(e)), "ratio")
}

func BenchmarkScan(b *testing.B) {
	m := tape.New(tape.Limits{})
	fill(b, m, exchange2K(), tape.DefaultEntries)
	for _, c := range []struct {
		name   string
		filter tape.Filter
	}{
		{"all", tape.Filter{}},
		{"kind", tape.Filter{Kinds: []tape.Kind{tape.KindEvent}}},
		{"entity", tape.Filter{Entity: "nobody"}},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				m.Scan(0, c.filter, func(tape.Entry) bool { return true })
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*m.Len()), "ns/entry")
		})
	}
}

func BenchmarkWrite(b *testing.B) {
	m := tape.New(tape.Limits{})
	fill(b, m, exchange2K(), 100)
	b.ReportAllocs()
	for b.Loop() {
		if err := tape.Write(io.Discard, tape.Meta{}, m.All(0, tape.Filter{})); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*m.Len()), "ns/entry")
}

// BenchmarkRead reads a file of 2,000 entries, which is where judging a saved session spends
// most of its time.
func BenchmarkRead(b *testing.B) {
	m := tape.New(tape.Limits{})
	fill(b, m, exchange2K(), 2000)
	var file bytes.Buffer
	if err := tape.Write(&file, tape.Meta{}, m.All(0, tape.Filter{})); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(file.Len()))
	b.ReportAllocs()
	for b.Loop() {
		if _, list, err := tape.Read(bytes.NewReader(file.Bytes())); err != nil || len(list) != 2000 {
			b.Fatal(len(list), err)
		}
	}
}
