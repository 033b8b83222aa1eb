package api_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/fixtures"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

// knobs starts a sandbox with choices of the ledger, written NAME=VALUE.
func knobs(t *testing.T, choices ...string) *sandbox {
	t.Helper()
	settings, err := latitude.Parse(choices)
	require.NoError(t, err)
	return start(t, integration.Options{Seed: 7, Settings: settings})
}

// problem is a refusal as a partner reads it.
type problem struct {
	Type, Title, Detail, Instance, TraceID string
	Machine, State, Event                  string
	Status                                 int
	Errors                                 map[string][]string
	Findings                               []kernel.Finding
	LegalEvents                            []string
}

// refused is a call that must be refused; it reads the problem.
func (s *sandbox) refused(status int, method, path, body string, header ...string) problem {
	s.t.Helper()
	return readProblem(s.t, status, s.call(method, path, body, header...))
}

func readProblem(t *testing.T, status int, w *httptest.ResponseRecorder) problem {
	t.Helper()
	require.Equal(t, status, w.Code, w.Body.String())
	require.Equal(t, "application/problem+json", w.Header().Get("Content-Type"))
	var p problem
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &p), w.Body.String())
	require.Equal(t, status, p.Status)
	require.NotEmpty(t, p.Title)
	require.NotEmpty(t, p.Detail)
	require.NotNil(t, p.Errors)
	for _, f := range p.Findings {
		require.NotEmpty(t, f.Clause, "%+v", f)
		require.NotEmpty(t, f.Expected, "%+v", f)
		require.NotEmpty(t, f.Fix, "%+v", f)
	}
	return p
}

// clauses are "pointer clause" of the findings that refuse, in their order.
func (p problem) clauses() []string {
	list := []string{}
	for _, f := range p.Findings {
		if !f.Advisory {
			list = append(list, f.Pointer+" "+f.Clause)
		}
	}
	return list
}

// act does by a control input what people and banks do.
func (s *sandbox) act(run func(w *world.World) error) error {
	s.t.Helper()
	var err error
	i := s.reg.Default()
	c := integration.Call{Kind: tape.KindControl, Base: "http://example.com/pages/default", Exchange: tape.Exchange{Method: http.MethodPost, Path: "/_sandbox/test"}}
	i.Send(i.Do(&c, func(w *world.World, _ *integration.Call) { err = run(w) }))
	return err
}

// did is act for what must succeed.
func (s *sandbox) did(run func(w *world.World) error) {
	s.t.Helper()
	require.NoError(s.t, s.act(run))
}

// pass lets virtual time pass.
func (s *sandbox) pass(d time.Duration) {
	s.t.Helper()
	_, err := s.reg.Default().Advance(integration.Move{By: d})
	require.NoError(s.t, err)
}

// entries reads the tape of the default integration.
func (s *sandbox) entries(kinds ...tape.Kind) []tape.Entry {
	s.t.Helper()
	now, stop := context.WithCancel(s.t.Context())
	stop() // what is there, without waiting for more
	return s.reg.Default().Read(now, tape.Filter{Kinds: kinds}).Entries
}

// gone is the mark of a member that change takes out.
type gone struct{}

// change sets members of a JSON object by their dotted paths.
func change(t *testing.T, body string, pairs ...any) string {
	t.Helper()
	var doc any
	require.NoError(t, json.Unmarshal([]byte(body), &doc))
	for i := 0; i+1 < len(pairs); i += 2 {
		doc = put(doc, strings.Split(pairs[i].(string), "."), pairs[i+1])
	}
	out, err := json.Marshal(doc)
	require.NoError(t, err)
	return string(out)
}

func put(doc any, path []string, value any) any {
	if len(path) == 0 {
		return value
	}
	switch node := doc.(type) {
	case []any:
		i, _ := strconv.Atoi(path[0])
		node[i] = put(node[i], path[1:], value)
		return node
	case map[string]any:
		if _, out := value.(gone); out && len(path) == 1 {
			delete(node, path[0])
			return node
		}
		node[path[0]] = put(node[path[0]], path[1:], value)
		return node
	default:
		return value
	}
}

// companyJSON is the body of a company with the reference.
func companyJSON(t *testing.T, reference string, pairs ...any) string {
	t.Helper()
	return change(t, string(fixtures.CompanyJSON(1)), append([]any{"companyReferenceId", reference}, pairs...)...)
}

// company creates a company and gives its id and its two locations.
func (s *sandbox) company(reference string, pairs ...any) (id string, locations []string) {
	s.t.Helper()
	answer := s.ok(http.MethodPost, "/Company/Create", companyJSON(s.t, reference, pairs...))
	for _, l := range answer["locationIds"].([]any) {
		locations = append(locations, l.(string))
	}
	return answer["companyId"].(string), locations
}

// register registers a payer who stays Pending.
func (s *sandbox) register(phone string) string {
	s.t.Helper()
	return s.ok(http.MethodPost, "/User/Register", fmt.Sprintf(`{"redirectUrl":"https://partner.example.com/back","mobileNumber":%q}`, phone))["registrationId"].(string)
}

// payer registers a payer and links a bank persona, all through the API.
func (s *sandbox) payer(phone, persona string) string {
	s.t.Helper()
	id := s.register(phone)
	token := s.ok(http.MethodPost, "/Account/LinkToken", fmt.Sprintf(`{"verificationId":%q}`, id))
	linked := s.ok(http.MethodPut, "/Account/Link", fmt.Sprintf(`{"tokenId":%q,"publicToken":"public-%s"}`, token["tokenId"], persona))
	require.Equal(s.t, true, linked["isOk"], linked)
	return id
}

// pay creates a payment request and gives its id; the pairs are its members.
func (s *sandbox) pay(pairs ...any) string {
	s.t.Helper()
	return s.ok(http.MethodPost, "/Payment/Create", change(s.t, `{"amount":5000}`, pairs...))["paymentRequestId"].(string)
}

// status reads a payment's status.
func (s *sandbox) status(id string) string {
	s.t.Helper()
	return s.ok(http.MethodGet, "/Payment/"+id+"/Status", "")["status"].(string)
}

// paid makes a payment that is Paid, and gives payer and payment.
func (s *sandbox) paid() (payer, payment string) {
	s.t.Helper()
	payer = s.payer("+12025550140", "good")
	payment = s.pay("registrationId", payer)
	s.did(func(w *world.World) error { return w.MovePayment(payment, "approve", world.PaymentMove{}) })
	s.pass(time.Minute)
	require.Equal(s.t, "Paid", s.status(payment))
	return payer, payment
}

// card saves a test card for a payer.
func (s *sandbox) card(payer, number string) string {
	s.t.Helper()
	var m world.PaymentMethod
	s.did(func(w *world.World) (err error) { m, err = w.SaveCard(payer, number); return err })
	return m.ID
}

// list is a member of an answer that holds objects.
func list(answer map[string]any, name string) []map[string]any {
	out := []map[string]any{}
	for _, v := range answer[name].([]any) {
		out = append(out, v.(map[string]any))
	}
	return out
}

// sortedBy orders findings as the pointers given.
func sortedBy(clauses []string, pointers ...string) []string {
	out := []string{}
	for _, p := range pointers {
		for _, c := range clauses {
			if strings.HasPrefix(c, p+" ") {
				out = append(out, c)
			}
		}
	}
	if len(out) != len(clauses) {
		return clauses
	}
	return out
}
