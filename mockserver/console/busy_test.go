package console_test

import (
	"net/http"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/browser"
	"paysandbox/harness/sampling"
)

// TestTheBrowserIsNotChoked: rows are bounded, whatever comes.
func TestTheBrowserIsNotChoked(t *testing.T) {
	t.Parallel()
	chromium := browser.Start(t, 1280, "a list that much comes to")
	h := newHouse(t)
	b := &tab{t, browser.Tab(chromium, t, true)}
	b.open(h.url + "/console/default/live")
	b.comes(`document.getElementById("live").textContent`, "live")
	for range 40 {
		h.fill(100)
	}
	b.comes(`document.querySelector("#rows tr.entry")?.dataset.seq`, itoa(h.newest()))
	rows, err := strconv.Atoi(b.js(`document.querySelectorAll("#rows tr").length`))
	require.NoError(t, err)
	require.LessOrEqual(t, rows, 500)
	require.Equal(t, "true", b.js(`document.querySelector("#rows tr.gap") !== null`), "what was left out is said")
}

// TestABusyTapeDoesNotChokeThePage: while some 1,000 entries a second arrive, the list stays
// bounded and a click shows its entry. How long that takes is told, not judged: other
// work on the machine counts in it.
func TestABusyTapeDoesNotChokeThePage(t *testing.T) {
	t.Parallel()
	if !sampling.All() {
		t.Log("left to `make check`: it takes some ten seconds")
		return
	}
	h := newHouse(t)
	h.fill(10)
	b := &tab{t, browser.Tab(browser.Start(t, 1280, "a busy tape"), t, true)}
	b.open(h.url + "/console/default/live")
	b.comes(`document.getElementById("live").textContent`, "live")
	begun, first := time.Now(), h.newest()
	stop := make(chan struct{})
	var feeding sync.WaitGroup
	feeding.Go(func() {
		tick := time.NewTicker(20 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-stop:
				return
			case <-tick.C:
				h.fill(20)
			}
		}
	})
	var took []time.Duration
	for range 10 {
		seq := b.js(`(() => { const a = [...document.querySelectorAll("#rows tr.entry a[href*='/entries/']")]; const one = a[Math.min(5, a.length - 1)]; one.click(); return one.textContent.trim(); })()`)
		clicked := time.Now()
		b.comes(`document.getElementById("detail").textContent.includes(`+strconv.Quote(seq)+`)`, "true")
		took = append(took, time.Since(clicked))
		rows, err := strconv.Atoi(b.js(`document.getElementById("rows").children.length`))
		require.NoError(t, err)
		require.LessOrEqual(t, rows, 520)
	}
	rate := float64(h.newest()-first) / time.Since(begun).Seconds()
	close(stop)
	feeding.Wait()
	b.comes(`document.getElementById("live").textContent`, "live")
	slices.Sort(took)
	t.Logf("%.0f entries a second: a click shows its entry after %v, at worst %v", rate, took[len(took)/2], took[len(took)-1])
}

// TestASearchGoesOnByItself until something is found or all was looked at; the page stays live.
func TestASearchGoesOnByItself(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.shop()
	h.fill(9_000)
	b := &tab{t, browser.Tab(browser.Start(t, 1280, "a search through a long tape"), t, true)}
	b.open(h.url + "/console/default/live?q=Authentication%2FToken")
	b.comes(`[...document.querySelectorAll("#rows tr.entry")].map(r => r.dataset.seq).join()`, "1")
	require.Equal(t, "?q=Authentication%2FToken", b.js(`location.search`))
	b.comes(`document.getElementById("live").textContent`, "live")
	h.call(http.MethodPost, "/Authentication/Token", map[string]string{"clientId": "nobody"})
	b.comes(`[...document.querySelectorAll("#rows tr.entry")].map(r => r.dataset.seq).join()`, itoa(h.newest())+",1")
	b.open(h.url + "/console/default/live?q=no+such+text")
	b.comes(`document.querySelector("[data-testid=none]").textContent.includes("All `+itoa(h.newest())+` entries have been looked at")`, "true")
	b.comes(`document.getElementById("live").textContent`, "live")
	saved := h.upload(h.control(http.MethodGet, "/tape?end=true", "").body).header.Get("Location")
	b.open(h.url + saved + "?q=Company%2FCreate")
	b.comes(`[...document.querySelectorAll("#rows tr.entry")].at(-1)?.dataset.seq`, "2")
}
