package control_test

import (
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/control"
	"paysandbox/mockserver/world"
)

func (s *sandbox) messages(query string) []control.Message {
	s.t.Helper()
	var list control.MessageList
	s.query("/messages", query).ok(&list)
	return list.Messages
}

func TestMessages(t *testing.T) {
	t.Parallel()
	s := start(t, rehearsal)
	c := s.people()
	s.post("/companies/"+c.company+"/kyb", `{"outcome":"verified"}`).ok(nil)
	all := s.messages("")
	require.NotEmpty(t, all)
	for _, m := range all {
		require.NotEmpty(t, m.Text)
		require.NotContains(t, m.Text, "<no value>")
		require.NotContains(t, m.HTML, "<no value>")
		require.Equal(t, m.Channel == "email", m.HTML != "", m.Template)
		require.Equal(t, m.Channel == "email", m.Subject != "", m.Template)
		for _, link := range m.Links {
			require.True(t, strings.HasPrefix(link, "http://127.0.0.1:8484/pages/default/"), link)
			require.Contains(t, m.Text, link)
		}
	}
	verified := s.messages("template=company-verified")
	require.Len(t, verified, 1)
	require.Len(t, verified[0].Links, 2)
	require.Contains(t, verified[0].Links[0], "/bank-link/")
	require.Contains(t, verified[0].Links[1], "/portal/"+c.company)
	require.Equal(t, c.company, verified[0].Entity)

	asked := s.messages("template=payment-request")
	require.NotEmpty(t, asked)
	require.Contains(t, asked[0].Text, "$50.00")
	require.Equal(t, []string{"http://127.0.0.1:8484/pages/default/pay/" + c.payment}, asked[0].Links)
	var phone string
	for _, m := range all {
		if m.Channel == "sms" {
			phone = m.To
		}
	}
	require.NotEmpty(t, s.messages("to="+phone), "a plus in a query is a space")
	require.NotEmpty(t, s.messages("to="+strings.Replace(phone, "+", "%2B", 1)))
	require.Empty(t, s.messages("to=nobody@example.com"))
	require.Empty(t, s.messages("since="+number(all[len(all)-1].Seq)))
	p := s.query("/messages", "template=payment-requst").problem(http.StatusBadRequest)
	require.Contains(t, p.Findings[0].Fix, "nearest: payment-request")
}

// messageToVerified is what a company of a name is sent when it has been verified.
func messageToVerified(t *testing.T, name string) control.Message {
	t.Helper()
	s := start(t, rehearsal)
	company := payload[world.NewCompany](t, "company-create")
	company.Name = name
	s.do(func(w *world.World) {
		made, err := w.CreateCompany(company)
		require.NoError(t, err)
		require.NoError(t, w.DecideKYB(made.CompanyID, "verified"))
	})
	return s.messages("template=company-verified")[0]
}

// TestMessagesEscape: a name may be anything; in HTML it stays text.
func TestMessagesEscape(t *testing.T) {
	t.Parallel()
	m := messageToVerified(t, "<script>alert(1)</script> & \"Sons\"\nSubject: x")
	require.NotContains(t, m.HTML, "<script>")
	require.Contains(t, m.HTML, "&lt;script&gt;alert(1)&lt;/script&gt; &amp; &#34;Sons&#34;")
	require.NotContains(t, m.Subject, "\n")
	require.Contains(t, m.Text, "<script>alert(1)</script> & \"Sons\"")
}

// TestMessagesOfTheNameless: who has given no name is called so; sentences without a
// subject went out.
func TestMessagesOfTheNameless(t *testing.T) {
	t.Parallel()
	m := messageToVerified(t, "")
	require.Equal(t, "(a company without a name) has been verified", m.Subject)
	require.Contains(t, m.HTML, "(a company without a name) has been verified")
}

// TestEveryTemplateHasAText holds the world's templates and the texts together,
// in both directions.
func TestEveryTemplateHasAText(t *testing.T) {
	t.Parallel()
	sources, err := filepath.Glob("../world/*.go")
	require.NoError(t, err)
	var code strings.Builder
	for _, name := range sources {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		source, err := os.ReadFile(name)
		require.NoError(t, err)
		code.Write(source)
	}
	used := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?:Template:|w\.tell(?:Payer)?\([^"]*?,) "([a-z-]+)"`).FindAllStringSubmatch(code.String(), -1) {
		used[m[1]] = true
	}
	require.GreaterOrEqual(t, len(used), 9)
	files, err := filepath.Glob("messages/*.txt.tmpl")
	require.NoError(t, err)
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txt.tmpl")
		require.FileExists(t, "messages/"+name+".html.tmpl")
		require.True(t, used[name] || name == "unknown", "nobody sends "+name)
		delete(used, name)
	}
	require.Empty(t, used, "these have no text")
}

func TestWhy(t *testing.T) {
	t.Parallel()
	s, c, endpoint := hooked(t)
	s.post("/clock/advance", `{"by":"5s"}`).ok(nil)
	var v control.Why
	s.get("/why/" + strings.ToUpper(c.payment)).ok(&v)
	require.Equal(t, []any{c.payment, "payment", "Paid", true}, []any{v.Entity, v.Machine, v.State, v.Complete})
	kinds := []string{}
	for n, step := range v.Steps {
		kinds = append(kinds, step.Kind)
		require.NotEmpty(t, step.Says)
		if n > 0 {
			require.Equal(t, v.Steps[n-1].Cause, step.Seq)
		}
	}
	require.Equal(t, []string{"transition", "timer", "control"}, kinds)
	require.Contains(t, v.Steps[0].Says, "The payment went from Processing to Paid by pay")
	require.Contains(t, v.Steps[1].Says, "The timer payment-settle was due at 2026-03-02T17:00:05Z")
	require.Contains(t, v.Steps[2].Says, "/approve (movePayment) was answered with 200.")

	s.get("/why/loc-001").ok(&v)
	require.Equal(t, []string{c.company, "company", "Unverified"}, []string{v.Entity, v.Machine, v.State})
	require.Contains(t, v.Steps[0].Says, "was created as Unverified")
	s.get("/why/" + endpoint).ok(&v)
	require.Equal(t, "Enabled", v.State)
	var list control.DeliveryList
	s.get("/deliveries").ok(&list)
	s.get("/why/" + list.Deliveries[0].ID).ok(&v)
	require.Empty(t, v.Machine)
	require.Contains(t, v.Steps[0].Says, "Attempt 1 to deliver the event to http://localhost:9/hooks was answered with 200")
	s.get("/why/" + strings.Repeat("x", 3000)).problem(http.StatusNotFound)
}

// TestWhyIntoTheDropped: a chain that leads where the tape has nothing says so.
func TestWhyIntoTheDropped(t *testing.T) {
	t.Parallel()
	s, c, _ := hooked(t)
	s.do(func(*world.World) {})
	for range 20_000 {
		s.do(func(*world.World) {})
	}
	s.post("/clock/advance", `{"by":"5s"}`).ok(nil)
	var v control.Why
	s.get("/why/" + c.payment).ok(&v)
	require.Equal(t, []any{"Paid", false}, []any{v.State, v.Complete})
	require.Equal(t, uint64(1), v.Gap.From)
	dropped := v.Steps[len(v.Steps)-1]
	require.Equal(t, "dropped", dropped.Kind)
	require.Contains(t, dropped.Says, "the tape has dropped it")
}
