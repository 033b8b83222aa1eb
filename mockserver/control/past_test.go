package control_test

import (
	"net/http"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAPastNeedsAPlayer(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.people()
	s.get("/entities/" + c.payment + "?at=1").problem(http.StatusConflict)
	s.get("/entities?at=999999").problem(http.StatusConflict)
	require.Empty(t, s.dueOf(c.payment))
	s.post("/payments/"+c.payment+"/approve", "{}").ok(nil)
	require.Equal(t, []string{"payment-settle"}, s.dueOf(c.payment))
	var v struct{ Unknown string }
	s.get("/entries/" + strconv.Itoa(1)).ok(&v)
	require.NotEmpty(t, v.Unknown)
	s.get("/entries/99999").problem(http.StatusNotFound)
	s.get("/entries/x").problem(http.StatusBadRequest)
}

// dueOf are the timers that wait for an entity, in order.
func (s *sandbox) dueOf(id string) []string {
	var list struct {
		Due []struct{ Timer, Entity string }
	}
	s.get("/clock/due").ok(&list)
	var names []string
	for _, d := range list.Due {
		if d.Entity == id {
			names = append(names, d.Timer)
		}
	}
	return names
}
