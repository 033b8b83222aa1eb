package latitude_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/latitude"
)

// constants are all typed choices with the permanent names they stand for, in
// ledger order.
var constants = []struct {
	choice latitude.Choice
	text   string
}{
	{latitude.RequestNamesAnyCase, "request-names=any-case"},
	{latitude.RequestNamesCamelOnly, "request-names=camel-only"},
	{latitude.ResponseNamesCamel, "response-names=camel"},
	{latitude.ResponseNamesPascal, "response-names=pascal"},
	{latitude.PathsAnyCase, "paths=any-case"},
	{latitude.PathsReferenceOnly, "paths=reference-only"},
	{latitude.ExtraResponseFieldsNone, "extra-response-fields=none"},
	{latitude.ExtraResponseFieldsOne, "extra-response-fields=one"},
	{latitude.FieldOrderDeclared, "field-order=declared"},
	{latitude.FieldOrderShuffled, "field-order=shuffled"},
	{latitude.ListOrderCreation, "list-order=creation"},
	{latitude.ListOrderReversed, "list-order=reversed"},
	{latitude.NullOrAbsentNull, "null-or-absent=null"},
	{latitude.NullOrAbsentAbsent, "null-or-absent=absent"},
	{latitude.UnknownBodyFieldsIgnored, "unknown-body-fields=ignored"},
	{latitude.UnknownBodyFieldsRefused, "unknown-body-fields=refused"},
	{latitude.NumberStringsRefused, "number-strings=refused"},
	{latitude.NumberStringsAccepted, "number-strings=accepted"},
	{latitude.CompanyPathRefEither, "company-path-ref=either"},
	{latitude.CompanyPathRefReferenceOnly, "company-path-ref=reference-only"},
	{latitude.DatesSeconds, "dates=seconds"},
	{latitude.DatesMillis, "dates=millis"},
	{latitude.TokenLifetimeHour, "token-lifetime=3600"},
	{latitude.TokenLifetimeMinute, "token-lifetime=60"},
	{latitude.TokenLifetimeTenMinutes, "token-lifetime=600"},
	{latitude.TokenLifetimeDay, "token-lifetime=86400"},
	{latitude.TokenRefusalUnauthorised, "token-refusal=401"},
	{latitude.TokenRefusalBadRequest, "token-refusal=400"},
	{latitude.UnauthorisedProblem, "unauthorised=problem-details"},
	{latitude.UnauthorisedEmptyBody, "unauthorised=empty-body"},
	{latitude.TokenPathsBoth, "token-paths=both"},
	{latitude.TokenPathsReferenceOnly, "token-paths=reference-only"},
	{latitude.DuplicateReferenceBadRequest, "duplicate-reference=400"},
	{latitude.DuplicateReferenceConflict, "duplicate-reference=409"},
	{latitude.ZipHyphenOptional, "zip=optional-hyphen"},
	{latitude.ZipPlusFourOnly, "zip=plus-four-only"},
	{latitude.PhoneValid, "phone=valid"},
	{latitude.PhonePossible, "phone=possible"},
	{latitude.CompanyStatusTargetDefault, "company-status-target=default-company"},
	{latitude.CompanyStatusTargetMostRecent, "company-status-target=most-recent"},
	{latitude.KYBSandboxEvent, "kyb-sandbox=event"},
	{latitude.KYBSandboxNoEvent, "kyb-sandbox=no-event"},
	{latitude.KYBRehearsalSeeded, "kyb-rehearsal=seeded"},
	{latitude.KYBRehearsalAtOnce, "kyb-rehearsal=at-once"},
	{latitude.KYBRehearsalAfterReads, "kyb-rehearsal=after-3-reads"},
	{latitude.CollectUnverifiedAccepted, "collect-unverified=accepted"},
	{latitude.CollectUnverifiedRefused, "collect-unverified=refused"},
	{latitude.RegistrationRedirectNone, "registration-redirect=none"},
	{latitude.RegistrationRedirectID, "registration-redirect=registration-id"},
	{latitude.RegistrationRedirectStatus, "registration-redirect=status"},
	{latitude.RegistrationWithPaymentRequest, "registration-with-payment=payment-request"},
	{latitude.RegistrationWithPaymentNone, "registration-with-payment=none"},
	{latitude.AccountMaskAsterisk, "account-mask=asterisk"},
	{latitude.AccountMaskDigits, "account-mask=digits"},
	{latitude.DebitAuthReadOn, "debit-auth-read=on"},
	{latitude.DebitAuthReadOff, "debit-auth-read=off"},
	{latitude.UnknownBodyIDsBadRequest, "unknown-body-ids=400"},
	{latitude.UnknownBodyIDsNotFound, "unknown-body-ids=404"},
	{latitude.IdempotencyIgnored, "idempotency=ignored"},
	{latitude.IdempotencyHonoured, "idempotency=honoured"},
	{latitude.IdempotencyCreateOnly, "idempotency=create-only"},
	{latitude.PaymentMachineLateReturn, "payment-machine=late-return"},
	{latitude.PaymentMachineNoLateReturn, "payment-machine=no-late-return"},
	{latitude.PaymentTimingSeconds, "payment-timing=five-seconds"},
	{latitude.PaymentTimingSlow, "payment-timing=slow"},
	{latitude.PaymentEventAmountNumber, "payment-event=amount-number"},
	{latitude.PaymentEventAmountText, "payment-event=amount-text"},
	{latitude.MetadataShownDetails, "metadata-shown=details"},
	{latitude.MetadataShownNowhere, "metadata-shown=nowhere"},
	{latitude.DetailsShapeFlat, "details-shape=flat"},
	{latitude.DetailsShapeWrapped, "details-shape=wrapped"},
	{latitude.AutoDebitApproves, "auto-debit=approve"},
	{latitude.AutoDebitAsks, "auto-debit=ask"},
	{latitude.CancelVerbPutOrPost, "cancel-verb=put-or-post"},
	{latitude.CancelVerbPutOnly, "cancel-verb=put-only"},
	{latitude.RefundPathEither, "refund-path=either"},
	{latitude.RefundPathPathOnly, "refund-path=path-only"},
	{latitude.ReturnURLEncrypted, "return-url=encrypted"},
	{latitude.ReturnURLPlain, "return-url=plain"},
	{latitude.LinkExpiryNever, "link-expiry=never"},
	{latitude.LinkExpiryDay, "link-expiry=24h"},
	{latitude.LinkExpiryThirtyDays, "link-expiry=30d"},
	{latitude.SavedCardStatusOK, "saved-card-status=200"},
	{latitude.SavedCardStatusPaymentRequired, "saved-card-status=402"},
	{latitude.PlanFailureThree, "plan-failure=3"},
	{latitude.PlanFailureFirst, "plan-failure=1"},
	{latitude.PlanFailureNever, "plan-failure=never"},
	{latitude.SignedBytesLowerHex, "signed-bytes=lower-hex"},
	{latitude.SignedBytesUpperHex, "signed-bytes=upper-hex"},
	{latitude.EventOrderCausal, "event-order=causal"},
	{latitude.EventOrderShuffled, "event-order=shuffled"},
	{latitude.EventOrderDuplicated, "event-order=duplicated"},
	{latitude.EventBeforeResponseNo, "event-before-response=no"},
	{latitude.EventBeforeResponseYes, "event-before-response=yes"},
	{latitude.RetriesScheduled, "retries=scheduled"},
	{latitude.RetriesNone, "retries=none"},
	{latitude.LiveFalse, "live=false"},
	{latitude.LiveTrue, "live=true"},
	{latitude.EventTimestampPresent, "event-timestamp=present"},
	{latitude.EventTimestampAbsent, "event-timestamp=absent"},
	{latitude.DeliveryHeadersNamed, "delivery-headers=named"},
	{latitude.DeliveryHeadersNone, "delivery-headers=none"},
	{latitude.ErrorBodyProblem, "error-body=problem-details"},
	{latitude.ErrorBodyPlainText, "error-body=plain-text"},
	{latitude.ErrorBodyEmpty, "error-body=empty"},
	{latitude.RateLimitNone, "rate-limit=none"},
	{latitude.RateLimitTen, "rate-limit=10/s"},
	{latitude.RateLimitHundred, "rate-limit=100/s"},
	{latitude.ReleaseV0411, "release=v0.4.11"},
	{latitude.ReleaseV049, "release=v0.4.9"},
}

