package console_test

import (
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"paysandbox/harness/browser"
	"paysandbox/mockserver"
)

// TestThePaletteGoesAnywhere by keys alone.
func TestThePaletteGoesAnywhere(t *testing.T) {
	t.Parallel()
	chromium := browser.Start(t, 1280, "the palette")
	h := newHouse(t)
	id := h.pay(h.shop(), "Palette")
	b := &tab{t, browser.Tab(chromium, t, true)}
	b.open(h.url + "/console/default/live")
	b.comes(`document.getElementById("live").textContent`, "live")
	const hidden = `document.getElementById("palette").hidden`
	open := func() {
		t.Helper()
		require.NoError(t, chromedp.Do(b.ctx, chromedp.KeyEvent("k", chromedp.KeyModifiers(2)))) // with Ctrl
		b.comes(hidden, "false")
	}
	b.key(":")
	b.comes(hidden, "false")
	b.key("\u001b")
	b.comes(hidden, "true")
	open()
	require.Equal(t, "palette-q", b.js(`document.activeElement.id`))
	b.key(kb.Tab)
	require.Equal(t, "palette-q way-1", b.js(`document.activeElement.id + " " + document.activeElement.getAttribute("aria-activedescendant")`))
	require.Equal(t, "not in the palette", b.js(`(() => { dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" })); return document.activeElement.id || "not in the palette"; })()`))
	b.comes(hidden, "true")
	goes := func(text, to string) {
		t.Helper()
		open()
		b.key(text)
		b.comes(`document.getElementById("palette-q").value`, text)
		b.key("\r")
		b.comes(`location.pathname + location.search`, to)
		b.comes(`document.getElementById("live")?.textContent`, "live")
	}
	goes("deliv", "/console/default/deliveries")
	goes("#3", "/console/default/entries/3")
	goes(id, "/console/default/entities/"+id)
	goes("payment.create.target", "/console/default/clauses/payment.create.target")
	open()
	b.key("Palette")
	b.comes(`document.querySelectorAll("#palette-list li").length`, "3")
	b.key(kb.ArrowDown)
	b.key("\r")
	b.comes(`location.pathname + location.search`, "/console/default/entities?q=Palette")

	// Where there is no list of entries the keys go through what there is.
	b.open(h.url + "/console/default/inbox")
	b.key("j")
	require.Equal(t, "card mail on", b.js(`document.activeElement.closest("article").className`))
	b.open(h.url + "/console/default/readiness")
	b.key("/")
	require.Equal(t, "palette-q", b.js(`document.activeElement.id`), "a screen without a search searches everything")
}

// TestALabelPartsWhatIsShared in every list and in the verdict.
func TestALabelPartsWhatIsShared(t *testing.T) {
	t.Parallel()
	h := houseWith(t, mockserver.Options{Judge: sampleVerdict})
	company := h.shop()
	pay := func(label, text string) {
		p := h.send(h.request(http.MethodPost, "/Payment/Create", `{"amount":5000,"companyId":"`+company+`","contactNumber":"+12025550123","shortDescription":"`+text+`"}`,
			"Content-Type", "application/json", "Authorization", "Bearer "+h.token, "Sandbox-Label", label))
		require.Equal(t, http.StatusOK, p.status, p.body)
		require.Equal(t, http.StatusBadRequest, h.send(h.request(http.MethodPost, "/Payment/Create", `{"amount":"`+label+`"}`,
			"Content-Type", "application/json", "Authorization", "Bearer "+h.token, "Sandbox-Label", label, "User-Agent", "shop-of-"+label)).status)
	}
	pay("ada", "For Ada")
	pay("bob", "For Bob")
	for screen, says := range map[string][2]string{
		"live": {"/Payment/Create", "bob</span>"}, "entities": {"For Ada", "For Bob"}, "problems": {"shop-of-ada", "shop-of-bob"}, "inbox": {"sms to", "nothing of bob"}, "journeys": {"/Payment/Create", "nothing of bob"},
	} {
		p := h.get(screen + "?label=ada")
		require.Contains(t, p.body, says[0], screen)
		require.NotContains(t, p.body, says[1], screen)
		require.True(t, p.shows("label"), screen)
		require.Contains(t, p.body, "/console/default/deliveries?label=ada", "the label goes with one")
		require.Contains(t, h.get(screen).body, says[0], screen)
	}
	for _, text := range []string{"For Ada", "For Bob"} {
		_, found := h.call(http.MethodGet, "/_sandbox/integrations/default/entities?kind=payment&q="+url.QueryEscape(text), nil)
		id, _ := found["entities"].([]any)[0].(map[string]any)["id"].(string)
		require.Equal(t, http.StatusOK, h.control(http.MethodPost, "/payments/"+id+"/approve", "").status)
	}
	due := h.get("clock?label=ada").body
	require.Contains(t, due, "For Ada")
	require.NotContains(t, due, "For Bob")
	saved := strings.TrimSuffix(h.upload(h.control(http.MethodGet, "/tape?end=true", "").body).header.Get("Location"), "live")
	require.Contains(t, h.get(saved+"clock").body, "For Bob")
	due = h.get(saved + "clock?label=ada").body
	require.Contains(t, due, "For Ada", "of a saved tape, too")
	require.NotContains(t, due, "For Bob")
	require.Contains(t, h.control(http.MethodGet, "/messages?label=ada", "").body, "For Ada")
	require.NotContains(t, h.control(http.MethodGet, "/messages?label=ada", "").body, "For Bob")
	require.Contains(t, h.get("live?label=ada").body, `<span class="tag" title="ada">ada</span>`)
	require.Contains(t, h.get("inbox?label=nobody").body, "No message")
	require.Eventually(t, func() bool { return h.get("readiness?label=ada").shows("verdict") }, time.Minute, 10*time.Millisecond)
	require.Contains(t, h.get("readiness?label=ada").body, "what has the label ada, of ")
}

