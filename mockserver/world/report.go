package world

import (
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
	"sort"
	"strings"
	"time"

	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/latitude"
)

// ReportQuery is what a transaction report is asked for; every member may be
// empty.
type ReportQuery struct {
	// CompanyID is a company's uuid.
	CompanyID string
	// From and To are ISO 8601 moments or dates: From itself counts, To does not.
	From, To string
	// Status is a status of the report, in any case.
	Status string
	// Cursor is the nextCursor of the page before, with the same other members.
	Cursor string
}

// reportPage is how many transactions a page holds.
const reportPage = 50

var (
	ruleReportCompany = rule{"transaction.report.company-id", kernel.Docs, "a uuid", "send the companyId that the company's creation answered, or leave it out"}
	ruleReportFrom    = rule{"transaction.report.from", kernel.Docs, "an ISO 8601 moment or date", "send a moment such as 2026-03-01T00:00:00Z"}
	ruleReportTo      = rule{"transaction.report.to", kernel.Docs, "an ISO 8601 moment or date", "send a moment such as 2026-04-01T00:00:00Z"}
	ruleReportOrder   = rule{"transaction.report.range", kernel.Assumed, "a moment that is not before from", "exchange from and to"}
	ruleReportStatus  = rule{"transaction.report.status", kernel.Docs, "Created, Pending, Processed, Completed, Cancelled or Failed", "send one of the six, or leave status out"}
	ruleReportCursor  = rule{"transaction.report.cursor", kernel.Docs, "the nextCursor of the page before, with the same other parameters", "send nextCursor as it came, or start again without cursor"}
)

// TransactionReport gives one page of payments, saved-card charges and external
// card payments, oldest first; pages hold 50. A cursor stays good while new
// payments arrive: it goes on behind the last line of its page. Errors: Invalid
// with every problem of the query, NotFound for an unknown company.
func (w *World) TransactionReport(q ReportQuery) (Report, error) {
	c := w.check(nil)
	s := c.reportQuery(&q)
	if err := c.Err("the transaction report"); err != nil {
		return Report{}, err
	}
	if q.CompanyID != "" {
		var err error
		if _, s.company, err = w.companies.Lookup("company", q.CompanyID); err != nil {
			return Report{}, err
		}
	}
	return w.reportFrom(&q, s), nil
}

// reportScan is a report query that has been read.
type reportScan struct {
	company  uint32
	from, to time.Time
	status   string
	after    uint32 // the journal's last line that has been listed
}

func (c *check) reportQuery(q *ReportQuery) reportScan {
	var s reportScan
	c.id("query:companyId", q.CompanyID, ruleReportCompany)
	s.from = c.moment("query:from", q.From, ruleReportFrom)
	s.to = c.moment("query:to", q.To, ruleReportTo)
	if !s.from.IsZero() && !s.to.IsZero() && s.to.Before(s.from) {
		c.refuse("query:to", kernel.Quote(q.To), ruleReportOrder)
	}
	var known bool
	if s.status, known = kernel.OneOf(q.Status, reportStatuses); !known && q.Status != "" {
		c.refuse("query:status", kernel.Quote(q.Status), ruleReportStatus)
	}
	if q.Cursor != "" {
		after, ok := readCursor(q)
		if !ok || after > c.w.payments.journal.Len() {
			c.refuse("query:cursor", kernel.Quote(q.Cursor), ruleReportCursor)
		}
		s.after = after
	}
	return s
}

// moment reads an optional ISO 8601 moment, or a date, which is its midnight in
// UTC.
func (c *check) moment(pointer, value string, r rule) time.Time {
	if value == "" {
		return time.Time{}
	}
	for _, layout := range [...]string{time.RFC3339Nano, time.DateOnly} {
		if t, err := time.Parse(layout, value); err == nil {
			return t
		}
	}
	c.refuse(pointer, kernel.Quote(value), r)
	return time.Time{}
}

// reportFrom fills one page.
func (w *World) reportFrom(q *ReportQuery, s reportScan) Report {
	page := Report{Transactions: make([]Transaction, 0, reportPage)}
	lines, to := w.newReportLines(s), paidCompany{}
	for n, ok := lines.next(); ok; n, ok = lines.next() {
		if len(page.Transactions) == reportPage {
			page.HasMore = true
			page.NextCursor = new(writeCursor(q, s.after))
			break
		}
		page.Transactions = append(page.Transactions, w.transaction(w.payments.journal.At(n), &to))
		s.after = n
	}
	return page
}

// reportLines walks the lines of the journal that a query is for.
type reportLines struct {
	w       *World
	s       reportScan
	at, end uint32 // the next line, and the first that is too late
	back    bool
}

func (w *World) newReportLines(s reportScan) *reportLines {
	l := &reportLines{w: w, s: s, at: 1, end: w.payments.journal.Len() + 1, back: w.is(latitude.ListOrderReversed)}
	if !s.from.IsZero() {
		l.at = w.firstSince(s.from)
	}
	if !s.to.IsZero() {
		l.end = w.firstSince(s.to)
	}
	if s.after != 0 && !l.back {
		l.at = max(l.at, s.after+1)
	}
	if s.after != 0 && l.back {
		l.end = min(l.end, s.after)
	}
	return l
}

// firstSince is the first line that was written at a moment or later; one
// behind the last when there is none.
func (w *World) firstSince(t time.Time) uint32 {
	j := &w.payments.journal
	i := sort.Search(int(j.Len()), func(i int) bool {
		return !time.Unix(0, w.journalTime(j.At(uint32(i)+1))).Before(t) //nolint:gosec // G115: a row number.
	})
	return uint32(i) + 1 //nolint:gosec // G115: a row number.
}

func (w *World) journalTime(e *journalEntry) int64 {
	if e.terminal {
		return w.terminal.At(e.row).created
	}
	return w.payments.At(e.row).created
}

// next gives the next line, in the ledger's order.
func (l *reportLines) next() (uint32, bool) {
	for l.at < l.end {
		n := l.at
		if l.back {
			l.end--
			n = l.end
		} else {
			l.at++
		}
		if l.wants(l.w.payments.journal.At(n)) {
			return n, true
		}
	}
	return 0, false
}

func (l *reportLines) wants(e *journalEntry) bool {
	if l.s.company != 0 && e.company != l.s.company {
		return false
	}
	if l.s.status == "" {
		return true
	}
	if e.terminal {
		return cardPaymentReport[l.w.terminal.At(e.row).state] == l.s.status
	}
	return l.w.reportStatus(l.w.payments.At(e.row)) == l.s.status
}

// A cursor is the number of the last line listed and a check sum that ties it to
// the other members of the query.
func writeCursor(q *ReportQuery, after uint32) string {
	b := binary.BigEndian.AppendUint32(make([]byte, 0, 8), after)
	return base64.RawURLEncoding.EncodeToString(binary.BigEndian.AppendUint32(b, cursorSum(q, after)))
}

func readCursor(q *ReportQuery) (uint32, bool) {
	b, err := base64.RawURLEncoding.DecodeString(q.Cursor)
	if err != nil || len(b) != 8 {
		return 0, false
	}
	after := binary.BigEndian.Uint32(b)
	return after, binary.BigEndian.Uint32(b[4:]) == cursorSum(q, after)
}

// cursorSum ties a cursor to its place and query.
func cursorSum(q *ReportQuery, after uint32) uint32 {
	text := strings.Join([]string{strings.ToLower(q.CompanyID), q.From, q.To, strings.ToLower(q.Status)}, "\x00")
	return crc32.ChecksumIEEE(binary.BigEndian.AppendUint32([]byte(text), after))
}
