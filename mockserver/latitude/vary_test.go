package latitude_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/latitude"
)

// seeds is how many seeds the tests look at.
const seeds = 400

func TestVaryIsTheSameForTheSameSeed(t *testing.T) {
	t.Parallel()
	distinct := map[latitude.Settings]bool{}
	for seed := range uint64(seeds) {
		set := latitude.Vary(seed)
		require.Equal(t, set, latitude.Vary(seed))
		distinct[set] = true
	}
	require.Len(t, distinct, seeds, "seeds differ in what they draw")
}

// TestVaryStaysWhatItWas holds one seed's draw, because a partner who reports
// "seed 7" must get it again from a later release.
func TestVaryStaysWhatItWas(t *testing.T) {
	t.Parallel()
	require.Equal(t, sevenDraws, latitude.Vary(7).String())
}

const sevenDraws = "field-order=shuffled company-path-ref=reference-only token-lifetime=600 " +
	"company-status-target=most-recent account-mask=digits cancel-verb=put-only " +
	"saved-card-status=402 plan-failure=1 signed-bytes=upper-hex"

func TestVaryDrawsEachKnobByItself(t *testing.T) {
	t.Parallel()
	for seed := range uint64(seeds) {
		varied := latitude.Vary(seed)
		for _, k := range latitude.Knobs() {
			kept := latitude.Vary(seed, k)
			require.True(t, kept.Get(k).Default(), "%s is excepted", k)
			require.Equal(t, varied, kept.Choose(varied.Get(k)), "excepting %s changes no other knob", k)
		}
	}
}

func TestVaryReachesEveryChoiceItMay(t *testing.T) {
	t.Parallel()
	drawn := map[latitude.Choice]int{}
	for seed := range uint64(seeds) {
		set := latitude.Vary(seed)
		for _, k := range latitude.Knobs() {
			drawn[set.Get(k)]++
		}
	}
	for _, k := range latitude.Knobs() {
		fair := seeds / len(k.Drawable())
		for _, c := range k.Choices() {
			if c.Drawn() {
				require.InDelta(t, fair, drawn[c], 60, "%s is drawn about as often as its neighbours", c)
			} else {
				require.Zero(t, drawn[c], "%s is never drawn", c)
			}
		}
	}
}

func TestVaryLeavesTheSpecificationAlone(t *testing.T) {
	t.Parallel()
	held := []string{}
	for _, k := range latitude.Knobs() {
		for _, c := range k.Choices() {
			if !c.Drawn() {
				held = append(held, c.String())
			}
		}
	}
	require.Equal(t, []string{
		"response-names=pascal", "paths=reference-only", "number-strings=accepted",
		"token-paths=reference-only", "phone=possible", "registration-with-payment=none", "debit-auth-read=off",
		"idempotency=honoured", "idempotency=create-only", "details-shape=wrapped",
		"auto-debit=ask", "return-url=plain", "link-expiry=24h", "link-expiry=30d", "live=true", "event-timestamp=absent", "error-body=empty",
		"rate-limit=10/s", "rate-limit=100/s", "release=v0.4.9",
	}, held)
}

func TestASettingOverridesWhatWasDrawn(t *testing.T) {
	t.Parallel()
	for seed := range uint64(seeds) {
		varied := latitude.Vary(seed)
		set, err := varied.WithAll([]string{"zip=optional-hyphen"})
		require.NoError(t, err)
		require.True(t, set.Is(latitude.ZipHyphenOptional))
		require.Equal(t, latitude.Vary(seed, latitude.Zip), set)
	}
}
