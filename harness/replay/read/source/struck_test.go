package source_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// joined is what a call is told to have carried, and what the answer before it granted, where a file shows parts of both.
func joined(granted, carried string) (bearer, token string) {
	p := &source.Part{Recording: recording.Recording{Exchanges: []recording.Exchange{
		{Path: "/Authentication/Token", Answer: recording.Answer{Known: recording.Whole, Status: 200, Body: []byte(`{"accessToken":"` + granted + `"}`)}},
		{Path: "/Company/List", Header: []tape.Header{{Name: "Authorization", Value: "Bearer " + carried}}},
	}}}
	source.JoinStruck(p)
	return source.Header(p.Exchanges[1].Header, "Authorization"), trail.ReadBody(p.Exchanges[0].Answer.Body).Text("accessToken")
}

// TestTheEndsOfATokenTellWhichItIs: a logger that leaves the end of each token shows which one a call has carried, whatever it has
// put in the rest's place.
func TestTheEndsOfATokenTellWhichItIs(t *testing.T) {
	t.Parallel()
	for _, shown := range [][2]string{
		{"eyJhbG…qFSnzs", "eyJhbG…qFSnzs"},
		{`eyJhbG\u2026qFSnzs`, "eyJhbG…qFSnzs"},
		{"eyJhbG…qFSnzs", "…qFSnzs"},
		{"****qFSnzs", "eyJhbG...qFSnzs"},
		{"eyJ***qFSnzs", "eyJhbGciOi[...]qFSnzs"},
		{"eyJ<cut>qFSnzs", "eyJ••••qFSnzs"},
		{"eyJhbG...", "eyJhbG...qFSnzs"},
	} {
		bearer, token := joined(shown[0], shown[1])
		require.Equal(t, "token-that-ends-in-qFSnzs", token, shown)
		require.Equal(t, "Bearer "+token, bearer, shown)
	}
}

// TestABeginningTellsNoToken: all tokens of a service begin alike, and what begins or ends otherwise is another one.
func TestABeginningTellsNoToken(t *testing.T) {
	t.Parallel()
	for _, shown := range [][2]string{
		{"eyJhbG…qFSnzs", "eyJhbG…"},
		{"eyJhbG…qFSnzs", "eyJhbG…HEVVsw"},
		{"eyJhbG…qFSnzs", "kfJhbG…qFSnzs"},
		{"eyJhbG…qFSnzs", "********"},
		{"eyJhbG…", "eyJhbG…"},
		{"********", "eyJhbG…qFSnzs"},
		{"eyJhbG…qFSnzs", "<token>"},
	} {
		bearer, _ := joined(shown[0], shown[1])
		require.Equal(t, "Bearer "+shown[1], bearer, shown)
	}
}

// FuzzJoinStruck: whatever a file shows of tokens, an answer stays what it was but for its token, and a call carries what was shown of it
// or what stands for the token that was granted.
func FuzzJoinStruck(f *testing.F) {
	f.Add("eyJhbG…qFSnzs", "eyJhbG…qFSnzs")
	f.Add("[...]qFSnzs", "eyJ<removed>qFSnzs")
	f.Add("", "…")
	f.Fuzz(func(t *testing.T, granted, carried string) {
		p := &source.Part{Recording: recording.Recording{Exchanges: []recording.Exchange{
			{Answer: recording.Answer{Known: recording.Whole, Status: 200, Body: trail.Quote(map[string]string{"accessToken": granted, "tokenType": "Bearer"})}},
			{Header: []tape.Header{{Name: "Authorization", Value: "Bearer " + carried}}},
		}}}
		source.JoinStruck(p)
		b := trail.ReadBody(p.Exchanges[0].Answer.Body)
		require.Equal(t, "Bearer", b.Text("tokenType"))
		if got := source.Header(p.Exchanges[1].Header, "Authorization"); got != "Bearer "+carried {
			require.Equal(t, "Bearer "+b.Text("accessToken"), got)
		}
	})
}
