package diagnose

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"paysandbox/harness/replay/compare"
	"paysandbox/harness/replay/outcomes"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/replay/unshown"
	"paysandbox/harness/trail"
)

// unanswered are the webhooks whose signature is wrong, and of which the recording does not
// say whether the receiver took them, or which it refused as it did all others: none shows that the secret is right. A place where they were forged is not to be told.
// Nor is it of one that was refused for its signature, and whose secret is not known.
func unanswered(r *recording.Recording) []Fault {
	var list []Fault
	valid := slices.ContainsFunc(r.Received, func(w recording.Received) bool { return w.Signature == recording.Valid })
	for i := range r.Received {
		w := &r.Received[i]
		unchecked := w.Signature == recording.Unchecked && w.Denied() && !w.Did(recording.SameDigest) && (source.Header(w.Header, trail.SignatureHeader) != "" || w.Did(recording.Refused))
		if !unchecked && (w.Signature != recording.Wrong || (w.Status != 0 || w.Did(recording.Refused)) && (valid || w.Reply() < 400)) {
			continue
		}
		f := Fault{
			Side: Undecidable, Heard: i + 1, Webhooks: []int{i + 1},
			What: "its signature is not what the given secret makes of its body; others have theirs: it was forged, altered on its way, or signed wrongly", Fix: "what the receiver answered to it, and the bytes of its body as they came",
		}.placed(r)
		if !valid {
			f.What = "its signature is not what the given secret makes of its body, and no other webhook's is"
			f.Fix = "the secret of this endpoint, and the bytes of the body as they came"
		}
		if unchecked {
			f.What = "its receiver " + denial(w) + "; without the secret it cannot be told whether its signature is right"
		}
		list = append(list, f)
	}
	return list
}

// denial says how it did.
func denial(w *recording.Received) string {
	if w.Status == 0 {
		return fmt.Sprintf("refused it: its log says \"%s\", its status is not shown", w.Line(recording.Refused))
	}
	return fmt.Sprintf("refused it with %d", w.Status)
}

// keptOn are the late returns of which the receiver's log tells that it took the event and did nothing.
func keptOn(r *recording.Recording, run *play.Run) []Fault {
	var list []Fault
	for _, i := range run.Heard() {
		w := &r.Received[i]
		if !w.Did(recording.Ignored) || w.Signature == recording.Wrong || w.Signature == recording.Missing || w.Denied() || w.Status >= 300 {
			continue
		}
		says := compare.Tell(w.Body)
		f := Fault{
			Side: Partner, Heard: i + 1, Clause: "partner.payment.late-return", Webhooks: []int{i + 1},
			What: fmt.Sprintf("it tells that the bank has taken back the payment %s, which was Paid before; the receiver's log tells that it did nothing about it: \"%s\"", says.About, w.Line(recording.Ignored)),
			Fix:  "take Failed after Paid as a return by the bank, and take back what was given for the payment; a payment is final only when the days in which a bank may return it are over",
		}.placed(r)
		if !f.wasPaid(r, i, says.About) {
			continue
		}
		list = append(list, f)
	}
	return list
}

// paidFirst is what to do about what was handed over too soon.
const paidFirst = "hand over when the service says Paid, in its webhook or in the status: Pending and Processing do not say so, and may end as Failed"

// handedOver are the events of payments under way at which the receiver's log tells that it handed something over.
func handedOver(r *recording.Recording, run *play.Run) []Fault {
	var list []Fault
	for _, i := range run.Heard() {
		w := &r.Received[i]
		if !w.Did(recording.TooSoon) || w.Signature == recording.Wrong || w.Signature == recording.Missing || w.Denied() {
			continue
		}
		says := compare.Tell(w.Body)
		f := Fault{
			Side: Partner, Heard: i + 1, Clause: "partner.payment.paid-first", Webhooks: []int{i + 1},
			What: fmt.Sprintf("it tells that the payment %s is %s: the money has not come; the receiver's log tells that it was taken for paid: \"%s\"", says.About, says.Says, w.Line(recording.TooSoon)),
			Fix:  paidFirst,
		}.placed(r)
		if j := slices.IndexFunc(r.Received[i+1:], func(w recording.Received) bool {
			later := compare.Tell(w.Body)
			return later.Says == "Failed" && strings.EqualFold(later.About, says.About)
		}); j >= 0 {
			f.What += fmt.Sprintf("; it Failed (webhook %d)", i+j+2)
		}
		list = append(list, f)
	}
	return list
}

