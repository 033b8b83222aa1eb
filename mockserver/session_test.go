package mockserver_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"

	"paysandbox/fixtures"
	"paysandbox/mockserver"
	"paysandbox/mockserver/delivery"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

// rehearsalOptions is a world in which as much as possible moves.
func rehearsalOptions(seed uint64) mockserver.Options {
	return mockserver.Options{Integration: integration.Options{
		Seed: seed, Environment: world.Rehearsal, Clock: integration.Manual, ClientID: "c", ClientSecret: "s", StatusKey: "key",
		WebhookURL: "http://127.0.0.1:9/hooks", WebhookSecret: spilt,
	}, Carrier: refusing{}}
}

// refusing is a carrier whose receivers are down, and answer at once.
type refusing struct{}

func (refusing) Deliver(_ string, d delivery.View, done func(tape.Attempt, string)) {
	done(tape.Attempt{
		Delivery: d.ID.String(), Endpoint: d.Endpoint.String(), Event: d.EventID.String(), Number: d.Attempt, URL: d.URL,
		Body: d.Body, Error: "connection refused", Took: 12_345,
	}, "")
}

func (refusing) Forget(string) {}

func (refusing) Fetch(url string, done func(tape.Fetch)) {
	done(tape.Fetch{URL: url, Status: http.StatusOK, ContentType: "application/pdf", Body: []byte("%PDF-1.7")})
}

// driver makes calls to a server and remembers the ids that come back.
type driver struct {
	h     http.Handler
	token string
	mu    sync.Mutex
	ids   []string
}

func newDriver(s *mockserver.Server) *driver { return &driver{h: s.Handler()} }

// call sends one request.
func (d *driver) call(method, path, body string) {
	r := httptest.NewRequest(method, "http://127.0.0.1"+path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	d.mu.Lock()
	if d.token != "" {
		r.Header.Set("Authorization", "Bearer "+d.token)
	}
	d.mu.Unlock()
	w := httptest.NewRecorder()
	d.h.ServeHTTP(w, r)
	d.learn(w.Body.Bytes())
}

// learn remembers every id in an answer, and the token.
func (d *driver) learn(body []byte) {
	var answer map[string]any
	if json.Unmarshal(body, &answer) != nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, name := range slices.Sorted(func(yield func(string) bool) {
		for k := range answer {
			if !yield(k) {
				return
			}
		}
	}) {
		text, ok := answer[name].(string)
		switch {
		case ok && name == "accessToken":
			d.token = text
		case ok && strings.HasSuffix(name, "Id") && len(text) == 36:
			d.ids = append(d.ids, text)
		}
	}
}

// id picks a remembered id, or one that nobody knows.
func (d *driver) id(n int) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.ids) == 0 {
		return "3f0c4a53-9d3e-4f1f-8e9d-8c117b0c5b0e"
	}
	return d.ids[n%len(d.ids)]
}

// hook is the id of the webhook endpoint.
func (d *driver) hook() string {
	w := httptest.NewRecorder()
	d.h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "http://127.0.0.1/_sandbox/integrations/default/webhooks", http.NoBody))
	var list struct{ Webhooks []struct{ ID string } }
	if json.Unmarshal(w.Body.Bytes(), &list) != nil || len(list.Webhooks) == 0 {
		return "none"
	}
	return list.Webhooks[0].ID
}

// spilt is the webhook secret of the sessions: it is spelt otherwise in addresses.
const spilt = "whs/ec+AB==cd99"

// spill is an application that puts secrets where they should not be.
func spill(d *driver, n int) {
	d.mu.Lock()
	token := d.token
	d.mu.Unlock()
	company := strings.Replace(string(fixtures.CompanyJSON(n%40+1)), `"companyReferenceId":"`, `"companyReferenceId":"`+spilt, 1)
	d.call(http.MethodPost, "/Company/Create", company)
	d.call(http.MethodGet, "/Company/"+url.PathEscape(spilt)+"/Status?key="+url.QueryEscape(spilt), "")
	d.call(http.MethodGet, "/Company/"+token+"/Status?jwt="+token, "")
	d.call(http.MethodPost, "/_sandbox/integrations/default/notes", `{"kind":"note","text":"`+spilt+" "+token+`"}`)
}

// hangUp is a call whose caller has gone before its answer, which is held back,
// can reach it.
func hangUp(d *driver, _ int) {
	ctx, cancel := contextDone()
	defer cancel()
	d.mu.Lock()
	token := d.token
	d.mu.Unlock()
	r := httptest.NewRequestWithContext(ctx, http.MethodPost, "http://127.0.0.1/Company/Create", bytes.NewReader(fixtures.CompanyJSON(41)))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+token)
	r.Header.Set("Sandbox-Fault", "latency=20s; slow-body=20s")
	d.h.ServeHTTP(httptest.NewRecorder(), r)
}

