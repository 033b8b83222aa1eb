package steps_test

import (
	"bytes"
	"sync/atomic"
	"testing"

	"github.com/cucumber/godog"
	"github.com/stretchr/testify/require"

	"paysandbox/harness/steps"
	"paysandbox/mockserver/mocktest"
)

// play runs one feature against a sandbox and gives the status of the suite and
// how many scenarios began.
func play(tb testing.TB, world steps.Config, feature string) (status int, ran int64) {
	tb.Helper()
	var begun atomic.Int64
	suite := godog.TestSuite{
		Name: "feature",
		TestSuiteInitializer: func(sc *godog.TestSuiteContext) {
			steps.Register(sc.ScenarioContext(), world)
		},
		ScenarioInitializer: func(*godog.ScenarioContext) { begun.Add(1) },
		Options: &godog.Options{
			FeatureContents: []godog.Feature{{Name: "x.feature", Contents: []byte(feature)}},
			Strict:          true, Concurrency: 4, Format: "progress", Output: &bytes.Buffer{}, NoColors: true, DefaultContext: tb.Context(),
		},
	}
	return suite.Run(), begun.Load()
}

// Every step that asserts something can fail: each of these scenarios is wrong
// in its last line.
func TestStepsCanFail(t *testing.T) {
	t.Parallel()
	sandbox := mocktest.Start(t, mocktest.Options{})
	world := steps.Config{BaseURL: sandbox.URL, ControlURL: sandbox.URL, Patience: 1}
	for _, wrong := range []string{
		"Given a company\nThen the company is \"Rejected\"",
		"When the partner registers a company with zipCode \"1\"\nThen the call succeeds",
		"When the partner registers a company\nThen the service refuses it as invalid",
		"When the partner registers a company with zipCode \"1\"\nThen the call is refused because of \"state\"",
		"When the partner registers a company with zipCode \"1\"\nThen the call is refused because of \"zipCode\"", // no clause
		"When the partner registers a company\nThen the call is accepted with an advice about \"name\"",
		"When the partner registers a company with name \"nothing\"\nThen the call is accepted without advice",
		"When the partner registers a company\nThen the answer's companyId is \"x\"",
		"When the partner registers a company\nThen the answer's nothing is an id",
		"When the partner registers a company\nThen the answer's locationIds is an id",
		"When the partner registers a company\nThen the answer lists 7 locationIds",
		"When the partner registers a company\nThen the answer is empty",
		"When the partner registers a company\nThen the answer has exactly the members:\n| companyId | id |",
		"When the partner registers a company\nThen the answer's header \"Content-Type\" is \"text/html\"",
		"When the partner lists the companies\nAnd the partner registers a company\nThen both answers are the same",
		"Given a webhook receiver\nWhen the partner registers a company\nThen the receiver has got 2 deliveries",
		"Given a webhook receiver\nWhen the partner registers a company\nThen the deliveries tell of \"Rejected\"",
		"Given a webhook receiver with the secret \"a\"\nWhen the partner registers a company\nThen every delivery is signed with \"b\"",
		"Given a webhook receiver with the secret \"a\"\nWhen the partner registers a company\nThen no delivery is signed",
		"Given a webhook receiver\nWhen the partner registers a company\nThen every delivery is signed with \"\"",
		"Given a payment that is \"Pending\"\nThen the payment is \"Paid\"",
		"Given a payment that is \"Pending\"\nWhen \"pay\" happens to the payment",
		"Given a payment that is \"Pending\"\nWhen \"approve\" is tried on the payment\nThen the move is refused",
		"When the partner registers a terminal payment\nThen no message \"card-payment\" goes out by sms",
		"When the partner registers a terminal payment\nThen the message \"card-payment\" goes out by sms to \"+1\"",
		"When the partner registers a terminal payment\nThen the message \"card-payment\" gives the amount as \"1\"",
		"When the partner lists the companies\nThen the tape knows the caller as \"expired\"",
		"When the partner registers a terminal payment with cardType \"Visa\"\nThen the tape never shows \"Visa\"",
		"Given a payment that is \"Pending\"\nAnd the partner requests a payment\nThen the payer's link to the payment has expired",
		"Given a company\nThen the payment is called \"first\"",
		"Given a payment that is \"Pending\"\nThen the payment is the one called \"first\"",
		"When the partner registers a company with zipCode \"1\"\nThen the call cites the clause \"company.create.state\"",
		"When a step that nobody has defined",
	} {
		feature := "Feature: x\n  Scenario: y\n" + wrong
		status, ran := play(t, world, feature)
		require.EqualValues(t, 1, ran, wrong)
		require.NotZero(t, status, wrong)
	}
}

// Without the control API the plain steps go on with the given credentials, and
// those that need it fail.
func TestStepsWithoutControl(t *testing.T) {
	t.Parallel()
	sandbox := mocktest.Start(t, mocktest.Options{})
	world := steps.Config{BaseURL: sandbox.URL, ClientID: sandbox.ClientID, ClientSecret: sandbox.ClientSecret, Run: "run-7"}
	const plain = `Feature: x
  Scenario: one
    Given a company
    When the partner asks for the company's status
    Then the answer's status is "Verified"
  Scenario: two
    When the partner registers a company
    Then the call succeeds
`
	status, ran := play(t, world, plain)
	require.EqualValues(t, 2, ran)
	require.Zero(t, status)
	status, _ = play(t, world, "Feature: x\n  Scenario: y\n    Given a registered payer\n")
	require.NotZero(t, status)
}

// Scenarios that run at the same time do not see each other.
func TestScenariosAreIsolated(t *testing.T) {
	t.Parallel()
	sandbox := mocktest.Start(t, mocktest.Options{})
	feature := "Feature: x\n  Scenario Outline: y <n>\n    Given a company\n    When the partner lists the companies\n    Then the answer lists 1 companies\n    Examples:\n    | n |\n"
	for range 40 {
		feature += "    | 1 |\n"
	}
	status, ran := play(t, steps.Config{BaseURL: sandbox.URL, ControlURL: sandbox.URL}, feature)
	require.EqualValues(t, 40, ran)
	require.Zero(t, status)
}
