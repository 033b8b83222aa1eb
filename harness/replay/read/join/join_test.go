package join_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/read"
	"paysandbox/harness/replay/read/join"
	"paysandbox/harness/replay/read/readtest"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
)

func file(name, text string) source.File { return source.File{Name: name, Data: []byte(text)} }

func readAll(t *testing.T, files ...source.File) recording.Recording {
	t.Helper()
	r, err := read.Contents(files, read.Options{})
	require.NoError(t, err)
	return r
}

// harEntry is an entry of a HAR file with a request for a payment.
func harEntry(at, body string, status int, date, answer string) string {
	return readtest.HAREntry(at, "POST", create, body, status, date, answer)
}

const create = "https://api.example.com/v1/Payment/Create"

func TestClockIsSetByTheService(t *testing.T) {
	t.Parallel()
	// The partner's clock is 90 seconds behind; an hour is skipped before the third call.
	text := readtest.HAR(
		harEntry("2026-03-02T16:58:30.000Z", `{"amount":1}`, 200, "Mon, 02 Mar 2026 17:00:00 GMT", `{}`),
		harEntry("2026-03-02T16:58:30.950Z", `{"amount":2}`, 200, "Mon, 02 Mar 2026 17:00:00 GMT", `{}`),
		harEntry("2026-03-02T16:58:33.000Z", `{"amount":3}`, 200, "Mon, 02 Mar 2026 18:00:03 GMT", `{}`),
	)
	r := readAll(t, file("a.har", text))
	offsets := r.Sources[0].Offsets
	require.Len(t, offsets, 2)
	require.InDelta(t, 90, offsets[0].By.Seconds(), 0.6)
	require.InDelta(t, 3690, offsets[1].By.Seconds(), 1)
	require.Equal(t, 3, offsets[1].From.Entry)
	require.WithinDuration(t, time.Date(2026, 3, 2, 18, 0, 3, 0, time.UTC), r.Exchanges[2].Begin, time.Second)
	require.Equal(t, 100*time.Millisecond, r.Exchanges[2].End.Sub(r.Exchanges[2].Begin))
}

func TestSameCallInTwoFilesIsOne(t *testing.T) {
	t.Parallel()
	one := readtest.HAR(harEntry("2026-03-02T17:00:00.000Z", `{"amount":1}`, 200, "", `{}`),
		harEntry("2026-03-02T17:00:00.200Z", `{"amount":1}`, 200, "", `{}`))
	two := readtest.HAR(harEntry("2026-03-02T17:00:00.100Z", `{"amount":1}`, 200, "", `{}`),
		harEntry("2026-03-02T17:00:05.000Z", `{"amount":1}`, 200, "", `{}`),
		harEntry("2026-03-02T17:00:00.300Z", `{"amount":1}`, 400, "", `{}`))
	r := readAll(t, file("a.har", one), file("b.har", two))
	require.Len(t, r.Exchanges, 4, "two retries in one file are two; five seconds later is another call; so is another answer")
	require.Equal(t, []recording.Place{{Source: "b.har", Entry: 1, Pointer: "/log/entries/0"}}, r.Exchanges[0].Also)
	require.True(t, r.Exchanges[0].Begin.Before(r.Exchanges[1].Begin))
	require.Equal(t, 400, r.Exchanges[2].Answer.Status)
}

