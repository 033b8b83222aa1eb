package checktest

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/check"
	"paysandbox/harness/trail"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// Stub takes the content of an entry away, as a tape does that is too small.
func Stub(e *tape.Entry) {
	*e = tape.Entry{Seq: e.Seq, Cause: e.Cause, At: e.At, Kind: e.Kind, Entities: e.Entities[:min(1, len(e.Entities))], Omitted: 1 << 20}
}

// judged plays the case and expects what it is to come to.
func (c *Case) judged(t *testing.T) *Tape {
	t.Helper()
	s := New(c.clock)
	c.play(s)
	res := Partner(t, c.clause).Judge(s.Trail())
	require.Equal(t, c.want, res.Word, Told(res))
	Hinted(t, &res)
	return s
}

// cuts judges what is left of the tape when its beginning, or its end, is gone,
// or the content of one entry.
func (s *Tape) cuts(t *testing.T, k *check.Check, whole verdict.Word) {
	t.Helper()
	expect := func(meta tape.Meta, entries []tape.Entry, what string, n int) {
		res := k.Judge(trail.New(meta, entries))
		require.NotEqual(t, verdict.HarnessError, res.Word, "%s %d: %s", what, n, Told(res))
		if whole != verdict.Fail {
			require.NotEqual(t, verdict.Fail, res.Word, "%s %d: %s", what, n, Told(res))
		}
	}
	for n := range len(s.Entries) + 1 {
		meta := s.Meta
		if n > 0 {
			meta.First, meta.Dropped = uint64(n)+1, uint64(n)
		}
		expect(meta, s.copies()[n:], "without the first", n)
		expect(s.Meta, s.copies()[:n], "only the first", n)
		if n < len(s.Entries) {
			list := s.copies()
			Stub(&list[n])
			expect(s.Meta, list, "without the content of entry", n+1)
		}
	}
}

// Company is a call that creates one, with a location and the reference gym.
func (s *Tape) Company() *tape.Entry {
	c := s.Call("createCompany", 200, Sends(`{"companyReferenceId":"gym","name":"Hillside"}`), Answers(`{"companyId":"c1","locationIds":["hall"]}`))
	s.Becomes("company", "c1", "", "Unverified", c)
	return c
}

// Decided is the outcome of a company's verification, which is told.
func (s *Tape) Decided(state string, cause *tape.Entry, status int) {
	s.Becomes("company", "c1", "Unverified", state, cause)
	s.Attempt(s.Event("COMPANY_VERIFICATION_STATUS_CHANGED", `{"CompanyId":"c1","Status":"`+state+`"}`, cause, "c1"), "", status)
}

// Registers is a call that registers a payer, dana.
func (s *Tape) Registers(body string) {
	c := s.Call("registerUser", 200, Sends(body), Answers(`{"registrationId":"dana"}`))
	s.Becomes("registration", "dana", "", "Pending", c)
}

// Pays requests a payment of Dana's under a reference and a key.
func (s *Tape) Pays(status int, reference, key string, changes ...With) *tape.Entry {
	s.Pass(20 * time.Millisecond)
	body := `{"amount":5000,"registrationId":"8b2f9a8e-3d4c-4d5e-9f60-718293a4b5c6","reference":"` + reference + `"}`
	return s.Call("createPayment", status, append([]With{Sends(body), Keyed(key)}, changes...)...)
}

// Key is the nth random key.
func Key(n int) string {
	return fmt.Sprintf("%08x-5b1c-4c0e-9d3e-%012x", 0x9e3779b9*uint32(n+1), 0x1234567*(n+3)) //nolint:gosec // G115: a small number.
}

// Fails requests a payment that fails, and again after each of the pauses; it is
// served in the end.
func (s *Tape) Fails(n int, pauses ...time.Duration) {
	for _, p := range pauses {
		s.Pays(500, fmt.Sprint("r", n), Key(n))
		s.Pass(p - 20*time.Millisecond) // which pays lets pass
	}
	s.Pays(200, fmt.Sprint("r", n), Key(n))
}

// Status reads the status of a payment with a token.
func (s *Tape) Status(jti, auth string, payment string) {
	status := http.StatusOK
	if auth != tape.AuthValid {
		status = http.StatusUnauthorized
	}
	s.Call("getPaymentStatus", status, Bearer(jti, auth), At("/Payment/"+payment+"/Status", ""))
	s.Pass(5 * time.Millisecond)
}

// Became is an event that a payment has got a state, with the change before it.
func (s *Tape) Became(payment, from, to string, cause *tape.Entry) *tape.Entry {
	s.Becomes("payment", payment, from, to, cause)
	return s.Event("PAYMENT_STATUS_CHANGED", `{"PaymentId":"`+payment+`","Status":"`+to+`"}`, cause, payment)
}

// Shows is the answer of the state probe about one payment.
func (s *Tape) Shows(payment string, fulfilled, reversed int) {
	s.Note(trail.NoteState, map[string]any{"payments": []any{
		map[string]any{"paymentRequestId": payment, "fulfilled": fulfilled, "reversed": reversed},
	}})
}

// Payment is a call that creates one.
func (s *Tape) Payment(id string, changes ...With) *tape.Entry {
	c := s.Call("createPayment", 200, append([]With{Sends(`{"amount":5000,"registrationId":"dana","locationId":"hall"}`), Answers(`{"paymentRequestId":"` + id + `"}`)}, changes...)...)
	c.Entities = []string{id}
	s.Becomes("payment", id, "", "Pending", c)
	return c
}

// Number makes an attempt the nth one of a delivery.
func Number(n int) func(a *tape.Attempt) {
	return func(a *tape.Attempt) { a.Delivery, a.Number = "delivery", n }
}

// Lasted sets how long the receiver took.
func Lasted(d time.Duration) func(a *tape.Attempt) {
	return func(a *tape.Attempt) { a.Took = int64(d) }
}

// Calls adds some calls about nothing in particular.
func (s *Tape) Calls(n int) {
	for range n {
		s.Call("listCompanies", 200)
	}
}

// Drop takes a header away.
func Drop(list []tape.Header, name string) []tape.Header {
	return slices.DeleteFunc(list, func(h tape.Header) bool { return strings.EqualFold(h.Name, name) })
}

// Virtual notes that the application lives by the virtual time.
func (s *Tape) Virtual() { s.Note(trail.NoteVirtual, map[string]any{}) }

// Probed notes where the application tells its state.
func (s *Tape) Probed() { s.Note(trail.NoteProbe, map[string]any{"url": "http://127.0.0.1:9/state"}) }

// Redirected notes that a payer came back from the page of what is named.
func (s *Tape) Redirected(what, id string) { s.Note(trail.NoteRedirect, map[string]any{what: id}) }

// Task notes what the application was asked to do; with may be nil.
func (s *Tape) Task(id int, do string, with map[string]any) {
	data := map[string]any{"id": id, "do": do}
	if with != nil {
		data["with"] = with
	}
	s.Note(trail.NoteTask, data)
}

// Done notes that a task was done by a call, named by the number of its entry.
func (s *Tape) Done(task int, exchange uint64) {
	s.Note(trail.NoteDone, map[string]any{"task": task, "exchange": exchange})
}
