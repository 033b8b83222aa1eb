package excerpt_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/read/excerpt"
	"paysandbox/harness/replay/recording"
	"paysandbox/mockserver/tape"
)

// TestCutTokens: of a call that was refused it is noted that it carries the beginning alone of the token that was granted last.
func TestCutTokens(t *testing.T) {
	t.Parallel()
	const whole = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJwYXljb2xsZWN0In0.c2lnbmF0dXJl"
	cut := func(sent string, status int, others ...recording.Exchange) int {
		r := &recording.Recording{Exchanges: append([]recording.Exchange{
			{Path: "/auth/token", Answer: recording.Answer{Known: recording.Whole, Status: 200, Body: []byte(`{"accessToken":"` + whole + `"}`)}},
			{Path: "/Company/List", Place: recording.Place{Source: "a"}, Header: []tape.Header{{Name: "Authorization", Value: "Bearer " + sent}}, Answer: recording.Answer{Status: status}},
		}, others...)}
		excerpt.Read(nil, r)
		return r.Exchanges[1].TokenCut
	}
	require.Equal(t, 60, cut(whole[:60], 401))
	require.Zero(t, cut(whole, 401), "it is whole")
	require.Zero(t, cut(whole[:60], 200), "it was admitted")
	require.Zero(t, cut(whole[:37], 401), "the first part is that of all tokens")
	require.Zero(t, cut(whole[:57]+"...", 401), "the file has struck out the rest")
	require.Zero(t, cut(strings.ToLower(whole[:60]), 401), "it is another")
	admitted := func(file string) recording.Exchange {
		return recording.Exchange{Path: "/Company/List", Place: recording.Place{Source: file}, Header: []tape.Header{{Name: "Authorization", Value: "Bearer " + whole[:50]}}, Answer: recording.Answer{Status: 200}}
	}
	require.Zero(t, cut(whole[:60], 401, admitted("a")), "the file cuts all of them")
	require.Equal(t, 60, cut(whole[:60], 401, admitted("b")))
}
