package control

import (
	"net/http"

	"paysandbox/mockserver/door"
	"paysandbox/mockserver/world"
)

// KYBDecision is the body that ends a company's verification.
type KYBDecision struct {
	// Outcome is verified or rejected.
	Outcome string `json:"outcome" required:"true" enum:"verified,rejected" example:"verified"`
}

func decideKYB(w *world.World, x *exchange, req *KYBDecision) (world.CompanyStatus, error) {
	ref := x.company(w)
	if err := outcome(req.Outcome, "verified", "rejected"); err != nil {
		return world.CompanyStatus{}, err
	}
	if err := w.DecideKYB(ref, req.Outcome); err != nil {
		return world.CompanyStatus{}, err
	}
	return w.Verification(ref)
}

func linkCompanyBank(w *world.World, x *exchange) (door.Empty, error) {
	return door.Done(w.LinkCompanyBankOf(x.company(w)))
}

// company gives the company that the path names, by reference or id, and puts
// the call on the tape under its id.
func (x *exchange) company(w *world.World) string {
	ref := x.Param("id")
	if id, err := w.CompanyID(ref); err == nil {
		x.Call.Entities = []string{id.String()}
	}
	return ref
}

func companyRoutes() []*route {
	const tag, one = "Companies", Prefix + "/integrations/{i}/companies/{id}"
	return []*route{
		row("decideKYB", http.MethodPost, one+"/kyb", actsWith(decideKYB), KYBDecision{}, world.CompanyStatus{}).
			About(tag, "End a company's verification now").Fails(steps...),
		row("linkCompanyBank", http.MethodPost, one+"/bank-link", acts(linkCompanyBank), nil, door.Empty{}).
			About(tag, "Link a company's bank account without the page"),
	}
}
