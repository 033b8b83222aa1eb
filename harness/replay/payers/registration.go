// Package payers holds what a recording shows of payers: how far their registrations have come, and the debit authorisations that they
// have given. It judges nobody.
package payers

import (
	"maps"
	"slices"
	"strings"

	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// payerStatus is the path of a payer's status.
var payerStatus = trail.Pattern(`(?i)^/user/([^/]+)/status$`)

// Shown are the calls that show payers' statuses last, by their ids in small letters, and these in the order in which they are shown.
func Shown(r *recording.Recording) (last map[string]int, order []string) {
	last = map[string]int{}
	for i := range r.Exchanges {
		x := &r.Exchanges[i]
		if found := payerStatus().FindStringSubmatch(x.Path); found != nil && x.Answer.Status == 200 {
			id := strings.ToLower(found[1])
			if _, known := last[id]; !known {
				order = append(order, id)
			}
			last[id] = i
		}
	}
	return last, order
}

// RegisteredAgain is another registration of the same person, by all that was sent of them, which is Registered, and the call that has
// made it, from 1; "" for none. last are the calls that show payers' statuses last.
func RegisteredAgain(r *recording.Recording, run *play.Run, id string, last map[string]int) (other string, call int) {
	who, made := map[string]string{}, map[string]int{}
	for i := range run.Answers {
		a := &run.Answers[i]
		if a.N < 0 || a.Operation != "registerUser" {
			continue
		}
		x := &r.Exchanges[a.N]
		sent, of := trail.ReadBody(x.Body), strings.ToLower(trail.ReadBody(x.Answer.Body).Text("registrationId"))
		if contact := sent.Text("mobileNumber") + sent.Text("email"); contact != "" {
			back, _, _ := strings.Cut(sent.Text("redirectUrl"), "?")
			who[of], made[of] = contact+" "+back, a.N+1
		}
	}
	for _, other := range slices.Sorted(maps.Keys(made)) {
		at, read := last[other]
		if other == id || who[other] != who[id] || !read || trail.ReadBody(r.Exchanges[at].Answer.Body).Text("status") != "Registered" {
			continue
		}
		return other, made[other]
	}
	return "", 0
}
