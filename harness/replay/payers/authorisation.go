package payers

import (
	"cmp"
	"strings"
	"time"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// Authorisation is a debit authorisation that a payer was asked for: by which call, from 1, and up to how many cents.
type Authorisation struct {
	Call  int
	Payer string
	Limit int64
}

// Asked are those that calls have asked for, and the calls that have made each payment, from 0.
func Asked(r *recording.Recording) (asked []Authorisation, made map[string]int) {
	made = map[string]int{}
	for i := range r.Exchanges {
		x := &r.Exchanges[i]
		sent, answered := trail.ReadBody(x.Body), trail.ReadBody(x.Answer.Body)
		if id := strings.ToLower(answered.Text("paymentRequestId")); id != "" {
			if _, known := made[id]; !known {
				made[id] = i
			}
		}
		if x.Answer.Status/100 != 2 {
			continue
		}
		if limit, told := sent.Whole("debitAuthLimit"); told {
			asked = append(asked, Authorisation{i + 1, answered.Text("registrationPersonId"), limit})
		}
		if limit, told := sent.Whole("limit"); told && Debtor(x) != "" {
			asked = append(asked, Authorisation{i + 1, Debtor(x), limit})
		}
	}
	return asked, made
}

// Waits says whether the last answer that tells the status of a payment, behind the call that made it, tells that it is Pending.
func Waits(r *recording.Recording, made int, id string) bool {
	status := ""
	for i := made + 1; i < len(r.Exchanges); i++ {
		if b := trail.ReadBody(r.Exchanges[i].Answer.Body); strings.EqualFold(b.Text("id"), id) {
			status = b.Text("status")
		}
	}
	return status == "Pending"
}

// Debtor is the payer whose debit authorisation a call is about, "" for none.
func Debtor(x *recording.Exchange) string {
	if parts := strings.Split(x.Path, "/"); len(parts) == 4 && strings.EqualFold(parts[1], "User") && strings.EqualFold(parts[3], "DebitAuth") {
		return strings.ToLower(parts[2])
	}
	return ""
}

// Reads are the calls that read the debit authorisation of each payer.
type Reads map[string][]int

// ReadsOf finds them in a recording.
func ReadsOf(r *recording.Recording) Reads {
	reads := Reads{}
	for i := range r.Exchanges {
		if x := &r.Exchanges[i]; x.Method == "GET" {
			if payer := Debtor(x); payer != "" {
				reads[payer] = append(reads[payer], i)
			}
		}
	}
	return reads
}

// Authorised is the last of some calls that reads the debit authorisation of a payer and a company as enabled, or else the first
// that reads it as not; -1 for none.
func (reads Reads) Authorised(r *recording.Recording, payer, company string, from, to int, enabled bool) int {
	found := -1
	for _, i := range reads[payer] {
		x := &r.Exchanges[i]
		is, told := trail.ReadBody(x.Answer.Body).Get("enabled").(bool)
		if i < from || i >= to || !told || is != enabled || !strings.Contains(strings.ToLower(x.Query), strings.ToLower(company)) {
			continue
		}
		if found = i; !enabled {
			break
		}
	}
	return found
}

// shortly is how long before a payment its debit authorisation is read for it.
const shortly = 15 * time.Minute

// StillAllowed says whether a debit authorisation, as a call had read it, was so when a payment was made: it was read right before, or
// again as it was; and no other company's was read.
func StillAllowed(r *recording.Recording, made *recording.Exchange, read int, limit int64) bool {
	first := &r.Exchanges[read]
	sure := !first.Begin.IsZero() && made.Begin.Sub(first.Begin) <= shortly
	for i := range r.Exchanges {
		x := &r.Exchanges[i]
		if x.Method != "GET" || Debtor(x) != Debtor(first) || x.Answer.Status != 200 {
			continue
		}
		if !strings.EqualFold(x.Query, first.Query) {
			return false
		}
		if again, _ := trail.ReadBody(x.Answer.Body).Whole("limit"); i > read && again == limit && !x.Begin.Before(made.Begin) {
			sure = true
		}
	}
	return sure
}

// AtOnce is the webhook, from 1, by which a payment was Processing in the second of its creation, as answers tell that; 0 for none.
func AtOnce(r *recording.Recording, id string) int {
	for i := range r.Exchanges {
		b := trail.ReadBody(r.Exchanges[i].Answer.Body)
		made := source.Time(b.Text("creationDate"))
		if !strings.EqualFold(cmp.Or(b.Text("id"), b.Text("externalPaymentRequestId")), id) || made.IsZero() {
			continue
		}
		for j := range r.Received {
			d := trail.ReadBody(r.Received[j].Body).Object("Data")
			if at := source.Time(d.Text("Timestamp")); strings.EqualFold(d.Text("PaymentId"), id) && d.Text("Status") == "Processing" && !at.IsZero() && at.Sub(made).Abs() <= time.Second {
				return j + 1
			}
		}
	}
	return 0
}
