package clause_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/clause"
)

func TestClauseFilter(t *testing.T) {
	t.Parallel()
	for list, want := range map[string]map[string]bool{
		"":                               {"company.create": true, "plan.create": true},
		"company.create":                 {"company.create": true, "company.create.zip": true, "company.created": false, "company": false, "plan.create": false},
		"company.create, plan":           {"company.create.zip": true, "plan.create": true, "payment.create": false},
		"company,not company.create":     {"company.list": true, "company.create": false, "company.create.zip": false},
		"!company":                       {"company.list": false, "plan.create": true},
		"~ company.create,~plan":         {"company.list": true, "company.create": false, "plan.create": false},
		"@clause:company.create.*,plan.": nil,
		"Company.Create.*":               {"company.create.zip": true, "company.list": false},
		"company create":                 nil,
		"company.create && plan":         nil,
		"(company)":                      nil,
		"not":                            {"company": false, "not": true},
	} {
		f, err := clause.ParseClauses(list)
		if want == nil {
			require.ErrorIs(t, err, clause.ErrFilter, list)
			continue
		}
		require.NoError(t, err, list)
		for id, taken := range want {
			require.Equal(t, taken, f.Takes(id), "%q takes %s", list, id)
		}
	}
}

func TestTagFilter(t *testing.T) {
	t.Parallel()
	f, err := clause.ParseTags("@area:companies,area:plans", "not @needs:control")
	require.NoError(t, err)
	require.True(t, f.Takes("@area:companies", "@clause:company.create"))
	require.True(t, f.Takes("@area:plans"))
	require.False(t, f.Takes("@area:plans", "@needs:control"))
	require.False(t, f.Takes("@area:payments"))
	require.False(t, f.Takes("@area"), "a tag is matched as a whole")
	for _, expression := range []string{"@a and @b", "@a && @b", "(@a)", "@a or @b", "@a @b"} {
		_, err := clause.ParseTags(expression)
		require.ErrorIs(t, err, clause.ErrFilter, expression)
	}
	var all clause.Filter
	require.True(t, all.Takes("@anything"))
}
