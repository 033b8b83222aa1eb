package console_test

import (
	"bufio"
	"context"
	"html"
	"io"
	"net/http"
	"os"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/sampling"
	"paysandbox/mockserver/console/stream"
)

// feed is a stream that is open.
type openFeed struct {
	t      *testing.T
	lines  *bufio.Scanner
	status int
	close  func()
}

// listen opens a stream as a browser does, until the test ends.
func (h *house) listen(t *testing.T, query string, header ...string) *openFeed {
	t.Helper()
	f := h.dial(t, query, header...)
	t.Cleanup(f.close)
	return f
}

// dial opens a stream that the caller closes.
func (h *house) dial(t *testing.T, query string, header ...string) *openFeed {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	req := h.request(http.MethodGet, "/console/default/stream?"+query, "", header...).WithContext(ctx)
	res, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(req)
	require.NoError(t, err)
	f := &openFeed{t: t, lines: bufio.NewScanner(res.Body), status: res.StatusCode, close: func() { cancel(); _ = res.Body.Close() }}
	f.lines.Buffer(nil, 1<<20)
	return f
}

// until reads to a line that contains a text, and gives it.
func (f *openFeed) until(text string) string {
	f.t.Helper()
	for f.lines.Scan() {
		if strings.Contains(f.lines.Text(), text) {
			return f.lines.Text()
		}
	}
	f.t.Fatalf("the stream has ended before %q: %v", text, f.lines.Err())
	return ""
}

func TestWhatHappensArrives(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	f := h.listen(t, "screen=live&since=0")
	require.Equal(t, http.StatusOK, f.status)
	f.until("id: 0")
	h.shop()
	f.until("POST /Company/Create")
}

func TestAFilterHoldsForTheStream(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	f := h.listen(t, "screen=live&since=0&operation=createPayment")
	f.until("id: 0")
	h.pay(h.shop(), "x")
	line := f.until("data: <tr") // where the clock stands may have been told before
	require.NotContains(t, line, "Authentication")
	require.Contains(t, line, "Payment/Create")
}

// TestAFilterHidesNoClock: a page that shows some entries tells where the clock stands all
// the same.
func TestAFilterHidesNoClock(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.shop()
	f := h.listen(t, "screen=live&since=0&operation=none")
	require.Equal(t, "data: 2026-03-02T17:00:00Z", f.clock())
	require.Equal(t, http.StatusOK, h.control(http.MethodPost, "/clock/advance", `{"by":"1h"}`).status)
	require.Equal(t, "data: 2026-03-02T18:00:00Z", f.clock())
}

// clock reads to where the clock is told, and gives the line.
func (f *openFeed) clock() string {
	f.t.Helper()
	f.until("event: clock")
	return f.until("data: ")
}

func TestAGapIsTold(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.shop()
	h.fill(300)
	f := h.listen(t, "screen=live&since=1", "Last-Event-ID", itoa(h.newest()-37))
	require.Contains(t, f.until("while you were away"), "37 while you were away")
	far := h.listen(t, "screen=live&since=1", "Last-Event-ID", "2")
	far.until("came faster than they can be read")
	anew := h.listen(t, "screen=live", "Last-Event-ID", "99999")
	anew.until("it begins anew")
	h.control(http.MethodPost, "/reset", "")
	f.until("The tape was emptied")
}

func TestOtherScreensHearThatThereIsNews(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	f := h.listen(t, "screen=entities")
	f.until("id:")
	h.shop()
	f.until("event: news")
	h.control(http.MethodPost, "/reset", "")
	f.until("id: 0")
	f.until("event: news")
}

// TestWhatHappensBeforeThePageListensIsTold: a page listens some time after it was
// written, and a slow one long after.
func TestWhatHappensBeforeThePageListensIsTold(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	company := h.shop()
	id := h.pay(company, "x")
	for _, screen := range append([]string{"entities/" + id}, screens...) {
		address := regexp.MustCompile(`hx-sse:connect="[^"?]*\?([^"]*)"`).FindStringSubmatch(h.get(screen).body)
		require.NotNil(t, address, screen)
		h.pay(company, "y")
		f := h.listen(t, html.UnescapeString(address[1]))
		first := f.until("id: ")
		for f.lines.Scan() && f.lines.Text() != "" {
			first += "\n" + f.lines.Text()
		}
		require.Regexp(t, "event: news|POST /Payment/Create", first, screen)
	}
}

// TestAnotherTapeIsTold: also where it is as long as the one that a page knows, and to
// screens that would go on showing what is no more.
func TestAnotherTapeIsTold(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.listen(t, "screen=entities", "Last-Event-ID", "9").until("event: news")
	h.shop()
	h.listen(t, "screen=entities&of=another", "Last-Event-ID", itoa(h.newest())).until("event: news")
	h.listen(t, "screen=live&of=another", "Last-Event-ID", itoa(h.newest())).until("it begins anew")
	of := regexp.MustCompile(`of=\w+`).FindString(h.get("live").body)
	require.NotEmpty(t, of)
	h.listen(t, "screen=live&"+of, "Last-Event-ID", itoa(h.newest()-1)).until("1 while you were away")
	f := h.listen(t, "screen=live")
	f.until("id:")
	h.on.Hold() // what follows is one look
	require.NoError(t, h.on.Reset())
	h.fill(9)
	f.until("it begins anew")
}

func TestListenersAreBounded(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	for range stream.MaxListeners {
		require.Equal(t, http.StatusOK, h.listen(t, "screen=live").status)
	}
	require.Equal(t, http.StatusServiceUnavailable, h.listen(t, "screen=live").status)
}

// TestManyReconnectsLeaveNothing: two thousand browsers come and go, and leave neither
// goroutines nor files nor memory behind.
func TestManyReconnectsLeaveNothing(t *testing.T) {
	h := newHouse(t)
	h.shop()
	come := func(browsers int) {
		for range browsers {
			f := h.dial(t, "screen=live&since=0")
			require.Equal(t, http.StatusOK, f.status)
			f.until("id:")
			f.close()
		}
	}
	come(50) // what is made once is made
	before := held()
	come(2_000 / sampling.Step(t, 4))
	require.Eventually(t, func() bool {
		now := held()
		return now.goroutines < before.goroutines+20 && now.files < before.files+20 && now.bytes < before.bytes+2<<20
	}, time.Minute, 50*time.Millisecond, "%+v became %+v", before, held())
	require.Equal(t, http.StatusOK, h.listen(t, "screen=live").status)
}

// holding is what a process holds: bytes that are in use, and files where it can be seen.
type holding struct{ goroutines, files, bytes int }

func held() (h holding) {
	open, _ := os.ReadDir("/proc/self/fd")
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return holding{runtime.NumGoroutine(), len(open), int(m.HeapAlloc)}
}

// TestStreamsEndBeforeTheServer: a server that is to end does not wait for them.
func TestStreamsEndBeforeTheServer(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	f := h.listen(t, "screen=live")
	f.until("id:")
	ended := make(chan error, 1)
	go func() {
		for f.lines.Scan() {
		}
		ended <- f.lines.Err()
	}()
	require.NoError(t, h.server.Close(t.Context()))
	select {
	case err := <-ended:
		require.ErrorIs(t, joined(err), nil)
	case <-time.After(time.Minute):
		t.Fatal("the stream goes on")
	}
}

// joined takes the end of a stream for what it is.
func joined(err error) error {
	if err == io.ErrUnexpectedEOF { //nolint:errorlint // as the scanner gives it
		return nil
	}
	return err
}
