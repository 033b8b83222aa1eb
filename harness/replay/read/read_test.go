package read_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/read"
	"paysandbox/harness/replay/read/readtest"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/mockserver/tape"
)

func file(name, text string) source.File { return source.File{Name: name, Data: []byte(text)} }

func readAll(t *testing.T, o read.Options, files ...source.File) recording.Recording {
	t.Helper()
	r, err := read.Contents(files, o)
	require.NoError(t, err)
	return r
}

const create = "https://api.example.com/v1/Payment/Create"

func TestServiceIsFoundAndForeignHostsAreCounted(t *testing.T) {
	t.Parallel()
	text := readtest.HAR(
		readtest.HAREntry("2026-03-02T17:00:00.000Z", "POST", create, `{"amount":5000}`, 200, "Mon, 02 Mar 2026 17:00:00 GMT", `{}`),
		readtest.HAREntry("2026-03-02T17:00:01.000Z", "POST", "https://stats.example.org/collect", "{}", 204, "", ""),
		readtest.HAREntry("2026-03-02T17:00:02.000Z", "POST", "https://stats.example.org/collect", "{}", 204, "", ""),
		readtest.HAREntry("2026-03-02T17:00:03.000Z", "GET", "https://api.example.com/v1/nothing", "", 404, "Mon, 02 Mar 2026 17:00:03 GMT", `{}`),
		`{"startedDateTime":7,"request":{"method":"GET","url":[]}}`, `17`,
	)
	r := readAll(t, read.Options{}, file("a.har", text))
	require.Len(t, r.Exchanges, 2)
	require.Equal(t, "/Payment/Create", r.Exchanges[0].Path)
	require.Equal(t, "/nothing", r.Exchanges[1].Path)
	require.Equal(t, []tape.Header{{Name: "Authorization", Value: "Bearer t"}, {Name: "Content-Type", Value: "application/json"}}, r.Exchanges[0].Header, "no pseudo headers")
	require.Equal(t, []recording.Service{{Scheme: "https", Host: "api.example.com", Base: "/v1", Calls: 2, Why: "1 of its paths are the service's"}}, r.Services)
	require.Empty(t, r.Sources[0].Offsets)
	var foreign, unread int
	for _, s := range r.Skipped {
		if s.Host == "stats.example.org" {
			foreign += s.Count
		} else {
			unread++
		}
	}
	require.Equal(t, 2, foreign)
	require.Equal(t, 2, unread, "%+v", r.Skipped)
}

func TestServiceThatIsSaidIsTaken(t *testing.T) {
	t.Parallel()
	text := readtest.HAR(
		readtest.HAREntry("2026-03-02T17:00:00.000Z", "POST", "https://a.example.com/x", `{}`, 200, "", `{}`),
		readtest.HAREntry("2026-03-02T17:00:01.000Z", "POST", "https://b.example.com/y", "{}", 200, "", "{}"),
	)
	_, err := read.Contents([]source.File{file("a.har", text)}, read.Options{})
	require.ErrorIs(t, err, read.ErrNoService)
	require.ErrorContains(t, err, "a.example.com, b.example.com")
	r := readAll(t, read.Options{Services: []string{"b.example.com"}}, file("a.har", text))
	require.Len(t, r.Exchanges, 1)
	require.Equal(t, "/y", r.Exchanges[0].Path)
}

func TestAnswersOfGatewaysNeverArrived(t *testing.T) {
	t.Parallel()
	html := strings.Replace(readtest.HAREntry("2026-03-02T17:00:00.000Z", "POST", create, `{"amount":1}`, 503, "", `<html>`), "application/json\"}],\"content", "text/plain\"}],\"content", 1)
	r := readAll(t, read.Options{}, file("a.har", readtest.HAR(html,
		readtest.HAREntry("2026-03-02T17:00:01.000Z", "POST", create, `{"amount":1}`, 503, "", `{}`),
		readtest.HAREntry("2026-03-02T17:00:02.000Z", "POST", create, `{"amount":1}`, 0, "", ``),
		readtest.HAREntry("2026-03-02T17:00:03.000Z", "POST", create, `{"amount":1}`, 504, "", `{"message":"The upstream server is timing out"}`),
		readtest.HAREntry("2026-03-02T17:00:04.000Z", "POST", create, `{"amount":1}`, 503, "", `{"title":"Service Unavailable","status":503}`))))
	require.Equal(t, recording.NeverArrived, r.Exchanges[3].Answer.Known, "no problem of the service's")
	require.Equal(t, recording.Whole, r.Exchanges[4].Answer.Known, "the service's own")
	require.Equal(t, recording.NeverArrived, r.Exchanges[0].Answer.Known)
	require.Equal(t, recording.Whole, r.Exchanges[1].Answer.Known, "the service's own")
	require.Equal(t, recording.NeverArrived, r.Exchanges[2].Answer.Known)
}

