package trail

import (
	"strings"

	"paysandbox/mockserver/tape"
)

// PayerReturn is a payer who came back to the application after a payment or a
// registration, or who would have.
type PayerReturn struct {
	Entry *tape.Entry
	ID    string
	// Registration is true for a registration, sure when a browser was sent back, as a
	// note or a page tells: a call that plays the payer sends nobody anywhere.
	Registration, Sure bool
}

// PayerReturns are the payers who came back, in the order of the tape: by notes, by
// pages where there is no note, and by calls that play the payer where there is
// neither.
func (t *Trail) PayerReturns() []PayerReturn { return Once(t, "payer returns", t.readPayerReturns) }

func (t *Trail) readPayerReturns() []PayerReturn {
	notes, ids := t.backByNote()
	pages, by := t.backByPage(ids)
	for id := range by {
		ids[id] = true
	}
	return append(append(notes, pages...), t.backByControl(ids)...)
}

// backByNote are those that notes tell of, and their resources.
func (t *Trail) backByNote() ([]PayerReturn, map[string]bool) {
	var list []PayerReturn
	ids := map[string]bool{}
	for e, b := range notes[Returned](t, NoteRedirect) {
		c := PayerReturn{Entry: e, ID: strings.ToLower(b.Payment), Sure: true}
		if c.ID == "" {
			c.ID, c.Registration = strings.ToLower(b.Registration), true
		}
		if c.ID != "" {
			list, ids[c.ID] = append(list, c), true
		}
	}
	return list, ids
}

// backByPage are those whom a page has sent to an address of the application's.
func (t *Trail) backByPage(known map[string]bool) ([]PayerReturn, map[string]bool) {
	own := t.ownAddresses()
	var list []PayerReturn
	ids := map[string]bool{}
	for e := range t.Of(tape.KindPage) {
		to, _ := Header(e.Exchange.Response.Header, "Location")
		id := strings.ToLower(Subject(e))
		if status := e.Exchange.Response.Status; status < 300 || status >= 400 || !own[bare(to)] || known[id] {
			continue
		}
		if c := t.comes(e, id); c != nil {
			c.Sure, ids[id] = true, true
			list = append(list, *c)
		}
	}
	return list, ids
}

// backByControl are those who were played by a call that says where the payer's
// browser would go, or that decides a payment with such an address.
func (t *Trail) backByControl(known map[string]bool) []PayerReturn {
	leads := t.leadingBack()
	at := map[string]int{}
	var list []PayerReturn
	for e := range t.Of(tape.KindControl) {
		id := strings.ToLower(Subject(e))
		if id == "" || known[id] || !Served(e.Exchange) || !sendsBack(e.Exchange, leads[id]) {
			continue
		}
		c := t.comes(e, id)
		n, again := at[id]
		switch {
		case c == nil:
		case again:
			list[n] = *c
		default:
			at[id], list = len(list), append(list, *c)
		}
	}
	return list
}

// comes tells of a payer of a resource by what it is; nil when that is not known,
// or has no payer.
func (t *Trail) comes(e *tape.Entry, id string) *PayerReturn {
	born := t.born[id]
	if born == nil {
		return nil
	}
	machine := born.Transition.Machine
	if !KindOf(machine).SendsBack {
		return nil
	}
	return &PayerReturn{Entry: e, ID: id, Registration: machine == "registration"}
}

// sendsBack says whether by a call of the control API a payer is done with what
// leads back to the application.
func sendsBack(x *tape.Exchange, leads bool) bool {
	if x.Operation == "movePayment" {
		return leads && (strings.HasSuffix(x.Path, "/approve") || strings.HasSuffix(x.Path, "/deny"))
	}
	b := ReadBody(x.Response.Body)
	return x.Operation == "completeRegistration" && b.Text("redirectUrl") != "" || b.Text("returnUrl") != ""
}

// leadingBack are the payments that were requested with a returnUrl.
func (t *Trail) leadingBack() map[string]bool {
	ids := map[string]bool{}
	for id, born := range t.born {
		cause := t.Entry(born.Cause)
		if cause != nil && cause.Exchange != nil && t.Sent(cause.Exchange).Text("returnUrl") != "" {
			ids[strings.ToLower(id)] = true
		}
	}
	return ids
}

// ownAddresses are the addresses that the application has given for payers to come
// back to.
func (t *Trail) ownAddresses() map[string]bool {
	own := map[string]bool{}
	for e := range t.Of(tape.KindExchange) {
		b := t.Sent(e.Exchange)
		for _, name := range []string{"redirectUrl", "returnUrl"} {
			if address := b.Text(name); address != "" {
				own[bare(address)] = true
			}
		}
	}
	return own
}

// bare is an address without query and fragment.
func bare(address string) string {
	if n := strings.IndexAny(address, "?#"); n >= 0 {
		return address[:n]
	}
	return address
}

// Returned is what a note tells about a payer who came back.
type Returned struct {
	Payment      string `json:"payment,omitempty"`
	Registration string `json:"registration,omitempty"`
	Status       string `json:"status"`
}
