package api_test

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/fault"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/tape"
)

const key = "Idempotency-Key"

func TestIdempotency(t *testing.T) {
	t.Parallel()
	s := knobs(t, "idempotency=honoured")
	s.company("gym")
	body := `{"amount":5000,"contactNumber":"2025550123"}`
	first := s.call(http.MethodPost, "/Payment/Create", body, key, "k 1")
	require.Equal(t, http.StatusOK, first.Code, first.Body.String())
	require.Empty(t, first.Header().Get("Idempotent-Replayed"))
	again := s.call(http.MethodPost, "/Payment/Create", body, key, "k 1", "Accept", "text/plain")
	require.Equal(t, first.Body.String(), again.Body.String())
	require.Equal(t, "true", again.Header().Get("Idempotent-Replayed"))
	require.Equal(t, "text/plain; charset=utf-8", again.Header().Get("Content-Type"))
	require.NotEqual(t, first.Header().Get("Sandbox-Exchange"), again.Header().Get("Sandbox-Exchange"))
	for _, path := range []string{"/payment/create", "/Payment/Create/", "/PAYMENT/CREATE"} {
		require.Equal(t, first.Body.String(), s.call(http.MethodPost, path, body, key, "k 1").Body.String(), "the same operation: %s", path)
	}
	require.Len(t, list(s.ok(http.MethodGet, "/Transaction/Report", ""), "transactions"), 1)

	for _, other := range []string{`{"amount":5001,"contactNumber":"2025550123"}`, body + " "} {
		p := s.refused(http.StatusUnprocessableEntity, http.MethodPost, "/Payment/Create", other, key, "k 1")
		require.Equal(t, "urn:paysandbox:problem:idempotency-key-reused", p.Type)
	}
	require.NotEqual(t, first.Body.String(), s.call(http.MethodPost, "/Payment/Create", body, key, "k 2").Body.String())
	require.NotEqual(t, first.Body.String(), s.call(http.MethodPost, "/Payment/Create", body).Body.String())
	auth := s.call(http.MethodPost, "/Payment/Card/Auth", body, key, "k 1") // a key belongs to its operation
	require.Equal(t, http.StatusOK, auth.Code)
	require.Empty(t, auth.Header().Get("Idempotent-Replayed"))
	for _, bad := range []string{"\x01", "größe", strings.Repeat("k", 256)} {
		require.Equal(t, []string{"header:Idempotency-Key payment.idempotency.key"}, s.refused(http.StatusBadRequest, http.MethodPost, "/Payment/Create", body, key, bad).clauses())
	}
	require.Equal(t, http.StatusOK, s.call(http.MethodPost, "/Payment/Create", body, key, strings.Repeat("k", 255)).Code)

	s.pass(24*time.Hour - time.Nanosecond)
	s.token = s.grant("sandbox-client", "sandbox-secret")
	require.Equal(t, first.Body.String(), s.call(http.MethodPost, "/Payment/Create", body, key, "k 1").Body.String())
	s.pass(time.Nanosecond)
	late := s.call(http.MethodPost, "/Payment/Create", body, key, "k 1")
	require.Equal(t, http.StatusOK, late.Code)
	require.Empty(t, late.Header().Get("Idempotent-Replayed"))
	require.NotEqual(t, first.Body.String(), late.Body.String())
}

// TestFailureIsNotRemembered: a refused call may be sent again, mended.
func TestFailureIsNotRemembered(t *testing.T) {
	t.Parallel()
	s := knobs(t, "idempotency=honoured")
	s.company("gym")
	s.refused(http.StatusBadRequest, http.MethodPost, "/Payment/Create", `{"amount":0,"contactNumber":"2025550123"}`, key, "k")
	s.refused(http.StatusBadRequest, http.MethodPost, "/Payment/Create", `{`, key, "k")
	require.Equal(t, http.StatusOK, s.call(http.MethodPost, "/Payment/Create", `{"amount":1,"contactNumber":"2025550123"}`, key, "k").Code)
	_, token := s.neighbour(8)
	near := &sandbox{t: t, api: s.api, reg: s.reg, token: token}
	near.company("gym")
	require.Empty(t, near.call(http.MethodPost, "/Payment/Create", `{"amount":1,"contactNumber":"2025550123"}`, key, "k").Header().Get("Idempotent-Replayed"))
}