func TestWebhooksInAProxyAreReceived(t *testing.T) {
	t.Parallel()
	hook := `{"startedDateTime":"2026-03-02T17:00:05Z","time":3,"request":{"method":"POST","url":"http://shop.example.org/hooks","headers":[{"name":"X-HMAC-Signature","value":%q}],"postData":{"text":"{}"}},"response":{"status":204,"headers":[],"content":{"size":0}}}`
	text := readtest.HAR(
		readtest.HAREntry("2026-03-02T17:00:00.000Z", "POST", create, `{"amount":1}`, 200, "", `{}`),
		fmt.Sprintf(hook, "sha256=ec9ffa1a7e8a3f3a5a3ee2a3c3c9d0b8f0f3a3a5a3ee2a3c3c9d0b8f0f3a3a5a"),
	)
	r := readAll(t, read.Options{WebhookSecret: "whsec"}, file("a.har", text))
	require.Len(t, r.Received, 1)
	require.Equal(t, "http://shop.example.org/hooks", r.Received[0].URL)
	require.Equal(t, recording.Wrong, r.Received[0].Signature)
	require.Equal(t, 204, r.Received[0].Status)
}

func TestBrokenFilesSayWhere(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, want string }{
		"empty":      {"", "the file is empty"},
		"zip":        {"PK\x03\x04…", "it is a zip archive"},
		"unknown":    {"hello", "it is in no known form"},
		"cut har":    {"{\"log\":{\n\"entries\":[{}", "line 2, byte 22"},
		"broken har": {"{\"log\":{\n\"entries\":[{},}]}}", "line 2, byte 24"},
		"wrong har":  {`{"log":{"entries":7}}`, "byte 19"},
		"cut tape":   {"{\"tape\":1,\"seed\":7,\"start\":\"2026-03-02T17:00:00Z\"}\n{\"seq\":", "line 2"},
	} {
		_, err := read.Contents([]source.File{file(name, c.text)}, read.Options{})
		require.ErrorContains(t, err, c.want, name)
		var broken *source.Error
		require.ErrorAs(t, err, &broken, name)
		require.Equal(t, name, broken.File)
	}
}

func TestTape(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 2, 17, 0, 0, 0, time.UTC).UnixNano()
	entries := []tape.Entry{
		{Seq: 1, At: at, Kind: tape.KindExchange, Exchange: &tape.Exchange{Method: "POST", Path: "/Payment/Create", Request: tape.Request{Body: []byte("{}")}, Response: tape.Response{Status: 200}}},
		{Seq: 2, At: at + 5, Kind: tape.KindExchange, Exchange: &tape.Exchange{Method: "GET", Path: "/x"}},
		{Seq: 3, At: at + 6, Kind: tape.KindExchange, Exchange: &tape.Exchange{Method: "GET", Path: "/y", Response: tape.Response{Status: 200}}},
		{Seq: 4, Cause: 3, At: at + 6, Kind: tape.KindHangup, Hangup: &tape.Hangup{After: 7}},
		{Seq: 5, At: at + 7, Kind: tape.KindAttempt, Attempt: &tape.Attempt{Delivery: "d", URL: "http://x/h", Status: 200, Body: []byte("{}")}},
		{Seq: 6, At: at + 8, Kind: tape.KindAttempt, Attempt: &tape.Attempt{Delivery: "d"}},
		{Seq: 7, At: at + 9, Kind: tape.KindClock, Clock: &tape.Clock{}},
	}
	var b bytes.Buffer
	require.NoError(t, tape.Write(&b, tape.Meta{Seed: 7, Start: at, First: 1}, slices.Values(entries)))
	r := readAll(t, read.Options{}, source.File{Name: "s.tape", Data: b.Bytes()})
	require.Len(t, r.Exchanges, 3)
	require.Equal(t, recording.Whole, r.Exchanges[0].Answer.Known)
	require.Equal(t, recording.NeverArrived, r.Exchanges[1].Answer.Known)
	require.Equal(t, recording.NeverArrived, r.Exchanges[2].Answer.Known)
	require.Len(t, r.Received, 1)
	require.True(t, r.Sources[0].ReceivedComplete)
	require.Equal(t, 1, r.Skipped[0].Count)
	_, err := json.Marshal(r)
	require.NoError(t, err)
}

