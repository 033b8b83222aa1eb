package explain

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"paysandbox/harness/replay/compare"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// accounts are the masks that a recording tells of the account of each payer, and that each payment is paid from, by their ids in lower
// case; carded are the payments that were charged to one of the payer's cards.
type accounts struct {
	masks  map[string][]string
	carded map[string]bool
	// linked says that an account was linked by a call while the recording went on.
	linked bool
}

func accountsOf(r *recording.Recording) accounts {
	all := accounts{masks: map[string][]string{}, carded: map[string]bool{}}
	for i := range r.Exchanges {
		x := &r.Exchanges[i]
		all.linked = all.linked || strings.HasSuffix(strings.ToLower(x.Path), "/account/link") && x.Answer.Status/100 == 2
		if bytes.Contains(x.Body, []byte("paymentMethodId")) {
			all.carded[strings.ToLower(trail.ReadBody(x.Answer.Body).Text("paymentRequestId"))] = true
		}
	}
	for i := range r.Received {
		d := trail.ReadBody(r.Received[i].Body).Object("Data")
		all.note(d, "AccountNumberMasked", all.holders(d)...)
	}
	for i := range r.Exchanges {
		x := &r.Exchanges[i]
		answer := trail.ReadBody(x.Answer.Body)
		all.note(answer, "accountMask", "paymentRequestId", "registrationPersonId")
		if id := trail.UUIDs().FindString(strings.ToLower(x.Path)); id != "" {
			all.add(id, answer.Text("accountMask"))
		}
		for _, row := range answer.List("transactions") {
			all.note(row, "senderAccount", "paymentRequestId")
		}
	}
	return all
}

// holders are the members of an event by which it names what an account is of: the payer, but where the payment was charged to a card, and
// the payment.
func (all accounts) holders(event trail.Body) []string {
	if id := strings.ToLower(event.Text("PaymentId")); id != "" && all.carded[id] {
		return []string{"PaymentId"}
	}
	return []string{"RegistrationId", "PaymentId"}
}

// note takes the mask that a body has of what it names.
func (all accounts) note(b trail.Body, mask string, names ...string) {
	for _, name := range names {
		all.add(strings.ToLower(b.Text(name)), b.Text(mask))
	}
}

func (all accounts) add(id, mask string) {
	if id != "" && mask != "" && !slices.Contains(all.masks[id], mask) {
		all.masks[id] = append(all.masks[id], mask)
	}
}

// ofAccount says whether two masks of an account differ, or an event or a report tells of one that a payer has whom no call shows to have
// linked any: that is done on the page of the payment, too.
func ofAccount(d *compare.Difference) bool {
	name := strings.ToLower(d.Where[strings.LastIndexByte(d.Where, '/')+1:])
	return slices.Contains([]string{"accountmask", "senderaccount", "accountnumbermasked"}, name) && mask().MatchString(d.Recorded) &&
		(mask().MatchString(d.Replayed) || d.Replayed == "null" && (d.Heard > 0 || name == "senderaccount"))
}

var mask = trail.Pattern(`^\*[0-9]{4}$`)

// one says whether the recording tells of one account alone where a difference is: then it contradicts itself nowhere, and the replay's
// is another.
func (all accounts) one(r *recording.Recording, d *compare.Difference) bool {
	if all.linked {
		return true // by the payer, meanwhile
	}
	for _, id := range all.holder(r, d) {
		if len(all.masks[id]) > 1 {
			return false
		}
	}
	return true
}

// holder is what the account at a difference is of: a payment, and the payer.
func (all accounts) holder(r *recording.Recording, d *compare.Difference) (ids []string) {
	add := func(b trail.Body, names ...string) {
		for _, name := range names {
			ids = append(ids, strings.ToLower(b.Text(name)))
		}
	}
	if d.N < 0 {
		if d.Heard > 0 && d.Heard <= len(r.Received) {
			event := trail.ReadBody(r.Received[d.Heard-1].Body).Object("Data")
			add(event, all.holders(event)...)
		}
		return ids
	}
	x := &r.Exchanges[d.N]
	answer := trail.ReadBody(x.Answer.Body)
	if rows := answer.List("transactions"); len(rows) > 0 {
		parts := strings.Split(d.Where, "/")
		if n, err := strconv.Atoi(parts[min(2, len(parts)-1)]); err == nil && n < len(rows) {
			add(rows[n], "paymentRequestId")
		}
		return ids
	}
	add(answer, "paymentRequestId", "registrationPersonId")
	return append(ids, trail.UUIDs().FindString(strings.ToLower(x.Path)))
}

// linksAccount says whether a payer linked an account by what a page of the bank's had given them, which no replay has.
func linksAccount(d *compare.Difference) bool {
	return d.Operation == "linkAccount" && strings.HasPrefix(d.Where, "/")
}