// wasPaid adds what shows that the payment of a webhook was Paid before, and says whether anything does.
func (f *Fault) wasPaid(r *recording.Recording, i int, id string) bool {
	shown := ""
	if heard, call := outcomes.PaidBefore(r, i, id); heard > 0 {
		f.Webhooks, shown = []int{heard, i + 1}, fmt.Sprintf("webhook %d", heard)
	} else if call > 0 {
		f.Calls, shown = []int{call}, fmt.Sprintf("call %d", call)
	}
	f.What = strings.Replace(f.What, "was Paid before", "was Paid before ("+shown+")", 1)
	return shown != ""
}

// turnedAway are the webhooks that the receiver refused although their signature is the
// service's.
func turnedAway(r *recording.Recording, run *play.Run) []Fault {
	var list []Fault
	for _, i := range run.Heard() {
		w := &r.Received[i]
		if w.Did(recording.SameDigest) && w.Signature != recording.Wrong && (w.Denied() || w.Status == 400) {
			list = append(list, comparedAsWritten(r, i))
			continue
		}
		if w.Signature != recording.Valid || !w.Denied() {
			continue
		}
		list = append(list, Fault{
			Side: Partner, Heard: i + 1, Clause: "partner.webhook.raw-bytes", Also: []string{"partner.webhook.rotation"}, Webhooks: []int{i + 1},
			What: "its signature is the service's, over the bytes as they came and with the secret of the endpoint, and the receiver " + denial(w) + w.Computed(),
			Fix:  "compare the secret that the receiver checks with against the one that this endpoint has now, and compute the HMAC over the bytes of the body as they came, before it is parsed; what it is compared with is the whole header: sha256= and then the digest in lower-case hexadecimal digits",
		}.placed(r))
	}
	return list
}

// leftUnsigned are the deliveries that the receiver refused for want of a signature, where an earlier one was signed: they come from
// the service, as far as the sender that both name shows.
func leftUnsigned(r *recording.Recording, run *play.Run) []Fault {
	var list []Fault
	told := map[string]int{}
	for _, i := range run.Heard() {
		w := &r.Received[i]
		key := w.Says()
		if !w.Denied() || key == "" || signature(w) != "" || !w.Unsigned && len(w.Header) < unshown.WholeHead { // a log may leave it out
			continue
		}
		if at, again := told[key]; again {
			list[at].Webhooks = append(list[at].Webhooks, i+1)
			continue
		}
		signed := slices.IndexFunc(r.Received[:i], func(s recording.Received) bool {
			return s.Place.Source == w.Place.Source && s.URL == w.URL && signature(&s) != "" && s.Signature != recording.Wrong
		})
		if signed < 0 {
			continue
		}
		says, sender := compare.Tell(w.Body), source.Header(w.Header, "User-Agent")
		f := Fault{
			Side: Undecidable, Heard: i + 1, Webhooks: []int{signed + 1, i + 1},
			What: fmt.Sprintf("it carries no %s, and webhook %d does: the receiver %s, as it has to", trail.SignatureHeader, signed+1, denial(w)),
			Fix:  fmt.Sprintf("who sent it: its address and User-Agent, and what the service says of the state of %s", says.About),
		}.placed(r)
		if sender != "" && sender == source.Header(r.Received[signed].Header, "User-Agent") {
			f.Side, f.Clause = Service, "event.signature"
			f.What += "; both name the same sender, " + sender
			f.Fix = fmt.Sprintf("the receiver is right to refuse it: until the service sends it signed, read the state of %s (here it tells %s) and take that; report it to the service, with this case", says.About, says.Says)
		}
		told[key] = len(list)
		list = append(list, f)
	}
	return list
}

// signedTwice are the deliveries that the receiver refused for a signature which the secret does not make of their bytes, where the
// same bytes came signed rightly from the same sender: who has the one has no use for the other, so that it was signed wrongly.
func signedTwice(r *recording.Recording, run *play.Run) []Fault {
	var list []Fault
	for _, i := range run.Heard() {
		w := &r.Received[i]
		sender := source.Header(w.Header, "User-Agent")
		right := slices.IndexFunc(r.Received, func(s recording.Received) bool {
			return s.Signature == recording.Valid && bytes.Equal(s.Body, w.Body) && s.URL == w.URL && source.Header(s.Header, "User-Agent") == sender
		})
		if w.Signature != recording.Wrong || !w.Denied() || right < 0 || sender == "" || strings.HasPrefix(sender, "paysandbox/") { // which is told to send such
			continue
		}
		f := Fault{
			Side: Service, Heard: i + 1, Clause: "event.signature", Webhooks: []int{right + 1, i + 1},
			What: fmt.Sprintf("its signature is not what the secret makes of its body; webhook %d, of the same bytes, is signed rightly; the receiver %s, as it has to; both name the same sender, %s", right+1, denial(w), sender),
			Fix:  "the receiver is right to refuse it; report it to the service, with this case: two secrets seem to be at work",
		}.placed(r)
		list = append(list, f)
	}
	return list
}

