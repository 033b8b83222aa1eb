package world

import (
	"strings"

	"github.com/google/uuid"

	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/latitude"
)

// The states of a payer's registration.
const (
	RegistrationPending kernel.State = iota + 1
	RegistrationRegistered
)

// RegistrationMachine moves a payer through the hosted registration: a linked
// bank and a passed identity check (KYC). Specification, States and transitions.
var RegistrationMachine = kernel.Machine{
	Name:   "registration",
	States: []string{"", "Pending", "Registered"},
	Moves: []kernel.Move{
		{Event: "create", To: RegistrationPending},
		{Event: "complete", From: RegistrationPending, To: RegistrationRegistered},
		{Event: "kyc-fail", From: RegistrationPending, To: RegistrationPending},
		{Event: "relink", From: RegistrationRegistered, To: RegistrationRegistered},
	},
}

// payers are the payers of an integration, also by how they are reached, and
// what links bank accounts: debit authorisations and the one-time links.
type payers struct {
	kernel.Table[payer]
	byPhone, byEmail kernel.TextIndex
	debits           kernel.Table[debitAuth]
	linkTokens       kernel.Table[linkToken]
	bankLinks        kernel.Table[bankLink]
}

// Pack lists what payers are.
func (p *payers) Pack(k *kernel.Codec) {
	kernel.PackTable(k, &p.Table, func(row *payer) uuid.UUID { return row.id })
	p.byPhone.Pack(k, p.Len(), func(n uint32) string { return k.String(p.At(n).phone) })
	p.byEmail.Pack(k, p.Len(), func(n uint32) string { return strings.ToLower(k.String(p.At(n).email)) })
	kernel.PackTable(k, &p.debits, func(row *debitAuth) uuid.UUID { return row.id })
	kernel.PackTable(k, &p.linkTokens, func(row *linkToken) uuid.UUID { return row.id })
	kernel.PackTable(k, &p.bankLinks, func(row *bankLink) uuid.UUID { return row.id })
}

// payer is the row of a payer. Its id is the registrationId and at the same
// time the registrationPersonId.
type payer struct {
	id                                            uuid.UUID
	phone, email, name, redirect, purpose, period kernel.Text
	amount, created                               int64
	firstPayment, lastPayment                     uint32
	firstCard, lastCard                           uint32
	firstDebit                                    uint32 // live authorisations, newest first
	bankMask                                      [4]byte
	returnCode, returnWhen                        uint8
	review, slow                                  bool
	state                                         kernel.State
}

// Pack lists the fields of a payer.
func (p *payer) Pack(k *kernel.Codec) {
	k.ID(&p.id)
	k.Texts(&p.phone, &p.email, &p.name, &p.redirect, &p.purpose, &p.period)
	k.Ints(&p.amount, &p.created)
	k.Rows(toPayment, &p.firstPayment, &p.lastPayment)
	k.Rows(toCard, &p.firstCard, &p.lastCard)
	k.Rows(toDebit, &p.firstDebit)
	k.Fixed(p.bankMask[:])
	k.Num8s(&p.returnCode, &p.returnWhen)
	k.Require(int(p.returnWhen) < len(returnWhens), "a moment of a return")
	k.Bools(&p.review, &p.slow)
	k.State(&p.state, &RegistrationMachine)
}

// RegistrationCreated is the answer to a registration.
type RegistrationCreated struct {
	// RegistrationID is the service's id of the payer.
	RegistrationID string `json:"registrationId" format:"uuid" required:"true" example:"5f0c5b0e-3f0c-4a53-9d3e-6f1f0e9d8c33"`
	// RegistrationURL is the hosted page on which the payer links a bank and
	// passes the identity check.
	RegistrationURL string `json:"registrationUrl" format:"uri" required:"true" example:"http://127.0.0.1:8484/pages/default/register/5f0c5b0e-3f0c-4a53-9d3e-6f1f0e9d8c33"`
}

// RegisterUser registers a payer, who stays Pending until the hosted page has
// been completed. The payer is told where a contact was given. All problems of
// the body are one Invalid error. Specification, User registration.
func (w *World) RegisterUser(req *NewRegistration, noted ...kernel.Finding) (RegistrationCreated, error) {
	if err := w.checkRegistration(req, noted); err != nil {
		return RegistrationCreated{}, err
	}
	row := payer{redirect: w.texts.KeepString(req.RedirectURL), purpose: w.texts.KeepString(req.ShortDescription), period: w.texts.KeepString(req.Period)}
	if req.Amount != nil {
		row.amount = *req.Amount
	}
	p := w.payers.At(w.addPayer(row, req.MobileNumber, req.Email))
	id := p.id.String()
	page := w.pageURL(PageRegister, id)
	w.tellPayer(p, p.id, "registration", kernel.Value{Name: "link", Text: page}, kernel.Value{Name: "purpose", Text: req.ShortDescription})
	return RegistrationCreated{RegistrationID: id, RegistrationURL: page}, nil
}

