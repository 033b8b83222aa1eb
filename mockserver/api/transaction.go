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
			about(tag, "Page through the transactions of a company", clause).on(openapi.Docs).
			with(queryParam("companyId", "uuid", "Only this company; without it all of the integration."),
				queryParam("from", "date-time", "Only transactions created at or after this time."),
				queryParam("to", "date-time", "Only transactions created before this time."),
				queryParam("status", "", "Created, Pending, Processed, Completed, Cancelled or Failed."),
				queryParam("cursor", "", "The nextCursor of the page before.")).
			fails(http.StatusBadRequest, http.StatusNotFound),
		row("getTransaction", http.MethodGet, "/Transaction/PaymentRequest/{paymentRequestId}", gives(transactionDetails), nil, world.PaymentDetails{}).
			about(tag, "Get the details of a payment request", clause).on(openapi.Docs).with(paymentID),
	}
}

func reportTransactions(w *world.World, in *input) (world.Report, error) {
	return w.TransactionReport(world.ReportQuery{
		CompanyID: in.arg("companyId"), From: in.arg("from"), To: in.arg("to"), Status: in.arg("status"), Cursor: in.arg("cursor"),
	})
}

func transactionDetails(w *world.World, in *input) (world.PaymentDetails, error) {
	return w.PaymentDetails(in.param("paymentRequestId"))
}