func TestConstantsCarryTheirNames(t *testing.T) {
	t.Parallel()
	all := []string{}
	for _, k := range latitude.Knobs() {
		for _, c := range k.Choices() {
			if !k.Fixed() {
				all = append(all, c.String())
			}
		}
	}
	listed := []string{}
	for _, c := range constants {
		require.Equal(t, c.text, c.choice.String())
		listed = append(listed, c.text)
	}
	require.Equal(t, all, listed, "each choice of a knob that can be turned has a constant")
}

func TestTheLedgerHasEveryKnobInOrder(t *testing.T) {
	t.Parallel()
	ledger := latitude.Ledger()
	require.Len(t, ledger, len(latitude.Knobs()))
	names := map[string]bool{}
	for i, e := range ledger {
		require.Equal(t, latitude.Knobs()[i], e.Knob)
		require.Equal(t, e.Knob.Name(), e.Name)
		require.Regexp(t, `^[a-z]+(-[a-z]+)*$`, e.Name)
		require.False(t, names[e.Name], "%s stands twice", e.Name)
		names[e.Name] = true
		found, err := latitude.Lookup(e.Name)
		require.NoError(t, err)
		require.Equal(t, e.Knob, found)
	}
}

func TestEveryRowIsWrittenOut(t *testing.T) {
	t.Parallel()
	kinds := []latitude.Evidence{latitude.Specification, latitude.Docs, latitude.Framework, latitude.Assumed}
	for _, e := range latitude.Ledger() {
		require.Regexp(t, `\?|\.\)$`, e.Question, e.Name)
		require.NotEmpty(t, e.Area, e.Name)
		require.NotEmpty(t, e.Evidence, e.Name)
		require.Subset(t, kinds, e.Evidence, e.Name)
		require.Contains(t, []string{"", "medium", "low"}, e.Confidence, e.Name)
		require.Equal(t, len(e.Choices) == 1, e.Knob.Fixed(), e.Name)
		require.Equal(t, e.Knob.Fixed(), e.Fixed != "", "%s: a fixed knob says why", e.Name)
		require.Equal(t, e.Choices[0].Name, e.Default, e.Name)
		require.True(t, e.Choices[0].Choice.Default(), e.Name)
		require.True(t, e.Choices[0].Choice.Drawn(), "%s: the default is always possible", e.Name)
		for _, a := range e.Choices {
			require.Equal(t, a.Choice.Name(), a.Name)
			require.Regexp(t, `\.$`, a.Meaning, "%s=%s", e.Name, a.Name)
			require.Equal(t, a.Choice.Drawn(), a.Held == "", "%s=%s", e.Name, a.Name)
			require.Regexp(t, `^\S+$`, a.Name, "names stand in space-separated lists")
		}
	}
}

