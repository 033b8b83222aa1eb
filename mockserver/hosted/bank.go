package hosted

import (
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
			wrong.add("bank", lesson(err))
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
		wrong.add("account", lesson(err))
	}
	return chosenBank{"Another account", world.LinkedBankOf(bank)}
}
