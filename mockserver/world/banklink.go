package world

import (
	"github.com/google/uuid"

	"paysandbox/fixtures"
	"paysandbox/mockserver/kernel"
)

// bankLink is the row of one link with which a company connects its bank
// account. It works once; its id is the token in the page's address.
type bankLink struct {
	id      uuid.UUID
	company uint32
	created int64
	used    bool
}

// Pack lists the fields of a link.
func (l *bankLink) Pack(k *kernel.Codec) {
	k.ID(&l.id)
	k.Rows(toCompany, &l.company)
	k.Ints(&l.created)
	k.Bools(&l.used)
}

// NewExternalAuthLink is the body that asks for a company's bank link.
// Specification, Account link request.
type NewExternalAuthLink struct {
	// MobileNumber is E.164; the link is sent there too.
	MobileNumber string `json:"mobileNumber" required:"true" pattern:"^\\+[1-9][0-9]{2,14}$" example:"+12025550123"`
}

// ExternalAuthLink is the answer to the request for a company's bank link.
type ExternalAuthLink struct {
	// ExternalAuthLinkURL is the page that connects the bank; it works once.
	ExternalAuthLinkURL string `json:"externalAuthLinkUrl" format:"uri" required:"true" example:"http://127.0.0.1:8484/pages/default/bank-link/8a0c5b0e-3f0c-4a53-9d3e-6f1f0e9d8c77"`
}

var (
	ruleLinkMobile = rule{"company.link.mobile-number", kernel.Spec, "an E.164 number: a plus and at most 15 digits", "send mobileNumber with its country code, for example +12025550123"}
	ruleLinkDigits = rule{"hosted.bank-link.account", kernel.Assumed, "the four last digits of an account number", "choose a bank persona or an account number of the test data"}
)

// CreateExternalAuthLink makes a fresh one-time link with which a company
// connects its bank account, and sends it by SMS. Errors: NotFound, Invalid.
func (w *World) CreateExternalAuthLink(ref string, req *NewExternalAuthLink, noted ...kernel.Finding) (ExternalAuthLink, error) {
	c := w.check(noted)
	co, n, err := w.pathCompany(ref)
	if err != nil {
		return ExternalAuthLink{}, c.Stop(err)
	}
	if !w.e164(req.MobileNumber) {
		c.refuse("/mobileNumber", kernel.Given(req.MobileNumber), ruleLinkMobile)
	}
	if err := c.Err("the bank link"); err != nil {
		return ExternalAuthLink{}, err
	}
	link := w.newBankLink(n)
	w.message(co.id, kernel.Message{
		Channel: "sms", To: req.MobileNumber, Template: "bank-link", Bounced: fixtures.Bounces(req.MobileNumber),
		Values: []kernel.Value{{Name: "link", Text: link}, {Name: "company", Text: w.texts.String(co.name)}},
	})
	return ExternalAuthLink{ExternalAuthLinkURL: link}, nil
}

// newBankLink keeps a fresh link and gives its address.
func (w *World) newBankLink(company uint32) string {
	row := bankLink{id: w.core.NewSecretID("bank-link"), company: company, created: w.core.Now()}
	w.payers.bankLinks.Add(row.id, row)
	return w.pageURL(PageBankLink, row.id.String())
}

// mailVerified sends a verified company its links: one to connect a bank
// account, one to the portal. Specification, States and transitions.
func (w *World) mailVerified(c *company) {
	email := w.texts.String(c.email)
	_, n := w.companies.Find(c.id)
	w.message(c.id, kernel.Message{
		Channel: "email", To: email, Template: "company-verified", Bounced: fixtures.Bounces(email),
		Values: []kernel.Value{
			{Name: "company", Text: w.texts.String(c.name)}, {Name: "link", Text: w.newBankLink(n)}, {Name: "portal", Text: w.pageURL(PagePortal, c.id.String())},
		},
	})
}

// BankLinkView is what the hosted bank link page shows.
type BankLinkView struct {
	Token, CompanyID, Company string
	// Used says that the link has done its work.
	Used bool
	// Connected says whether the company has a bank account, by whichever
	// link; AccountMask shows it.
	Connected   bool
	AccountMask *string
}

// BankLinkView gives what the hosted bank link page shows. An unknown token is
// NotFound; a used one can still be looked at.
func (w *World) BankLinkView(token string) (BankLinkView, error) {
	l, err := w.bankLink(token)
	if err != nil {
		return BankLinkView{}, err
	}
	c := w.companies.At(l.company)
	return BankLinkView{
		Token: l.id.String(), CompanyID: c.id.String(), Company: w.texts.String(c.name),
		Used: l.used, Connected: c.bankConnected, AccountMask: w.maskText(c.bankMask),
	}, nil
}

func (w *World) bankLink(token string) (*bankLink, error) {
	l, _, err := w.payers.bankLinks.Lookup("bank link", token)
	return l, err
}

// LinkCompanyBank connects a company's bank account through its link, which
// works once. accountLast4 are the last four digits of the account number.
// Errors: NotFound for an unknown link, Conflict for a used one, Invalid for
// digits that are none.
func (w *World) LinkCompanyBank(token, accountLast4 string) error {
	l, err := w.bankLink(token)
	if err != nil {
		return err
	}
	if l.used {
		return &kernel.Error{Code: kernel.Conflict, Detail: "the bank link " + l.id.String() + " has been used; it works once, ask for another one"}
	}
	if len(accountLast4) != 4 || !allDigits(accountLast4) {
		return invalid("/accountNumber", kernel.Given(accountLast4), ruleLinkDigits)
	}
	l.used = true
	w.connectBank(w.companies.At(l.company), accountLast4)
	return nil
}

// LinkCompanyBankOf connects the good test account to a company without a link,
// by control call. An unknown company is NotFound.
func (w *World) LinkCompanyBankOf(ref string) error {
	c, _, err := w.company(ref)
	if err != nil {
		return err
	}
	w.connectBank(c, fixtures.Personas()[0].Bank.Last4)
	return nil
}

func (w *World) connectBank(c *company, last4 string) {
	copy(c.bankMask[:], last4)
	c.bankConnected = true
}
