package console_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver"
	"paysandbox/mockserver/tape"
)

var regexpHidden = regexp.MustCompile(`<input type="hidden" name="(number|state|endpoint|label|q|before)" value="([^"]*)">`)

// resendForm is the form of a page that sends everything once more.
func (h *house) resendForm(p page) url.Values {
	h.t.Helper()
	form := url.Values{"csrf": {h.csrf()}, "back": {"/console/default/deliveries"}}
	for _, m := range regexpHidden.FindAllStringSubmatch(p.body, -1) {
		form.Set(m[1], m[2])
	}
	return form
}

// TestEverythingThatTheFilterShowsIsSentAgain: the number is said before, and what came
// of each after; what is not in view counts, too.
func TestEverythingThatTheFilterShowsIsSentAgain(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	company := h.shop()
	h.hooks()
	const payments = 120
	for range payments {
		id := h.pay(company, "x")
		h.control(http.MethodPost, "/payments/"+id+"/approve", "{}")
	}
	h.on.Settle()
	p := h.get("deliveries?state=delivered")
	require.Contains(t, p.body, "Send everything that the filter lets through once more: 120")
	require.Contains(t, p.body, "more than are in view")
	form := h.resendForm(p)
	wrong := h.resendForm(p)
	wrong.Set("number", "119")
	refused := h.post("/console/default/resend", wrong)
	require.Equal(t, http.StatusConflict, refused.status)
	require.Contains(t, refused.body, "The page would have sent 119 again, and the filter lets 120 through")
	answer := h.post("/console/default/resend", form)
	after := h.get(answer.header.Get("Location"))
	require.Contains(t, after.body, "120 of 120 were sent again; how each comes out stands below.")
	require.Contains(t, after.body, "Each of 120")
	require.Contains(t, h.get("deliveries?state=given-up").body, "<h2>None</h2>")
}

// TestDeliveriesAreSearched: by an id, a body, or an answer; what is sent again then is
// what was found. A word for the state is the same on each screen.
func TestDeliveriesAreSearched(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	company := h.shop()
	h.hooks()
	one, other := h.pay(company, "x"), h.pay(company, "x")
	h.control(http.MethodPost, "/payments/"+one+"/approve", "{}")
	h.on.Settle()
	h.receiver.Close()
	h.control(http.MethodPost, "/payments/"+other+"/approve", "{}")
	h.on.Settle()
	p := h.get("deliveries?q=" + strings.ToUpper(one))
	require.Contains(t, p.body, `/entities/`+one)
	require.NotContains(t, p.body, `/entities/`+other)
	again := h.post("/console/default/resend", h.resendForm(p))
	require.Equal(t, http.StatusSeeOther, again.status, again.body)
	after := h.get(again.header.Get("Location"))
	require.Contains(t, after.body, "1 of 1 were sent again; how each comes out stands below.")
	h.control(http.MethodPost, "/clock/advance", `{"by":"5s"}`) // the first attempt may have had a connection that the receiver was closing
	h.on.Settle()
	refused := h.get("deliveries?q=connection+refused&state=failing").body
	require.Contains(t, refused, `/entities/`+other)
	require.Contains(t, refused, `">failing</span>`)
	require.Contains(t, h.get("entities/"+other).body, `">failing</span>`)
	none := h.get("deliveries?q=%3Cb%3Enowhere").body
	require.Contains(t, none, "No delivery has the text “&lt;b&gt;nowhere”")
	require.Contains(t, none, `/live?q=%3cb%3enowhere"`)
	require.Contains(t, h.get("live?kind=attempt").body, `/entities/`+other+`">`)
}

// TestWhatWaitsBehindAnotherEventIsShown: an event without any attempt is in the grid, and is
// counted; the page of an attempt that nobody answered says what to do.
func TestWhatWaitsBehindAnotherEventIsShown(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	id := h.pay(h.shop(), "x")
	h.hooks()
	h.receiver.Close()
	h.control(http.MethodPost, "/payments/"+id+"/approve", "{}")
	h.control(http.MethodPost, "/clock/advance", `{"by":"1m"}`)
	h.on.Settle()
	require.Contains(t, h.get("entities/"+id).body, `<span class="badge good" data-testid="status">Paid</span>`)
	require.Contains(t, h.get("entities/"+id).body, `<span class="badge warn">waiting</span>`, "it is called as it is in the grid")
	p := h.get("deliveries")
	require.Contains(t, p.body, "2 pending")
	require.Contains(t, p.body, "Resend 2<")
	require.Contains(t, p.body, "an earlier event of its entity has to go first")
	waiting := h.get("deliveries?state=waiting&q=" + id).body
	require.Contains(t, waiting, "<strong>Paid</strong>")
	require.Contains(t, waiting, "Resend 1<")
	require.Contains(t, h.get("deliveries?state=waiting&label=nobody").body, "<h2>None</h2>")
	require.Contains(t, h.get("entries/"+itoa(h.attempt())).body, "Nothing listens at 127.0.0.1:")
}

