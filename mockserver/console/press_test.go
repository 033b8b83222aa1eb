package console_test

import (
	"net/http"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/browser"
)

// TestAPressIsNotLost: what comes while a button or a row is held down is drawn when it is let go.
func TestAPressIsNotLost(t *testing.T) {
	t.Parallel()
	chromium := browser.Start(t, 1280, "presses while pages are drawn again")
	h := newHouse(t)
	id := h.pay(h.shop(), "Held down")
	b := &tab{t, browser.Tab(chromium, t, true)}
	status, pointer := `document.querySelector("[data-testid=status]").textContent`, `dispatchEvent(new PointerEvent("pointer`
	b.open(h.url + "/console/default/entities/" + id)
	b.comes(`document.getElementById("live").textContent`, "live")
	b.js(`(window.refused = 0, document.addEventListener("htmx:before:swap", (e) => { if (e.defaultPrevented) window.refused++; }), ` + pointer + `down")))`)
	h.control(http.MethodPost, "/payments/"+id+"/approve", "{}")
	b.comes(`window.refused > 0`, "true")
	require.NotEqual(t, "Processing", b.js(status), "it is drawn under the pointer")
	b.js(pointer + `up"))`)
	b.comes(status, "Processing")

	b.open(h.url + "/console/default/live")
	b.comes(`document.getElementById("live").textContent`, "live")
	b.js(`(window.first = document.querySelector("#rows tr"), ` + pointer + `down")))`)
	h.control(http.MethodPost, "/notes", `{"kind":"remark","text":"held"}`)
	b.comes(`document.getElementById("new").hidden`, "false")
	require.Equal(t, "true", b.js(`document.querySelector("#rows tr") === window.first`))
	b.js(pointer + `up"))`)
	b.comes(`document.getElementById("rows").textContent.includes("held")`, "true")
}

// TestTheNewestChoiceIsShown: of entries that are chosen faster than they come, the last one
// stands beside the list, as the list has it.
func TestTheNewestChoiceIsShown(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.shop()
	h.fill(12)
	b := &tab{t, browser.Tab(browser.Start(t, 1280, "entries that are chosen fast"), t, true)}
	b.open(h.url + "/console/default/live")
	b.comes(`document.getElementById("live").textContent`, "live")
	last := b.js(`(() => { const a = [...document.querySelectorAll("#rows a.open")].slice(0, 9); a.forEach((one) => one.click()); return a.at(-1).textContent })()`)
	b.comes(`document.getElementById("detail").textContent.includes(`+strconv.Quote(last)+`)`, "true")
	require.Equal(t, last, b.js(`document.querySelector("#rows tr.on a.open").textContent`))
}
