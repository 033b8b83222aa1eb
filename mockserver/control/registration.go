package control

import (
	"net/http"
	"strings"

	"paysandbox/fixtures"
	"paysandbox/mockserver/world"
)

// Completion is the body that completes a payer's registration. A persona or an
// account number chooses the bank; with neither it is a good one.
type Completion struct {
	Persona       string `json:"persona" example:"insufficient-funds"`
	AccountNumber string `json:"accountNumber" mask:"true" example:"000000001111"`
	// Outcome is registered, or kyc-failed for an identity check that failed.
	Outcome string `json:"outcome" enum:"registered,kyc-failed" example:"registered"`
}

// Completed is a payer after the registration.
type Completed struct {
	ID     string `json:"id" required:"true" format:"uuid" example:"3f0c4a53-9d3e-4f1f-8e9d-8c117b0c5b0e"`
	Status string `json:"status" required:"true" example:"Registered"`
	// AccountMask shows the linked account; null while none is linked.
	AccountMask *string `json:"accountMask" required:"true" example:"*1111"`
	// RedirectURL is where the payer's browser would go; empty for nowhere.
	RedirectURL string `json:"redirectUrl" required:"true" example:"https://partner.example.com/welcome"`
}

func completeRegistration(w *world.World, x *exchange, req *Completion) (Completed, error) {
	id := x.Param("id")
	if req.Outcome != "" {
		if err := outcome(req.Outcome, world.OutcomeRegistered, world.OutcomeKYCFailed); err != nil {
			return Completed{}, err
		}
	}
	bank, err := req.bank()
	if err != nil {
		return Completed{}, err
	}
	to, err := w.CompleteRegistration(id, world.LinkedBankOf(bank), req.Outcome)
	if err != nil {
		return Completed{}, err
	}
	status, err := w.UserStatus(id)
	return Completed{ID: strings.ToLower(id), Status: status.Status, AccountMask: status.AccountMask, RedirectURL: to}, err
}

// bank is the account that the body chooses.
func (c *Completion) bank() (fixtures.Bank, error) {
	switch {
	case c.Persona != "" && c.AccountNumber != "":
		return fixtures.Bank{}, invalid(wrong("/persona", "control.registration.bank", quoted(c.Persona),
			"a persona or an account number, not both", "leave one of the two out"))
	case c.AccountNumber != "":
		bank, err := fixtures.BankAccount(c.AccountNumber)
		if err != nil {
			return bank, unknownData("/accountNumber", "control.registration.account-number", err)
		}
		return bank, nil
	case c.Persona == "":
		return fixtures.Personas()[0].Bank, nil
	}
	persona, err := fixtures.PersonaNamed(c.Persona)
	if err != nil {
		return fixtures.Bank{}, unknownData("/persona", "control.registration.persona", err)
	}
	return persona.Bank, nil
}

func registrationRoutes() []*route {
	return []*route{row("completeRegistration", http.MethodPost, Prefix+"/integrations/{i}/registrations/{id}/complete",
		actsWith(completeRegistration).optional().keeping(keepAccount), Completion{}, Completed{}).
		About("Payers", "Link a bank and pass the identity check for a payer").Fails(steps...)}
}
