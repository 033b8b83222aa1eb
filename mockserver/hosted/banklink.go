package hosted

import (
	"net/http"

	"paysandbox/mockserver/world"
)

func bankLinkPage() *page {
	return question[world.BankLinkView]{
		view: viewBankLink,
		open: func(view world.BankLinkView) bool { return !view.Used },
		ask:  askBankLink, tell: tellBankLink, take: takeBankLink,
	}.page(bankFields()...)
}

// bankLinkSheet is what a company chooses its account on.
type bankLinkSheet struct {
	world.BankLinkView
	// Legend asks for the choice among Options.
	Legend  string
	Options []option
}

func viewBankLink(w *world.World, v *visit) (world.BankLinkView, error) {
	view, err := w.BankLinkView(v.Param("id"))
	if err == nil {
		v.Call.Entities = []string{view.CompanyID, view.Token}
	}
	return view, err
}

func askBankLink(_ *world.World, v *visit, view world.BankLinkView, wrong problems) answer {
	data := bankLinkSheet{view, "Which account?", companyBanks(v.form.Get("bank"))}
	return sheetOf("banklink", "Connect the bank account of "+view.Company, data).after(wrong, "")
}

// companyBanks are the accounts for a company: money is paid out to it, so that
// only the account itself matters.
func companyBanks(chosen string) []option {
	all := bankOptions(chosen)
	all[0].Hint = "Payments are paid out to this account."
	return []option{all[0], all[len(all)-1]}
}

func tellBankLink(*visit, world.BankLinkView) answer {
	return tell("This link has been used", notice{
		ID: "link-used", Tone: toneBad, Status: "Used",
		Text: []string{"It works once, and it has connected a bank account already.", "Ask for a new link to connect another account."},
	}).with(http.StatusGone)
}

func takeBankLink(w *world.World, v *visit, view world.BankLinkView) (answer, error) {
	var wrong problems
	chosen := v.readBank(&wrong)
	if len(wrong) > 0 {
		return askBankLink(w, v, view, wrong), nil
	}
	if err := w.LinkCompanyBank(view.Token, chosen.Bank.Last4); err != nil {
		return answer{}, err
	}
	return tell("Bank account connected", notice{
		ID: "bank-connected", Tone: toneGood, Status: "Connected", Text: []string{view.Company + " is paid out to this account from now on."},
		Facts: []fact{{"company", "Company", view.Company}, {"account-mask", "Bank account", chosen.Mask()}},
		Links: []link{{"portal", "Open the back office", v.link(world.PagePortal, view.CompanyID)}},
	}), nil
}
