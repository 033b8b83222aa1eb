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

// Relinking is the body that replaces a payer's account. A persona or an account number
// chooses the bank; with neither it is a good one.
type Relinking struct {
	Persona       string `json:"persona" example:"good"`
	AccountNumber string `json:"accountNumber" mask:"true" example:"000000001111"`
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
	bank, err := chosenBank(req.Persona, req.AccountNumber)
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

func relinkAccount(w *world.World, x *exchange, req *Relinking) (Completed, error) {
	id := x.Param("id")
	bank, err := chosenBank(req.Persona, req.AccountNumber)
	if err != nil {
		return Completed{}, err
	}
	if err := w.RelinkAccount(id, world.LinkedBankOf(bank)); err != nil {
		return Completed{}, err
	}
	status, err := w.UserStatus(id)
	return Completed{ID: strings.ToLower(id), Status: status.Status, AccountMask: status.AccountMask}, err
}

// chosenBank is the account that a body chooses.
func chosenBank(persona, accountNumber string) (fixtures.Bank, error) {
	switch {
	case persona != "" && accountNumber != "":
		return fixtures.Bank{}, invalid(wrong("/persona", "control.registration.bank", quoted(persona),
			"a persona or an account number, not both", "leave one of the two out"))
	case accountNumber != "":
		bank, err := fixtures.BankAccount(accountNumber)
		if err != nil {
			return bank, unknownData("/accountNumber", "control.registration.account-number", err)
		}
		return bank, nil
	case persona == "":
		return fixtures.Personas()[0].Bank, nil
	}
	known, err := fixtures.PersonaNamed(persona)
	if err != nil {
		return fixtures.Bank{}, unknownData("/persona", "control.registration.persona", err)
	}
	return known.Bank, nil
}

func registrationRoutes() []*route {
	const tag, one = "Payers", Prefix + "/integrations/{i}/registrations/{id}"
	return []*route{
		row("completeRegistration", http.MethodPost, one+"/complete",
			actsWith(completeRegistration).optional().keeping(keepAccount), Completion{}, Completed{}).
			About(tag, "Link a bank and pass the identity check for a payer").Fails(steps...),
		row("relinkAccount", http.MethodPost, one+"/relink",
			actsWith(relinkAccount).optional().keeping(keepAccount), Relinking{}, Completed{}).
			About(tag, "Link another account for a payer who is Registered").Fails(steps...),
	}
}
