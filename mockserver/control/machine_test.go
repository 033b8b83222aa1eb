package control_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/control"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/world"
)

// TestMachinesAreTheDeclaredOnes: each state and move of each table is there, and
// each call that is named exists.
func TestMachinesAreTheDeclaredOnes(t *testing.T) {
	t.Parallel()
	s := start(t)
	var list control.MachineList
	s.ask(http.MethodGet, "/_sandbox/machines", nil).ok(&list)
	require.Len(t, list.Machines, len(world.Machines()))
	for n, m := range world.Machines() {
		got := list.Machines[n]
		require.Equal(t, m.Name, got.Name)
		require.Equal(t, m.States[1:], got.States)
		require.Len(t, got.Moves, len(m.Moves))
		require.Equal(t, got.Taped, slices.ContainsFunc(got.Moves, func(mv control.MachineMove) bool { return mv.By != "" }),
			"%s: no row of actions in action.go takes a step of it", m.Name)
		for k, mv := range m.Moves {
			require.Equal(t, []string{mv.Event, m.States[mv.From], m.States[mv.To], mv.Emits},
				[]string{got.Moves[k].Event, got.Moves[k].From, got.Moves[k].To, got.Moves[k].Emits})
			if by := got.Moves[k].By; by != "" {
				require.NotEqual(t, http.StatusNotFound, s.ask(http.MethodOptions, filled(by), nil).Code, by)
			}
		}
	}
	payment := list.Machines[slices.IndexFunc(list.Machines, func(m control.Machine) bool { return m.Name == "payment" })]
	require.Equal(t, []string{"Failed", "Denied", "Canceled"}, payment.Final, "a Paid payment can come back")
	require.Equal(t, "/_sandbox/integrations/{i}/payments/{id}/approve", payment.Moves[1].By)
	require.False(t, list.Machines[len(list.Machines)-1].Taped)
}

// TestWhoLooksMovesNothing: the read-only token opens every GET and nothing else,
// and shows no secret.
func TestWhoLooksMovesNothing(t *testing.T) {
	t.Parallel()
	s := start(t, func(o *control.Options, i *integration.Options) {
		o.Token, o.ReadToken, i.WebhookSecret = "hush", "look", "whsec-quiet"
		i.WebhookURL = "http://127.0.0.1:3000/hooks/t0k3n4t0k3n5t0k3n6t0k3n?key=0pens-the-door"
	})
	for _, op := range s.control.Operations() {
		got := s.ask(op.Method, filled(op.Path), nil, "Authorization", "Bearer look")
		if op.Method == http.MethodGet {
			require.NotContains(t, []int{http.StatusUnauthorized, http.StatusForbidden}, got.Code, op.Path)
			require.NotContains(t, got.Body.String(), "sandbox-secret", op.Path)
			require.NotContains(t, got.Body.String(), "whsec-quiet", op.Path)
			require.NotContains(t, got.Body.String(), "t0k3n4", "the secret part of a receiver's address: %s", op.Path)
			require.NotContains(t, got.Body.String(), "0pens", "the secret part of a receiver's address: %s", op.Path)
			continue
		}
		require.Equal(t, http.StatusForbidden, got.Code, "%s %s", op.Method, op.Path)
		require.Contains(t, got.Body.String(), "wants the control token")
	}
	require.Equal(t, http.StatusOK, s.ask(http.MethodHead, at("/clock"), nil, "Authorization", "Bearer look").Code)
	require.Equal(t, http.StatusUnauthorized, s.ask(http.MethodGet, at("/clock"), nil, "Authorization", "Bearer loo").Code)
	require.True(t, strings.Contains(s.ask(http.MethodGet, at(""), nil, "Authorization", "Bearer hush").Body.String(), "sandbox-secret"))
	require.Equal(t, http.StatusUnauthorized, start(t, func(o *control.Options, _ *integration.Options) { o.Token = "hush" }).
		ask(http.MethodGet, at("/clock"), nil, "Authorization", "Bearer ").Code, "no read-only token is none")
}
