package diagnose

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/read/handout"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// misdirected are the registrations whose links the partner sent to other payers: who opens one there links their account to somebody
// else's registration, and pays what that one is asked for.
func misdirected(r *recording.Recording) []Fault {
	var list []Fault
	for i := range r.Exchanges {
		x := &r.Exchanges[i]
		if x.SentTo == "" {
			continue
		}
		own, to := strings.ToLower(trail.ReadBody(x.Answer.Body).Text("registrationId")), handout.To(x.SentTo)
		f := Fault{
			Side: Partner, N: i, Operation: "registerUser", Clause: "user.register", Calls: []int{i + 1},
			What: fmt.Sprintf("it has registered the payer %s, and the link that it answered was sent to another: %s", own, x.SentTo),
			Fix:  "each registrationUrl belongs to the payer of the call that answered it: what is linked on its page is theirs, and who was sent it by mistake links their own account for somebody else; send each payer the link of their own answer (one variable that two requests share gives both the same); then register both anew, and refund what was taken from the wrong account",
		}.placed(r)
		if n := slices.IndexFunc(r.Exchanges, func(o recording.Exchange) bool {
			return strings.EqualFold(trail.ReadBody(o.Answer.Body).Text("registrationId"), to)
		}); n >= 0 {
			f.Calls = append(f.Calls, n+1)
			f.What += fmt.Sprintf(", whom call %d has registered with a link of their own", n+1)
		}
		f.What += shownAs(r, "; the registration of that link shows as", own) + shownAs(r, "; the other's own shows as", to)
		list = append(list, f)
	}
	return list
}

// shownAs tells how a registration is shown last, "" where it is not.
func shownAs(r *recording.Recording, whose, id string) string {
	for i := len(r.Exchanges) - 1; i >= 0; i-- {
		x := &r.Exchanges[i]
		said := trail.ReadBody(x.Answer.Body)
		if !strings.EqualFold(x.Path, "/User/"+id+"/Status") || said.Text("status") == "" {
			continue
		}
		text := fmt.Sprintf("%s %s (call %d)", whose, said.Text("status"), i+1)
		if mask := said.Text("accountMask"); mask != "" {
			text = fmt.Sprintf("%s %s with the account %s (call %d)", whose, said.Text("status"), mask, i+1)
		}
		return text
	}
	return ""
}

// shutOut are the receivers of which an access log tells that, from a request on, nothing was taken any more that came to them, and of
// which no file shows what that was: what stands before them answers.
func shutOut(r *recording.Recording) []Fault {
	var list []Fault
	for i := range r.Sources {
		all := slices.SortedStableFunc(slices.Values(r.Sources[i].Arrivals), func(a, b recording.Arrival) int { return a.At.Compare(b.At) })
		n := len(all)
		for n > 0 && all[n-1].Status >= 300 && all[n-1].Status != 401 && all[n-1].Status != 403 && !shows(r, all[n-1].At) {
			n--
		}
		if n == 0 || len(all)-n < 2 || all[n-1].Status/100 != 2 {
			continue
		}
		place := recording.Place{Source: r.Sources[i].Name, Line: all[n].Line}
		list = append(list, Fault{
			Side: Partner, N: play.Prelude, Place: place, Call: "what came to the receiver",
			What: fmt.Sprintf("from %s on all that came to the receiver (%d times) was answered %d, and before it was taken: an event is taken that is answered with 2xx, a redirect is not followed, and what is not taken is delivered again for a day or two", all[n].At.UTC().Format("2006-01-02 15:04:05 UTC"), len(all)-n, all[n].Status),
			Fix:  "see what stands before the receiver, and answers for it: the address that is registered for events has to answer 2xx itself",
		})
	}
	return list
}

// shows says whether a webhook is shown that came at a moment.
func shows(r *recording.Recording, at time.Time) bool {
	return slices.ContainsFunc(r.Received, func(w recording.Received) bool { return w.At.Sub(at).Abs() <= 5*time.Second })
}
