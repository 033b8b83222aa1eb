package console_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/tape"
)

// screens are the pages of an integration.
var screens = []string{"live", "problems", "entities", "deliveries", "inbox", "clock", "trouble", "journeys", "readiness", "settings"}

func TestABrowserIsLedHere(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	p := h.send(h.request(http.MethodGet, "/", "", "Accept", "text/html,*/*"))
	require.Equal(t, http.StatusSeeOther, p.status)
	require.Equal(t, "/console", p.header.Get("Location"))
	p = h.get("/console")
	require.Equal(t, "/console/default/live", p.header.Get("Location"))
	p = h.send(h.request(http.MethodGet, "/", "", "Accept", "*/*"))
	require.Equal(t, http.StatusOK, p.status)
	require.Contains(t, p.body, "/console")
}

func TestEmptyScreensTeach(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	for screen, teaches := range map[string]string{
		"live": "Waiting for your first call", "problems": "Make your first call", "entities": "Nothing is there yet", "deliveries": "No webhook endpoint",
		"inbox": "No message yet", "clock": "What is due", "trouble": "Nothing is armed", "journeys": "Nothing is played yet", "readiness": "No verdict here", "settings": "Credentials",
	} {
		p := h.get(screen)
		require.Equal(t, http.StatusOK, p.status, screen)
		require.True(t, p.shows("screen-"+screen), screen)
		require.Contains(t, p.body, teaches, screen)
	}
	try := h.get("live").body
	require.Contains(t, try, "T=$(curl -s "+h.url+"/Authentication/Token")
	require.Contains(t, try, "sandbox-secret")
	require.Contains(t, try, "curl -s "+h.url+"/Company/List -H ", "a call that shows something, too")
	filtered := h.get("live?operation=createPayment&client=shop")
	require.Contains(t, filtered.body, `name="operation" value="createPayment"`)
	require.Contains(t, filtered.body, `<input type="hidden" name="client" value="shop">`)
	require.NotContains(t, filtered.body, `type="hidden" name="operation"`, "a field that is emptied filters no more")
	h.hooks()
	p := h.get("live")
	require.True(t, p.shows("waiting") && strings.Contains(p.body, `id="e1"`), "an endpoint is no call of the API")
	h.shop()
	require.False(t, h.get("live").shows("waiting"))
}

// TestTheFirstPaymentIsMadeForANewcomer: one button leads from nothing to a payment that waits
// for its payer, and its page to Processing; then there is no such button.
func TestTheFirstPaymentIsMadeForANewcomer(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	require.True(t, h.get("live").shows("make-first"))
	require.Equal(t, http.StatusForbidden, h.post("/console/default/begin", url.Values{}).status, "no form of ours")
	require.Zero(t, h.newest())
	made := h.get(h.post("/console/default/begin", url.Values{"csrf": {h.csrf()}}).header.Get("Location"))
	require.Contains(t, made.body, `data-testid="status">Pending<`)
	require.Contains(t, made.body, "its first payment is asked for")
	require.NotContains(t, h.get("live").body, "warn-row", "a newcomer is warned of nothing")
	require.False(t, h.get("live").shows("make-first"))
	var list struct{ Entities []struct{ ID string } }
	require.NoError(t, json.Unmarshal([]byte(h.control(http.MethodGet, "/entities?kind=payment", "").body), &list))
	page := h.press(http.MethodPost, "/payments/"+list.Entities[0].ID+"/approve", "entities/"+list.Entities[0].ID)
	require.Contains(t, page.body, `class="notice good flash"`, "its payer could pay: nothing warns")
	require.True(t, page.shows("untold"), "there is no endpoint")
	require.Contains(t, page.body, "payment: Pending → Processing  <span", "the state is told once")
	inbox := h.get("inbox").body
	require.Regexp(t, `See and pay the request:\s+<a href="(http://[^"]+)" target="_blank" rel="noopener">http://`, inbox)
}

