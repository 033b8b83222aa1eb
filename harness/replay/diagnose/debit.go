package diagnose

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// covered are the payments that the files show as approved, and that a debit authorisation covers which was asked for before:
// whether the payer was asked is the service's choice.
func (in *Input) covered() []notable {
	asked, made := in.authorisations()
	if len(asked) == 0 {
		return nil
	}
	var list []notable
	for i := range in.Run.Script.Steps {
		m := in.Run.Script.Steps[i].Move
		if _, vain := in.Run.Moved[i]; m == nil || vain || m.Machine != "payment" || m.Event != "approve" {
			continue
		}
		n, known := made[strings.ToLower(m.Entity)]
		if !known {
			continue
		}
		sent := trail.ReadBody(in.Recording.Exchanges[n].Body)
		amount, told := sent.Whole("amount")
		by := slices.IndexFunc(asked, func(a authorisation) bool {
			return told && a.call <= n && a.limit >= amount && strings.EqualFold(a.payer, sent.Text("registrationId"))
		})
		if by >= 0 {
			list = append(list, notable{
				fmt.Sprintf("the debit authorisation that call %d asked for covers the payment %s of call %d: where the payer has accepted it, such a payment is approved at once, without the payer (auto-debit=approve; replay with --latitude auto-debit=ask for a service that asks all the same)", asked[by].call, m.Entity, n+1),
				"ask the payer before a payment that a debit authorisation covers, or ask for none",
			})
		}
	}
	return list
}

// above are the payments that wait for a payer whose debit authorisation, as an answer before tells it, goes up to less than they ask for.
func (in *Input) above() []notable {
	r := in.Recording
	var list []notable
	for i := range r.Exchanges {
		x := &r.Exchanges[i]
		sent, id := trail.ReadBody(x.Body), trail.ReadBody(x.Answer.Body).Text("paymentRequestId")
		amount, told := sent.Whole("amount")
		if !told || id == "" || !waits(r, i, id) {
			continue
		}
		payer := strings.ToLower(sent.Text("registrationId"))
		read := authorised(r, payer, "", 0, i, true)
		if read < 0 || authorised(r, payer, "", read, i, false) >= 0 {
			continue
		}
		if limit, _ := trail.ReadBody(r.Exchanges[read].Answer.Body).Whole("limit"); limit < amount {
			list = append(list, notable{
				fmt.Sprintf("the payment %s of call %d asks for %d cents, and the debit authorisation of its payer goes up to %d (call %d): it waits for the payer", id, i+1, amount, limit, read+1),
				"a debit authorisation covers what is within its limit alone: send the payer the payment's url, or ask for a higher limit",
			})
		}
	}
	return list
}

// waits says whether the last answer that tells the status of a payment, behind the call that made it, tells that it is Pending.
func waits(r *recording.Recording, made int, id string) bool {
	status := ""
	for i := made + 1; i < len(r.Exchanges); i++ {
		if b := trail.ReadBody(r.Exchanges[i].Answer.Body); strings.EqualFold(b.Text("id"), id) {
			status = b.Text("status")
		}
	}
	return status == "Pending"
}

// authorisation is a debit authorisation that a payer was asked for: by which call, from 1, and up to how many cents.
type authorisation struct {
	call  int
	payer string
	limit int64
}

// authorisations are those that calls have asked for, and the calls that have made each payment, from 0.
func (in *Input) authorisations() (asked []authorisation, made map[string]int) {
	made = map[string]int{}
	for i := range in.Recording.Exchanges {
		x := &in.Recording.Exchanges[i]
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
			asked = append(asked, authorisation{i + 1, answered.Text("registrationPersonId"), limit})
		}
		if limit, told := sent.Whole("limit"); told && debtor(x) != "" {
			asked = append(asked, authorisation{i + 1, debtor(x), limit})
		}
	}
	return asked, made
}

// switchedOff are the calls that asked for a debit authorisation without "enabled", which stands for false, where the files show what
// that does: one that a payer has is off.
func switchedOff(r *recording.Recording) []Fault {
	var list []Fault
	proven := false
	for i := range r.Exchanges {
		x := &r.Exchanges[i]
		sent, payer := trail.ReadBody(x.Body), debtor(x)
		limit, told := sent.Whole("limit")
		if x.Method != "POST" || payer == "" || !told || limit == 0 || sent.Get("enabled") != nil || x.Answer.Status/100 != 2 {
			continue
		}
		company := sent.Text("companyId")
		f := Fault{
			Side: Partner, N: i, Place: x.Place, Call: x.Method + " " + x.Path, Clause: "user.debit-auth.enabled", Calls: []int{i + 1},
			What: fmt.Sprintf("it asks for a debit authorisation up to %d cents and has no member enabled, which stands for false: that asks the payer for nothing, and switches off what there was", limit),
			Fix:  "send \"enabled\": true with the limit; the payer is asked then, and has to accept once more",
		}
		if before := authorised(r, payer, company, 0, i, true); before >= 0 {
			f.Calls = append(f.Calls, before+1)
			f.What += fmt.Sprintf("; call %d had shown it as enabled", before+1)
		}
		if after := authorised(r, payer, company, i+1, len(r.Exchanges), false); after >= 0 {
			proven = true
			f.Calls = append(f.Calls, after+1)
			f.What += fmt.Sprintf("; call %d shows it as not enabled", after+1)
		}
		slices.Sort(f.Calls)
		list = append(list, f)
	}
	if !proven {
		return nil
	}
	return list
}

