package traffic_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/cmd/paysandbox/traffic"
	"paysandbox/harness/trail/told"
	"paysandbox/mockserver/tape"
)

var at = time.Date(2026, 3, 2, 14, 2, 11, 0, time.UTC).UnixNano()

// call is an entry about a call.
func call(seq uint64, status int, body string) tape.Entry {
	return tape.Entry{Seq: seq, At: at, Kind: tape.KindExchange, Exchange: &tape.Exchange{
		Method: "POST", Path: "/Payment/Create", Response: tape.Response{Status: status, Body: []byte(body)},
	}}
}

func TestLines(t *testing.T) {
	t.Parallel()
	warned := call(4, 200, "")
	warned.Exchange.Response.Header = []tape.Header{{Name: "Sandbox-Warning", Value: "request.unknown-member /x"}}
	faulty := call(5, 503, "")
	faulty.Exchange.Fault = "fault-1"
	control := call(6, 200, "")
	control.Kind = tape.KindControl
	hers, traced := call(22, 200, ""), call(23, 404, "")
	hers.Label, traced.Label = "anna\n", "4bf92f3577b34da6a3ce929d0e0e4736"
	for _, c := range []struct {
		entry tape.Entry
		want  string
	}{
		{call(12, 400, `{"title":"No","findings":[{"pointer":"/amount","expected":"whole number of cents"}]}`), "31 #12 ▸ POST /Payment/Create 400 amount: whole number of cents"},
		{call(13, 400, `{"findings":[{"pointer":"","expected":"JSON"},{"pointer":"/a","expected":"b"}]}`), "31 #13 ▸ POST /Payment/Create 400 JSON (and 1 more)"},
		{call(14, 401, `{"title":"Not authorised","detail":"get a token"}`), "31 #14 ▸ POST /Payment/Create 401 get a token"},
		{call(15, 500, "plain\x1b[2Jtext"), "31 #15 ▸ POST /Payment/Create 500"},
		{call(16, 0, ""), "31 #16 ▸ POST /Payment/Create no answer"},
		{hers, "32 #22 ▸ POST /Payment/Create 200 [anna�]"},
		{traced, "31 #23 ▸ POST /Payment/Create 404 [trace 4bf92f35]"},
		{call(3, 200, "{}"), "32 #3 ▸ POST /Payment/Create 200"},
		{warned, "33 #4 ▸ POST /Payment/Create 200 warning: request.unknown-member /x"},
		{faulty, "31 #5 ▸ POST /Payment/Create 503 (fault-1)"},
		{control, "2 #6 ▸ POST /Payment/Create 200"},
		{tape.Entry{Seq: 7, At: at, Kind: tape.KindEvent, Entities: []string{"p1"}, Event: &tape.Event{Name: "PAYMENT_STATUS_CHANGED", Body: []byte(`{"Data":{"Status":"Paid"}}`)}}, "32 #7 ◆ PAYMENT_STATUS_CHANGED Paid p1"},
		{tape.Entry{Seq: 8, At: at, Kind: tape.KindAttempt, Attempt: &tape.Attempt{Number: 1, URL: "http://x/h", Status: 204}}, "32 #8 ◂ POST http://x/h 204"},
		{tape.Entry{Seq: 9, At: at, Kind: tape.KindAttempt, Attempt: &tape.Attempt{Number: 2, URL: "http://x/h", Error: "refused", Next: at, Profile: "reorder"}}, "31 #9 ◂ POST http://x/h no answer (attempt 2) reorder refused; again at 14:02:11"},
		{tape.Entry{Seq: 10, At: at, Kind: tape.KindTransition, Transition: &tape.Transition{Machine: "payment", Entity: "p1", From: "Processing", To: "Failed", Reason: "R01"}}, "31 #10 ◆ payment p1 Failed R01"},
		{tape.Entry{Seq: 20, At: at, Kind: tape.KindTransition, Transition: &tape.Transition{Machine: "webhook endpoint", Entity: "w1", From: "Enabled", To: "Disabled"}}, "31 #20 ◆ webhook endpoint w1 Disabled"},
		{tape.Entry{Seq: 11, At: at, Kind: tape.KindClock, Clock: &tape.Clock{From: 0, To: int64(time.Hour)}}, "2 #11 ◆ the clock moved by 1h0m0s"},
		{tape.Entry{Seq: 17, At: at, Kind: tape.KindMessage, Message: &tape.Message{Channel: "sms", To: "+1202\n", Template: "pay"}}, "2 #17 ◆ sms to +1202� pay"},
		{tape.Entry{Seq: 18, At: at, Kind: tape.KindHangup, Hangup: &tape.Hangup{After: int64(time.Second)}}, "33 #18 ◆ the caller hung up after 1s"},
		{tape.Entry{Seq: 19, At: at, Kind: tape.KindFetch, Fetch: &tape.Fetch{URL: "http://x", Error: "gone"}}, "31 #19 ◆ GET http://x failed gone"},
		{tape.Entry{Seq: 20, At: at, Kind: tape.KindTransition, Transition: &tape.Transition{Machine: "payment", From: "Pending", To: "Paid"}}, ""},
		{tape.Entry{Seq: 21, At: at, Kind: tape.KindTimer, Timer: &tape.Timer{Name: "expiry"}}, ""},
	} {
		l, told := told.Of(&c.entry)
		require.Equal(t, c.want != "", told, c.want)
		if !told {
			continue
		}
		colour, text, _ := strings.Cut(c.want, " ")
		var plain, coloured bytes.Buffer
		(&traffic.Text{W: &plain, Main: "default"}).Line("default", &l)
		require.Equal(t, "14:02:11 "+text+"\n", plain.String())
		link := func(string, uint64) string { return "http://s/1" }
		(&traffic.Text{W: &coloured, Colour: true, Link: link}).Line("shop", &l)
		require.Contains(t, coloured.String(), "\x1b["+colour+"m")
		require.Contains(t, coloured.String(), "14:02:11 shop \x1b]8;;http://s/1\x1b\\#")
	}
}