func TestTheLedgerIsTheCallers(t *testing.T) {
	t.Parallel()
	first := latitude.Ledger()
	first[0].Choices[0].Meaning = "changed"
	first[0].Evidence[0] = "changed"
	first[0].Name = "changed"
	require.NotEqual(t, first, latitude.Ledger())
	require.NotEqual(t, "changed", latitude.Ledger()[0].Choices[0].Meaning)
	require.NotEqual(t, latitude.Evidence("changed"), latitude.Ledger()[0].Evidence[0])
}

func TestEveryChoiceRoundTrips(t *testing.T) {
	t.Parallel()
	for _, e := range latitude.Ledger() {
		for _, a := range e.Choices {
			t.Run(a.Choice.String(), func(t *testing.T) {
				t.Parallel()
				set, err := latitude.Parse([]string{a.Choice.String()})
				require.NoError(t, err)
				requireInForce(t, set, a.Choice)
				require.Equal(t, latitude.Settings{}.Choose(a.Choice), set)
				again, err := latitude.FromMap(set.Map())
				require.NoError(t, err)
				require.Equal(t, set, again)
			})
		}
	}
}

// requireInForce requires that the choice, and no other of its knob, is in
// force, and that everything else is at its default.
func requireInForce(t *testing.T, s latitude.Settings, want latitude.Choice) {
	t.Helper()
	for _, k := range latitude.Knobs() {
		expected := k.Choices()[0]
		if k == want.Knob() {
			expected = want
		}
		require.Equal(t, expected, s.Get(k))
		for _, c := range k.Choices() {
			require.Equal(t, c == expected, s.Is(c), c)
		}
	}
	if want.Default() {
		require.Empty(t, s.Differences())
		return
	}
	require.Equal(t, []latitude.Setting{{Name: want.Knob().Name(), Value: want.Name()}}, s.Differences())
}

func TestNumbers(t *testing.T) {
	t.Parallel()
	set := latitude.Settings{}.Choose(latitude.RateLimitTen, latitude.TokenLifetimeTenMinutes)
	require.Equal(t, 600, set.Number(latitude.TokenLifetime))
	require.Equal(t, 10, set.Number(latitude.RateLimit))
	require.Equal(t, 3600, latitude.Settings{}.Number(latitude.TokenLifetime))
	require.Zero(t, latitude.Settings{}.Number(latitude.RateLimit))
	for _, k := range latitude.Knobs() {
		for _, c := range k.Choices() {
			if c.Number() != 0 {
				require.Contains(t, c.Name(), fmt.Sprint(c.Number()))
			}
		}
	}
}
