package viewer_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/openapi/viewer"
)

// TestStepsOfAnotherEnvironment: an example's calls that another environment alone needs
// are neither counted nor played.
func TestStepsOfAnotherEnvironment(t *testing.T) {
	t.Parallel()
	document := []byte(`{"tags":[{"name":"Payments"}],"paths":{"/Payment/Create":{"post":{"operationId":"createPayment","tags":["Payments"],
		"x-try":{"steps":[{"path":"/Company/Create"},{"when":"rehearsal","path":"/kyb"}]}}}}}`)
	for environment, want := range map[string]struct {
		told string
		kyb  bool
	}{"sandbox": {"(1 call)", false}, "rehearsal": {"(2 calls)", true}} {
		page, err := viewer.Page(document, viewer.Options{Environment: environment})
		require.NoError(t, err)
		require.Contains(t, string(page), want.told, environment)
		require.Equal(t, want.kyb, strings.Contains(string(page), "/kyb"), environment)
	}
}
