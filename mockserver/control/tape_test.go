package control_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/control"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/openapi"
	"paysandbox/mockserver/tape"
)

// parsed reads an answer as a tape file.
func (a answer) parsed() (tape.Meta, []tape.Entry) {
	a.t.Helper()
	require.Equal(a.t, http.StatusOK, a.Code, a.Body.String())
	meta, entries, err := tape.Read(bytes.NewReader(a.Body.Bytes()))
	require.NoError(a.t, err)
	return meta, entries
}

func TestTape(t *testing.T) {
	t.Parallel()
	s := start(t, rehearsal, func(o *control.Options, _ *integration.Options) {
		o.API = []openapi.Operation{{ID: "createPayment"}, {ID: "setUp"}}
	})
	c := s.people()
	s.post("/payments/"+c.payment+"/approve", nil).ok(nil)
	meta, entries := s.get("/tape").parsed()
	require.Equal(t, "v9.9.9", meta.ToolVersion)
	require.Equal(t, uint64(7), meta.Seed)
	require.Equal(t, "application/jsonl; charset=utf-8", s.get("/tape").Header().Get("Content-Type"))
	require.Equal(t, text(t, s.entries()), text(t, entries))
	last := entries[len(entries)-1].Seq

	tests := map[string]func(e tape.Entry) bool{
		"kind=transition&kind=message":   func(e tape.Entry) bool { return e.Transition != nil || e.Message != nil },
		"operation=movePayment":          func(e tape.Entry) bool { return e.Exchange != nil && e.Exchange.Operation == "movePayment" },
		"route=setUp":                    func(e tape.Entry) bool { return e.Exchange != nil && e.Exchange.Operation == "setUp" },
		"entity=" + c.payment:            func(e tape.Entry) bool { return slices.Contains(e.Entities, c.payment) },
		"since=3":                        func(e tape.Entry) bool { return e.Seq > 3 },
		"since=" + number(last):          func(tape.Entry) bool { return false },
		"entity=" + someID:               func(tape.Entry) bool { return false },
		"wait=0s&kind=transition&since=": func(e tape.Entry) bool { return e.Transition != nil },
	}
	for query, want := range tests {
		_, got := s.query("/tape", query).parsed()
		expected := []tape.Entry{}
		for _, e := range entries {
			if want(e) {
				expected = append(expected, e)
			}
		}
		require.Equal(t, text(t, expected), text(t, got), query)
	}
	_, got := s.query("/tape", "limit=2&since=1").parsed()
	require.Equal(t, []uint64{2, 3}, []uint64{got[0].Seq, got[1].Seq})

	for query, near := range map[string]string{
		"kind=transitio": "nearest: transition", "limt=3": "nearest: limit", "since=x": "since=100", "since=-1": "since=100", "wait=2m": "wait=10s",
		"wait=-1s": "wait=10s", "wait=10": "wait=10s", "since=1&since=2": "once", "operation=createPaymen": "nearest: createPayment", "a=%zz": "%25",
	} {
		p := s.query("/tape", query).problem(http.StatusBadRequest)
		require.Contains(t, p.Findings[0].Fix, near, query)
	}
}

// TestATapeHasOneForm: what the control API writes is, byte for byte, what
// [tape.Write] makes of it, with <, > and & as they are.
func TestATapeHasOneForm(t *testing.T) {
	t.Parallel()
	s := start(t, rehearsal)
	note := map[string]any{"kind": "note", "text": "the payer is back"}
	s.ask(http.MethodPost, at("/notes"), note, "User-Agent", "a <token> & more").ok(nil)
	answer := s.get("/tape")
	meta, entries := answer.parsed()
	var file bytes.Buffer
	require.NoError(t, tape.Write(&file, meta, slices.Values(entries)))
	require.Contains(t, file.String(), "a <token> & more")
	stream, end, ended := strings.Cut(file.String(), `{"end":`)
	require.True(t, ended)
	require.Equal(t, stream, answer.Body.String(), "a stream has no end")
	require.Equal(t, 1, strings.Count(end, "\n"))
	require.Equal(t, file.String(), s.query("/tape", "end=true").Body.String(), "unless it is asked for")
	filtered, _ := s.query("/tape", "end=true&kind=control").parsed()
	require.Equal(t, tape.Whole, filtered.Ending, "of what was asked for")
}

