package control_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/control"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/world"
)

func (s *sandbox) entities(query string) control.EntityList {
	s.t.Helper()
	var list control.EntityList
	s.get("/entities?" + query).ok(&list)
	return list
}

func (s *sandbox) entity(id string) control.EntityView {
	s.t.Helper()
	var v control.EntityView
	s.get("/entities/" + id).ok(&v)
	return v
}

func ids(rows []control.EntityRow) []string {
	list := []string{}
	for _, r := range rows {
		list = append(list, r.ID)
	}
	return list
}

// TestEntitiesAreFound: by kind, status and text, whatever its letter case, and by
// what they belong to.
func TestEntitiesAreFound(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.people()
	for query, want := range map[string][]string{
		"kind=payment":                              {c.payment},
		"kind=company&status=Verified":              {c.company},
		"kind=company&status=Rejected":              {},
		"kind=payment&q=HILLSIDE+fit":               {c.payment},
		"kind=plan&q=" + c.plan[:13]:                {c.plan},
		"kind=consent&q=" + c.plan:                  {c.consent},
		"kind=payment&q=nobody":                     {},
		"q=" + c.consent:                            {c.consent},
		"kind=debit-authorisation&q=hillside%20fit": {c.debit},
	} {
		list := s.entities(query)
		require.Equal(t, want, ids(list.Entities), query)
		require.Nil(t, list.Next)
		require.Equal(t, list.Total, list.Searched, query)
	}
	all := s.entities("")
	total := 0
	for _, k := range all.Kinds {
		total += k.Total
	}
	require.Equal(t, len(world.EntityKinds()), len(all.Kinds))
	require.Len(t, all.Entities, total)
	row := s.entities("kind=payment").Entities[0]
	require.Equal(t, int64(5000), *row.Amount)
	require.Contains(t, row.Summary, "$50.00 from ")
	require.Equal(t, []control.EntityRelation{{Relation: "company", Kind: "company", ID: c.company}, {Relation: "payer", Kind: "registration", ID: c.payer}}, row.Relations)
	s.get("/entities?kind=paiment").problem(http.StatusBadRequest)
	s.get("/entities?kind=payment&after=plan.3").problem(http.StatusBadRequest)
	s.get("/entities?limit=1000").problem(http.StatusBadRequest)
}

// TestPagesOfEntitiesStayInPlace: what is made between two pages moves neither, and
// the pages together are all, each once, newest first.
func TestPagesOfEntitiesStayInPlace(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.people()
	made := []string{c.payment}
	for range 12 {
		s.do(func(w *world.World) { made = append([]string{s.payment(w, c)}, made...) })
	}
	for _, kind := range []string{"kind=payment&", ""} {
		var seen []string
		query, searched := kind+"limit=5", 0
		for more := true; more; {
			list := s.entities(query)
			for _, r := range list.Entities {
				if r.Kind == "payment" {
					seen = append(seen, r.ID)
				}
			}
			require.GreaterOrEqual(t, list.Searched, searched)
			if searched, more = list.Searched, list.Next != nil; more {
				query = kind + "limit=5&after=" + *list.Next
				require.Less(t, list.Searched, list.Total)
			} else {
				require.Equal(t, list.Total, list.Searched)
			}
			if kind != "" && len(seen) == 5 {
				s.do(func(w *world.World) { s.payment(w, c) })
			}
		}
		if kind == "" {
			seen = seen[1:] // the one that was made meanwhile
		}
		require.Equal(t, made, seen, kind)
	}
}

// TestAnEntityTellsItsHistory: the moves that it has taken and can take, its
// deliveries, its messages, its neighbours and its place on the tape.
func TestAnEntityTellsItsHistory(t *testing.T) {
	t.Parallel()
	s := start(t, func(_ *control.Options, i *integration.Options) { i.WebhookURL = "http://127.0.0.1:3000/hooks" })
	c := s.people()
	v := s.entity(c.payment)
	require.Equal(t, []string{"Pending", "payment"}, []string{v.Status, v.Machine})
	var move control.PossibleMove
	for _, m := range v.Moves {
		if m.Event == "approve" {
			move = m
		}
	}
	require.Equal(t, control.PossibleMove{Event: "approve", To: "Processing", Method: "POST", Path: at("/payments/" + c.payment + "/approve")}, move)
	s.ask(move.Method, move.Path, nil).ok(nil)

	v = s.entity(c.payment)
	require.Equal(t, "Processing", v.Status)
	require.Len(t, v.Visited, 2)
	require.Equal(t, []string{"approve", "Pending", "Processing"}, []string{v.Visited[1].Event, v.Visited[1].From, v.Visited[1].To})
	require.Contains(t, v.Entries, v.Visited[1].Seq)
	require.Contains(t, v.Entries, v.Visited[1].Cause)
	require.Len(t, v.Deliveries, 1)
	require.Equal(t, "delivered", v.Deliveries[0].State)
	require.NotEmpty(t, v.Messages)
	require.Equal(t, "http://127.0.0.1:8484/pages/default/pay/"+c.payment, *v.Page)
	require.Equal(t, []string{c.company, c.payer}, ids(v.Related))
	require.Equal(t, "/console/default/entities/"+c.payment, v.Console)

	payer := s.entity(c.payer)
	require.Subset(t, ids(payer.Related), []string{c.payment, c.card, c.consent, c.debit})
	require.Equal(t, c.company, s.entity("loc-001").ID, "a company's reference names it too")
	s.get("/entities/" + someID).problem(http.StatusNotFound)
	for _, k := range world.EntityKinds() {
		for _, r := range s.entities("kind=" + k).Entities {
			one := s.entity(r.ID)
			require.Equal(t, r.ID, one.ID)
			require.Equal(t, k, one.Kind)
		}
	}
}

// TestEveryPossibleMoveCanBeTaken: each move that a page offers by a call is taken by
// that call, from every state that is reached so.
func TestEveryPossibleMoveCanBeTaken(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.people()
	taken := 0
	for _, id := range []string{c.company, c.payer, c.card, c.debit, c.plan, c.consent, c.payment} {
		for range 6 {
			v := s.entity(id)
			for _, m := range v.Moves {
				if m.Path == "" || m.Event == "activate" || m.Event == "cancel" {
					continue
				}
				var body any
				if m.Body != "" {
					body = m.Body
				}
				got := s.ask(m.Method, m.Path, body)
				require.Equal(t, http.StatusOK, got.Code, "%s %s: %s", m.Path, m.Body, got.Body)
				taken++
				break
			}
		}
	}
	require.GreaterOrEqual(t, taken, 8)
}

// BenchmarkEntities looks for what is not there, and for a page, among 100,000
// payments.
func BenchmarkEntities(b *testing.B) {
	s := start(b)
	c := s.people()
	for range 100 {
		s.do(func(w *world.World) {
			for range 1000 {
				s.payment(w, c)
			}
		})
	}
	for _, query := range []string{"kind=payment", "kind=payment&q=nobody-at-all", "kind=payment&after=payment.50000", "kind=payment&q=" + c.payment} {
		b.Run(query, func(b *testing.B) {
			var searched int
			for range b.N {
				var list control.EntityList
				s.get("/entities?" + query).ok(&list)
				searched = list.Searched
			}
			b.ReportMetric(float64(searched), "rows")
		})
	}
	b.Run("entity", func(b *testing.B) {
		for range b.N {
			s.entity(c.payer)
		}
	})
}
