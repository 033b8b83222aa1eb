package verify_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/verify"
)

func TestReadDeviations(t *testing.T) {
	t.Parallel()
	const good = `- {clause: company.create, owner: Ann, reason: late, expires: "2027-01-31"}`
	list, err := verify.ReadDeviations(strings.NewReader(good))
	require.NoError(t, err)
	require.Equal(t, []verify.Deviation{{Clause: "company.create", Owner: "Ann", Reason: "late", Expires: "2027-01-31"}}, list)

	list, err = verify.ReadDeviations(strings.NewReader("# none\n"))
	require.NoError(t, err)
	require.Empty(t, list)

	for text, problem := range map[string]string{
		strings.Replace(good, "company.create", "company.crete", 1): "which there is not",
		strings.Replace(good, "Ann", `""`, 1):                       "needs an owner",
		strings.Replace(good, "late", `""`, 1):                      "needs an owner and a reason",
		strings.Replace(good, "2027-01-31", "soon", 1):              "give a day",
		strings.Replace(good, "owner", "ownr", 1):                   "not a list",
		good + "\n" + good:                                          "two deviations",
		"clause: company.create":                                    "not a list",
	} {
		_, err := verify.ReadDeviations(strings.NewReader(text))
		require.ErrorIs(t, err, verify.ErrConfig, text)
		require.ErrorContains(t, err, problem, text)
	}
}