func number(n uint64) string { return strconv.FormatUint(n, 10) }

// TestLongTapes come in chunks, and say what they have lost.
func TestLongTapes(t *testing.T) {
	t.Parallel()
	s := start(t, func(_ *control.Options, o *integration.Options) { o.Tape.Entries = 1200 })
	for range 1205 {
		s.post("/tokens/revoke", nil)
	}
	got := s.get("/tape")
	meta, entries := got.parsed()
	require.Len(t, entries, 1200)
	require.Equal(t, uint64(5), meta.Dropped)
	require.Equal(t, "1-5", got.Header().Get("Sandbox-Gap"))
	header, _, _ := strings.Cut(got.Body.String(), "\n")
	var line struct{ Gap control.Gap }
	require.NoError(t, json.Unmarshal([]byte(header), &line))
	require.Equal(t, control.Gap{From: 1, To: 5}, line.Gap)
	got = s.query("/tape", "since=3&limit=1001")
	_, entries = got.parsed()
	require.Len(t, entries, 1001)
	require.Equal(t, "4-5", got.Header().Get("Sandbox-Gap"))
	require.Empty(t, s.query("/tape", "since=5").Header().Get("Sandbox-Gap"))
}

// waiting asks a real server and gives the answer's body when it comes.
func waiting(t *testing.T, server *httptest.Server, path string) <-chan string {
	t.Helper()
	answers := make(chan string, 1)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+at(path), nil)
	require.NoError(t, err)
	go func() {
		defer close(answers)
		resp, err := server.Client().Do(r)
		if err != nil {
			return
		}
		defer resp.Body.Close()
		body, _ := io.ReadAll(resp.Body)
		answers <- string(body)
	}()
	return answers
}

// serve starts a real server with deadlines of its own, which tells when a call has come in.
func serve(t *testing.T, s *sandbox, deadline time.Duration) (*httptest.Server, <-chan struct{}) {
	t.Helper()
	came := make(chan struct{}, 10)
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		came <- struct{}{}
		s.control.ServeHTTP(w, r)
	}))
	server.Config.WriteTimeout, server.Config.ReadTimeout = deadline, deadline
	server.Start()
	t.Cleanup(server.Close)
	t.Cleanup(s.control.Stop)
	return server, came
}

func TestWaiting(t *testing.T) {
	t.Parallel()
	s := start(t, rehearsal)
	c := s.people()
	server, came := serve(t, s, 500*time.Millisecond)
	seq := number(s.entries()[len(s.entries())-1].Seq)

	tapeAnswer := waiting(t, server, "/tape?wait=60s&kind=event&since="+seq)
	messageAnswer := waiting(t, server, "/messages?wait=60s&template=company-verified")
	<-came
	<-came
	s.post("/payments/"+c.payment+"/queue", nil).ok(nil)
	require.Contains(t, <-tapeAnswer, "PAYMENT_STATUS_CHANGED")
	select {
	case body := <-messageAnswer:
		require.Fail(t, "a message that nobody has sent", body)
	default:
	}
	s.post("/companies/"+c.company+"/kyb", `{"outcome":"verified"}`).ok(nil)
	require.Contains(t, <-messageAnswer, "has been verified")

	stopped := waiting(t, server, "/tape?wait=60s&kind=fetch")
	<-came
	nobody := waiting(t, server, "/messages?wait=60s&to=nobody@example.com")
	<-came
	short := waiting(t, server, "/messages?wait=1200ms&to=nobody@example.com") // longer than the deadline
	require.Contains(t, <-short, `"messages":[]`)
	s.control.Stop()
	require.Contains(t, <-stopped, `{"tape":1`)
	require.Contains(t, <-nobody, `"messages":[]`)
}

// TestNoWallClock: net/http would add the time of day.
func TestNoWallClock(t *testing.T) {
	t.Parallel()
	server, _ := serve(t, start(t), time.Minute)
	for _, path := range []string{"/clock", "/tape", "/nothing"} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+at(path), nil)
		require.NoError(t, err)
		resp, err := server.Client().Do(r)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		require.Empty(t, resp.Header.Values("Date"), path)
	}
}
