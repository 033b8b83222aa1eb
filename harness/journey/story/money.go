package story

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"paysandbox/harness/journey/timeline"
)

func moneyExpectations() []Step {
	return []Step{
		step(`the books show `+money, bind1((*Story).booksShow)),
		step(person+` has paid `+money+` (once|twice|[0-9]+ times)`, bind3((*Story).hasPaid)),
		step(`the report has told the partner of ([0-9]+) payments?`, bind1((*Story).reported)),
	}
}

// kept reads the books of the story.
func (s *Story) kept() *timeline.Books {
	b := timeline.NewBooks()
	for i := range s.Tape.Entries {
		b.Take(&s.Tape.Entries[i])
	}
	return b
}

// booksShow compares what the people of the story have paid, less what was given
// back.
func (s *Story) booksShow(ctx context.Context, amount string) error {
	return s.Tape.Until(ctx, "the books to show "+amount, func() string {
		if n := s.kept().Sum(s.known); n != cents(amount) {
			return "they show " + timeline.Amount(n) + s.unlike()
		}
		return ""
	})
}

// unlike says what may be the reason when the books show something else: payments
// that the story did not ask for, and those that are not Paid.
func (s *Story) unlike() string {
	kept, text := s.kept(), ""
	for _, key := range slices.Sorted(maps.Keys(s.payments)) {
		switch p := s.payments[key]; {
		case p.id == "":
		case kept.Collected[p.id] == 0:
			text += fmt.Sprintf("; %s is %s", key, cmp.Or(s.Tape.State(p.id), "Pending"))
		case kept.Given[p.id] > 0:
			text += fmt.Sprintf("; of %s was given back %s", key, timeline.Amount(kept.Given[p.id]))
		}
	}
	if len(s.plans) > 0 {
		return text // which asks for payments by itself
	}
	for _, id := range slices.Sorted(maps.Keys(kept.Collected)) {
		if s.known(kept.Whose[id]) && !s.ours(id) {
			text += fmt.Sprintf("; %s was collected that the story did not ask for (payment %s)", timeline.Amount(kept.Collected[id]), id)
		}
	}
	return text
}

func (s *Story) hasPaid(ctx context.Context, name, amount, often string) error {
	h, err := s.payer(name)
	if err != nil {
		return err
	}
	times := map[string]int{"once": 1, "twice": 2}[often]
	if times == 0 {
		times, _ = strconv.Atoi(strings.TrimSuffix(often, " times"))
	}
	return s.Tape.Until(ctx, fmt.Sprintf("%d payments of %s by %s", times, amount, name), func() string {
		if n := s.kept().Times(h.id, cents(amount)); n != times {
			return fmt.Sprintf("there are %d", n)
		}
		return ""
	})
}

// reported counts the transactions that the pages of reports have shown.
func (s *Story) reported(ctx context.Context, times int) error {
	return s.Tape.Until(ctx, fmt.Sprintf("the pages of the report to tell of %d payments", times), func() string {
		seen := map[string]bool{}
		for c := range s.Tape.CallsTo("reportTransactions") {
			for _, t := range c.Answered().List("transactions") {
				seen[fmt.Sprint(t.Get("paymentRequestId"), t.Get("externalTransferId"))] = true
			}
		}
		if len(seen) != times {
			return fmt.Sprintf("they tell of %d", len(seen))
		}
		return ""
	})
}
