package console_test

import (
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAFileIsOpened(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	id := h.pay(h.shop(), "In a file")
	saved := h.control(http.MethodGet, "/tape?end=true", "")
	require.Equal(t, http.StatusOK, saved.status)
	where := h.upload(saved.body).header.Get("Location")
	require.Equal(t, "/console/file-1/live", where)
	p := h.get(where)
	require.True(t, p.shows("read-only"))
	require.Contains(t, p.body, "Read-only: &lt;b&gt;.har")
	require.Contains(t, p.body, "<title>Live – &lt;b&gt;.har – paysandbox console</title>", "tabs are told apart")
	require.Contains(t, p.body, "POST /Payment/Create")
	require.Contains(t, h.get("/console/file-1/entities").body, id)
	require.Contains(t, h.get("/console/file-1/entries/1").body, "Authentication/Token")
	require.Equal(t, http.StatusOK, h.get("/console/file-1/problems").status)
	require.Equal(t, http.StatusOK, h.get("/console/file-1/deliveries").status)
	require.Equal(t, http.StatusOK, h.get("/console/file-1/readiness").status)
	require.Equal(t, http.StatusNotFound, h.get("/console/file-1/stream").status)
	require.Equal(t, "/console/file-2/live", h.upload("\ufeff"+saved.body).header.Get("Location"), "with a byte order mark")
	bad := h.upload("{\"tape\":1}\nnonsense\n")
	require.Equal(t, http.StatusBadRequest, bad.status)
	require.Contains(t, bad.body, "Line 2 cannot be read")
	for range 5 {
		where = h.upload(saved.body).header.Get("Location")
	}
	require.Equal(t, http.StatusOK, h.get(where).status)
	require.Equal(t, http.StatusNotFound, h.get("/console/file-1/live").status, "four are kept")
}

// TestAFileShowsAllScreens: messages, endpoints, trouble, the clock and what it was made from,
// as far as the tape holds them; nothing can be done, and no link leads to a sandbox that is gone.
func TestAFileShowsAllScreens(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	company := h.shop()
	h.hooks()
	require.Equal(t, http.StatusOK, h.control(http.MethodPost, "/faults", `{"name":"lost","match":{"operation":"createPayment"},"effect":{"status":503}}`).status)
	require.Equal(t, http.StatusOK, h.control(http.MethodPost, "/faults", `{"name":"gone","effect":{"status":500}}`).status)
	require.Equal(t, http.StatusOK, h.control(http.MethodDelete, "/faults/gone", "").status)
	h.call(http.MethodPost, "/Payment/Create", map[string]any{"amount": 1})
	hit := h.newest()
	id := h.pay(company, "In a file")
	h.control(http.MethodPost, "/clock/advance", `{"by":"2h"}`)
	h.control(http.MethodPost, "/payments/"+id+"/approve", "{}")
	root := strings.TrimSuffix(h.upload(h.control(http.MethodGet, "/tape?end=true", "").body).header.Get("Location"), "live")
	for screen, shows := range map[string][]string{
		"inbox":      {"asks you", "See and pay the request", "here they are text"},
		"deliveries": {h.receiver.URL + "/hooks", `badge good">Enabled`, "Registered by"},
		"trouble":    {">lost ", "createPayment", "status=503", root + `entries/` + itoa(hit) + `">#`, "removed by", "was armed"},
		"clock":      {"2026-03-02 19:00:00", "So the clock stood when the tape ends", "moved once", "the bank pays a payment, or fails it", "the clock moved by 2h"},
		"settings":   {"What this tape is of", "sandbox", "<dd class=\"mono\">7</dd>", "token-lifetime", "A tape holds no secrets"},
		"live":       {"POST /Payment/Create"},
		"journeys":   {"POST /Payment/Create"},
	} {
		p := h.get(root + screen)
		require.Equal(t, http.StatusOK, p.status, screen)
		for _, text := range shows {
			require.Contains(t, p.body, text, screen)
		}
		require.NotContains(t, strings.Replace(p.body, `<form method="post" action="/console/-/file"`, "", 1), `method="post"`, screen)
		require.NotRegexp(t, regexp.MustCompile(`href="[^"]*/pages/`), p.body, screen)
		require.NotContains(t, p.body, "sandbox-secret", screen)
		require.Contains(t, p.body, root+`settings`, "the way to each screen")
	}
	require.Contains(t, h.get(root+"clock?q=no+such").body, "None of ")
	require.NotContains(t, h.get(root+"trouble?q=lost").body, ">gone ")
	require.True(t, h.get(root+"inbox?q=no+such").shows("none"))
	require.Contains(t, h.get(root+"inbox?q=PAY+THE+REQUEST").body, "See and pay", "in the words that were sent")

	empty := h.upload("{\"tape\":1,\"seed\":1,\"start\":\"2026-03-02T17:00:00Z\"}\n")
	root = strings.TrimSuffix(empty.header.Get("Location"), "live")
	for screen, says := range map[string]string{
		"inbox": "Nobody was sent", "deliveries": "None was registered", "trouble": "No trouble with calls was armed", "clock": "Nobody has moved it", "settings": "choices",
	} {
		require.Contains(t, h.get(root+screen).body, says)
	}
}

// TestAFileThatLies is shown as text: messages without what their texts take, answers that are none,
// trouble and endpoints from before its beginning.
func TestAFileThatLies(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	lines := []string{
		`{"tape":1,"seed":1,"start":"2026-03-02T17:00:00Z","first":9,"dropped":8}`,
		`{"seq":9,"at":"2026-03-02T17:00:00Z","kind":"exchange","exchange":{"operation":"createPayment","method":"POST","path":"/Payment/Create","request":{},"response":{"status":503},"fault":"before: status=503"}}`,
		`{"seq":10,"at":"2026-03-02T17:00:00Z","kind":"control","exchange":{"operation":"armFault","method":"POST","path":"/x","request":{},"response":{"status":200,"body":"[]"}}}`,
		`{"seq":11,"at":"2026-03-02T17:00:00Z","kind":"control","exchange":{"operation":"removeWebhook","method":"DELETE","path":"/x/<b>nobody</b>","request":{},"response":{"status":200}}}`,
		`{"seq":12,"at":"2026-03-02T17:00:00Z","kind":"attempt","attempt":{"delivery":"d","endpoint":"e","url":"https://h.example/<i>","number":1,"status":200}}`,
	}
	for n, name := range letterNames(t) {
		lines = append(lines, `{"seq":`+itoa(uint64(20+n))+`,"at":"2026-03-02T17:00:00Z","kind":"message","message":{"channel":"email","to":"<script>alert(1)</script>","template":"`+name+`"}}`)
	}
	where := h.upload(strings.Join(lines, "\n") + "\n").header.Get("Location")
	require.NotEmpty(t, where)
	root := strings.TrimSuffix(where, "live")
	for _, screen := range screens {
		p := h.get(root + screen)
		require.Equal(t, http.StatusOK, p.status, screen)
		require.True(t, p.shows("gap"), screen)
		for _, bad := range []string{"<script>alert", "<b>nobody", "/<i>"} {
			require.NotContains(t, p.body, bad, screen)
		}
	}
	require.Contains(t, h.get(root+"trouble").body, "it was armed before the tape begins")
	require.Contains(t, h.get(root+"clock").body, "does not tell what was due")
	require.NotContains(t, h.get(root+"inbox/20").body, "<script>alert")
}

// letterNames are the templates of messages, and one that there is not.
func letterNames(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("../control/messages/*.txt.tmpl")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	names := []string{"no-such-template"}
	for _, f := range files {
		names = append(names, strings.TrimSuffix(filepath.Base(f), ".txt.tmpl"))
	}
	return names
}

// TestEachListIsSearched: by what stands in it, with "none" apart from what is shown.
func TestEachListIsSearched(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	id := h.pay(h.shop(), "Two towels")
	h.control(http.MethodPost, "/payments/"+id+"/approve", "{}")
	h.control(http.MethodPost, "/faults", `{"name":"lost","match":{"operation":"refundPayment"},"effect":{"status":503}}`)
	h.tell(2)
	for screen, text := range map[string]string{
		"live": "two+TOWELS", "problems": "lost", "entities": id, "deliveries": "", "inbox": "see+and+pay", "clock": id,
		"trouble": "REFUNDpayment", "journeys": "two+towels", "settings": "token-lifetime",
	} {
		if text == "" {
			continue
		}
		p := h.get(screen + "?q=" + text)
		require.Contains(t, p.body, `name="q" value="`+strings.ReplaceAll(text, "+", " ")+`"`, screen)
		if screen != "problems" {
			require.False(t, p.shows("none"), screen)
			require.True(t, h.get(screen+"?q=no+such+words").shows("none"), screen)
		}
	}
	require.True(t, h.get("journeys?q=towels").shows("sequence"))
	require.False(t, h.get("journeys?q=towels").shows("task"))
	require.True(t, h.get("journeys?q=ask+dana").shows("task"))
}
