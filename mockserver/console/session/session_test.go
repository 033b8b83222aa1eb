package session_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/console/session"
)

// of is who a cookie's value says has signed in.
func of(t *testing.T, s *session.Sessions, value string) string {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/console", http.NoBody)
	r.Header.Set("Cookie", s.Name()+"="+value)
	_, who := s.Of(r)
	return who
}

func idOf(value string) string {
	id, _, _ := strings.Cut(value, ".")
	return id
}

// TestASessionEnds when it is signed out of, after a week, and when far too many were
// signed out of, which nobody does: nothing grows.
func TestASessionEnds(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 2, 17, 0, 0, 500, time.UTC)
	s := session.New("", func() time.Time { return now })
	one, two := s.Begin("all"), s.Begin("look")
	require.Equal(t, []string{"all", "look"}, []string{of(t, s, one), of(t, s, two)})
	s.End(idOf(one))
	require.Equal(t, []string{"", "look"}, []string{of(t, s, one), of(t, s, two)})
	now = now.Add(session.Lasts - time.Second)
	require.Equal(t, []string{"", "look"}, []string{of(t, s, one), of(t, s, two)})
	young := s.Begin("all")
	now = now.Add(time.Second)
	require.Empty(t, of(t, s, two), "a week is over")
	for range 10_000 {
		s.End(idOf(s.Begin("look")))
	}
	require.LessOrEqual(t, s.Ended(), 4096)
	require.Empty(t, of(t, s, one)+of(t, s, two)+of(t, s, young), "none comes back")
	now = now.Add(2 * time.Second)
	require.Equal(t, "all", of(t, s, s.Begin("all")))
}

// TestSessionsOfOthers are not taken: neither another process' nor one that somebody has
// put together of what he was given.
func TestSessionsOfOthers(t *testing.T) {
	t.Parallel()
	s, other := session.New("", time.Now), session.New("", time.Now)
	look, another := s.Begin("look"), s.Begin("look")
	id, sum, _ := strings.Cut(look, ".")
	_, second, _ := strings.Cut(another, ".")
	for _, value := range []string{
		"", ".", id, id + ".", "." + sum, id + "." + second, strings.Replace(look, "look-", "all-", 1), strings.Replace(look, "look-", "", 1),
		look + ".", look + "x", look + "=", strings.ToLower(look), id + "." + s.Form(id), "." + s.Form(""), "name." + s.Name(), other.Begin("all"),
	} {
		require.Empty(t, of(t, s, value), value)
	}
	require.Equal(t, "look", of(t, s, look))
	require.NotEqual(t, s.Form(id), s.Form(idOf(another)))
}

// TestSessionsOfAll who know the same are each other's, and guessing what that is takes
// long, even for who has been shown what is made of it.
func TestSessionsOfAll(t *testing.T) {
	t.Parallel()
	one, two, changed := session.New("a\x00b", time.Now), session.New("a\x00b", time.Now), session.New("a\x00c", time.Now)
	value := one.Begin("all")
	require.Equal(t, one.Name(), two.Name())
	require.Equal(t, "all", of(t, two, value))
	require.Empty(t, of(t, changed, value), "a token that was changed takes its sessions along")
	began := time.Now()
	session.New("guess", time.Now).Name()
	require.Greater(t, time.Since(began), 20*time.Millisecond)
}