// moves are the calls of a random session; n chooses among their variants.
func moves() []func(d *driver, n int) {
	const control = "/_sandbox/integrations/default"
	post := func(path, body string) func(d *driver, n int) {
		return func(d *driver, n int) {
			d.call(http.MethodPost, strings.ReplaceAll(path, "{id}", d.id(n)), strings.ReplaceAll(body, "{id}", d.id(n/3)))
		}
	}
	get := func(path string) func(d *driver, n int) {
		return func(d *driver, n int) { d.call(http.MethodGet, strings.ReplaceAll(path, "{id}", d.id(n)), "") }
	}
	list := []func(d *driver, n int){
		post("/Authentication/Token", `{"clientId":"c","clientSecret":"s"}`),
		post("/auth/token", `{"clientId":"c","clientSecret":"wrong"}`),
		func(d *driver, n int) {
			d.call(http.MethodPost, "/Company/Create", string(fixtures.CompanyJSON(n%40+1)))
		},
		post("/Company/Create", `{"companyReferenceId":"x","owner":{"ssn":"12"},"nonsense":1}`),
		post("/Company/{id}/Locations", `{"name":"Annex","streetNumberAndName":"1 A St","city":"Reno","state":"NV","zipCode":"89501"}`),
		post("/Company/{id}/ExternalAuthLink", `{"mobileNumber":"+12025550123"}`),
		post("/User/Register", `{"redirectUrl":"https://p.example/done","mobileNumber":"+12025550142","amount":4200,"period":"once"}`),
		post("/User/{id}/DebitAuth", `{"companyId":"{id}","enabled":true,"limit":9000}`),
		post("/Payment/Create", `{"amount":5000,"registrationId":"{id}","dueDate":"2026-03-20"}`),
		post("/Payment/Create", `{"amount":7000,"contactNumber":"+12025550177","attachment":"http://127.0.0.1/a.pdf"}`),
		post("/Payment/Refund/{id}", `{"amount":1000}`),
		post("/Payment/Recurring", `{"amount":900,"startDate":"2026-03-05","intervalValue":1,"intervalUnit":"Week","phoneNumber":"+12025550177"}`),
		post("/CardPayment", `{"amount":300,"mobileNumber":"+12025550100","cardType":"Visa","transactionStatus":"Succeeded","merchantId":"m"}`),
		func(d *driver, n int) { d.call(http.MethodPut, "/Payment/"+d.id(n)+"/Cancel", "") },
		get("/Company/List"), get("/Company/{id}/Status"), get("/Payment/{id}/Status"), get("/Transaction/Report"), get("/nowhere"), get("//Company//List"), get("/company/list/?x=1&clientSecret=hush"),
		post(control+"/registrations/{id}/complete", `{"persona":"good"}`),
		post(control+"/registrations/{id}/complete", `{"persona":"unauthorised-late-return"}`),
		post(control+"/companies/{id}/kyb", `{"outcome":"verified"}`),
		post(control+"/consents/{id}/accept", `{}`),
		post(control+"/notes", `{"kind":"task","text":"do it","data":{"id":"{id}"}}`),
		hangUp, spill,
	}
	for _, profile := range []string{`"duplicate,delay","next":3`, `"parallel-duplicate","next":2`, `"reorder,burst","next":4`, `"reorder","next":1,"forStatus":"Processing"`, `"duplicate","forStatus":"Paid"`, `"nope"`, `""`} {
		list = append(list, func(d *driver, _ int) {
			d.call(http.MethodPost, control+"/webhooks/"+d.hook()+"/profile", `{"profile":`+profile+`}`)
		})
	}
	for _, event := range []string{"approve", "deny", "pay", "fail", "return", "queue", "review", "process", "cancel"} {
		list = append(list, post(control+"/payments/{id}/"+event, `{}`))
	}
	for _, by := range []string{"1s", "10s", "5m", "3h", "26h", "200h"} {
		list = append(list, post(control+"/clock/advance", `{"by":"`+by+`"}`))
	}
	return append(list,
		post(control+"/faults", `{"effect":{"status":503},"match":{"operation":"listCompanies"},"for":"3h"}`),
		post(control+"/faults", `{"effect":{"status":429},"match":{"operation":"getPaymentStatus"},"for":"10s","count":2}`),
	)
}