// TestFollower tells a few things one by one, many together, and a tape that
// begins anew from its beginning.
func TestFollower(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		warned := call(1, 200, "")
		warned.Exchange.Response.Header = []tape.Header{{Name: "Sandbox-Warning", Value: "request.unknown-member /x, request.unknown-member /y"}}
		why := tape.Entry{Seq: 2, Cause: 1, Kind: tape.KindFinding, Findings: []tape.Finding{{Pointer: "/x", Expected: "only members that it has", Fix: "leave it out"}, {Pointer: "/y"}}}
		looks := []traffic.Reading{
			{Begun: 1, Entries: []tape.Entry{warned, why, call(3, 404, "")}},
			{Begun: 1},
			{Begun: 1, Entries: many(4, 60)},
			{Begun: 1, Entries: []tape.Entry{call(90, 200, "")}, Missing: 26},
			{Begun: 2},
			{Begun: 2, Entries: []tape.Entry{call(1, 200, "")}},
			{Begun: 2, Entries: many(2, 1000)},
			{Begun: 2, Entries: []tape.Entry{call(5001, 200, "")}},
		}
		var asked []uint64
		var out bytes.Buffer
		gone := errors.New("gone")
		f := traffic.Follower{
			Integration: "default", Printer: &traffic.Text{W: &out, Main: "default"}, Jump: func() uint64 { return 5000 },
			Source: func(_ context.Context, since uint64, _ int) (traffic.Reading, error) {
				asked = append(asked, since)
				if len(looks) == 0 {
					return traffic.Reading{}, gone
				}
				r := looks[0]
				looks = looks[1:]
				return r, nil
			},
		}
		begun := time.Now()
		require.ErrorIs(t, f.Run(t.Context(), 0), gone)
		require.Equal(t, []uint64{0, 3, 3, 63, 90, 0, 1, 5000, 5001}, asked)
		require.Equal(t, 7*100*time.Millisecond+time.Second-100*time.Millisecond, time.Since(begun))
		require.Equal(t, `14:02:11 #1 ▸ POST /Payment/Create 200 warning: x: only members that it has; leave it out (and 1 more)
14:02:11 #3 ▸ POST /Payment/Create 404
14:02:11 #4–#63 … 60 calls (30 failed)
14:02:11 #64–#90 … 1 call, 26 entries not looked at
14:02:11 #1 ▸ POST /Payment/Create 200
14:02:11 #2–#5000 … 1000 calls (500 failed), 3999 entries not looked at
14:02:11 #5001 ▸ POST /Payment/Create 200
`, out.String())
	})
}

// TestFewAmongMany: what is wanted is told by itself while little of it comes, however
// much comes beside it, and so is all that somebody has asked for.
func TestFewAmongMany(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		quiet := many(1, 80)
		for i := range quiet {
			quiet[i].Exchange.Response.Status = 200
		}
		quiet[70] = call(71, 503, "")
		looks := []traffic.Reading{{Begun: 1, Entries: quiet}, {Begun: 1, Entries: many(81, 120)}, {Begun: 1, Entries: many(201, 120)}}
		var out bytes.Buffer
		f := traffic.Follower{
			Integration: "default", Printer: &traffic.Text{W: &out, Main: "default"}, Each: 200,
			Wanted: func(l *told.Line) bool { return l.Outcome == told.Bad },
			Source: func(context.Context, uint64, int) (traffic.Reading, error) {
				if len(looks) == 0 {
					return traffic.Reading{}, errors.New("gone")
				}
				defer func() { looks = looks[1:] }()
				return looks[0], nil
			},
		}
		require.Error(t, f.Run(t.Context(), 0))
		lines := strings.Split(out.String(), "\n")
		require.Equal(t, "14:02:11 #71 ▸ POST /Payment/Create 503", lines[0])
		require.Equal(t, "14:02:11 #82 ▸ POST /Payment/Create 400", lines[1])
		require.Equal(t, []string{"14:02:11 #201–#320 … 120 calls (60 failed)", ""}, lines[61:])
	})
}

func many(from uint64, n int) []tape.Entry {
	var list []tape.Entry
	for i := range n {
		list = append(list, call(from+uint64(i), 200+200*(i%2), ""))
	}
	return list
}

func TestLog(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	p := traffic.Log{Log: slog.New(slog.NewJSONHandler(&out, nil))}
	e := call(12, 400, `{"detail":"no"}`)
	l, _ := told.Of(&e)
	p.Line("shop", &l)
	p.Crowd("shop", &traffic.Crowd{From: 1, To: 9, Events: 2, Deliveries: 3, Lost: 1})
	require.Contains(t, out.String(), `"level":"WARN","msg":"POST /Payment/Create 400","integration":"shop","entry":12,"kind":"exchange","at":"2026-03-02T14:02:11Z","note":"no"}`)
	require.Contains(t, out.String(), `"msg":"2 events, 3 deliveries (1 failed)","integration":"shop","from":1,"to":9`)
	require.Equal(t, "nothing to tell", (&traffic.Crowd{}).String())
}
