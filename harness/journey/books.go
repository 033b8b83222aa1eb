package journey

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"paysandbox/mockserver/tape"
)

// books are the money that has been collected, as the tape tells it.
type books struct {
	// collected is by payment, in cents; what the bank took back is gone.
	collected map[string]int64
	// whose are the payers of the payments.
	whose map[string]string
	// asked are the amounts of refunds by the calls that asked for them, given those
	// that have arrived, by payment.
	asked map[uint64]refundAsked
	given map[string]int64
	// refunds are the payments by the ids of their refunds.
	refunds map[string]refundAsked
}

// refundAsked is a call for a refund.
type refundAsked struct {
	payment string
	amount  int64
}

func newBooks() *books {
	return &books{
		collected: map[string]int64{}, whose: map[string]string{}, asked: map[uint64]refundAsked{},
		given: map[string]int64{}, refunds: map[string]refundAsked{},
	}
}

// take reads an entry and says whether money moved.
func (b *books) take(e *tape.Entry) bool {
	switch {
	case e.Event != nil:
		return b.event(e)
	case e.Transition != nil && e.Transition.Machine == "refund":
		return b.refund(e)
	case e.Exchange != nil && strings.HasPrefix(e.Exchange.Operation, "refundPayment") && e.Exchange.Response.Status == 200:
		c := callOf(e)
		for i := len(e.Entities) - 1; i >= 0; i-- {
			b.asked[e.Seq] = refundAsked{e.Entities[i], whole(c.asked, "amount")}
		}
	}
	return false
}

// event books what a payment's event tells.
func (b *books) event(e *tape.Entry) bool {
	data, _ := member(object(e.Event.Body), "Data").(map[string]any)
	id, amount := text(data, "PaymentId"), whole(data, "Amount")
	if id == "" || amount < 0 {
		return false
	}
	b.whose[id] = text(data, "RegistrationId")
	switch before := b.collected[id]; {
	case text(data, "Status") == "Paid" && before == 0:
		b.collected[id] = amount
	case text(data, "Status") == "Failed" && before > 0:
		delete(b.collected, id)
	default:
		return false
	}
	return true
}

// refund books a refund when it arrives.
func (b *books) refund(e *tape.Entry) bool {
	t := e.Transition
	if t.From == "" {
		b.refunds[t.Entity] = b.asked[e.Cause]
		return false
	}
	r := b.refunds[t.Entity]
	if t.To != "Completed" || r.amount == 0 {
		return false
	}
	b.given[r.payment] += r.amount
	return true
}

// sum is what has been collected less what was given back, in cents, of the
// payers that are wanted.
func (b *books) sum(wanted func(payer string) bool) int64 {
	var n int64
	for id, amount := range b.collected {
		if wanted(b.whose[id]) {
			n += amount - b.given[id]
		}
	}
	return n
}

// times counts the payments of an amount that a payer has made.
func (b *books) times(payer string, amount int64) int {
	n := 0
	for id, a := range b.collected {
		if b.whose[id] == payer && a == amount {
			n++
		}
	}
	return n
}

func moneyExpectations() []Step {
	return []Step{
		step(`the books show `+money, bind1((*story).booksShow)),
		step(person+` has paid `+money+` (once|twice|[0-9]+ times)`, bind3((*story).hasPaid)),
		step(`the report has told the partner of ([0-9]+) payments?`, bind1((*story).reported)),
	}
}

// kept reads the books of the story.
func (s *story) kept() *books {
	b := newBooks()
	for i := range s.tape.entries {
		b.take(&s.tape.entries[i])
	}
	return b
}

// known says whether a payer belongs to the story.
func (s *story) known(payer string) bool {
	for _, h := range s.people {
		if h.id == payer && payer != "" {
			return true
		}
	}
	return false
}

// booksShow compares what the people of the story have paid, less what was given
// back.
func (s *story) booksShow(ctx context.Context, amount string) error {
	return s.tape.until(ctx, "the books to show "+amount, func() string {
		if n := s.kept().sum(s.known); n != cents(amount) {
			return "they show " + spellCents(n) + s.unlike()
		}
		return ""
	})
}

// unlike says what may be the reason when the books show something else: payments
// that the story did not ask for, and those that are not Paid.
func (s *story) unlike() string {
	kept, text := s.kept(), ""
	for _, key := range slices.Sorted(maps.Keys(s.payments)) {
		switch p := s.payments[key]; {
		case p.id == "":
		case kept.collected[p.id] == 0:
			text += fmt.Sprintf("; %s is %s", key, cmp.Or(s.state(p.id), "Pending"))
		case kept.given[p.id] > 0:
			text += fmt.Sprintf("; of %s was given back %s", key, spellCents(kept.given[p.id]))
		}
	}
	if len(s.plans) > 0 {
		return text // which asks for payments by itself
	}
	for _, id := range slices.Sorted(maps.Keys(kept.collected)) {
		if s.known(kept.whose[id]) && !s.ours(id) {
			text += fmt.Sprintf("; %s was collected that the story did not ask for (payment %s)", spellCents(kept.collected[id]), id)
		}
	}
	return text
}

func (s *story) hasPaid(ctx context.Context, name, amount, often string) error {
	h, err := s.payer(name)
	if err != nil {
		return err
	}
	times := map[string]int{"once": 1, "twice": 2}[often]
	if times == 0 {
		times, _ = strconv.Atoi(strings.TrimSuffix(often, " times"))
	}
	return s.tape.until(ctx, fmt.Sprintf("%d payments of %s by %s", times, amount, name), func() string {
		if n := s.kept().times(h.id, cents(amount)); n != times {
			return fmt.Sprintf("there are %d", n)
		}
		return ""
	})
}

// reported counts the transactions that the pages of reports have shown.
func (s *story) reported(ctx context.Context, times int) error {
	return s.tape.until(ctx, fmt.Sprintf("the pages of the report to tell of %d payments", times), func() string {
		seen := map[string]bool{}
		s.exchanges([]string{"reportTransactions"}, func(e *tape.Entry) bool {
			list, _ := member(callOf(e).answers, "transactions").([]any)
			for _, one := range list {
				t, _ := one.(map[string]any)
				seen[fmt.Sprint(member(t, "paymentRequestId"), member(t, "externalTransferId"))] = true
			}
			return true
		})
		if len(seen) != times {
			return fmt.Sprintf("they tell of %d", len(seen))
		}
		return ""
	})
}

// spellCents writes an amount as 50.00.
func spellCents(n int64) string {
	sign := ""
	if n < 0 {
		sign, n = "-", -n
	}
	return fmt.Sprintf("%s%d.%02d", sign, n/100, n%100)
}