// debtor is the payer whose debit authorisation a call is about, "" for none.
func debtor(x *recording.Exchange) string {
	if parts := strings.Split(x.Path, "/"); len(parts) == 4 && strings.EqualFold(parts[1], "User") && strings.EqualFold(parts[3], "DebitAuth") {
		return strings.ToLower(parts[2])
	}
	return ""
}

// authorised is the last of some calls that reads the debit authorisation of a payer and a company as enabled, or else the first
// that reads it as not; -1 for none.
func authorised(r *recording.Recording, payer, company string, from, to int, enabled bool) int {
	found := -1
	for i := from; i < to; i++ {
		x := &r.Exchanges[i]
		is, told := trail.ReadBody(x.Answer.Body).Get("enabled").(bool)
		if x.Method != "GET" || debtor(x) != payer || !told || is != enabled || !strings.Contains(strings.ToLower(x.Query), strings.ToLower(company)) {
			continue
		}
		if found = i; !enabled {
			break
		}
	}
	return found
}

// overLimit are the payments that were collected in the second in which they were made, although the debit authorisation of their payer
// goes up to less: nobody can have been asked.
func overLimit(r *recording.Recording) []Fault {
	type allowed struct {
		limit int64
		call  int
	}
	limits := map[string]allowed{}
	var list []Fault
	for i := range r.Exchanges {
		x := &r.Exchanges[i]
		sent, answer := trail.ReadBody(x.Body), trail.ReadBody(x.Answer.Body)
		if payer := debtor(x); payer != "" {
			delete(limits, payer)
			if on, _ := answer.Get("enabled").(bool); on && x.Method == "GET" {
				limit, _ := answer.Whole("limit")
				limits[payer] = allowed{limit, i}
			}
			continue
		}
		of, known := limits[strings.ToLower(sent.Text("registrationId"))]
		amount, _ := sent.Whole("amount")
		id := answer.Text("paymentRequestId")
		if !known || amount <= of.limit || id == "" || x.Answer.Status != 200 || sent.Get("debitAuthLimit") != nil || sent.Get("enableDebitAuth") != nil {
			continue
		}
		if heard := atOnce(r, id); heard > 0 && stillAllowed(r, x, of.call, of.limit) {
			list = append(list, Fault{
				Side: Service, N: i, Place: x.Place, Call: x.Method + " " + x.Path, Clause: "payment.create.auto-debit", Calls: []int{of.call + 1, i + 1}, Webhooks: []int{heard},
				What: fmt.Sprintf("it asks for %d cents, the debit authorisation of the payer goes up to %d (call %d), and webhook %d tells that the payment was Processing in the second in which it was made: nobody can have been asked", amount, of.limit, of.call+1, heard),
				Fix:  "report it to the service, with this case: what a debit authorisation does not cover the payer has to approve",
			})
		}
	}
	return list
}

// stillAllowed says whether a debit authorisation, as a call had read it, was so when a payment was made: it was read right before, or
// again as it was; and no other company's was read.
func stillAllowed(r *recording.Recording, made *recording.Exchange, read int, limit int64) bool {
	first := &r.Exchanges[read]
	sure := !first.Begin.IsZero() && made.Begin.Sub(first.Begin) <= whileTrying
	for i := range r.Exchanges {
		x := &r.Exchanges[i]
		if x.Method != "GET" || debtor(x) != debtor(first) || x.Answer.Status != 200 {
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

// atOnce is the webhook, from 1, by which a payment was Processing in the second of its creation, as answers tell that; 0 for none.
func atOnce(r *recording.Recording, id string) int {
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

// endedByNobody are the debit authorisations that one answer shows as enabled and a later one as not, where no call has switched them off.
func endedByNobody(r *recording.Recording) []Fault {
	var list []Fault
	on := map[string]int{}
	for i := range r.Exchanges {
		x := &r.Exchanges[i]
		payer := debtor(x)
		if payer == "" || x.Answer.Status/100 != 2 {
			continue
		}
		enabled, told := trail.ReadBody(x.Answer.Body).Get("enabled").(bool)
		key := payer + strings.ToLower(x.Query) // of one company
		before, known := on[key]
		switch {
		case x.Method != "GET":
			maps.DeleteFunc(on, func(key string, _ int) bool { return strings.HasPrefix(key, payer) })
		case told && enabled:
			on[key] = i
		case told && known:
			delete(on, key)
			list = append(list, Fault{
				Side: Undecidable, N: i, Place: x.Place, Call: x.Method + " " + x.Path, Calls: []int{before + 1, i + 1},
				What: fmt.Sprintf("the debit authorisation that call %d shows as enabled is off, and no call that is shown has switched it off: the payer may have, another program that has the same credentials, or the service", before+1),
				Fix:  "who ended it: what else calls with these credentials, what the payer did, and what the service itself has noted of it",
			})
		}
	}
	return list
}
