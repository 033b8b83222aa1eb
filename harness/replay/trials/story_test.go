package trials_test

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/mocktest"
)

// exchange is one call as it went, and its answer: Status 0 where none arrived.
type exchange struct {
	At             time.Time
	Took           time.Duration
	Method, Path   string
	Host           string // of somebody else; empty: the service's
	Sent, Answered [][2]string
	Body, Answer   string
	Status         int
}

// recording is what a partner has lived through, and what is wrong with it.
type recording struct {
	t         *testing.T
	sandbox   *mocktest.Sandbox
	rng       *rand.Rand
	token     string
	Exchanges []exchange
	Expect    expect
	reference string
	n         int
}

// expect is what is to be found in a recording: which call is at fault, from 1 (0: none), and
// any of the clauses.
type expect struct {
	Side     string
	Clause   []string
	Place    int
	Differs  int
	Moves    []string
	AnyMoves bool
}

// record lets a story be lived in a fresh sandbox.
func record(t *testing.T, seed uint64, tell func(*recording)) *recording {
	t.Helper()
	r := &recording{t: t, rng: rand.New(rand.NewPCG(seed, 7)), Expect: expect{AnyMoves: true}}
	ready := ""
	if r.rng.IntN(2) == 0 {
		ready, r.reference = "verified-company", "loc-001"
	}
	r.sandbox = mocktest.Start(t, mocktest.Options{Seed: seed, World: ready})
	tell(r)
	return r
}

// wait lets time pass.
func (r *recording) wait(by time.Duration) { r.sandbox.Advance(r.t, by.Truncate(time.Second)) }

// control lets somebody else do something.
func (r *recording) control(path, body string) {
	request, err := http.NewRequest(http.MethodPost, r.sandbox.ControlURL+"/"+path, strings.NewReader(body))
	require.NoError(r.t, err)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	require.NoError(r.t, err)
	defer response.Body.Close()
	all, _ := io.ReadAll(response.Body)
	require.Less(r.t, response.StatusCode, 300, path+": "+string(all))
}

// call makes a call with the token, and gives its answer.
func (r *recording) call(method, path, body string, more ...[2]string) map[string]any {
	if r.n++; r.n > 1 {
		r.wait(time.Duration(1+r.rng.IntN(9)) * time.Second)
	}
	sent := [][2]string{{"Accept", "application/json"}, {"User-Agent", "northgym-billing/2.4 (+https://northgym.example)"}}
	if body != "" {
		sent = append(sent, [2]string{"Content-Type", "application/json"})
	}
	if r.token != "" && !strings.Contains(path, "Token") {
		sent = append(sent, [2]string{"Authorization", "Bearer " + r.token})
	}
	if method == http.MethodPost && strings.HasPrefix(path, "/Payment") {
		sent = append(sent, [2]string{"Idempotency-Key", r.uuid()})
	}
	for _, m := range more {
		sent = set(sent, m)
	}
	request, err := http.NewRequest(method, r.sandbox.URL+path, strings.NewReader(body))
	require.NoError(r.t, err)
	for _, h := range sent {
		request.Header.Set(h[0], h[1])
	}
	response, err := http.DefaultClient.Do(request)
	require.NoError(r.t, err)
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	require.NoError(r.t, err)
	at, err := http.ParseTime(response.Header.Get("Date"))
	require.NoError(r.t, err)
	e := exchange{
		At: at.Add(time.Duration(r.rng.IntN(300)) * time.Millisecond), Took: time.Duration(20+r.rng.IntN(300)) * time.Millisecond,
		Method: method, Path: path, Sent: sent, Body: body, Answer: string(answer), Status: response.StatusCode,
	}
	for _, name := range []string{"Content-Type", "Date", "Content-Length"} {
		if v := response.Header.Get(name); v != "" {
			e.Answered = append(e.Answered, [2]string{name, v})
		}
	}
	r.Exchanges = append(r.Exchanges, e)
	var told map[string]any
	_ = json.Unmarshal(answer, &told)
	return told
}

func set(list [][2]string, m [2]string) [][2]string {
	kept := make([][2]string, 0, len(list)+1)
	for _, h := range list {
		if !strings.EqualFold(h[0], m[0]) {
			kept = append(kept, h)
		}
	}
	if m[1] == "" {
		return kept
	}
	return append(kept, m)
}

