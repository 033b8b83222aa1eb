package hosted

import (
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/world"
)

// The payment page is written against these two capabilities of a world, and
// leaves out what the world at hand cannot do.

// cardDesk takes cards for payment requests.
type cardDesk interface {
	// StartCardPayment opens a card authorisation that pays a Pending payment
	// request once it is Authorised, and gives its id; the card page does the
	// rest. feePayer is the payer's choice, "" where nobody asks.
	StartCardPayment(paymentRequestID, feePayer string) (cardAuthID string, err error)
}

// debitDesk knows the debit authorisation that was asked for along with a
// payment request.
type debitDesk interface {
	// WaitingDebitAuth gives the id of the Pending authorisation, "" for none.
	WaitingDebitAuth(paymentRequestID string) string
}

// waitingDebitAuth gives the debit authorisation that waits for the payer of a
// payment, "" for none.
func waitingDebitAuth(w *world.World, paymentRequestID string) string {
	if desk, ok := any(w).(debitDesk); ok {
		return desk.WaitingDebitAuth(paymentRequestID)
	}
	return ""
}

// companyOf finds a company by its uuid. It asks for no status: that counts as a
// read of the partner's.
func companyOf(w *world.World, id string) (world.CompanyEntry, error) {
	found, err := w.CompanyID(id)
	if err != nil {
		return world.CompanyEntry{}, err
	}
	for _, c := range w.ListCompanies().Companies {
		if c.ID == found.String() {
			return c, nil
		}
	}
	return world.CompanyEntry{}, &kernel.Error{Code: kernel.NotFound, Detail: "no company " + id + " in this integration"}
}
