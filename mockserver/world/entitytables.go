package world

import (
	"strconv"
	"time"

	"github.com/google/uuid"

	"paysandbox/mockserver/kernel"
)

// kept is a table whose rows are found by id.
type kept[T any] struct {
	kind string
	// page is the kind of the hosted page that each has, "" for none, and created
	// when its link was made, in nanoseconds since 1970 UTC.
	page    string
	created func(row *T) int64
	// uncounted leaves the kind out of Entities: folders that exist were written so.
	uncounted bool
	table     func(w *World) *kernel.Table[T]
	id        func(row *T) uuid.UUID
	// machine and state tell how a row stands; machine is nil for what has no state.
	machine func(w *World, row *T) *kernel.Machine
	state   func(row *T) kernel.State
	text    func(w *World, row *T, into []byte) []byte
	fill    func(w *World, row *T, e *Entity)
}

// entities makes the table that is looked at.
func entities[T any](k kept[T]) entityTable {
	at := func(w *World, n uint32) *T { return k.table(w).At(n) }
	status := func(w *World, n uint32) string {
		if k.machine == nil {
			return ""
		}
		row := at(w, n)
		return k.machine(w, row).States[k.state(row)]
	}
	created := func(w *World, n uint32) int64 { return k.created(at(w, n)) }
	return entityTable{
		kind: k.kind, page: k.page, created: created, uncounted: k.uncounted,
		rows: func(w *World) uint32 { return k.table(w).Len() },
		find: func(w *World, id uuid.UUID) uint32 { _, n := k.table(w).Find(id); return n },
		id:   func(w *World, n uint32) uuid.UUID { return k.id(at(w, n)) },
		text: func(w *World, n uint32, into []byte) []byte { return k.text(w, at(w, n), into) }, status: status,
		view: func(w *World, n uint32) Entity {
			row := at(w, n)
			e := Entity{Kind: k.kind, Page: k.page, ID: k.id(row).String(), Status: status(w, n)}
			if k.machine != nil {
				m := k.machine(w, row)
				e.Machine, e.Legal = m.Name, m.Legal(k.state(row))
			}
			k.fill(w, row, &e)
			return e
		},
	}
}

// always is the machine of a kind of which all move alike.
func always[T any](m *kernel.Machine) func(*World, *T) *kernel.Machine {
	return func(*World, *T) *kernel.Machine { return m }
}

// entityTables are in the order of the specification's resources.
var entityTables = []entityTable{
	entities(kept[company]{
		kind: "company", table: func(w *World) *kernel.Table[company] { return &w.companies.Table }, id: func(c *company) uuid.UUID { return c.id },
		machine: always[company](&CompanyMachine), state: func(c *company) kernel.State { return c.state },
		text: func(w *World, c *company, b []byte) []byte { return w.appendTexts(b, c.reference, c.name, c.email) }, fill: (*World).seeCompany,
	}),
	entities(kept[location]{
		kind: "location", table: func(w *World) *kernel.Table[location] { return &w.locations }, id: func(l *location) uuid.UUID { return l.id },
		text: func(w *World, l *location, b []byte) []byte {
			return w.appendCompany(w.appendTexts(b, l.texts), l.company)
		}, fill: (*World).seeLocation,
	}),
	entities(kept[payer]{
		kind: "registration", page: PageRegister, created: func(p *payer) int64 { return p.created },
		table: func(w *World) *kernel.Table[payer] { return &w.payers.Table }, id: func(p *payer) uuid.UUID { return p.id },
		machine: always[payer](&RegistrationMachine), state: func(p *payer) kernel.State { return p.state },
		text: func(w *World, p *payer, b []byte) []byte {
			return w.appendTexts(b, p.name, p.email, p.phone, p.purpose)
		}, fill: (*World).seePayer,
	}),
	entities(kept[payment]{
		kind: "payment", page: PagePay, created: func(p *payment) int64 { return p.created },
		table: func(w *World) *kernel.Table[payment] { return &w.payments.Table }, id: func(p *payment) uuid.UUID { return p.id },
		machine: (*World).machineOf, state: func(p *payment) kernel.State { return p.state },
		text: func(w *World, p *payment, b []byte) []byte {
			return w.appendCompany(w.appendPayer(w.appendTexts(b, p.texts), p.payer), p.company)
		}, fill: (*World).seePayment,
	}),
	entities(kept[cardAuth]{
		kind: "card-authorisation", uncounted: true, page: PageCard, created: func(a *cardAuth) int64 { return a.created },
		table: func(w *World) *kernel.Table[cardAuth] { return &w.cards.auths }, id: func(a *cardAuth) uuid.UUID { return a.id },
		machine: always[cardAuth](&CardAuthorisationMachine), state: func(a *cardAuth) kernel.State { return a.state },
		text: func(w *World, a *cardAuth, b []byte) []byte {
			return w.appendPayment(w.appendCompany(w.appendPayer(b, a.payer), a.company), a.payment)
		}, fill: (*World).seeCardAuth,
	}),
	entities(kept[card]{
		kind: "saved-card", table: func(w *World) *kernel.Table[card] { return &w.cards.Table }, id: func(c *card) uuid.UUID { return c.id },
		text: func(w *World, c *card, b []byte) []byte {
			return w.appendPayer(append(append(append(b, methodID(c.id)...), c.last4[:]...), ' '), c.payer)
		}, fill: (*World).seeCard,
	}),
	entities(kept[refund]{
		kind: "refund", table: func(w *World) *kernel.Table[refund] { return &w.refunds.Table }, id: func(r *refund) uuid.UUID { return r.id },
		machine: always[refund](&RefundMachine), state: func(r *refund) kernel.State { return r.state },
		text: func(w *World, r *refund, b []byte) []byte {
			return w.appendPayment(w.appendTexts(b, r.description), r.payment)
		}, fill: (*World).seeRefund,
	}),
	entities(kept[debitAuth]{
		kind: "debit-authorisation", uncounted: true, page: PageDebit, created: func(d *debitAuth) int64 { return d.created },
		table: func(w *World) *kernel.Table[debitAuth] { return &w.payers.debits }, id: func(d *debitAuth) uuid.UUID { return d.id },
		machine: always[debitAuth](&DebitAuthorisationMachine), state: func(d *debitAuth) kernel.State { return d.state },
		text: func(w *World, d *debitAuth, b []byte) []byte {
			return w.appendCompany(w.appendPayer(b, d.payer), d.company)
		}, fill: (*World).seeDebitAuth,
	}),
	entities(kept[plan]{
		kind: "plan", table: func(w *World) *kernel.Table[plan] { return &w.plans.Table }, id: func(p *plan) uuid.UUID { return p.id },
		machine: always[plan](&PlanMachine), state: func(p *plan) kernel.State { return p.state },
		text: func(w *World, p *plan, b []byte) []byte { return w.appendCompany(w.appendTexts(b, p.texts), p.company) }, fill: (*World).seePlan,
	}),
	entities(kept[consent]{
		kind: "consent", page: PageConsent, created: func(c *consent) int64 { return c.created },
		table: func(w *World) *kernel.Table[consent] { return &w.consents.Table }, id: func(c *consent) uuid.UUID { return c.id },
		machine: always[consent](&ConsentMachine), state: func(c *consent) kernel.State { return c.state },
		text: func(w *World, c *consent, b []byte) []byte {
			return w.appendPayer(appendID(b, w.plans.At(c.plan).id), c.payer)
		}, fill: (*World).seeConsent,
	}),
	entities(kept[cardPayment]{
		kind: "card-payment", table: func(w *World) *kernel.Table[cardPayment] { return &w.terminal }, id: func(p *cardPayment) uuid.UUID { return p.id },
		machine: always[cardPayment](&CardPaymentMachine), state: func(p *cardPayment) kernel.State { return p.state },
		text: func(w *World, p *cardPayment, b []byte) []byte {
			return w.appendCompany(w.appendTexts(b, p.texts), p.company)
		}, fill: (*World).seeCardPayment,
	}),
}

