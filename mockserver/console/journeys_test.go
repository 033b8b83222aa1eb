package console_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/browser"
	"paysandbox/mockserver"
)

var regexpTask = regexp.MustCompile(`name="task" value="([0-9]+)"`)

// tell announces a task, as an observer does.
func (h *house) tell(id int) {
	h.t.Helper()
	body := `{"kind":"task","text":"ask Dana for $50","data":{"id":` + itoa(uint64(id)) + `,"do":"createPayment","say":"ask Dana for <b>50.00</b>","with":{"amount":5000}}}`
	require.Equal(h.t, http.StatusOK, h.control(http.MethodPost, "/notes", body).status)
}

func TestAJourneyIsDrawnAndATaskDone(t *testing.T) {
	t.Parallel()
	var h *house
	var asked json.RawMessage
	h = houseWith(t, mockserver.Options{Perform: func(_ context.Context, partner http.Handler, id, secret string, task json.RawMessage) (bool, error) {
		require.NotNil(t, partner)
		require.Equal(t, "sandbox-client/sandbox-secret", id+"/"+secret)
		asked = task
		return false, nil
	}})
	require.Contains(t, h.get("journeys").body, "paysandbox observe --addr 127.0.0.1:0 first-payment")
	company := h.shop()
	h.hooks()
	h.tell(1)
	p := h.get("journeys")
	require.True(t, p.shows("task"))
	require.Contains(t, p.body, "ask Dana for &lt;b&gt;50.00&lt;/b&gt;")
	require.Contains(t, p.body, `<g class="lane">`)
	m := regexpTask.FindStringSubmatch(p.body)
	require.NotNil(t, m)
	form := url.Values{"csrf": {h.csrf()}, "task": {m[1]}}
	answer := h.post("/console/default/perform", form)
	require.Equal(t, http.StatusSeeOther, answer.status)
	require.Contains(t, string(asked), `"amount":5000`)
	require.Contains(t, h.get(answer.header.Get("Location")).body, "Done for you: ask Dana")
	require.Equal(t, http.StatusForbidden, h.post("/console/default/perform", url.Values{"task": {m[1]}}).status)

	id := h.pay(company, "Fifty")
	require.Equal(t, http.StatusOK, h.control(http.MethodPost, "/notes", `{"kind":"done","data":{"task":1,"exchange":`+itoa(h.newest())+`}}`).status)
	h.control(http.MethodPost, "/payments/"+id+"/approve", "{}")
	p = h.get("journeys")
	require.False(t, p.shows("task"))
	require.Contains(t, p.body, "done by #")
	for _, said := range []string{"POST /Payment/Create", "payment: Pending → Processing", "event Processing to /hooks", "sms: "} {
		require.Contains(t, p.body, said)
	}
	require.Contains(t, p.body, `<span class="small muted">sandbox → people</span> <a href="/console/default/entries/`, "a phone gets the same as a list")
	require.Equal(t, http.StatusConflict, h.post("/console/default/perform", form).status, "it is done")
}

// TestAPhoneShowsTheSequenceAsAList: nobody has to scroll sideways to read it.
func TestAPhoneShowsTheSequenceAsAList(t *testing.T) {
	t.Parallel()
	chromium := browser.Start(t, 1280, "a journey on a phone")
	h := newHouse(t)
	h.pay(h.shop(), "x")
	b := &tab{t, browser.Tab(chromium, t, true)}
	const shown = `["steps", "sequence"].map(id => document.querySelector("[data-testid=" + id + "]").getBoundingClientRect().width > 0)`
	for width, want := range map[int64]string{390: "true,false", 1280: "false,true"} {
		browser.Look{Width: width, Scheme: "light"}.Put(b.ctx, t)
		b.open(h.url + "/console/default/journeys")
		b.comes(shown, want)
	}
}

// TestTheSequenceFillsIn: what happens is drawn while one looks.
func TestTheSequenceFillsIn(t *testing.T) {
	t.Parallel()
	chromium := browser.Start(t, 1280, "a journey")
	h := newHouse(t)
	h.tell(1)
	b := &tab{t, browser.Tab(chromium, t, true)}
	b.open(h.url + "/console/default/journeys")
	b.comes(`document.getElementById("live").textContent`, "live")
	company := h.shop()
	b.comes(`document.querySelectorAll("svg .step.call").length`, "2")
	h.pay(company, "x")
	b.comes(`document.querySelectorAll("svg .step.call").length`, "3")
	require.Contains(t, b.reads("task"), "ask Dana")
}
