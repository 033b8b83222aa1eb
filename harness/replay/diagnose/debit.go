package diagnose

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"paysandbox/harness/replay/payers"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/read/price"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// covered are the payments that the files show as approved, and that a debit authorisation covers which was asked for before:
// whether the payer was asked is the service's choice.
func (in *Input) covered() []notable {
	asked, made := payers.Asked(in.Recording)
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
		by := slices.IndexFunc(asked, func(a payers.Authorisation) bool {
			return told && a.Call <= n && a.Limit >= amount && strings.EqualFold(a.Payer, sent.Text("registrationId"))
		})
		if by >= 0 {
			list = append(list, notable{
				fmt.Sprintf("the debit authorisation that call %d asked for covers the payment %s of call %d: where the payer has accepted it, such a payment is approved at once, without the payer (auto-debit=approve; replay with --latitude auto-debit=ask for a service that asks all the same)", asked[by].Call, m.Entity, n+1),
				"ask the payer before a payment that a debit authorisation covers, or ask for none",
			})
		}
	}
	return list
}

// above are the payments that wait for a payer whose debit authorisation, as an answer before tells it, goes up to less than they ask for.
func (in *Input) above() []notable {
	r := in.Recording
	reads := payers.ReadsOf(r)
	if len(reads) == 0 {
		return nil
	}
	var list []notable
	for i := range r.Exchanges {
		x := &r.Exchanges[i]
		sent, id := trail.ReadBody(x.Body), trail.ReadBody(x.Answer.Body).Text("paymentRequestId")
		amount, told := sent.Whole("amount")
		payer := strings.ToLower(sent.Text("registrationId"))
		if !told || id == "" || len(reads[payer]) == 0 {
			continue
		}
		read := reads.Authorised(r, payer, "", 0, i, true)
		if read < 0 || reads.Authorised(r, payer, "", read, i, false) >= 0 || !payers.Waits(r, i, id) {
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

// switchedOff are the calls that asked for a debit authorisation without "enabled", which stands for false, where the files show what
// that does: one that a payer has is off.
func switchedOff(r *recording.Recording) []Fault {
	var list []Fault
	proven, reads := false, payers.ReadsOf(r)
	for i := range r.Exchanges {
		x := &r.Exchanges[i]
		sent, payer := trail.ReadBody(x.Body), payers.Debtor(x)
		limit, told := sent.Whole("limit")
		if x.Method != "POST" || payer == "" || !told || limit == 0 || sent.Get("enabled") != nil || x.Answer.Status/100 != 2 {
			continue
		}
		company := sent.Text("companyId")
		f := Fault{
			Side: Partner, N: i, Clause: "user.debit-auth.enabled", Calls: []int{i + 1},
			What: fmt.Sprintf("it asks for a debit authorisation up to %d cents and has no member enabled, which stands for false: that asks the payer for nothing, and switches off what there was", limit),
			Fix:  "send \"enabled\": true with the limit; the payer is asked then, and has to accept once more",
		}.placed(r)
		if before := reads.Authorised(r, payer, company, 0, i, true); before >= 0 {
			f.Calls = append(f.Calls, before+1)
			f.What += fmt.Sprintf("; call %d had shown it as enabled", before+1)
		}
		if after := reads.Authorised(r, payer, company, i+1, len(r.Exchanges), false); after >= 0 {
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
		if payer := payers.Debtor(x); payer != "" {
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
		if heard := payers.AtOnce(r, id); heard > 0 && payers.StillAllowed(r, x, of.call, of.limit) {
			list = append(list, Fault{
				Side: Service, N: i, Clause: "payment.create.auto-debit", Calls: []int{of.call + 1, i + 1}, Webhooks: []int{heard},
				What: fmt.Sprintf("it asks for %d cents, the debit authorisation of the payer goes up to %d (call %d), and webhook %d tells that the payment was Processing in the second in which it was made: nobody can have been asked", amount, of.limit, of.call+1, heard),
				Fix:  "report it to the service, with this case: what a debit authorisation does not cover the payer has to approve",
			}.placed(r))
		}
	}
	return list
}

// endedByNobody are the debit authorisations that one answer shows as enabled and a later one as not, where no call has switched them off.
func endedByNobody(r *recording.Recording) []Fault {
	var list []Fault
	on := map[string]int{}
	for i := range r.Exchanges {
		x := &r.Exchanges[i]
		payer := payers.Debtor(x)
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
				Side: Undecidable, N: i, Calls: []int{before + 1, i + 1},
				What: fmt.Sprintf("the debit authorisation that call %d shows as enabled is off, and no call that is shown has switched it off: the payer may have, another program that has the same credentials, or the service", before+1),
				Fix:  "who ended it: what else calls with these credentials, what the payer did, and what the service itself has noted of it",
			}.placed(r))
		}
	}
	return list
}

// dollars are the calls whose amount the files price beside it, and that ask for as many cents as the price has dollars.
func dollars(r *recording.Recording, run *play.Run) []Fault {
	var list []Fault
	for s := range run.Script.Steps {
		call := run.Script.Steps[s].Call
		if call == nil || call.N < 0 {
			continue
		}
		i := call.N
		x := &r.Exchanges[i]
		if what, fix := price.Another(x); what != "" {
			list = append(list, Fault{
				Side: Partner, N: i, Calls: []int{i + 1}, Clause: "partner.intent.amount", Also: []string{"partner.amount.cents"}, Pointer: "/amount",
				What: what, Fix: fix,
			}.placed(r))
			continue
		}
		name, cents := price.Member(x)
		if name == "" {
			continue
		}
		list = append(list, Fault{
			Side: Partner, N: i, Calls: []int{i + 1}, Clause: "partner.amount.cents", Also: []string{"partner.intent.amount"}, Pointer: "/" + name,
			What: fmt.Sprintf("%s %d is $%d.%02d, and %s: dollars were sent for cents, by all that is shown", name, cents, cents/100, cents%100, x.Dollars),
			Fix:  fmt.Sprintf("send %d00: an amount is a whole number of cents, and nothing converts it", cents),
		}.placed(r))
	}
	return list
}
