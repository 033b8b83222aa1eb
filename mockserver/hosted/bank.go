package hosted

import (
	"net/http"

	"paysandbox/fixtures"
	"paysandbox/mockserver/hosted/form"
	"paysandbox/mockserver/world"
)

// The values of the field bank beside the names of the personas.
const (
	bankLinked = "linked"
	bankOwn    = "own"
	bankCard   = "card"
)

// bankFields are the fields with which a bank account is chosen.
func bankFields() []form.Field {
	return []form.Field{{Name: "bank"}, {Name: "routing"}, {Name: "account", Mask: form.MaskAccount}}
}

// option is one radio button.
type option struct {
	Value, Title, Hint string
	Checked            bool
}

// bankOptions are the radio buttons of the personas and of an own account.
func bankOptions(chosen string) []option {
	list := []option{}
	for _, p := range fixtures.Personas() {
		list = append(list, option{p.Name, p.Title, p.Description, p.Name == chosen})
	}
	return append(list, option{bankOwn, "Another account", "Type a routing and an account number of the test data.", chosen == bankOwn})
}

// chosenBank is a bank account that the visitor chose.
type chosenBank struct {
	// Title is for people: a persona's, or "Another account".
	Title string
	Bank  world.LinkedBank
}

// Mask shows the account.
func (c chosenBank) Mask() string { return "*" + c.Bank.Last4 }

// readBank reads the choice; what is wrong goes to the list.
func (v *visit) readBank(wrong *problems) chosenBank {
	switch name := v.form.Get("bank"); name {
	case "":
		wrong.add("bank", "Choose a bank account.")
	case bankOwn:
		return v.readAccount(wrong)
	default:
		p, err := fixtures.PersonaNamed(name)
		if err != nil {
			wrong.add("bank", dataProblem(err))
		}
		return chosenBank{p.Title, world.LinkedBankOf(p.Bank)}
	}
	return chosenBank{}
}

// readAccount reads a typed account.
func (v *visit) readAccount(wrong *problems) chosenBank {
	sample := fixtures.Personas()[0]
	switch routing := v.form.Get("routing"); {
	case routing == "":
		wrong.add("routing", "Type the routing number, for example "+sample.RoutingNumber+".")
	case !fixtures.ValidRouting(routing):
		wrong.add("routing", "A routing number has nine digits, the last of which checks the others. Use "+sample.RoutingNumber+".")
	}
	masked := v.form.Get("account")
	if masked == "" {
		wrong.add("account", "Type the account number, for example "+sample.AccountNumber+".")
		return chosenBank{}
	}
	bank, err := fixtures.BankAccount(form.AccountDigits(masked))
	if err != nil {
		wrong.add("account", dataProblem(err))
	}
	return chosenBank{"Another account", world.LinkedBankOf(bank)}
}

func bankLinkPage() *page {
	return question[world.BankLinkView]{
		view: viewBankLink,
		open: func(_ *visit, view world.BankLinkView) bool { return !view.Used },
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

// tellBankLink tells who has just used the link what came of it, and others that
// it is used.
func tellBankLink(v *visit, view world.BankLinkView) answer {
	if v.did() != "" && view.AccountMask != nil {
		return tell("Bank account connected", notice{
			ID: "bank-connected", Tone: toneGood, Status: "Connected", Text: []string{view.Company + " is paid out to this account from now on."},
			Facts: []fact{{"company", "Company", view.Company}, {"account-mask", "Bank account", *view.AccountMask}},
			Links: []link{{"portal", "Open the back office", v.link(world.PagePortal, view.CompanyID)}},
		})
	}
	return tell("This link has been used", notice{
		ID: "link-used", Tone: toneBad, Status: "Used",
		Text: []string{"It works once, and it has connected a bank account already.", "Ask for a new link to connect another account: the company's software makes one with POST /Company/{companyId}/ExternalAuthLink."},
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
	return goTo(v.done()), nil
}