func (r *recording) uuid() string {
	return fmt.Sprintf("%08x-%04x-4%03x-a%03x-%012x", r.rng.Uint32(), r.rng.IntN(1<<16), r.rng.IntN(1<<12), r.rng.IntN(1<<12), r.rng.Uint64()>>16)
}

// last is the newest exchange.
func (r *recording) last() *exchange { return &r.Exchanges[len(r.Exchanges)-1] }

// blame says that the newest exchange is at fault.
func (r *recording) blame(side string, clauses ...string) {
	r.Expect.Side, r.Expect.Clause, r.Expect.Place = side, clauses, len(r.Exchanges)
}

// answered makes the newest answer another one than it was: the service's doing.
func (r *recording) answered(status int, body string) {
	e := r.last()
	e.Status, e.Answer = status, body
	e.Answered = set(e.Answered, [2]string{"Content-Length", fmt.Sprint(len(body))})
	r.Expect.Differs = len(r.Exchanges)
}

// The usual beginning.

func (r *recording) login() {
	told := r.call("POST", "/Authentication/Token", fmt.Sprintf(`{"clientId":"%s","clientSecret":"%s"}`, r.sandbox.ClientID, r.sandbox.ClientSecret))
	r.token, _ = told["accessToken"].(string)
	if r.reference == "" {
		r.reference = fmt.Sprintf("site-%d", 100+r.rng.IntN(900))
		r.call("POST", "/Company/Create", r.companyBody(r.reference))
	}
}

func (r *recording) companyBody(reference string, changes ...string) string {
	raw, err := os.ReadFile("../../../fixtures/payloads/company-create.json")
	require.NoError(r.t, err)
	body := string(raw)
	body = strings.Replace(body, `"loc-001"`, `"`+reference+`"`, 1)
	for i := 0; i+1 < len(changes); i += 2 {
		require.Contains(r.t, body, changes[i])
		body = strings.Replace(body, changes[i], changes[i+1], 1)
	}
	var parsed any
	if json.Unmarshal([]byte(body), &parsed) == nil && r.rng.IntN(2) == 0 {
		b, _ := json.Marshal(parsed)
		return string(b)
	}
	return body
}

// payer registers one, who links a bank of that number.
func (r *recording) payer(account string) string {
	told := r.call("POST", "/User/Register", fmt.Sprintf(`{"redirectUrl":"https://northgym.example/welcome","mobileNumber":"%s"}`, r.phone()))
	id, _ := told["registrationId"].(string)
	r.wait(30 * time.Second)
	body := "{}"
	if account != "" {
		body = fmt.Sprintf(`{"accountNumber":%q}`, account)
	}
	r.control("registrations/"+id+"/complete", body)
	r.call("GET", "/User/"+id+"/Status", "")
	return id
}

func (r *recording) phone() string { return fmt.Sprintf("+1202555%04d", 100+r.rng.IntN(90)) }

// pay requests a payment of a payer.
func (r *recording) pay(payer string, amount int) string {
	told := r.call("POST", "/Payment/Create", fmt.Sprintf(`{"amount":%d,"registrationId":"%s","reference":"inv-%d","shortDescription":"Membership"}`, amount, payer, 1000+r.rng.IntN(9000)))
	id, _ := told["paymentRequestId"].(string)
	require.NotEmpty(r.t, id)
	return id
}

// paid is a payment that was approved and collected, and looked at.
func (r *recording) paid(payer string, amount int) string {
	id := r.pay(payer, amount)
	r.wait(40 * time.Second)
	r.control("payments/"+id+"/approve", "{}")
	r.wait(time.Minute)
	r.call("GET", "/Payment/"+id+"/Status", "")
	require.Contains(r.t, r.last().Answer, "Paid")
	return id
}

// idle puts harmless calls between.
func (r *recording) idle() {
	for range r.rng.IntN(3) {
		switch r.rng.IntN(3) {
		case 0:
			r.call("GET", "/Company/List", "")
		case 1:
			r.call("GET", "/Company/"+r.reference+"/Status", "")
		default:
			r.call("GET", "/Company/"+r.reference+"/Locations", "")
		}
	}
}