func TestAnAnswerThatAProxySawAndItsCallerDidNot(t *testing.T) {
	t.Parallel()
	own := readtest.HAR(harEntry("2026-03-02T17:00:00.000Z", `{"amount":1}`, 0, "", ``),
		harEntry("2026-03-02T17:00:00.500Z", `{"amount":1}`, 200, "", `{"paymentRequestId":"q"}`))
	proxy := readtest.HAR(harEntry("2026-03-02T17:00:00.100Z", `{"amount":1}`, 200, "", `{"paymentRequestId":"p"}`),
		harEntry("2026-03-02T17:00:00.600Z", `{"amount":1}`, 200, "", `{"paymentRequestId":"q"}`))
	for _, files := range [][]source.File{{file("a.har", own), file("b.har", proxy)}, {file("b.har", proxy), file("a.har", own)}} {
		r := readAll(t, files...)
		require.Len(t, r.Exchanges, 2)
		require.Equal(t, recording.NeverArrived, r.Exchanges[0].Answer.Known, "what its caller knows")
		require.Equal(t, `{"paymentRequestId":"q"}`, string(r.Exchanges[1].Answer.Body))
	}
	r := readAll(t, file("a.har", own), file("b.har", readtest.HAR(harEntry("2026-03-02T17:00:00.600Z", `{"amount":1}`, 200, "", `{"paymentRequestId":"q"}`))))
	require.Len(t, r.Exchanges, 2, "what is told alike goes before")
	require.Empty(t, r.Exchanges[0].Also)
}

// TestARunAndItsCollection: a collection whose requests have no ids tells nothing beside a run of it, which shows what was sent; beside
// that of another it does.
func TestARunAndItsCollection(t *testing.T) {
	t.Parallel()
	const collection = `{"info":{"_postman_id":"c-1","name":"Plans","schema":"v2.1.0"},"item":[{"name":"Create","request":{"method":"POST","url":"https://api.example.com/PaymentPlan/Create","body":{"mode":"raw","raw":"{\"startDate\":\"{{startDate}}\"}"}}}]}`
	run := `{"collection":{"info":{"_postman_id":"c-1","name":"Plans"}},"run":{"timings":{"started":1772470800000},"executions":[{"item":{"id":"drawn"},"request":{"method":"POST","url":"https://api.example.com/PaymentPlan/Create","body":{"mode":"raw","raw":"{\"startDate\":\"12/1/2026\"}"}},"response":{"code":400}}]}}`
	const values = `{"name":"a","values":[{"key":"startDate","value":"","enabled":true}]}`
	r := readAll(t, file("c.json", collection), file("run.json", run), file("env.json", values))
	require.Len(t, r.Exchanges, 1)
	require.JSONEq(t, `{"startDate":"12/1/2026"}`, string(r.Exchanges[0].Body))
	other := strings.Replace(collection, "{{startDate}}", "2026-01-31", 1)
	r = readAll(t, file("c.json", other), file("run.json", strings.Replace(run, "c-1", "c-2", 1)), file("env.json", values))
	require.Len(t, r.Exchanges, 2)
}

// TestARequestWithoutAnExample may not have been sent, where others have one; where none has, it is all that there is.
func TestARequestWithoutAnExample(t *testing.T) {
	t.Parallel()
	const example = `"response":[{"code":200,"body":"{}"}],`
	collection := `{"info":{"name":"a","schema":"v2.1.0"},"item":[{"name":"one",` + example + `"request":{"method":"POST","url":"https://api.example.com/Payment/Create"}},{"name":"two","request":{"method":"PUT","url":"https://api.example.com/Payment/p-1/Cancel"}}]}`
	r := readAll(t, file("a.json", collection))
	require.Len(t, r.Exchanges, 1)
	require.Contains(t, r.Skipped[len(r.Skipped)-1].Why, "it may not have been sent")
	require.Len(t, readAll(t, file("a.json", strings.Replace(collection, example, "", 1))).Exchanges, 2)
}

// TestSummaries leaves out lines that sum calls up which stand beside them, and takes two slashes for one there.
func TestSummaries(t *testing.T) {
	t.Parallel()
	r := readAll(t, source.File{Name: "out.txt", Data: []byte("FETCH 1: received response to POST https://api.example//Payment/Create - HTTP 400\n" +
		"2026-03-02T17:00:04.329Z POST https://api.example/Payment/Create {\n  sent: { amount: 4500, owner: { list: [ [Object] ] } },\n  status: 400,\n  received: { status: 400 }\n}\n" +
		"FETCH 1: received response to GET https://api.example//Company/List - HTTP 200\n2026-03-02T17:00:05.329Z GET https://api.example/Company/List { sent: null, status: 200, received: { companies: [] } }\n")})
	require.Len(t, r.Exchanges, 2)
	assert.Equal(t, "/Payment/Create", r.Exchanges[0].Path)
	assert.True(t, r.Exchanges[0].BodyMissing, "of what was sent a part is not shown")
	assert.JSONEq(t, `{"status":400}`, string(r.Exchanges[0].Answer.Body))
}

