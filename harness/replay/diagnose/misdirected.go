package diagnose

import (
	"fmt"
	"slices"
	"strings"

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
