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
