package app

import (
	"context"
	"net/url"
	"strconv"
)

// line is one transaction of a report.
type line struct {
	PaymentRequestID string `json:"paymentRequestId"`
	Reference        string `json:"reference"`
	Status           string `json:"status"`
}

// readReport reads the transactions of a company, or of all.
func (a *App) readReport(ctx context.Context, j *Job) error {
	query := url.Values{}
	for _, name := range []string{"companyId", "from", "to", "status"} {
		if value := j.text(name); value != "" {
			query.Set(name, value)
		}
	}
	if c, known := a.book.company(j.text("companyReferenceId")); known && j.with("companyReferenceId") != nil {
		query.Set("companyId", c.id)
	}
	lines, err := a.report(ctx, query)
	if err == nil {
		a.o.Say("the report has " + strconv.Itoa(len(lines)) + " transactions")
	}
	return err
}

// report reads every page: there is a next one as long as the service says so.
func (a *App) report(ctx context.Context, query url.Values) ([]line, error) {
	var all []line
	page := url.Values{}
	for name, values := range query {
		page[name] = values
	}
	for {
		var got struct {
			Transactions []line `json:"transactions"`
			HasMore      bool   `json:"hasMore"`
			NextCursor   string `json:"nextCursor"`
		}
		if err := a.get(ctx, "/Transaction/Report", page, &got); err != nil {
			return nil, err
		}
		all = append(all, got.Transactions...)
		if !got.HasMore || got.NextCursor == "" {
			return all, nil
		}
		page.Set("cursor", got.NextCursor)
	}
}
