package refused_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/recording"
	"paysandbox/harness/replay/refused"
)

// TestAStoredValue: what a refused call has sent, and no call may send, is shown of what it was to make.
func TestAStoredValue(t *testing.T) {
	t.Parallel()
	const findings = `{"findings":[{"pointer":"/phone","clause":"company.create.phone"}]}`
	r := &recording.Recording{Exchanges: []recording.Exchange{
		{Method: "POST", Path: "/Company/Create", Body: []byte(`{"companyReferenceId":"ck-1","phone":"not a phone"}`), Answer: recording.Answer{Known: recording.Whole, Status: 400}},
		{Method: "GET", Path: "/Company/CK-1", Answer: recording.Answer{Known: recording.Whole, Status: 200, Body: []byte(`{"phone":"not a phone"}`)}},
	}}
	call, at, value := refused.Stored(r, &refused.Thing{Call: 0, Name: "ck-1"}, []byte(findings))
	require.Equal(t, 1, call)
	require.Equal(t, "/phone", at)
	require.Equal(t, "not a phone", value)
	_, at, _ = refused.Stored(r, &refused.Thing{Call: 0, Name: "ck-2"}, []byte(findings))
	require.Empty(t, at)
	_, at, _ = refused.Stored(r, &refused.Thing{Call: 0}, []byte(findings))
	require.Empty(t, at)
}