// appendCompany, appendPayer and appendPayment write what a row that belongs to
// them is found by, too; row 0 is none.
func (w *World) appendCompany(b []byte, n uint32) []byte {
	if n == 0 {
		return b
	}
	c := w.companies.At(n)
	return w.appendTexts(appendID(b, c.id), c.reference, c.name)
}

func (w *World) appendPayer(b []byte, n uint32) []byte {
	if n == 0 {
		return b
	}
	p := w.payers.At(n)
	return w.appendTexts(appendID(b, p.id), p.name, p.email, p.phone)
}

func (w *World) appendPayment(b []byte, n uint32) []byte {
	if n == 0 {
		return b
	}
	p := w.payments.At(n)
	return w.appendTexts(appendID(b, p.id), p.texts)
}

// fact adds a member that is not empty.
func (e *Entity) fact(name, value string) {
	if value != "" {
		e.Facts = append(e.Facts, EntityFact{name, value})
	}
}

// cents adds an amount, and flag what is so.
func (e *Entity) cents(name string, n int64) { e.fact(name, strconv.FormatInt(n, 10)) }

func (e *Entity) flag(name string, is bool) { e.fact(name, strconv.FormatBool(is)) }

// of adds what the entity belongs to; row 0 is none.
func (e *Entity) of(n uint32, role, kind string, id func() uuid.UUID) {
	if n != 0 {
		e.Relations = append(e.Relations, EntityRelation{role, kind, id().String()})
	}
}

func (e *Entity) ofCompany(w *World, n uint32) {
	e.of(n, "company", "company", func() uuid.UUID { return w.companies.At(n).id })
}

func (e *Entity) ofPayer(w *World, n uint32) {
	e.of(n, "payer", "registration", func() uuid.UUID { return w.payers.At(n).id })
}

func (e *Entity) ofPayment(w *World, n uint32) {
	e.of(n, "payment", "payment", func() uuid.UUID { return w.payments.At(n).id })
}

func (e *Entity) ofLocation(w *World, n uint32) {
	e.of(n, "location", "location", func() uuid.UUID { return w.locations.At(n).id })
}

func (e *Entity) ofPlan(w *World, n uint32) {
	e.of(n, "plan", "plan", func() uuid.UUID { return w.plans.At(n).id })
}

// dateText writes a due date; "" for none.
func dateText(t time.Time) string {
	if t.IsZero() || t.Year() == 1 {
		return ""
	}
	return t.Format(time.DateOnly)
}