// addPayer keeps a Pending payer who is reached by phone or e-mail, and gives
// the row's number. Either contact may be empty.
func (w *World) addPayer(row payer, phone, email string) uint32 {
	row.id, row.created = w.core.NewID("payer"), w.core.Now()
	p, n := w.payers.Add(row.id, row)
	w.learnPhone(n, phone)
	w.learnEmail(n, email)
	w.mustMove(w.movePayer(p, "create", ""))
	return n
}

func (w *World) learnPhone(n uint32, phone string) {
	if p, key := w.payers.At(n), phoneKey(phone); key != "" && p.phone.Empty() {
		p.phone = w.texts.KeepString(key)
		w.payers.byPhone.Put(key, n)
	}
}

func (w *World) learnEmail(n uint32, email string) {
	if p := w.payers.At(n); email != "" && p.email.Empty() {
		p.email = w.texts.KeepString(email)
		w.payers.byEmail.Put(strings.ToLower(email), n)
	}
}

func (w *World) movePayer(p *payer, event, reason string) error {
	_, err := w.core.Transition(&RegistrationMachine, p.id, &p.state, event, reason)
	return err
}

// mustMove is for steps that the caller knows to be legal.
func (w *World) mustMove(err error) {
	if err != nil {
		panic("world: " + err.Error())
	}
}

// UserStatus is the answer to a payer's status.
type UserStatus struct {
	// Status is Pending or Registered.
	Status string `json:"status" required:"true" enum:"Pending,Registered" example:"Registered"`
	// AccountMask shows the linked account; null while none is linked.
	AccountMask *string `json:"accountMask" required:"true" nullable:"true" example:"*1111"`
}

// UserStatus tells how a payer's registration stands. An unknown id is NotFound.
func (w *World) UserStatus(id string) (UserStatus, error) {
	p, _, err := w.payer(id)
	if err != nil {
		return UserStatus{}, err
	}
	return UserStatus{Status: RegistrationMachine.States[p.state], AccountMask: w.accountMask(p)}, nil
}

// payer finds a payer by registrationId.
func (w *World) payer(id string) (*payer, uint32, error) {
	return w.payers.Lookup("registration", id)
}

// payerByContact finds the newest payer who is reached by the phone, else by
// the e-mail address, whatever the letter case and the writing of the number.
func (w *World) payerByContact(phone, email string) (uint32, bool) {
	if key := phoneKey(phone); key != "" {
		if n := w.payers.byPhone.Find(key, func(n uint32) bool {
			return string(w.texts.Bytes(w.payers.At(n).phone)) == key
		}); n != 0 {
			return n, true
		}
	}
	if email == "" {
		return 0, false
	}
	n := w.payers.byEmail.Find(strings.ToLower(email), func(n uint32) bool {
		return strings.EqualFold(w.texts.String(w.payers.At(n).email), email)
	})
	return n, n != 0
}

// contactPayer finds who is reached by phone or e-mail, or keeps a new Pending
// payer. A known payer's missing contact is learnt.
func (w *World) contactPayer(phone, email string) uint32 {
	n, ok := w.payerByContact(phone, email)
	if !ok {
		return w.addPayer(payer{}, phone, email)
	}
	w.learnPhone(n, phone)
	w.learnEmail(n, email)
	return n
}

// accountMask shows the linked account, or nil when none is linked;
// latitude, account-mask.
func (w *World) accountMask(p *payer) *string { return w.maskText(p.bankMask) }

func (w *World) maskText(last4 [4]byte) *string {
	if last4 == [4]byte{} {
		return nil
	}
	mask := "*" + string(last4[:])
	if w.is(latitude.AccountMaskDigits) {
		mask = mask[1:]
	}
	return &mask
}

// tellPayer sends a message to every contact that is known of a payer.
func (w *World) tellPayer(p *payer, entity uuid.UUID, template string, values ...kernel.Value) {
	w.tell(entity, w.texts.String(p.phone), w.texts.String(p.email), template, values...)
}
