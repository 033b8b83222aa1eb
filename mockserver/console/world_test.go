package console_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/browser"
	"paysandbox/mockserver"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/tape"
)

// transition is the number of the entry at which something came into a state.
func (h *house) transition(to string) uint64 {
	h.t.Helper()
	for _, e := range h.on.Peek(tape.Filter{Kinds: []tape.Kind{tape.KindTransition}}).Entries {
		if e.Transition.To == to {
			return e.Seq
		}
	}
	h.t.Fatal("nothing has become " + to)
	return 0
}

// paid makes a payment that is Paid, and gives the entry at which it was Processing.
func (h *house) paid() (id string, processing uint64) {
	h.t.Helper()
	id = h.pay(h.shop(), "The past")
	require.Equal(h.t, http.StatusOK, h.control(http.MethodPost, "/payments/"+id+"/approve", "{}").status)
	processing = h.transition("Processing")
	require.Equal(h.t, http.StatusOK, h.control(http.MethodPost, "/payments/"+id+"/pay", "{}").status)
	return id, processing
}

func TestTheWorldIsShownAtAnEntry(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	id, processing := h.paid()
	at := "?at=" + itoa(processing)
	require.Contains(t, h.get("entities/"+id).body, `data-testid="status">Paid<`)
	then := h.get("entities/" + id + at)
	require.Contains(t, then.body, `data-testid="status">Processing<`)
	require.True(t, then.shows("then"))
	require.False(t, then.shows("moves"), "the past cannot be changed")
	require.NotContains(t, then.body, "Processing → Paid", "the timeline ends there")
	list := h.get("entities" + at + "&kind=payment")
	require.Contains(t, list.body, `<span class="badge plain">Processing</span>`)
	require.Contains(t, list.body, "entities/"+id+at, "its rows lead to the past, too")
	require.Contains(t, h.get("entities/"+id+"?at=2").body, "It was not there yet")
	require.True(t, h.get("live").shows("slider"))
	require.Equal(t, "/console/default/entities?at="+itoa(h.newest()), h.get("world").header.Get("Location"))

	entry := h.get("entries/" + itoa(processing))
	require.Contains(t, entry.body, `data-testid="changes"`)
	require.Contains(t, entry.body, `<td data-label="Old" class="mono">Pending</td><td data-label="New" class="mono">Processing</td>`)
}

// TestALookGoesOnFromAStop: after a look at the end, one at what lies far before it begins at
// a stop, in a sandbox and in a file of it, and shows the same as without.
func TestALookGoesOnFromAStop(t *testing.T) {
	t.Parallel()
	h := houseWith(t, mockserver.Options{Integration: integration.Options{Tape: tape.Limits{Entries: 20_000}}})
	id := h.pay(h.shop(), "The past")
	h.fill(2_300)
	require.Equal(t, http.StatusOK, h.control(http.MethodPost, "/payments/"+id+"/approve", "{}").status)
	processing := h.transition("Processing")
	h.fill(2_300)
	require.Equal(t, http.StatusOK, h.control(http.MethodPost, "/payments/"+id+"/pay", "{}").status)
	paid := h.transition("Paid")
	h.fill(100)
	file := strings.TrimSuffix(h.upload(h.control(http.MethodGet, "/tape?end=true", "").body).header.Get("Location"), "/live")
	for _, root := range []string{"/console/default", file} {
		for _, at := range []struct {
			seq    uint64
			status string
		}{{h.newest() - 1, "Paid"}, {paid - 3, "Processing"}, {paid, "Paid"}, {processing, "Processing"}, {processing - 3, "Pending"}, {paid + 1, "Paid"}} {
			page := h.get(root + "/entities/" + id + "?at=" + itoa(at.seq))
			require.Contains(t, page.body, `data-testid="status">`+at.status+`<`, "%s at %d", root, at.seq)
		}
	}
}

// TestAFileHasAPastToo plays a saved tape up to an entry, forward and back.
func TestAFileHasAPastToo(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	id, processing := h.paid()
	where := strings.TrimSuffix(h.upload(h.control(http.MethodGet, "/tape?end=true", "").body).header.Get("Location"), "live")
	require.True(t, h.get(where+"live").shows("slider"))
	require.Contains(t, h.get(where+"entities/"+id).body, `data-testid="status">Paid<`, "its last state")
	require.Contains(t, h.get(where+"entities/"+id+"?at="+itoa(processing)).body, `data-testid="status">Processing<`)
	list := h.get(where + "entities?at=" + itoa(h.newest()))
	require.Contains(t, list.body, `<span class="badge good">Paid</span>`)
	require.Contains(t, list.body, where+"entities/"+id+"?at=")
	cut := strings.SplitAfter(h.control(http.MethodGet, "/tape?end=true", "").body, "\n")
	gone := h.upload(cut[0] + strings.Join(cut[3:], "")).header.Get("Location")
	refused := h.get(strings.TrimSuffix(gone, "live") + "entities?at=" + itoa(processing))
	require.Equal(t, http.StatusConflict, refused.status)
	require.Contains(t, refused.body, "the tape has dropped entry 1")
}

// TestTheSliderIsMoved: with scripts the world is shown beside Live, without them by a
// form.
func TestTheSliderIsMoved(t *testing.T) {
	t.Parallel()
	chromium := browser.Start(t, 1280, "the slider")
	h := newHouse(t)
	_, processing := h.paid()
	b := &tab{t, browser.Tab(chromium, t, true)}
	b.open(h.url + "/console/default/live")
	b.comes(`document.getElementById("live").textContent`, "live")
	b.js(`(() => { document.querySelector("details.world").open = true; const r = document.getElementById("at-range"); r.value = ` + itoa(processing) + `; r.dispatchEvent(new Event("input", {bubbles: true})); r.dispatchEvent(new Event("change", {bubbles: true})); })()`)
	b.comes(`document.querySelector("#then")?.textContent.includes("Processing")`, "true")
	require.Equal(t, itoa(processing), b.js(`document.getElementById("at").value`))
	plain := &tab{t, browser.Tab(chromium, t, false)}
	plain.open(h.url + "/console/default/live")
	plain.js(`document.querySelector("details.world").open = true`)
	plain.js(`document.getElementById("at").value = ` + itoa(processing))
	plain.press("show-world")
	require.Contains(t, plain.reads("then"), "As it stood at entry #"+itoa(processing))
}

// TestTheNewestWorldIsTheOneThatIsPlayed: at its newest entry a tape is not played, and
// what was copied there goes on as what is played from the beginning.
func TestTheNewestWorldIsTheOneThatIsPlayed(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	company := h.shop()
	first := h.pay(company, "First")
	newest := h.newest()
	at := func(seq uint64) string { return h.control(http.MethodGet, "/entities?at="+itoa(seq), "").body }
	copied := at(newest)
	require.Contains(t, copied, first)
	h.control(http.MethodPost, "/payments/"+first+"/approve", "{}")
	h.pay(company, "Second")
	end := h.newest() - 1
	wentOn := at(end)
	require.NotEqual(t, copied, wentOn)
	require.Equal(t, copied, at(newest), "played from the beginning")
	require.Equal(t, wentOn, at(end))
}
