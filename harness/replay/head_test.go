package replay_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay"
	"paysandbox/harness/replay/read"
	"paysandbox/harness/sampling"
)

// TestTheHeadSaysWhatTheyWriteAbout: where nobody did anything wrong, the five lines tell what happened all the same, and no
// more of the evidence than there is.
func TestTheHeadSaysWhatTheyWriteAbout(t *testing.T) {
	sampling.NotRaced(t, "TestCorpus and TestCallsThatMet replay with it")
	t.Parallel()
	s := sandbox(t)
	for file, want := range map[string][]string{
		"innocent-returned-late/dashboard.har":  {"nothing did, but Paid was not final: the bank took back the payment 58b095ad-9330-49bf-a987-73268c19e00d, before call 6 shows Failed, on 2026-03-05 at the latest", "6 of 6 calls with what was sent and answered", "when Failed comes after Paid, take back what was given for it"},
		"innocent-scheduled/due.har":            {"nothing did, but call 3 asked for dueDate 2026-03-20, so the payment e82a0e85-c31e-4549-a21a-cb1b88147e15 stays Scheduled until then", "send no dueDate for a payment that is to be collected at once"},
		"innocent-debit-covers/calls.jsonl":     {"the debit authorisation that call 3 asked for covers the payment 7d355eb1-9002-48b0-b275-7346a13b3300 of call 5", "--latitude auto-debit=ask"},
		"company-unverified-yet/calls.jsonl":    {"nothing did, but the company 42cd9c81-2314-42a5-97e3-50f4ab405951 is Unverified at call 3, the last that shows its status, 2h5m after call 1 made it: a verification takes up to 24 hours, here until 2026-03-03 17:00 UTC", "stays Unverified for up to 24 hours is usual"},
		"innocent-late-return/webhooks.jsonl":   {"Paid was not final", ", on 2026-03-"},
		"blind-lambda-outage/logs-insights.csv": {"nothing did, but the service was away, and said so: POST /Payment/Create was answered with 503 (calls 3, 4, 5); made again, it went well (call 6)", "it was right to make the call again"},
	} {
		c := made(t, s, []string{"../../fixtures/reports/" + file}, read.Options{})
		text := strings.Join(c.Diagnosis.Lines, "\n")
		require.Len(t, c.Diagnosis.Lines, 5)
		for _, part := range want {
			require.Contains(t, text, part, file)
		}
		require.NotContains(t, text, "every judged call is as the specification has it")
	}
}

// TestTheHeadNamesWhatWasMeant: the amount in cents of one in dollars, and the payment of which the caller did not know; an
// amount that is a number of cents is not said to be none.
func TestTheHeadNamesWhatWasMeant(t *testing.T) {
	sampling.NotRaced(t, "TestCorpus and TestCallsThatMet replay with it")
	t.Parallel()
	s := sandbox(t)
	for file, want := range map[string]string{
		"struck-token-har/sandbox.har":             "49.9 dollars are 4990 cents",
		"location-unknown/session.har":             "locationIds in call 2's answer, d3d38c6f-c02c-44a2-a790-4dfee689ab8b",
		"amount-as-text":                           "50.00 dollars are 5000 cents",
		"double-charge":                            "whether call [0-9]+ made a payment|had made the payment",
		"blind-datadog-refund/datadog-export.json": `give back its amount at most\.`,
		"blind-guzzle-zip/laravel-2026-03-02.log":  "company.create.zip",
		"newman-unknown-payer":                     "the specification leaves open, and the service chose unknown-body-ids=404",
		"blind-laravel-phone/laravel.log":          "First went wrong: call 4, (?s:.*)the request has no registrationId, contactNumber or emailAddress",
	} {
		files, err := filepath.Glob("../../fixtures/reports/" + file)
		require.NoError(t, err)
		if filepath.Ext(file) == "" {
			files, err = filepath.Glob("../../fixtures/reports/" + file + "/*.[jh]*")
			require.NoError(t, err)
		}
		require.Regexp(t, want, strings.Join(made(t, s, files, read.Options{}).Diagnosis.Lines, "\n"), file)
	}
}

// TestWhatCameTwiceIsMinimised to the two deliveries.
func TestWhatCameTwiceIsMinimised(t *testing.T) {
	t.Parallel()
	s := sandbox(t)
	c := made(t, s, []string{"../../fixtures/reports/twice-fulfilled/app.log", "../../fixtures/reports/twice-fulfilled/calls.jsonl"}, read.Options{})
	small, result, err := c.Minimise(t.Context(), "", replay.Options{Sandbox: s})
	require.NoError(t, err)
	require.Equal(t, "partner.webhook.duplicate", small.Diagnosis.Fault.Clause)
	require.LessOrEqual(t, result.After, 4)
}

