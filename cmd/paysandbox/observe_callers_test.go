package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/tape"
)

func TestCallersAreNamedByTheirUserAgents(t *testing.T) {
	t.Parallel()
	as := func(kind tape.Kind, agent string) tape.Entry {
		e := tape.Entry{Kind: kind, Exchange: &tape.Exchange{}}
		e.Exchange.Request.Header = []tape.Header{{Name: "User-Agent", Value: agent}}
		return e
	}
	shop := as(tape.KindExchange, "shop/1.2")
	require.Equal(t, "whoever called", callers(nil))
	require.Equal(t, "whoever called", callers([]tape.Entry{as(tape.KindControl, "harness/1"), as(tape.KindExchange, "red\x1b[31m"), {Kind: tape.KindMessage}}))
	require.Equal(t, "whoever called as shop/1.2, cron", callers([]tape.Entry{shop, shop, as(tape.KindExchange, "cron")}))
	require.Equal(t, "whoever called as shop/1.2, a, b", callers([]tape.Entry{shop, as(tape.KindExchange, "a"), as(tape.KindExchange, "b"), as(tape.KindExchange, "c")}))
}