// TestIdempotentMoney: refunds and charges with a key happen once, and one key
// never stands for two payments.
func TestIdempotentMoney(t *testing.T) {
	t.Parallel()
	s := knobs(t, "idempotency=honoured")
	s.company("gym")
	payer, a := s.paid()
	_, b := s.paid()
	refunded := func(n int) any {
		return list(s.ok(http.MethodGet, "/Transaction/Report", ""), "transactions")[n]["refundedAmount"]
	}
	for range 2 {
		s.ok(http.MethodPost, "/Payment/Refund/"+a, `{"amount":700}`, key, "r")
		s.ok(http.MethodPost, "/Payment/Refund/"+b, `{"amount":700}`, key, "r")
	}
	require.Equal(t, []any{700., 700.}, []any{refunded(0), refunded(1)})
	for range 2 {
		s.ok(http.MethodPost, "/Payment/Refund?paymentRequestId="+a, `{"amount":700}`, key, "q")
		s.ok(http.MethodPost, "/Payment/Refund?paymentRequestId="+b, `{"amount":700}`, key, "q")
	}
	require.Equal(t, []any{1400., 1400.}, []any{refunded(0), refunded(1)})
	card := s.card(payer, "4242424242424242")
	charge := `{"amount":900,"registrationId":"` + payer + `","paymentMethodId":"` + card + `"}`
	require.Equal(t, s.ok(http.MethodPost, "/Payment/ChargeSavedCard", charge, key, "c"), s.ok(http.MethodPost, "/Payment/ChargeSavedCard", charge, key, "c"))
	for range 2 {
		s.ok(http.MethodPost, "/CardPayment", terminalBody, key, "t")
		s.ok(http.MethodPost, "/Payment/Recurring", `{"amount":1,"startDate":"2026-03-02","intervalValue":1,"intervalUnit":"Day","phoneNumber":"2025550123"}`, key, "p")
	}
	require.Len(t, list(s.ok(http.MethodGet, "/Transaction/Report", ""), "transactions"), 4)
	require.Len(t, list(s.ok(http.MethodGet, "/PaymentPlan/List", ""), "plans"), 1)
	for path, body := range map[string]string{"/Payment/ChargeSavedCard": charge, "/CardPayment": terminalBody, "/Payment/Refund/" + a: `{"amount":700}`, "/Payment/Refund?paymentRequestId=" + a: `{"amount":700}`, "/Payment/Card/Auth": `{"amount":1,"registrationId":"` + payer + `"}`, "/Payment/Recurring": `{"amount":1,"startDate":"2026-03-02","intervalValue":1,"intervalUnit":"Day","phoneNumber":"2025550123"}`} {
		s.ok(http.MethodPost, path, body, key, "z")
		s.refused(http.StatusUnprocessableEntity, http.MethodPost, path, change(t, body, "amount", 2), key, "z")
	}
}

// TestIdempotencyIgnored: by default a key changes nothing, and every answer to
// it warns of that.
func TestIdempotencyIgnored(t *testing.T) {
	t.Parallel()
	s := start(t, integration.Options{Seed: 7, Strict: true})
	s.company("gym")
	body := `{"amount":5000,"contactNumber":"+12025550123","feePayer":"client"}`
	require.NotEqual(t, s.ok(http.MethodPost, "/Payment/Create", body, key, "k"), s.ok(http.MethodPost, "/Payment/Create", body, key, "k"))
	const warning = "payment.idempotency.ignored header:Idempotency-Key"
	for path, status := range map[string]int{"/Payment/Create": http.StatusOK, "/Payment/Recurring": http.StatusBadRequest, "/Payment/Nothing": http.StatusNotFound} {
		w := s.call(http.MethodPost, path, body, key, "\x01")
		require.Equal(t, status, w.Code, path)
		require.Contains(t, w.Header().Get("Sandbox-Warning"), warning, path)
	}
	require.Contains(t, s.call(http.MethodGet, "/Company/List", "", key, "k").Header().Get("Sandbox-Warning"), warning)
	require.Empty(t, s.call(http.MethodPost, "/Payment/Create", body).Header().Get("Sandbox-Warning"), "without the header")
	require.NotEmpty(t, s.entries(tape.KindFinding), "the warning is on the tape")
}

