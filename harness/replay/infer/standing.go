package infer

import (
	"slices"
	"strings"

	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/replay/play"
)

// standing is how the resource of a sight stands in the world, and which of the world's that is.
func standing(now *play.Now, s *Sight) (id string, state play.State, known bool) {
	if s.Type == debit {
		return asked(now, s.ID)
	}
	id, linked := now.Links.Find(s.Type, s.ID)
	if !linked && (s.Type == correlate.Payment || s.Type == correlate.Consent && s.Payer != "") {
		id = adopt(now, s)
	}
	if id == "" && s.Type != correlate.Reference { // the world is asked only where that says something
		return "", play.State{}, false
	}
	if state, known = now.World().States[strings.ToLower(id)]; !known && s.Type == correlate.Reference {
		return onlyCompany(now)
	}
	return id, state, known
}

// asked is the last debit authorisation that a payer of the recording was asked for.
func asked(now *play.Now, payer string) (string, play.State, bool) {
	payer, _ = now.Links.Find(correlate.Registration, payer)
	world := now.World()
	for _, id := range slices.Backward(world.Born) {
		by := strings.ToLower(world.By[id])
		if s := world.States[id]; s.Machine == string(debit) && (!strings.HasSuffix(by, "/debitauth") || strings.Contains(by, "/"+strings.ToLower(payer)+"/")) {
			return id, s, true
		}
	}
	return "", play.State{}, false
}

// Adopted says of a link that no answer has made the thing: it is taken for the first that was made and that nothing stands for.
const Adopted = "the first event or report that shows it"

// adopt links a payment or a consent that no answer has made, as those of a plan, to the first of the
// world's that nothing stands for: to one of the same payer, where both are told.
func adopt(now *play.Now, s *Sight) string {
	payer, told := now.Links.Find(correlate.Registration, s.Payer)
	untold, world := "", now.World()
	for _, id := range world.Born {
		if m := world.States[id].Machine; m != string(s.Type) && (s.Type != correlate.Payment || m != "saved-card-charge") {
			continue
		}
		if _, taken := now.Links.Recorded(id); taken {
			continue
		}
		of := payer
		if told {
			of = now.Payer(id)
		}
		if strings.EqualFold(of, payer) {
			now.Links.Bind(s.Type, s.ID, id, Adopted)
			return id
		}
		if of == "" && untold == "" && s.Type == correlate.Payment {
			untold = id
		}
	}
	if untold != "" {
		now.Links.Bind(s.Type, s.ID, untold, Adopted)
	}
	return untold
}

// onlyCompany is the company of a world that has one.
func onlyCompany(now *play.Now) (string, play.State, bool) {
	id, n, states := "", 0, now.World().States
	for k, s := range states {
		if s.Machine == "company" {
			id = k
			n++
		}
	}
	return id, states[id], n == 1
}