// serve serves a handler at an address; the last address when it is not empty.
func serve(t *testing.T, h *house, address string) (*http.Server, string) {
	t.Helper()
	if address == "" {
		address = "127.0.0.1:0"
	}
	var lc net.ListenConfig
	var l net.Listener
	require.Eventually(t, func() (ok bool) {
		var err error
		l, err = lc.Listen(t.Context(), "tcp", address)
		return err == nil
	}, time.Minute, 10*time.Millisecond)
	s := &http.Server{Handler: h.server.Handler(), ReadHeaderTimeout: time.Minute}
	go func() { _ = s.Serve(l) }()
	t.Cleanup(func() { _ = s.Close() })
	return s, l.Addr().String()
}

// TestThePageGoesOnAfterARestart: it says since when it is not live, goes on by number
// when the sandbox answers again, and says so when that is another one.
func TestThePageGoesOnAfterARestart(t *testing.T) {
	t.Parallel()
	chromium := browser.Start(t, 1280, "a restart")
	h := newHouse(t)
	h.shop()
	server, address := serve(t, h, "")
	b := &tab{t, browser.Tab(chromium, t, true)}
	b.open("http://" + address + "/console/default/live")
	const state = `document.getElementById("live").textContent`
	b.comes(state, "live")
	other := &tab{t, browser.Tab(chromium, t, true)}
	h.pay("", "gone")
	other.open("http://" + address + "/console/default/entities?kind=payment")
	other.comes(state, "live")
	b.front()
	seen := h.newest()
	b.comes(`document.querySelector("#rows tr.entry").dataset.seq`, itoa(seen))
	require.NoError(t, server.Close())
	b.comes(`/^not live since \d\d:\d\d$/.test(`+state+`)`, "true")
	h.fill(37)
	server, _ = serve(t, h, address)
	b.comes(state, "live")
	b.comes(`[...document.querySelectorAll("#rows tr.gap")].some(r => r.textContent === "37 while you were away")`, "true")
	b.comes(`document.querySelector("#rows tr.entry").dataset.seq`, itoa(seen+37))
	require.NoError(t, server.Close())
	b.comes(`/^not live/.test(`+state+`)`, "true")
	another := newHouse(t)
	another.shop()
	serve(t, another, address)
	b.comes(state, "live")
	b.comes(`[...document.querySelectorAll("#rows tr.gap")].some(r => r.textContent.includes("was started again"))`, "true")
	b.comes(`document.querySelectorAll("#rows tr.entry").length`, itoa(another.newest()))
	other.front()
	other.comes(`document.querySelector("[data-testid=entities]")`, "null")
}
