package check

import (
	"strings"

	"paysandbox/mockserver/tape"
)

// comeback is a payer who came back to the application after a payment or a
// registration, or who would have.
type comeback struct {
	e  *tape.Entry
	id string
	// registration is true for a registration, sure when a browser was sent back, as a
	// note or a page tells: a call that plays the payer sends nobody anywhere.
	registration, sure bool
}

// comebacks are the payers who came back, in the order of the tape: by notes, by
// pages where there is no note, and by calls that play the payer where there is
// neither.
func (t *Tape) comebacks() []comeback {
	notes, ids := t.backByNote()
	pages, by := t.backByPage(ids)
	for id := range by {
		ids[id] = true
	}
	return append(append(notes, pages...), t.backByControl(ids)...)
}

// backByNote are those that notes tell of, and their resources.
func (t *Tape) backByNote() ([]comeback, map[string]bool) {
	var list []comeback
	ids := map[string]bool{}
	for e, b := range notes[back](t, NoteRedirect) {
		c := comeback{e: e, id: strings.ToLower(b.Payment), sure: true}
		if c.id == "" {
			c.id, c.registration = strings.ToLower(b.Registration), true
		}
		if c.id != "" {
			list, ids[c.id] = append(list, c), true
		}
	}
	return list, ids
}

// backByPage are those whom a page has sent to an address of the application's.
func (t *Tape) backByPage(known map[string]bool) ([]comeback, map[string]bool) {
	own := t.ownAddresses()
	var list []comeback
	ids := map[string]bool{}
	for e := range t.of(tape.KindPage) {
		to, _ := header(e.Exchange.Response.Header, "Location")
		id := strings.ToLower(main(e))
		if status := e.Exchange.Response.Status; status < 300 || status >= 400 || !own[bare(to)] || known[id] {
			continue
		}
		if c := t.comes(e, id); c != nil {
			c.sure, ids[id] = true, true
			list = append(list, *c)
		}
	}
	return list, ids
}

// backByControl are those who were played by a call that says where the payer's
// browser would go, or that decides a payment with such an address.
func (t *Tape) backByControl(known map[string]bool) []comeback {
	leads := t.leadingBack()
	at := map[string]int{}
	var list []comeback
	for e := range t.of(tape.KindControl) {
		id := strings.ToLower(main(e))
		if id == "" || known[id] || !served(e.Exchange) || !sendsBack(e.Exchange, leads[id]) {
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
func (t *Tape) comes(e *tape.Entry, id string) *comeback {
	born := t.born[id]
	if born == nil {
		return nil
	}
	switch born.Transition.Machine {
	case "registration":
		return &comeback{e: e, id: id, registration: true}
	case "payment", "card-authorisation":
		return &comeback{e: e, id: id}
	default:
		return nil
	}
}

// sendsBack says whether by a call of the control API a payer is done with what
// leads back to the application.
func sendsBack(x *tape.Exchange, leads bool) bool {
	if x.Operation == "movePayment" {
		return leads && (strings.HasSuffix(x.Path, "/approve") || strings.HasSuffix(x.Path, "/deny"))
	}
	b := read(x.Response.Body)
	return x.Operation == "completeRegistration" && b.text("redirectUrl") != "" || b.text("returnUrl") != ""
}

// leadingBack are the payments that were requested with a returnUrl.
func (t *Tape) leadingBack() map[string]bool {
	ids := map[string]bool{}
	for id, born := range t.born {
		cause := t.entry(born.Cause)
		if cause != nil && cause.Exchange != nil && read(cause.Exchange.Request.Body).text("returnUrl") != "" {
			ids[strings.ToLower(id)] = true
		}
	}
	return ids
}

// ownAddresses are the addresses that the application has given for payers to come
// back to.
func (t *Tape) ownAddresses() map[string]bool {
	own := map[string]bool{}
	for e := range t.of(tape.KindExchange) {
		b := read(e.Exchange.Request.Body)
		for _, name := range []string{"redirectUrl", "returnUrl"} {
			if address := b.text(name); address != "" {
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