// TestACallToldByTwoRecords: that no answer came is its answer, and a key beside it is its header; another key is another call.
func TestACallToldByTwoRecords(t *testing.T) {
	t.Parallel()
	line := func(key, more string) string {
		return `{"level":"INFO","msg":"http","method":"POST","url":"https://api.example/Payment/Create","idempotency_key":"` + key + `",` + more + "}\n"
	}
	const sent, lost = `"body":{"amount":6500}`, `"err":"Post \"https://api.example/Payment/Create\": context deadline exceeded"`
	for log, want := range map[string][]recording.Known{
		line("dues-2026-1", sent) + line("dues-2026-1", lost) + line("dues-2026-1", sent) + line("dues-2026-1", `"status":200`): {recording.NeverArrived, recording.WithoutBody},
		line("dues-2026-1", sent) + line("dues-2026-2", sent) + line("dues-2026-1", lost) + line("dues-2026-2", `"status":200`): {recording.NeverArrived, recording.WithoutBody},
		line("dues-2026-1", sent) + line("dues-2026-2", lost):                                                                   {recording.NotRecorded, recording.NeverArrived},
		line("dues-2026-1", sent) + line("dues-2026-1", `"err":"unexpected end of JSON input"`):                                 {recording.NotRecorded, recording.NotRecorded},
	} {
		r := readAll(t, file("a.log", log))
		var known []recording.Known
		for _, x := range r.Exchanges {
			known = append(known, x.Answer.Known)
		}
		require.Equal(t, want, known, log)
		require.Equal(t, "dues-2026-1", source.Header(r.Exchanges[0].Header, "Idempotency-Key"), log)
		if known[1] == recording.WithoutBody {
			require.Equal(t, "application/json", source.Header(r.Exchanges[0].Header, "Content-Type"), "a log that leaves it out of a call which was served leaves it out of one that was lost")
		}
	}
}

// TestAListOfAllCalls: lines of a list that tell of calls which the file shows elsewhere, at the same second, are no calls of their own;
// what the list alone tells is one, and so is what no other line stands beside.
func TestAListOfAllCalls(t *testing.T) {
	t.Parallel()
	at := func(line int, second time.Duration, path, body string) recording.Exchange {
		x := recording.Exchange{Place: recording.Place{Line: line}, Begin: time.Unix(1e9, 0).Add(second * time.Second), Method: "POST", Path: path, Answer: recording.Answer{Known: recording.WithoutBody, Status: 400}}
		if body != "" {
			x.Body, x.Answer.Known = []byte(body), recording.Whole
		}
		return x
	}
	shown := []recording.Exchange{at(1, 10, "/Company/Create", "{}"), at(5, 20, "/Company/Create", "{}")}
	left := func(list ...recording.Exchange) int {
		p := &source.Part{}
		p.Exchanges = append(slices.Clone(shown), list...)
		join.DropListed(p)
		return len(p.Exchanges)
	}
	require.Equal(t, 3, left(at(10, 5, "/Authentication/Token", ""), at(11, 10, "/Company/Create", ""), at(12, 20, "/Company/Create", "")))
	require.Equal(t, 4, left(at(11, 13, "/Company/Create", ""), at(12, 20, "/Company/Create", "")), "at another time")
	require.Equal(t, 4, left(at(11, 10, "/Company/Create", ""), at(20, 20, "/Company/Create", "")), "no list")
	require.Equal(t, 3, left(at(10, 10, "/Company/Create", ""), at(11, 10, "/Company/Create", ""), at(12, 20, "/Company/Create", "")), "one is told once")
}
