package api_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/tape"
)

// TestHeadersOnTheTape: those that show who calls, in a fixed order, without
// what a Referer's query may hold; and a replay has them again.
func TestHeadersOnTheTape(t *testing.T) {
	t.Parallel()
	s := start(t, integration.Options{})
	s.ok(http.MethodGet, companyList, "",
		"Sec-Fetch-Mode", "cors", "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Dest", "empty", "Origin", "https://shop.example",
		"Referer", "https://shop.example/pay?token=hush&hush&%zzhush=1#hush", "User-Agent", "browser", "Cookie", "hush")
	s.ok(http.MethodGet, companyList, "", "Referer", "https://shop.example/#hush")
	list := s.entries(tape.KindExchange)
	got := list[len(list)-2].Exchange.Request.Header
	require.Equal(t, []tape.Header{
		{Name: "User-Agent", Value: "browser"},
		{Name: "Origin", Value: "https://shop.example"},
		{Name: "Referer", Value: "https://shop.example/pay?token=xxx&xxx&xxx"},
		{Name: "Sec-Fetch-Site", Value: "cross-site"},
		{Name: "Sec-Fetch-Mode", Value: "cors"},
	}, got[len(got)-5:])
	require.NotContains(t, jsonl(t, list), "hush")
	require.Equal(t, jsonl(t, s.entries()), jsonl(t, replayed(t, integration.Options{}, s.entries())))
}

// TestUnlistedHeaderWithASecretIsOnTheTape: a header of any name that holds the client
// secret or a token is there without it, so that a clause can name it; and a replay has
// it again.
func TestUnlistedHeaderWithASecretIsOnTheTape(t *testing.T) {
	t.Parallel()
	o := integration.Options{ClientID: "shop", ClientSecret: "kP4-unsaid-77qz"}
	s := start(t, o)
	s.ok(http.MethodGet, companyList, "", "X-Client-Secret", "v1 "+o.ClientSecret, "Cookie", "theme=dark; session="+s.token, "X-Shop", "hall")
	list := s.entries(tape.KindExchange)
	got := list[len(list)-1].Exchange.Request.Header
	last := got[len(got)-2:]
	require.Equal(t, "Cookie", last[0].Name)
	require.Contains(t, last[0].Value, "theme=dark; session=eyJ")
	require.Equal(t, tape.Header{Name: "X-Client-Secret", Value: "v1 [secret]"}, last[1])
	require.NotContains(t, jsonl(t, list), s.token)
	require.Equal(t, jsonl(t, s.entries()), jsonl(t, replayed(t, o, s.entries())))
}
