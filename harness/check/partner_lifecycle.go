package check

import (
	"bytes"
	"strings"

	"paysandbox/mockserver/tape"
)

// lifecycleClauses are the checks on when an integration does what.
func lifecycleClauses() []Check {
	return []Check{
		partnerCheck("partner.company.verified-first", "Nothing is charged for a company before it is Verified", verifiedFirst),
		partnerCheck("partner.company.rejected", "Nothing is charged for a company that was Rejected", rejected),
		partnerCheck("partner.payer.registered-first", "A payer is charged only once Registered, or within the registration for a single payment", registeredFirst),
		partnerCheck("partner.payment.redirect", "That the payer came back is no proof: the state is read from the service", redirected),
		partnerCheck("partner.payment.late-return", "A payment that the bank returns after it was Paid is taken back", lateReturn),
		partnerCheck("partner.payment.over-limit", "A debit above its limit waits for the payer, and is not asked for again", overLimit),
		partnerCheck("partner.payment.cancel-conflict", "A cancellation that comes too late is taken as refused: the state is read, and not canceled again", cancelConflict),
		partnerCheck("partner.paging.complete", "Pages are followed to the end", paged),
	}
}

// sameID compares ids, which are uuids in any case of letters.
func sameID(a, b string) bool { return a != "" && strings.EqualFold(a, b) }

// charges says whether an operation charges for a company, or agrees to.
func charges(operation string) bool {
	switch operation {
	case "createPayment", "authoriseCard", "chargeSavedCard", "createPlan", "createRecurring":
		return true
	default:
		return false
	}
}

// reads says whether by a call the application reads the state of a resource:
// its status, or a report that holds it.
func (c *companies) reads(e *tape.Entry, id string) bool {
	switch e.Exchange.Operation {
	case "getPaymentStatus", "getTransaction", "getUserStatus", "getCompanyStatus":
		return c.names(e, id)
	case "getDefaultCompanyStatus":
		return c.of(e.Exchange) == id
	case "reportTransactions", "listPaymentMethods":
		return c.names(e, id) || bytes.Contains(e.Exchange.Response.Body, []byte(id))
	default:
		return false
	}
}

// changes are the transitions of one machine by their resources, oldest first.
func (t *Tape) changes(machines ...string) map[string][]*tape.Entry {
	by := map[string][]*tape.Entry{}
	for e := range t.of(tape.KindTransition) {
		for _, machine := range machines {
			if e.Transition.Machine == machine {
				id := strings.ToLower(e.Transition.Entity)
				by[id] = append(by[id], e)
			}
		}
	}
	return by
}

// at is the last of changes before an entry, nil for none.
func at(changes []*tape.Entry, before uint64) *tape.Entry {
	var last *tape.Entry
	for _, e := range changes {
		if e.Seq < before {
			last = e
		}
	}
	return last
}

// became is the change into a state, nil for none.
func became(changes []*tape.Entry, state string) *tape.Entry {
	for _, e := range changes {
		if e.Transition.To == state {
			return e
		}
	}
	return nil
}
