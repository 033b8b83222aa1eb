package diagnose

import (
	"fmt"
	"slices"

	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
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
		unchecked := w.Signature == recording.Unchecked && denied(w) && source.Header(w.Header, trail.SignatureHeader) != ""
		if !unchecked && (w.Signature != recording.Wrong || w.Status != 0 && (valid || w.Status < 400)) {
			continue
		}
		f := Fault{
			Side: Undecidable, N: play.Prelude, Heard: i + 1, Place: w.Place, Call: fmt.Sprintf("webhook %d", i+1), Webhooks: []int{i + 1},
			What: "its signature is not what the given secret makes of its body; others have theirs: it was forged, altered on its way, or signed wrongly", Fix: "what the receiver answered to it, and the bytes of its body as they came",
		}
		if !valid {
			f.What = "its signature is not what the given secret makes of its body, and no other webhook's is"
			f.Fix = "the secret of this endpoint, and the bytes of the body as they came"
		}
		if unchecked {
			f.What = fmt.Sprintf("its receiver refused it with %d, and without the secret it cannot be told whether its signature is right", w.Status)
		}
		list = append(list, f)
	}
	return list
}

// denied says whether a receiver has refused a webhook for what it is signed with.
func denied(w *recording.Received) bool { return w.Status == 401 || w.Status == 403 }

// turnedAway are the webhooks that the receiver refused although their signature is the
// service's.
func turnedAway(r *recording.Recording) []Fault {
	var list []Fault
	for i := range r.Received {
		w := &r.Received[i]
		if w.Signature != recording.Valid || !denied(w) {
			continue
		}
		list = append(list, Fault{
			Side: Partner, N: play.Prelude, Heard: i + 1, Place: w.Place, Call: fmt.Sprintf("webhook %d", i+1), Clause: "partner.webhook.raw-bytes", Also: []string{"partner.webhook.rotation"}, Webhooks: []int{i + 1},
			What: fmt.Sprintf("its signature is the service's, over the bytes as they came and with the secret of the endpoint, and the receiver answered %d", w.Status),
			Fix:  "compute the HMAC over the bytes of the body as they came, before it is parsed, with the secret that this endpoint has now",
		})
	}
	return list
}

// forged names the clauses that a signature may have broken which is not the service's:
// whether the body or the secret was another, it does not show.
func (f *Fault) forged(r *recording.Recording) Fault {
	kin := []string{"partner.webhook.altered", "partner.webhook.wrong-secret"}
	if !slices.Contains(kin, f.Clause) || f.Heard == 0 {
		return *f
	}
	f.Also = append(f.Also, kin...)
	f.What = fmt.Sprintf("its signature is not what the given secret makes of its body, and the receiver answered %d", status(&r.Received[f.Heard-1]))
	return *f
}