func TestLiveAndAnEntry(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	status, _ := h.call(http.MethodPost, "/Payment/Create", map[string]any{"amount": "x"})
	require.Equal(t, http.StatusUnauthorized, status)
	company := h.shop()
	status, _ = h.call(http.MethodPost, "/Payment/Create", map[string]any{"amount": "x", "companyId": company})
	require.Equal(t, http.StatusBadRequest, status)
	refused := h.newest()
	live := h.get("live")
	require.Contains(t, live.body, "POST /Payment/Create")
	require.Contains(t, live.body, `<span class="badge bad">400</span>`)
	require.Contains(t, live.body, "a whole number of cents, not a string")

	e := h.get("entries/" + strconv.FormatUint(refused, 10))
	require.True(t, e.shows("entry"))
	for _, said := range []string{"<code>/amount</code>", "Fix: send a whole number of cents, as in 5000 for 50.00 dollars", "/console/default/clauses/request.type", "data-testid=\"curl\"", "Authorization: Bearer $TOKEN", "shop/1.2"} {
		require.Contains(t, e.body, said)
	}
	require.NotContains(t, e.body, h.token)
	require.Equal(t, http.StatusNotFound, h.get("entries/99999").status)
	require.Equal(t, http.StatusNotFound, h.get("entries/x").status)
	compared := h.get("entries/" + strconv.FormatUint(refused, 10) + "?with=1")
	require.Contains(t, compared.body, "/exchange/response/status")
}

// TestAWarningIsTold: the row of the call says in words what it is about, and the timeline of
// what it made has what it was warned of.
func TestAWarningIsTold(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.shop()
	_, made := h.call(http.MethodPost, "/Payment/Create", map[string]any{"amount": 5000, "contactNumber": "+12025550123", "feePayer": "nobody"})
	newest := h.newest()
	h.call(http.MethodGet, "/Company/List", nil)
	id, _ := made["paymentRequestId"].(string)
	for _, page := range []string{"live", "entities/" + id, "entities/" + id + "?at=" + itoa(newest)} {
		p := h.get(page)
		require.Equal(t, http.StatusOK, p.status, page)
		require.Contains(t, p.body, "accepted, with a warning about feePayer", page)
		require.Contains(t, p.body, "feePayer: client, partner or ask; send one of the three, or leave feePayer out", page)
		require.NotContains(t, p.body, "payment.create.fee-payer /feePayer", page)
	}
}

func TestFiltersStandInTheAddress(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	company := h.shop()
	id := h.pay(company, "Two towels")
	h.pay(company, "A class")
	for query, want := range map[string]int{
		"q=two+TOWELS": 2, "kind=transition&entity=" + id: 1, "operation=createPayment": 2, "outcome=bad": 0, "q=no+such+words": 0, "client=shop%2F1.2&operation=createPayment": 2, "client=other": 0,
	} {
		p := h.get("live?" + query)
		require.Equal(t, want, strings.Count(p.body, `<tr class="entry`), query+regexpRow.FindString(p.body))
		require.Equal(t, want == 0, p.shows("none"), query)
	}
	require.Contains(t, h.get("live?q=no+such+words").body, "entries have been looked at, and none passes the filter")
}

func TestASearchSaysHowFarItHasCome(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.shop()
	h.fill(9_000)
	p := h.get("live?q=Authentication")
	require.True(t, p.shows("none"))
	require.Contains(t, p.body, "None in the newest 2500 entries")
	address := "live?q=Authentication"
	for range 5 {
		m := regexpFurther.FindStringSubmatch(p.body)
		if m == nil {
			break
		}
		address = strings.ReplaceAll(m[1], "&amp;", "&")
		p = h.get(address)
	}
	require.Contains(t, p.body, "POST /Authentication/Token", address)
}

func TestFromPendingToPaidByPressing(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	company := h.shop()
	id := h.fails(company, "Membership")
	list := h.get("entities?kind=payment&q=membership")
	require.Contains(t, list.body, id)
	require.Contains(t, list.body, "$1,234.50")

	e := h.get("entities/" + id)
	require.Contains(t, e.body, `data-testid="status">Pending<`)
	require.Contains(t, e.body, `<g class="node now">`)
	require.True(t, e.shows("move-approve"))
	require.True(t, e.shows("as-payer"))
	after := h.press(http.MethodPost, "/payments/"+id+"/approve", "entities/"+id)
	require.Contains(t, after.body, `data-testid="status">Processing<`)
	require.Contains(t, after.body, "Done: POST /payments/"+id+"/approve was answered 200.")
	require.Contains(t, after.body, "curl -X POST "+h.url+"/_sandbox/integrations/default/payments/"+id+"/approve")
	require.Contains(t, after.body, "went from Pending to Processing")
	require.Contains(t, after.body, "Fix: complete the payer&#39;s registration first", "a warning is in words")
	require.Contains(t, after.body, "500")
	after = h.press(http.MethodPost, "/payments/"+id+"/pay", "entities/"+id)
	require.Contains(t, after.body, `data-testid="status">Paid<`)
	refused := h.press(http.MethodPost, "/payments/"+id+"/approve", "entities/"+id)
	require.Contains(t, refused.body, "was refused: 409")

	d := h.get("deliveries")
	require.Contains(t, d.body, "PAYMENT_STATUS_CHANGED")
	require.Contains(t, d.body, `<span class="badge warn">failing</span>`)
	require.Contains(t, h.get("problems").body, "The receiver answered 500")
	require.Equal(t, http.StatusSeeOther, h.get("entities/"+h.delivery()).status)
	attempt := h.get("entries/" + strconv.FormatUint(h.attempt(), 10))
	require.True(t, attempt.shows("signature"))
	require.Contains(t, attempt.body, "The signature is right")
}