func TestTextsOfWindows(t *testing.T) {
	t.Parallel()
	text := readtest.HAR(readtest.HAREntry("2026-03-02T17:00:00.000Z", "POST", create, `{"amount":1}`, 200, "", `{}`))
	wide := []byte("\xff\xfe")
	for _, c := range []byte(text) {
		wide = append(wide, c, 0)
	}
	for name, data := range map[string][]byte{"UTF-8 with a mark": []byte("\xef\xbb\xbf" + text), "UTF-16": wide} {
		require.Len(t, readAll(t, read.Options{}, source.File{Name: name, Data: data}).Exchanges, 1, name)
	}
}

// BenchmarkTape reads a tape of 20,000 calls.
func BenchmarkTape(b *testing.B) {
	at := time.Date(2026, 3, 2, 17, 0, 0, 0, time.UTC).UnixNano()
	entries := make([]tape.Entry, 20_000)
	for i := range entries {
		entries[i] = tape.Entry{Seq: uint64(i + 1), At: at + int64(i), Kind: tape.KindExchange, Exchange: &tape.Exchange{Method: "POST", Path: "/Payment/Create", Request: tape.Request{Body: bytes.Repeat([]byte("x"), 500)}, Response: tape.Response{Status: 200, Body: bytes.Repeat([]byte("y"), 500)}}}
	}
	var file bytes.Buffer
	require.NoError(b, tape.Write(&file, tape.Meta{Seed: 7, Start: at, First: 1}, slices.Values(entries)))
	b.SetBytes(int64(file.Len()))
	for b.Loop() {
		r, err := read.Contents([]source.File{{Name: "s.tape", Data: file.Bytes()}}, read.Options{})
		require.NoError(b, err)
		require.Len(b, r.Exchanges, 20_000)
	}
}

func FuzzContents(f *testing.F) {
	f.Add("har", readtest.HAR(readtest.HAREntry("2026-03-02T17:00:00.000Z", "POST", create, `{"amount":1}`, 200, "Mon, 02 Mar 2026 17:00:00 GMT", `{}`)), "")
	f.Add("", "INSERT INTO `h` (`at`,`body`) VALUES\n('2026-03-02 17:00:00','{\\\"Event\\\":\\\"A\\\",\\\"Data\\\":{}}'),(1,NULL);", "x")
	f.Add("", `{"tape":1,"seed":7,"start":"2026-03-02T17:00:00Z"}`, "x")
	f.Add("", mail(`{"method":"GET","url":"https://a.example/Company/List","status":200}`), mail("x")[:150])
	f.Fuzz(func(t *testing.T, format, one, two string) {
		files := []source.File{file("a", one), file("b", two)}
		r, err := read.Contents(files, read.Options{Formats: map[string]string{"a": format}, WebhookSecret: "x"})
		if err != nil && len(r.Sources) == 0 {
			return
		}
		for i := 1; i < len(r.Exchanges); i++ {
			a, b := r.Exchanges[i-1].Begin, r.Exchanges[i].Begin
			require.True(t, a.IsZero() || b.IsZero() || !b.Before(a), "out of order")
		}
		_, err = json.Marshal(r)
		require.NoError(t, err)
	})
}
