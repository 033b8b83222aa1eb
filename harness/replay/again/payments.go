package again

import (
	"strings"
	"time"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// Alike are two payments of one payer and amount that were made at nearly the same time, by calls that no file shows.
type Alike struct {
	// First and Second are the calls that read them, from 0, and Webhooks those that tell whose they are, from 1.
	First, Second int
	Webhooks      []int
	// IDs are the payments', in the order in which they were made, and Amount what each is of.
	IDs    [2]string
	Amount int64
	// Made is when the first was made, Apart how long after it the second.
	Made  time.Time
	Apart time.Duration
}

// Bounds of how far apart they were made at most, and how many payments are looked at.
const (
	mostApart    = 2 * time.Minute
	mostPayments = 200
)

// read is a payment as its status was read.
type read struct {
	call, heard         int
	id, payer, dueDate  string
	reference, currency string
	amount              int64
	made                time.Time
}

// Payments is the first two such payments, nil for none: each was looked at by itself, and is not undone. Where any call is shown that makes
// payments, or plans that do, it says nothing: what is missing is not all of them then.
func Payments(r *recording.Recording) *Alike {
	list, payers := []read{}, payersOf(r)
	references := referencesOf(r)
	for i := range r.Exchanges {
		x := &r.Exchanges[i]
		if makes(x) {
			return nil
		}
		p, is := readOf(x)
		w, known := payers[p.id]
		if !is || !known || len(list) >= mostPayments {
			continue
		}
		p.call, p.heard, p.payer, p.reference = i, w, payerOf(&r.Received[w-1]), references[p.id]
		list = append(list, p)
	}
	for i := range list {
		for j := range list[:i] {
			if a := alikeOf(&list[j], &list[i]); a != nil {
				return a
			}
		}
	}
	return nil
}

// makes says whether a call makes payments, may have made one, or is about plans, which make them by themselves.
func makes(x *recording.Exchange) bool {
	path := strings.ToLower(x.Path)
	switch {
	case strings.Contains(path, "/paymentplan") || strings.Contains(path, "/consent") || strings.Contains(path, "/recurring"):
		return true
	case x.Method == "GET" || x.Method == "PUT" || source.GrantsToken(path) || strings.Contains(path, "/refund"):
		return false
	default:
		return strings.Contains(path, "/payment/") || strings.Contains(path, "/cardpayment") || strings.Contains(path, "/user/register")
	}
}

// undone are the states of payments of which nobody says that they were one too many.
var undone = map[string]bool{"": true, "canceled": true, "cancelled": true, "denied": true, "failed": true}

// readOf is the payment that a call reads by itself.
func readOf(x *recording.Exchange) (p read, is bool) {
	path := strings.ToLower(x.Path)
	if x.Method != "GET" || x.Answer.Status != 200 || !strings.HasSuffix(path, "/status") || !strings.Contains(path, "/payment/") {
		return p, false
	}
	b := trail.ReadBody(x.Answer.Body)
	amount := b
	if nested := b.Object("amount"); nested != nil {
		amount, p.currency = nested, nested.Text("currency")
		p.amount, is = amount.Whole("value")
	} else {
		p.amount, is = b.Whole("amount")
	}
	p.id, p.dueDate, p.made = strings.ToLower(b.Text("id")), b.Text("dueDate"), source.Time(b.Text("creationDate"))
	return p, is && p.id != "" && strings.Contains(path, p.id) && !p.made.IsZero() && !undone[strings.ToLower(b.Text("status"))]
}

// payersOf are the webhooks, from 1, that tell whose payments are, by these.
func payersOf(r *recording.Recording) map[string]int {
	first := map[string]int{}
	for i := range r.Received {
		id := strings.ToLower(trail.ReadBody(r.Received[i].Body).Object("Data").Text("PaymentId"))
		if _, known := first[id]; id != "" && !known && payerOf(&r.Received[i]) != "" {
			first[id] = i + 1
		}
	}
	return first
}

func payerOf(w *recording.Received) string {
	if id := trail.ReadBody(w.Body).Object("Data").Text("RegistrationId"); !recording.Struck(id) {
		return strings.ToLower(id)
	}
	return ""
}

// referencesOf are the partner's own references of payments, as reports tell them.
func referencesOf(r *recording.Recording) map[string]string {
	told := map[string]string{}
	for i := range r.Exchanges {
		for _, row := range trail.ReadBody(r.Exchanges[i].Answer.Body).List("transactions") {
			told[strings.ToLower(row.Text("paymentRequestId"))] = row.Text("reference")
		}
	}
	return told
}

// alikeOf says how two payments are alike, nil where they are not.
func alikeOf(a, b *read) *Alike {
	if b.made.Before(a.made) {
		a, b = b, a
	}
	apart := b.made.Sub(a.made)
	if a.id == b.id || a.payer != b.payer || a.amount != b.amount || a.currency != b.currency || a.dueDate != b.dueDate || a.reference != b.reference || apart > mostApart {
		return nil
	}
	return &Alike{First: a.call, Second: b.call, Webhooks: []int{a.heard, b.heard}, IDs: [2]string{a.id, b.id}, Amount: a.amount, Made: a.made, Apart: apart}
}
