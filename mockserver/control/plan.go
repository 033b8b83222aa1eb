package control

import (
	"net/http"

	"paysandbox/mockserver/world"
)

func planState(w *world.World, id, _ string) (string, error) {
	p, err := w.ReadPlan(id)
	return p.Status, err
}

func consentState(w *world.World, id, _ string) (string, error) {
	c, err := w.ReadConsent(id)
	return c.Status, err
}

// moveConsent answers for the payer.
func moveConsent(w *world.World, id, event string) error {
	switch event {
	case "accept":
		return w.AcceptConsent(id)
	case "decline":
		return w.DeclineConsent(id)
	default:
		c, err := w.ReadConsent(id)
		if err != nil {
			return err
		}
		return illegal(&world.ConsentMachine, c.ConsentID, c.Status, event)
	}
}

func debitState(w *world.World, id, _ string) (string, error) {
	v, err := w.DebitAuthView(id)
	return v.State, err
}

func planRoutes() []*route {
	const tag, i = "Plans and authorisations", Prefix + "/integrations/{i}"
	return []*route{
		row("moveDebitAuthorisation", http.MethodPost, i+"/debit-authorisations/{id}/{event}",
			step(&world.DebitAuthorisationMachine, (*world.World).MoveDebitAuth, debitState), nil, Moved{}).
			About(tag, "Accept, decline or disable a debit authorisation").Fails(steps...),
		row("moveConsent", http.MethodPost, i+"/consents/{id}/{event}",
			step(&world.ConsentMachine, moveConsent, consentState), nil, Moved{}).
			About(tag, "Accept or decline a consent for the payer").Fails(steps...),
		row("movePlan", http.MethodPost, i+"/plans/{id}/{event}",
			step(&world.PlanMachine, (*world.World).MovePlan, planState), nil, Moved{}).
			About(tag, "Take a step of a plan").Fails(steps...),
	}
}
