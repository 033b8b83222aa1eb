package refused

import (
	"fmt"
	"strings"

	"paysandbox/harness/trail"
)

// refunded is a refund that was refused, and by as much as which the report shows more given back than the refunds that succeeded.
func (s *search) refunded(n int) (Thing, bool) {
	x := &s.Exchanges[n]
	if !trail.OperationNamed(s.operation(n)).Refunds || !refused(x) {
		return Thing{}, false
	}
	id := target(x.Path + "?" + x.Query)
	amount, whole := trail.ReadBody(x.Body).Whole("amount")
	before, seen := s.reports(n, id)
	if !whole || amount <= 0 || id == "" || seen < 0 || before < 0 {
		return Thing{}, false
	}
	was, _ := s.givenBack(before, id)
	is, _ := s.givenBack(seen, id)
	for m := before + 1; m < seen; m++ {
		if done, _ := trail.ReadBody(s.Exchanges[m].Body).Whole("amount"); s.refunds(m, id) && s.Exchanges[m].Answer.Status/100 == 2 {
			was += done
		}
	}
	t := Thing{Call: n, Before: before, Seen: []int{seen}, Kind: "refund", What: fmt.Sprintf("a refund of %d of the payment %s", amount, id)}
	if is-was != amount {
		return t, false
	}
	t.Doubt = s.gap(before, seen, func(m int) bool { return s.refunds(m, id) })
	return t, true
}

// reports are the last report of a payment before a call, and the first after it; -1 for none.
func (s *search) reports(n int, id string) (before, after int) {
	before, after = -1, -1
	for m := range s.Exchanges {
		_, shown := s.givenBack(m, id)
		switch {
		case !shown:
		case m < n:
			before = m
		case after < 0:
			after = m
		}
	}
	return before, after
}

// refunds says whether a call is to refund a payment.
func (s *search) refunds(m int, id string) bool {
	return trail.OperationNamed(s.operation(m)).Refunds && target(s.Exchanges[m].Path+"?"+s.Exchanges[m].Query) == id
}

// givenBack is how much of a payment a report shows to be given back.
func (s *search) givenBack(m int, id string) (int64, bool) {
	if s.operation(m) != "reportTransactions" || s.Exchanges[m].Answer.Status != 200 {
		return 0, false
	}
	for _, row := range trail.ReadBody(s.Exchanges[m].Answer.Body).List("transactions") {
		if back, shown := row.Whole("refundedAmount"); shown && strings.EqualFold(row.Text("paymentRequestId"), id) {
			return back, true
		}
	}
	return 0, false
}

// target is the payment's id in an address.
func target(address string) string { return trail.UUIDs().FindString(strings.ToLower(address)) }
