package api

import (
	"net/http"

	"paysandbox/mockserver/openapi"
	"paysandbox/mockserver/world"
)

func transactionRoutes() []*route {
	const tag, clause = "Transactions", "latitude, other documented operations"
	return []*route{
		row("reportTransactions", http.MethodGet, "/Transaction/Report", gives(reportTransactions), nil, world.Report{}).
			About(tag, "Page through the transactions of a company").From(clause).On(openapi.Docs).
			With(queryParam("companyId", "uuid", "Only this company; without it all of the integration."),
				queryParam("from", "date-time", "Only transactions created at or after this time."),
				queryParam("to", "date-time", "Only transactions created before this time."),
				queryParam("status", "", "Created, Pending, Processed, Completed, Cancelled or Failed."),
				queryParam("cursor", "", "The nextCursor of the page before.")).
			Fails(http.StatusBadRequest, http.StatusNotFound),
		row("getTransaction", http.MethodGet, "/Transaction/PaymentRequest/{paymentRequestId}", reads("paymentRequestId", (*world.World).PaymentDetails).wrapping(), nil, world.PaymentDetails{}).
			About(tag, "Get the details of a payment request").From(clause).On(openapi.Docs).With(paymentID),
	}
}

func reportTransactions(w *world.World, x *exchange) (world.Report, error) {
	return w.TransactionReport(world.ReportQuery{
		CompanyID: x.arg("companyId"), From: x.arg("from"), To: x.arg("to"), Status: x.arg("status"), Cursor: x.arg("cursor"),
	})
}
