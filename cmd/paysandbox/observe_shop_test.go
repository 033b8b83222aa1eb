package main

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/fixtures"
	"paysandbox/harness/sampling"
	"paysandbox/harness/verdict"
)

// shopPolicies are what a shop that knows the README alone does in one way or another,
// with a clause that has to be named for it; none for what is careful.
var shopPolicies = map[string]string{
	"": "",
	// How it waits, calls and signs in.
	"equal-jitter": "", "full-jitter": "", "decorrelated": "", "slow-pauses": "", "gives-up-early": "", "patient": "", "brisk": "",
	"half-life": "", "charset": "", "spaced": "", "closes": "", "long-agent": "", "three-tills": "", "polls-gently": "",
	// What it says of a sale.
	"national-number": "", "describes": "", "short-reference": "",
	// How it hears of events, and what it makes of them.
	"later": "", "queue": "", "slow-books": "", "accepted": "", "no-content": "", "says-ok": "", "forbidden": "", "bad-request": "",
	"keys": "", "polls": "", "rereads": "", "by-event": "", "slow-reversal": "", "looks-too": "", "says-more": "", "events-alone": "",

	// What a session is too short to show, and the report says so.
	"random-second": "", "no-renewal": "",

	"token-each": "partner.token.reuse", "no-refresh": "partner.token.recover", "token-in-address": "partner.token.out-of-urls",
	"secret-header": "partner.token.out-of-urls", "token-cookie": "partner.token.out-of-urls",
	"token-logged": "partner.privacy.output", "secret-logged": "partner.privacy.output", "no-agent": "partner.client.user-agent",
	"no-pause": "partner.retry.pause", "no-sleep": "partner.retry.pause", "doubled-exact": "partner.retry.backoff", "constant-jitter": "partner.retry.backoff", "herd": "partner.retry.backoff",
	"key-each-try": "partner.idempotency.same-key", "no-backoff": "partner.retry.backoff", "constant": "partner.retry.backoff", "one-key": "partner.idempotency.fresh-key", "even-pauses": "partner.retry.backoff",
	"level-pauses": "partner.retry.backoff", "half-waits": "partner.retry.after", "hurries": "partner.client.timeout",
	"token-encoded": "partner.privacy.output", "born": "partner.privacy.free-text", "decoded": "partner.webhook.unknown-member",
	"hasty": "partner.retry.after", "stubborn": "partner.retry.not-4xx", "impatient": "partner.client.timeout",
	"no-timeout": "partner.client.timeout", "hot-polling": "partner.polling.gentle", "polls-hot": "partner.polling.gentle", "blind-repeat": "partner.outcome.resolved",
	"first-page": "partner.paging.complete", "cancels-again": "partner.payment.cancel-conflict",
	"charges-unverified": "partner.company.verified-first",
	"dollars":            "partner.amount.cents", "misspelt": "partner.body.known-members", "no-reference": "partner.reference.present",
	"same-reference": "partner.reference.unique", "phone-in-reference": "partner.privacy.references",
	"mail-in-reference": "partner.privacy.references", "mail-in-description": "partner.privacy.free-text",
	"no-signature": "partner.webhook.unsigned", "optional-signature": "partner.webhook.unsigned",
	"any-secret": "partner.webhook.wrong-secret", "parsed-bytes": "partner.webhook.raw-bytes",
	"believes-anyway": "partner.webhook.no-follow-up", "unknown-refused": "partner.webhook.unknown-event",
	"strict-members": "partner.webhook.unknown-member", "slow-answer": "partner.webhook.quick",
	"locks-out": "partner.webhook.before-response", "no-dedupe": "partner.webhook.duplicate",
	"racy-dedupe": "partner.webhook.parallel-duplicate", "last-event-wins": "partner.webhook.order", "hears-last": "partner.webhook.order",
	"processing": "partner.payment.paid-first", "on-created": "partner.payment.paid-first",
	"ignore-return": "partner.payment.late-return", "books-twice": "partner.payment.books",
	"endless": "partner.retry.bounded", "endless-fast": "partner.retry.bounded", "sixty": "partner.retry.bounded",
	"unknown-fails": "partner.webhook.unknown-event", "knows-first": "partner.webhook.before-response",
	"card-in-description": "partner.privacy.free-text", "card-in-metadata": "partner.privacy.free-text",
}

// shopLast are the clauses that only the last of the troubles show: they want more sales.
var shopLast = []string{"partner.retry.bounded", "partner.webhook.unknown-event", "partner.webhook.unknown-member"}

// shopSample are those that `make check` watches; `make shops` watches all.
var shopSample = []string{"", "full-jitter", "rereads", "endless-fast", "no-signature", "no-dedupe", "ignore-return", "token-logged", "dollars", "blind-repeat"}

// TestObserveAShopOfAnotherLanguage watches a shop in JavaScript that no hand has fitted
// to the checks: what it does carelessly is named, and nothing is blamed of what is sane.
func TestObserveAShopOfAnotherLanguage(t *testing.T) {
	t.Parallel()
	sampling.OnlyAll(t, "each shop is watched for half a minute")
	node := sampling.Needs(t, "node", "the shop is written in JavaScript")
	company, err := fixtures.Payload("company-create")
	require.NoError(t, err)
	var compact bytes.Buffer
	require.NoError(t, json.Compact(&compact, company))
	all := os.Getenv("PAYSANDBOX_SHOP") == "all"
	for policy, clause := range shopPolicies {
		if !all && !slices.Contains(shopSample, policy) {
			continue
		}
		t.Run("shop "+policy, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "report.json")
			var said bytes.Buffer
			uses, sales := "webhooks", "80"
			if slices.Contains(shopLast, clause) || policy == "herd" { // its pauses end with the clock's quarters: few of them may by chance
				sales = "160"
			}
			if strings.HasPrefix(policy, "polls") && policy != "polls-gently" {
				uses = "polling"
			}
			run(t.Context(), []string{
				"observe", "--uses", uses, "--environment", "rehearsal", "--format", "json=" + file, "--",
				"env", "SHOP_COMPANY=" + compact.String(), "SHOP_SALES=" + sales, "SHOP_POLICY=" + policy,
				node, filepath.Join("..", "..", "harness", "partner", "testdata", "shop.js"),
			}, none, io.Discard, &said)
			r, err := savedReport(file)
			require.NoError(t, err, said.String())
			// A shop that signs in no second time does not even begin to sell; no other dies.
			require.Equal(t, policy == "no-refresh", strings.Contains(said.String(), "the observed command failed"), said.String())
			// What blocks nothing is named and fails the run all the same.
			require.False(t, r.Readiness.Ready && (clause == "" && r.ExitCode != verdict.CodeMet || clause != "" && r.ExitCode != verdict.CodeFailed), said.String())
			failed := failures(r)
			t.Logf("%s: expected %q, named %q", policy, clause, failed)
			if clause == "" {
				require.Empty(t, failed, said.String())
			} else {
				require.True(t, slices.Contains(failed, clause), "%v\n%s", failed, said.String())
			}
		})
	}
}
