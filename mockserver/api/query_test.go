package api_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

// A query parameter that the operation does not have is warned of by its name, with
// the nearest that there is; its value is not shown.
func TestStrayQuery(t *testing.T) {
	t.Parallel()
	s := start(t, integration.Options{Seed: 7, Strict: true})
	w := s.call(http.MethodGet, "/Transaction/Report?page=2&CURSR=hush&Status=Paid", "")
	require.Equal(t, "request.unknown-member query:CURSR (nearest: cursor), request.unknown-member query:page", w.Header().Get("Sandbox-Warning"))
	found := s.entries(tape.KindFinding)[0].Findings
	require.Equal(t, "nearest: cursor", found[0].Fix)
	require.Empty(t, found[0].Received)
	require.Empty(t, s.call(http.MethodGet, "/Transaction/Report?companyID=", "").Header().Get("Sandbox-Warning"))
}

// A company's name that decides nothing says so.
func TestNamesOfRehearsalDoNothingInSandbox(t *testing.T) {
	t.Parallel()
	for environment, warning := range map[string]string{"sandbox": "company.create.kyb-prefix /name", "rehearsal": ""} {
		s := start(t, integration.Options{Seed: 7, Environment: world.Environment(environment)})
		w := s.call(http.MethodPost, "/Company/Create", companyJSON(t, "gym", "name", "KYB REJECT Gym"))
		require.Equal(t, http.StatusOK, w.Code)
		require.Equal(t, warning, w.Header().Get("Sandbox-Warning"), environment)
	}
}
