package partner_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/partner"
)

// TestARefusalInWords: people read it, and no JSON.
func TestARefusalInWords(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{"title":"Conflict","status":409,"detail":"There is a fault of the name.","findings":[{"pointer":"/name","received":"outage","expected":"a new name","fix":"remove the other"}]}`: "Conflict: There is a fault of the name: /name expected a new name, received outage; remove the other",
		`{"title":"Not found","status":404}`: "Not found",
		`no JSON`:                            "no JSON",
		`{"other":1}`:                        `{"other":1}`,
	} {
		err := &partner.Refused{Method: "POST", Path: "/faults", Answer: &partner.Answer{Status: 409, Body: []byte(body)}}
		require.EqualError(t, err, "POST /faults: status 409: "+want)
	}
}