// TestADeliveryIsAScenario: what a receiver did wrong is told by the event, and how it was delivered.
func TestADeliveryIsAScenario(t *testing.T) {
	t.Parallel()
	s := sandbox(t)
	for name, c := range map[string]struct {
		files, want []string
		secret      string
	}{
		"refused, and sent again": {[]string{"twice-fulfilled/app.log", "twice-fulfilled/calls.jsonl"}, []string{
			`Given a payment that is "Processing"`, `the receiver answers "500, 200"`, `When "pay" happens to the payment`, "the receiver has got 2 deliveries", "the deliveries have the same body",
		}, ""},
		"unsigned, and taken": {[]string{"unsigned-webhook-taken/calls.jsonl", "unsigned-webhook-taken/webhooks.txt"}, []string{
			`a webhook receiver with the secret "s3cret"`, `the deliveries go wrong by "missing-signature"`, "no delivery is signed",
		}, "whsec-of-the-shop"},
		"returned late, and ignored": {[]string{"late-return-ignored/app.log"}, []string{
			`Given a payment that is "Paid"`, `When "return" happens to the payment`, "# its log tells that it did nothing: ", "the receiver has got 1 delivery",
		}, ""},
	} {
		for i := range c.files {
			c.files[i] = "../../fixtures/reports/" + c.files[i]
		}
		whole := made(t, s, c.files, read.Options{WebhookSecret: c.secret, ReceivedComplete: c.secret != ""})
		small, _, err := whole.Minimise(t.Context(), "", replay.Options{Sandbox: s})
		require.NoError(t, err, name)
		for _, one := range []*replay.Case{whole, small} {
			text, err := os.ReadFile(inForm(t, s, one, "feature", "case.feature"))
			require.NoError(t, err, name)
			for _, part := range c.want {
				require.Contains(t, string(text), part, name)
			}
			require.Equal(t, 1, strings.Count(string(text), "When "), name)
		}
	}
}

// TestWhatShowsAFaultStaysInIt: a fault that the files show by themselves is not kept by what leaves out the call that shows it.
func TestWhatShowsAFaultStaysInIt(t *testing.T) {
	t.Parallel()
	s := sandbox(t)
	c := made(t, s, []string{"../../fixtures/reports/amount-in-dollars/ticket.txt"}, read.Options{})
	small, _, err := c.Minimise(t.Context(), "", replay.Options{Sandbox: s})
	require.NoError(t, err)
	require.NotEmpty(t, small.Script.Steps)
	require.Contains(t, string(small.Script.Steps[len(small.Script.Steps)-1].Call.Exchange.Body), `"amount":85`)
}

// TestMannersStandBehind what went wrong, in the list of all of it as in the head.
func TestMannersStandBehind(t *testing.T) {
	t.Parallel()
	d := made(t, sandbox(t), []string{"../../fixtures/reports/blind-pl-curl-verbose/mail.txt"}, read.Options{}).Diagnosis
	require.Len(t, d.Faults, 2)
	require.Equal(t, "request.integer", d.Faults[0].Clause)
	require.Equal(t, "partner.reference.present", d.Faults[1].Clause)
}

// TestWebhooksAreNumberedAnew where minimising has left some out: an assumption names the one that shows it by its number now.
func TestWebhooksAreNumberedAnew(t *testing.T) {
	sampling.NotRaced(t, "TestCorpus and TestCallsThatMet replay with it")
	t.Parallel()
	s := sandbox(t)
	c := made(t, s, []string{"../../fixtures/reports/cancel-after-told/calls.jsonl"}, read.Options{})
	require.Contains(t, strings.Join(c.Assumptions, "\n"), ", before webhook 2 says Processing")
	small, _, err := c.Minimise(t.Context(), "", replay.Options{Sandbox: s})
	require.NoError(t, err)
	var moves []string
	for i := range small.Script.Steps {
		if step := &small.Script.Steps[i]; step.Move != nil {
			moves = append(moves, step.Why)
		}
	}
	require.Regexp(t, "the payer approved the payment .*, before webhook 1 says Processing", strings.Join(moves, "; "))
	require.Len(t, small.Recording.Received, 1)
}
