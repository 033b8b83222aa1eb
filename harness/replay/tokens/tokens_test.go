package tokens_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/recording"
	"paysandbox/harness/replay/tokens"
	"paysandbox/mockserver/tape"
)

// call is one of some second, with a token, and what was answered.
func call(second int, method, path, token string, status int, body string) recording.Exchange {
	x := recording.Exchange{
		Method: method, Path: path, Host: "a.example", Begin: time.Date(2026, 3, 2, 17, 0, second, 0, time.UTC),
		Answer: recording.Answer{Known: recording.Whole, Status: status, Body: []byte(body)},
	}
	if token != "" {
		x.Header = []tape.Header{{Name: "Authorization", Value: "Bearer " + token}}
	}
	return x
}

// TestARefusedToken: whether a call that was refused was made again and served, was the only one, or was made with the same token again
// and again.
func TestARefusedToken(t *testing.T) {
	t.Parallel()
	r := &recording.Recording{Exchanges: []recording.Exchange{
		call(0, "POST", "/Authentication/Token", "", 200, `{"accessToken":"old-token-1"}`),
		call(1, "POST", "/Payment/Create", "old-token-1", 401, `{}`),
		call(2, "POST", "/Authentication/Token", "", 200, `{"accessToken":"new-token-2"}`),
		call(3, "POST", "/Payment/Create", "new-token-2", 200, `{}`),
		call(4, "GET", "/Company/List", "old-token-1", 401, `{}`),
		call(5, "GET", "/Company/List", "old-token-1", 401, `{}`),
		call(59, "GET", "/Company/List", "old-token-1", 401, `{}`),
	}}
	require.True(t, tokens.Recovered(r, 1))
	require.False(t, tokens.Recovered(r, 4))
	require.False(t, tokens.Persisted(r, 3))
	require.True(t, tokens.Persisted(r, 4), "twice more")
	require.False(t, tokens.OnlyRead(r, 4), "the next was refused, too")
	require.Equal(t, 2, tokens.GrantedBefore(r, 4))
	require.Equal(t, -1, tokens.GrantedBefore(r, 0))
	require.False(t, tokens.Kept(r, 4), "times are told")
	for i := range r.Exchanges {
		r.Exchanges[i].Begin = time.Time{}
	}
	require.False(t, tokens.Kept(r, 4), "nothing that is shown was served with it")
	r.Exchanges[3].Header = r.Exchanges[1].Header
	require.True(t, tokens.Kept(r, 4))
}

// TestATokenOfAnotherHost was refused by the host that has not granted it.
func TestATokenOfAnotherHost(t *testing.T) {
	t.Parallel()
	r := &recording.Recording{Exchanges: []recording.Exchange{
		call(0, "POST", "/Authentication/Token", "", 200, `{"accessToken":"token-1"}`),
		call(1, "GET", "/Company/List", "token-1", 401, `{}`),
	}}
	require.Empty(t, tokens.OfOtherHosts(r))
	r.Exchanges[0].Host = "rehearsal.example"
	require.Equal(t, []tokens.Foreign{{Granted: 0, Call: 1}}, tokens.OfOtherHosts(r))
}

// TestWhatAnAnswerSaysOfAToken: that it had ended, or that none came.
func TestWhatAnAnswerSaysOfAToken(t *testing.T) {
	t.Parallel()
	for body, want := range map[string][2]string{
		`{"detail":"The access token expired."}`:   {"access token expired", ""},
		`{"message":"no authorization header"}`:    {"", "no authorization header"},
		`{"title":"Unauthorized","amount":"none"}`: {"", ""},
	} {
		x := call(0, "GET", "/Company/List", "", 401, body)
		require.Equal(t, want, [2]string{tokens.SaysEnded(&x), tokens.SaysNone(&x)}, body)
	}
}