// TestADeliveryIsChangedAndSent: the receiver gets the body as it was written, signed.
func TestADeliveryIsChangedAndSent(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.hooks()
	company := h.shop()
	id := h.pay(company, "x")
	h.control(http.MethodPost, "/payments/"+id+"/approve", "{}")
	h.on.Settle()
	page := h.get("entries/" + itoa(h.attempt()))
	require.Contains(t, page.body, `about <a class="mono" href="/console/default/entities/`+company+`"`, "the company before the delivery")
	require.True(t, page.shows("send-edited"))
	first, _ := h.on.Entry(h.attempt())
	h.press(http.MethodPost, "/deliveries/"+first.Attempt.Delivery+"/resend", "deliveries", "body", `{"Event": "edited",  "Live":false}`)
	h.on.Settle()
	var last tape.Entry
	h.on.Look(tape.Filter{Kinds: []tape.Kind{tape.KindAttempt}}, func(e tape.Entry) bool { last = e; return false })
	require.JSONEq(t, `{"Event":"edited","Live":false}`, string(last.Attempt.Body))
	require.Contains(t, string(last.Attempt.Body), ",  ", "byte for byte")
	require.Contains(t, h.get("entries/"+itoa(last.Seq)).body, "The signature is right")
	require.Contains(t, h.press(http.MethodPost, "/webhooks/"+first.Attempt.Endpoint+"/probe", "deliveries").body, "Somebody listens there")
	h.receiver.Close()
	require.Contains(t, h.press(http.MethodPost, "/webhooks/"+first.Attempt.Endpoint+"/probe", "deliveries").body, "Nobody answers there")
	require.Contains(t, h.press(http.MethodPost, "/webhooks", "deliveries", "url", h.receiver.URL+"/hooks").body, "remove one of the two, unless the receiver is to hear events twice")
}

// TestARequestIsChangedAndSent: to a fork first, where nothing of the integration
// changes.
func TestARequestIsChangedAndSent(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	company := h.shop()
	h.call(http.MethodPost, "/Payment/Create", map[string]any{"amount": "x", "companyId": company})
	refused := h.newest()
	require.True(t, h.get("entries/"+itoa(refused)).shows("edit"))
	form := h.get("entries/" + itoa(refused) + "/request")
	require.True(t, form.shows("request"))
	require.Contains(t, form.body, `value="/Payment/Create"`)
	require.Contains(t, form.body, "&#34;amount&#34;: &#34;x&#34;")
	fields := url.Values{
		"csrf": {h.csrf()}, "method": {"POST"}, "target": {"/Payment/Create"}, "to": {"fork"},
		"body": {`{"amount":5000,"companyId":"` + company + `","contactNumber":"+12025550123","shortDescription":"Mended","feePayer":"client"}`},
	}
	before := h.newest()
	answer := h.post("/console/default/entries/"+itoa(refused)+"/send", fields)
	require.Equal(t, http.StatusSeeOther, answer.status, answer.body)
	require.NotContains(t, answer.header.Get("Location"), "/console/default/")
	after := h.get(answer.header.Get("Location"))
	require.Contains(t, after.body, "Sent: POST /Payment/Create was answered 200.")
	require.Contains(t, after.body, "nothing has changed in default")
	require.Contains(t, after.body, "/exchange/response/status", "it is compared")
	require.LessOrEqual(t, h.newest(), before+2, "a snapshot alone")
	require.NotContains(t, h.get("entities?kind=payment").body, "Mended")

	fields.Set("to", "here")
	answer = h.post("/console/default/entries/"+itoa(refused)+"/send", fields)
	require.Contains(t, answer.header.Get("Location"), "/console/default/entries/")
	require.Contains(t, h.get("entities?kind=payment").body, "Mended")
	for _, target := range []string{"/_sandbox/ready", "/console/default/do", "https://evil.example/", "//evil.example", "/a/../_sandbox/x", ""} {
		fields.Set("target", target)
		require.Equal(t, http.StatusBadRequest, h.post("/console/default/entries/"+itoa(refused)+"/send", fields).status, target)
	}
}