// signedAsBefore are the deliveries of an event that the receiver refused each time, since they carry the signature of another event, which
// is signed rightly and came before from the same sender. What is forged so gains nothing by coming once more: it was signed wrongly.
func signedAsBefore(r *recording.Recording, run *play.Run) []Fault {
	var list []Fault
	told := map[string]int{}
	for _, i := range run.Heard() {
		w := &r.Received[i]
		sender, said, key := source.Header(w.Header, "User-Agent"), signature(w), w.Says()
		if w.Signature != recording.Wrong || !w.Denied() || key == "" || said == "" || sender == "" || strings.HasPrefix(sender, "paysandbox/") || len(w.Header) < unshown.WholeHead {
			continue
		}
		if at, again := told[key+said]; again {
			list[at].Webhooks = append(list[at].Webhooks, i+1)
			continue
		}
		right := slices.IndexFunc(r.Received[:i], func(s recording.Received) bool {
			return s.Signature == recording.Valid && signature(&s) == said && s.Says() != key && s.URL == w.URL && source.Header(s.Header, "User-Agent") == sender
		})
		if right < 0 {
			continue
		}
		told[key+said] = len(list)
		list = append(list, Fault{
			Side: Service, Heard: i + 1, Clause: "event.signature", Webhooks: []int{right + 1, i + 1},
			What: fmt.Sprintf("it carries the signature of webhook %d, which is right for that one's body: one digest cannot be of both; the receiver %s, as it has to; both name the same sender, %s, which has delivered it so more than once", right+1, denial(w), sender),
			Fix:  "the receiver is right to refuse it; report it to the service, with this case: it seems to sign an event as the one before; until it comes signed rightly, read the state that it tells from the service",
		}.placed(r))
	}
	return slices.DeleteFunc(list, func(f Fault) bool { return len(f.Webhooks) < 3 }) // once may be anybody's
}

// unschemed are the deliveries that came with all their headers, and a signature that is a digest alone.
func unschemed(r *recording.Recording) (list []Fault) {
	for i := range r.Received {
		w := &r.Received[i]
		if digest, err := hex.DecodeString(signature(w)); err == nil && len(digest) == sha256.Size && len(w.Header) >= unshown.WholeHead && w.Says() != "" {
			f := Fault{Side: Service, Heard: i + 1, Clause: "event.signature", Webhooks: []int{i + 1}}.placed(r)
			f.What, f.Fix = trail.SignatureHeader+" is a digest alone, expected sha256= and the digest", "report it to the service, with this case, unless something before the receiver has changed its headers"
			list = append(list, f)
		}
	}
	return list
}

// writtenOtherwise are the deliveries whose signature is the digest that the secret makes of their bytes, and is not written in hexadecimal
// digits: who has the secret has written it so. Those of one event are told once.
func writtenOtherwise(r *recording.Recording) (list []Fault) {
	told := map[string]int{}
	for i := range r.Received {
		w := &r.Received[i]
		if w.Signature != recording.Otherwise || !strings.HasPrefix(signature(w), "sha256=") {
			continue
		}
		if at, again := told[w.Says()]; again {
			list[at].Webhooks = append(list[at].Webhooks, i+1)
			continue
		}
		told[w.Says()] = len(list)
		f := Fault{Side: Service, Heard: i + 1, Clause: "event.signature", Webhooks: []int{i + 1}}.placed(r)
		f.What = trail.SignatureHeader + " is sha256= and the right digest in Base64, expected it in hexadecimal digits"
		if right := slices.IndexFunc(r.Received, func(s recording.Received) bool { return s.Signature == recording.Valid }); right >= 0 {
			f.What += fmt.Sprintf(", as webhook %d has it", right+1)
		}
		if w.Denied() {
			f.What += "; its receiver, as it has to, " + denial(w)
		}
		f.Fix = "leave the check as it is; report it to the service, with this case: a part of what sends events seems to write the digest otherwise, and what was refused so has to be delivered again"
		list = append(list, f)
	}
	return list
}

func signature(w *recording.Received) string {
	return strings.TrimSpace(source.Header(w.Header, trail.SignatureHeader))
}

// forged names the clauses that a signature may have broken which is not the service's:
// whether the body or the secret was another, it does not show.
func (f *Fault) forged(r *recording.Recording) Fault {
	kin := []string{"partner.webhook.altered", "partner.webhook.wrong-secret"}
	if !slices.Contains(kin, f.Clause) || f.Heard == 0 {
		return *f
	}
	f.Also = append(f.Also, kin...)
	f.What = fmt.Sprintf("its signature is not what the given secret makes of its body, and the receiver answered %d", r.Received[f.Heard-1].Reply())
	return *f
}
