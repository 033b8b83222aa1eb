package unshown_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/recording"
	"paysandbox/harness/replay/unshown"
	"paysandbox/mockserver/tape"
)

// TestWhatAFormLeavesOut: a HAR says nothing of where a token was fetched, a log without signatures nothing of what was signed.
func TestWhatAFormLeavesOut(t *testing.T) {
	t.Parallel()
	har := &recording.Recording{Sources: []recording.Source{{Format: "har"}}}
	require.True(t, unshown.Clause(har, "partner.token.server-side"))
	require.True(t, unshown.Clause(har, "partner.webhook.unsigned"))
	require.False(t, unshown.Clause(har, "partner.amount.cents"))
	har.Exchanges = []recording.Exchange{{Host: "api.example", Header: []tape.Header{{Name: "Origin", Value: "https://shop.example"}}, Body: []byte(`{"clientSecret":"s"}`)}}
	require.False(t, unshown.Clause(har, "partner.token.server-side"), "a page of the partner's own fetched one")
	har.Received = []recording.Received{{Header: []tape.Header{{Name: "X-HMAC-Signature", Value: "sha256=00"}}}}
	require.False(t, unshown.Clause(har, "partner.webhook.unsigned"))
}

// TestWhatFilesLeaveOut: most of their bytes, webhooks that they name, and what was refused.
func TestWhatFilesLeaveOut(t *testing.T) {
	t.Parallel()
	r := &recording.Recording{Sources: []recording.Source{{Name: "a.log", Format: "pasted", Size: 8, Events: 2}, {Name: "b.bin", Format: recording.Unread, Size: 9}}}
	require.True(t, unshown.LittleRead(r))
	require.Len(t, unshown.Events(r), 1)
	require.Equal(t, []string{"what b.bin shows, in a form that is read: no call was found in it"}, unshown.Files(r))
	require.Equal(t, []string{"c.txt once more: it is empty"}, unshown.Files(&recording.Recording{Sources: []recording.Source{{Name: "c.txt", Format: recording.Unread}}}))
	require.Empty(t, unshown.Deliveries(r))
	for name, c := range map[string]struct {
		x       recording.Exchange
		refused bool
	}{
		"shown":               {recording.Exchange{Method: "POST", Body: []byte("{}"), Answer: recording.Answer{Known: recording.Whole, Status: 400}}, false},
		"missing":             {recording.Exchange{Method: "POST", BodyMissing: true, Answer: recording.Answer{Known: recording.Whole, Status: 422}}, true},
		"neither side":        {recording.Exchange{Method: "POST", Answer: recording.Answer{Known: recording.WithoutBody, Status: 400}}, true},
		"for what it was not": {recording.Exchange{Method: "POST", BodyMissing: true, Answer: recording.Answer{Known: recording.Whole, Status: 401}}, false},
	} {
		require.Equal(t, c.refused, unshown.Refused(&c.x), name)
	}
}
