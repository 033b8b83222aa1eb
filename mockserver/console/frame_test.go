package console_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/browser"
)

// TestTheFrameStaysOneLine: on a desk, also when a label is looked at alone and when the
// page is not live; nothing moves because of it.
func TestTheFrameStaysOneLine(t *testing.T) {
	t.Parallel()
	b := &tab{t, browser.Tab(browser.Start(t, 1280, "the frame"), t, true)}
	h := newHouse(t)
	h.shop()
	const height, stops = `document.querySelector(".top").offsetHeight`, `document.dispatchEvent(new CustomEvent("htmx:sse:error"))`
	b.open(h.url + "/console/default/live")
	b.comes(`document.getElementById("live").textContent`, "live")
	line := b.js(height)
	b.js(stops)
	require.Equal(t, line, b.js(height), "not live")
	b.open(h.url + "/console/default/readiness?label=feature/a-branch-with-a-long-name")
	b.comes(`document.getElementById("live").textContent`, "live")
	require.Equal(t, line, b.js(height), "a label")
	b.js(stops)
	require.Equal(t, line, b.js(height), "a label, and not live")
}