// TestIdempotencyOfCreationAlone: the other operations take no key.
func TestIdempotencyOfCreationAlone(t *testing.T) {
	t.Parallel()
	s := knobs(t, "idempotency=create-only")
	s.company("gym")
	body := `{"amount":5000,"contactNumber":"2025550123"}`
	require.Equal(t, s.ok(http.MethodPost, "/Payment/Create", body, key, "k"), s.ok(http.MethodPost, "/Payment/Create", body, key, "k"))
	require.NotEqual(t, s.ok(http.MethodPost, "/Payment/Card/Auth", body, key, "k"), s.ok(http.MethodPost, "/Payment/Card/Auth", body, key, "k"))
}

// TestKeyInFlight: of two calls with one key at the same time the second is told
// to wait, and what it was told is replayed.
func TestKeyInFlight(t *testing.T) {
	t.Parallel()
	o := integration.Options{Seed: 7, Settings: latitude.Settings{}.Choose(latitude.IdempotencyHonoured)}
	s := granted(t, o)
	s.company("gym")
	body := `{"amount":5000,"contactNumber":"2025550123"}`
	id := uuid.New().String()
	for _, path := range []string{
		"/Payment/Create", "/Payment/Card/Auth", "/Payment/ChargeSavedCard", "/Payment/Refund/" + id,
		"/Payment/Refund?paymentRequestId=" + id, "/CardPayment", "/Payment/Recurring",
	} {
		slow, typing := io.Pipe()
		first := make(chan *httptest.ResponseRecorder)
		go func() { first <- s.send(path, slow) }()
		_, err := typing.Write([]byte(body[:1])) // the first call is at work once it has read this
		require.NoError(t, err)
		p := s.refused(http.StatusConflict, http.MethodPost, path, body, key, "k")
		require.Equal(t, "urn:paysandbox:problem:conflict", p.Type)
		require.NotEqual(t, http.StatusConflict, s.call(http.MethodPost, path, body, key, "another").Code)
		_, err = typing.Write([]byte(body[1:]))
		require.NoError(t, err)
		require.NoError(t, typing.Close())
		answered := <-first
		again := s.call(http.MethodPost, path, body, key, "k")
		require.Equal(t, answered.Code, again.Code, "%s: the key has been let go", path)
		if path == "/Payment/Create" {
			require.Equal(t, answered.Body.String(), again.Body.String())
		}
	}
	replaysItself(t, s, o)
}

// atOnce is a connection whose client sends the same again as soon as it has the first
// byte of an answer, or sees that none comes.
type atOnce struct {
	*httptest.ResponseRecorder
	again func()
}

func (w atOnce) WriteHeader(status int) {
	w.again()
	w.ResponseRecorder.WriteHeader(status)
}

func (w atOnce) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	w.again()
	return nil, nil, http.ErrNotSupported
}

// TestKeyOfAnAnswerThatLeaves: who has an answer, or has lost it, sends the same again
// and gets what was remembered, never that the first call is still at work.
func TestKeyOfAnAnswerThatLeaves(t *testing.T) {
	t.Parallel()
	for _, trouble := range []string{"", "commit-then-drop", "cut-connection=headers", "cut-connection=body"} {
		s := troubled(t, "idempotency=honoured")
		s.company("gym")
		body := `{"amount":5000,"contactNumber":"2025550123"}`
		call := func(w http.ResponseWriter, trouble string) {
			r := httptest.NewRequest(http.MethodPost, "/Payment/Create", strings.NewReader(body))
			r.Header.Set("Authorization", "Bearer "+s.token)
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set(key, "k")
			if trouble != "" {
				r.Header.Set(fault.Header, trouble)
			}
			defer func() { _ = recover() }() // the server's word for a connection that is to be cut
			s.api.ServeHTTP(w, r)
		}
		again := httptest.NewRecorder()
		call(atOnce{httptest.NewRecorder(), func() { call(again, "") }}, trouble)
		require.Equal(t, http.StatusOK, again.Code, "%s: %s", trouble, again.Body)
		require.Equal(t, "true", again.Header().Get("Idempotent-Replayed"), trouble)
	}
}

// send makes a call under the key k with a body that is still being written.
func (s *sandbox) send(path string, body io.Reader) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, path, body)
	r.Header.Set("Authorization", "Bearer "+s.token)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set(key, "k")
	w := httptest.NewRecorder()
	s.api.ServeHTTP(w, r)
	return w
}
