package diagnose_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/diagnose"
)

// TestAReportThatWasNotAskedFor: rows of another status than the call has asked for are the service's fault; both spellings of
// Canceled are one, and who asks for nothing gets all.
func TestAReportThatWasNotAskedFor(t *testing.T) {
	t.Parallel()
	rows := `{"transactions":[{"paymentRequestId":"p-1","status":"Completed"},{"paymentRequestId":"p-2","status":"Cancelled"}],"hasMore":false,"nextCursor":null}`
	for query, want := range map[string]bool{"status=Completed&limit=50": true, "status=Paid": false, "Status=canceled": true, "limit=50": false, "status=Completed&status=Canceled": false, "status=%zz": false} {
		in := newInput().call("reportTransactions", "GET /Transaction/Report", whole(200, rows), 200, rows)
		in.Recording.Exchanges[0].Query = query
		d := diagnose.Of(&in.Input)
		told := d.Fault != nil && d.Fault.Clause == "transaction.report.status" && d.Side == diagnose.Service
		require.Equal(t, want, told, "%s: %v", query, d.Lines)
	}
}