// TestTheConsoleMeetsNoTroubleOfTheApplication: what is armed for the application's next call
// waits for it, and is not counted by what somebody sends from here, which is marked.
func TestTheConsoleMeetsNoTroubleOfTheApplication(t *testing.T) {
	t.Parallel()
	h := houseWith(t, mockserver.Options{Perform: func(ctx context.Context, partner http.Handler, _, _ string, _ json.RawMessage) (bool, error) {
		r := httptest.NewRequestWithContext(ctx, http.MethodGet, "/Company/List", nil)
		r.Host, r.Header = "localhost", http.Header{"User-Agent": {"app/1"}}
		partner.ServeHTTP(httptest.NewRecorder(), r)
		return false, nil
	}})
	h.shop()
	h.call(http.MethodGet, "/Company/List", nil)
	seen := itoa(h.newest())
	require.Equal(t, http.StatusOK, h.control(http.MethodPost, "/faults", `{"match":{"nth":2},"effect":{"status":429}}`).status)
	for range 3 {
		answer := h.post("/console/default/entries/"+seen+"/send", url.Values{"csrf": {h.csrf()}, "method": {"GET"}, "target": {"/Company/List"}, "to": {"here"}})
		require.Contains(t, h.get(answer.header.Get("Location")).body, "was answered 200")
	}
	h.post("/console/default/begin", url.Values{"csrf": {h.csrf()}})
	h.tell(1)
	h.post("/console/default/perform", url.Values{"csrf": {h.csrf()}, "task": {itoa(h.newest())}})
	live := h.get("live?kind=exchange").body
	require.Equal(t, 3*2+3+1, strings.Count(live, `<span class="tag">by the console</span>`))
	require.NotContains(t, live, "429")
	status, _ := h.call(http.MethodGet, "/Company/List", nil)
	require.Equal(t, http.StatusOK, status)
	status, _ = h.call(http.MethodGet, "/Company/List", nil)
	require.Equal(t, http.StatusTooManyRequests, status, "the second call of the application")
}

// TestASnapshotIsGoneBackTo by a click.
func TestASnapshotIsGoneBackTo(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	company := h.shop()
	saved := h.press(http.MethodPost, "/snapshots", "settings", "name", "before").body
	require.Contains(t, saved, "/snapshots/before/restore")
	require.Regexp(t, `data-label="Time">\d{4}-\d\d-\d\d .*data-label="At entry"><a href="/console/default/entries/[1-9]`, saved)
	h.pay(company, "After it")
	require.Contains(t, h.get("entities").body, "After it")
	require.Contains(t, h.press(http.MethodPost, "/snapshots/before/restore", "settings").body, "was answered 200")
	require.NotContains(t, h.get("entities").body, "After it")
	require.NotContains(t, h.press(http.MethodDelete, "/snapshots/before", "settings").body, "/snapshots/before/restore")
}

// TestTheNextThreeAreDeliveredBadly: the screen says how many are left.
func TestTheNextThreeAreDeliveredBadly(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	company := h.shop()
	h.hooks()
	var list struct{ Webhooks []struct{ ID string } }
	require.NoError(t, json.Unmarshal([]byte(h.control(http.MethodGet, "/webhooks", "").body), &list))
	require.Len(t, list.Webhooks, 1)
	p := h.press(http.MethodPost, "/webhooks/"+list.Webhooks[0].ID+"/profile", "deliveries", "profile", "altered-byte", "next:int", "3")
	require.Contains(t, p.body, `data-testid="badly">altered-byte: the next 3<`)
	h.press(http.MethodPost, "/payments/"+h.pay(company, "One")+"/approve", "deliveries")
	require.Contains(t, h.get("deliveries").body, `data-testid="badly">altered-byte: the next 2<`)
}

// TestAPreviewSaysWhatWouldHappen in words, and of what; nothing is moved.
func TestAPreviewSaysWhatWouldHappen(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	id := h.pay(h.shop(), "x")
	h.control(http.MethodPost, "/payments/"+id+"/approve", "{}")
	newest := h.newest()
	_, preview, ok := strings.Cut(h.get("clock?by=1h").body, `data-testid="preview"`)
	require.True(t, ok)
	preview, _, _ = strings.Cut(preview, "</ol>")
	require.Contains(t, preview, "the bank pays a payment, or fails it")
	require.Contains(t, preview, `href="/console/default/entities/`+id+`"`)
	require.Contains(t, preview, "Processing → Paid")
	require.Equal(t, newest, h.newest())
	require.Contains(t, h.get("clock?by=soon").body, `class="notice bad"`)
}