func TestMessagesAreShown(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.pay(h.shop(), "Membership")
	p := h.get("inbox")
	require.Contains(t, p.body, "sms to <strong>&#43;12025550123</strong>")
	require.Contains(t, p.body, `href="`+h.url+`/pages/default/pay/`)
	require.True(t, h.get("inbox?to=nobody").shows("none"))
	require.Contains(t, h.get("inbox?to=nobody").body, "No message passes the filter: all "+itoa(h.newest())+" entries have been looked at")
	var mail uint64
	for _, e := range h.on.Peek(tape.Filter{Kinds: []tape.Kind{tape.KindMessage}}).Entries {
		if e.Message.Channel == tape.ChannelEmail {
			mail = e.Seq
		}
	}
	if mail > 0 {
		m := h.get("inbox/" + strconv.FormatUint(mail, 10))
		require.Equal(t, http.StatusOK, m.status)
		require.Contains(t, m.header.Get("Content-Security-Policy"), "sandbox")
	}
	require.Equal(t, http.StatusNotFound, h.get("inbox/1").status)
}

func TestTheClockIsMoved(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	before := h.get("clock").body
	require.Contains(t, before, "2026-03-02 17:00:00")
	h.press(http.MethodPost, "/payments/"+h.pay(h.shop(), "Due later")+"/approve", "live")
	require.Contains(t, h.get("clock?by=1h").body, ">Advance by 1h</button>", "what was previewed can be done")
	require.NotContains(t, h.get("clock?by=soon").body, ">Advance by soon</button>")
	require.Contains(t, h.get("live").body, `title="The clock stands until it is moved."`, "its mode is explained on every screen")
	after := h.press(http.MethodPost, "/clock/advance", "clock", "by", "24h")
	require.Contains(t, after.body, "2026-03-03 17:00:00")
	refused := h.press(http.MethodPost, "/clock/advance", "clock", "by", "yesterday")
	require.Contains(t, refused.body, "was refused: 400")
	require.Contains(t, refused.body, "send for example 24h")
}

func TestSettingsAndNotes(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	p := h.get("settings")
	require.Contains(t, p.body, "sandbox-secret")
	require.Contains(t, p.body, "token-lifetime")
	h.shop()
	noted := h.press(http.MethodPost, "/notes", "entries/1", "kind", "remark", "text", "look at <b>this</b>", "data:raw", `{"entry":1}`)
	require.Contains(t, noted.body, "look at &lt;b&gt;this&lt;/b&gt;")
	reset := h.press(http.MethodPost, "/reset", "live")
	require.Contains(t, reset.body, "Waiting for your first call")
}

func TestIntegrationsAreListed(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	made := h.send(h.request(http.MethodPost, "/_sandbox/integrations", `{"name":"branch <i>"}`, "Content-Type", "application/json"))
	require.Equal(t, http.StatusOK, made.status, made.body)
	p := h.get("/console/-/integrations")
	require.Contains(t, p.body, "branch &lt;i&gt;")
	require.NotContains(t, h.get("/console/-/integrations?q=nothing").body, "branch")
	require.False(t, h.get("problems").shows("strangers"))
	require.NotContains(t, p.body, "Calls without a valid token")
	h.server.Registry().Strangers().Keep(0, tape.KindExchange, tape.Exchange{Method: http.MethodGet, Path: "/Company/<i>", Response: tape.Response{Status: http.StatusUnauthorized}})
	require.Contains(t, h.get("problems").body, "1 call without a valid token")
	require.Contains(t, h.get("/console/-/integrations").body, "GET /Company/&lt;i&gt;")
	require.Equal(t, http.StatusNotFound, h.get("/console/nowhere/live").status)
	require.Equal(t, http.StatusNotFound, h.get("/console/default/nothing").status)
}
