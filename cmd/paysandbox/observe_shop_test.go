package main

import (
	"bytes"
	"encoding/json"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/fixtures"
	"paysandbox/harness/sampling"
)

// shopVariants are what a shop that knows the README alone does in one way or another,
// with a clause that has to be named for it; none for what is careful.
var shopVariants = map[string]string{
	"": "", "equal-jitter": "", "later": "", "accepted": "", "full-jitter": "", "national-number": "",
	"no-signature": "partner.webhook.unsigned", "parsed-bytes": "partner.webhook.raw-bytes", "no-dedupe": "partner.webhook.duplicate",
	"ignore-return": "partner.payment.late-return", "unknown-refused": "partner.webhook.unknown-event", "token-each": "partner.token.reuse",
	"token-in-address": "partner.token.out-of-urls", "token-logged": "partner.privacy.output", "no-agent": "partner.client.user-agent",
	"processing": "partner.payment.paid-first", "hasty": "partner.retry.after",
	"blind-repeat": "partner.outcome.resolved", "dollars": "partner.amount.cents", "no-reference": "partner.reference.present",
}

// TestObserveAShopOfAnotherLanguage watches a shop in JavaScript that no hand has fitted
// to the checks: what it does carelessly is named, and nothing is blamed of what is sane.
func TestObserveAShopOfAnotherLanguage(t *testing.T) {
	t.Parallel()
	sampling.OnlyAll(t, "each of 20 shops is watched for half a minute")
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("SKIPPED: node is not installed, and the shop is written in JavaScript")
	}
	company, err := fixtures.Payload("company-create")
	require.NoError(t, err)
	var compact bytes.Buffer
	require.NoError(t, json.Compact(&compact, company))
	for variant, clause := range shopVariants {
		t.Run("shop "+variant, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "report.json")
			var said bytes.Buffer
			run(t.Context(), []string{
				"observe", "--format", "json=" + file, "--", "env", "SHOP_COMPANY=" + compact.String(), "SHOP_SALES=45",
				node, filepath.Join("..", "..", "harness", "partner", "testdata", "shop.js"), "--variant", variant,
			}, none, io.Discard, &said)
			r, err := savedReport(file)
			require.NoError(t, err, said.String())
			require.NotContains(t, said.String(), "the observed command failed")
			require.False(t, r.Readiness.Ready && clause != "")
			failed := failures(r)
			if clause == "" {
				require.Empty(t, failed, said.String())
			} else {
				require.True(t, slices.Contains(failed, clause), "%v\n%s", failed, said.String())
			}
		})
	}
}
