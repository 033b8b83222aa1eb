package world

import (
	"github.com/google/uuid"

	"paysandbox/mockserver/kernel"
)

// The states of a card authorisation.
const (
	CardAuthPending kernel.State = iota + 1
	CardAuthChallenged
	CardAuthAuthorised
	CardAuthDeclined
	CardAuthCanceled
)

// CardAuthorisationMachine moves a card authorisation from the link that the
// payer got to the issuer's decision. A challenge is the issuer's question to
// the payer; after a processor error the payer may try again.
var CardAuthorisationMachine = kernel.Machine{
	Name:   "card-authorisation",
	States: []string{"", "Pending", "Challenged", "Authorised", "Declined", "Canceled"},
	Moves: []kernel.Move{
		{Event: "create", To: CardAuthPending},
		{Event: "authorise", From: CardAuthPending, To: CardAuthAuthorised},
		{Event: "decline", From: CardAuthPending, To: CardAuthDeclined},
		{Event: "challenge", From: CardAuthPending, To: CardAuthChallenged},
		{Event: "processor-error", From: CardAuthPending, To: CardAuthPending},
		{Event: "cancel", From: CardAuthPending, To: CardAuthCanceled},
		{Event: "pass-challenge", From: CardAuthChallenged, To: CardAuthAuthorised},
		{Event: "fail-challenge", From: CardAuthChallenged, To: CardAuthDeclined},
		{Event: "cancel", From: CardAuthChallenged, To: CardAuthCanceled},
		{Event: "cancel", From: CardAuthAuthorised, To: CardAuthCanceled},
	},
}

// cardAuth is the row of a card authorisation, which is no payment but is named
// by a paymentRequestId like one.
type cardAuth struct {
	id                       uuid.UUID
	payer, company, location uint32
	amount, created          int64
	returnURL                kernel.Text
	payment                  uint32   // the payment request that the card pays, 0 none
	feePayer                 feePayer // the payer's choice for that payment
	card                     keptCard // the card that the payer typed, none before
	state                    kernel.State
}

// Pack lists the fields of a card authorisation.
func (a *cardAuth) Pack(k *kernel.Codec) {
	k.ID(&a.id)
	k.Rows(toPayer, &a.payer)
	k.Rows(toCompany, &a.company)
	k.Rows(toLocation, &a.location)
	k.Ints(&a.amount, &a.created)
	k.Texts(&a.returnURL)
	k.Rows(toPayment, &a.payment)
	a.feePayer.Pack(k)
	a.card.Pack(k)
	k.State(&a.state, &CardAuthorisationMachine)
}

// NewCardAuthorisation is the body that authorises a card for a payer.
// Specification, Card authorization.
type NewCardAuthorisation struct {
	LocationID string `json:"locationId" format:"uuid" example:"0d9b6f9e-6a0a-4a53-8d3e-6f1f0e9d8c22"`
	// Amount is in cents.
	Amount *int64 `json:"amount" unit:"cents" required:"true" minimum:"1" example:"5000"`
	// RegistrationID names the payer; without it ContactNumber does.
	RegistrationID string `json:"registrationId" format:"uuid" example:"5f0c5b0e-3f0c-4a53-9d3e-6f1f0e9d8c33"`
	ContactNumber  string `json:"contactNumber" example:"+12025551234"`
	// ReturnURL is where the payer goes when the page is done.
	ReturnURL string `json:"returnUrl" format:"uri" example:"https://partner.example.com/paid"`
}

// CardAuthorisationCreated is the answer to a new card authorisation.
type CardAuthorisationCreated struct {
	PaymentRequestID string `json:"paymentRequestId" format:"uuid" required:"true" example:"3c0c5b0e-3f0c-4a53-9d3e-6f1f0e9d8c44"`
	// URL is the hosted page on which the payer types the card.
	URL string `json:"url" format:"uri" required:"true" example:"http://127.0.0.1:8484/pages/default/card/3c0c5b0e-3f0c-4a53-9d3e-6f1f0e9d8c44"`
	// RegistrationPersonID can be the registrationId of the payer's next request.
	RegistrationPersonID string `json:"registrationPersonId" format:"uuid" required:"true" example:"5f0c5b0e-3f0c-4a53-9d3e-6f1f0e9d8c33"`
}

var (
	cardPlace = placeRulesFor("payment.card-auth")

	ruleCardAmount  = rule{"payment.card-auth.amount", kernel.Assumed, "a whole number of cents", "send amount; it is required"}
	ruleCardRange   = rule{"payment.card-auth.amount-range", kernel.Assumed, "a whole number of cents, 1 or more", "send the amount in cents"}
	ruleCardPayer   = rule{"payment.card-auth.payer", kernel.Docs, "registrationId or contactNumber", "name the payer by one of the two"}
	ruleCardPayerID = rule{"payment.card-auth.registration-id", kernel.Spec, "a uuid", "send the registrationId that the registration answered"}
	ruleCardKnown   = rule{"payment.card-auth.registration-id-known", kernel.Assumed, "a registration of this integration", "send the registrationId that the registration answered"}
	ruleCardPhone   = rule{"payment.card-auth.contact-number", kernel.Assumed, "a valid telephone number", "send the number with its prefix, for example +12025551234"}
	ruleCardReturn  = rule{"payment.card-auth.return-url", kernel.Assumed, "an absolute http or https URL, or an app link", "send an address such as https://partner.example.com/paid, or leave it out"}
)

// CreateCardAuthorisation asks a payer to authorise a card on the hosted page.
// All problems of the body are one error: Invalid, or NotFound where the ledger
// says so of unknown ids.
func (w *World) CreateCardAuthorisation(req *NewCardAuthorisation, noted ...kernel.Finding) (CardAuthorisationCreated, error) {
	c := w.check(noted)
	row := c.cardAuthorisation(req)
	if err := c.Err("the card authorisation"); err != nil {
		return CardAuthorisationCreated{}, err
	}
	if row.payer == 0 {
		row.payer = w.contactPayer(req.ContactNumber, "")
	}
	row.id, row.created, row.returnURL = w.core.NewID("card-authorisation"), w.core.Now(), w.texts.KeepString(req.ReturnURL)
	a, _ := w.cards.auths.Add(row.id, row)
	w.mustMove(w.stepCardAuth(a, "create", ""))
	p, page := w.payers.At(a.payer), w.pageURL(PageCard, a.id.String())
	phone := req.ContactNumber
	if phone == "" {
		phone = w.texts.String(p.phone)
	}
	w.tell(a.id, phone, w.texts.String(p.email), "card-authorisation", kernel.Value{Name: "link", Text: page},
		kernel.Value{Name: "amount", Text: Dollars(a.amount)}, kernel.Value{Name: "company", Text: w.texts.String(w.companies.At(a.company).name)})
	return CardAuthorisationCreated{PaymentRequestID: a.id.String(), URL: page, RegistrationPersonID: p.id.String()}, nil
}

// cardAuthorisation judges the body and gives the rows that it names; payer 0
// means that the contact names the payer.
func (c *check) cardAuthorisation(req *NewCardAuthorisation) cardAuth {
	row := cardAuth{payer: c.bodyPayer("/registrationId", req.RegistrationID, ruleCardPayerID, ruleCardKnown)}
	if req.RegistrationID == "" && req.ContactNumber == "" && !c.Found("/registrationId", "/contactNumber") {
		c.refuse("", "", ruleCardPayer)
	}
	if req.ContactNumber != "" {
		c.phone("/contactNumber", req.ContactNumber, ruleCardPhone)
	}
	row.amount = c.cents("/amount", req.Amount, ruleCardAmount, ruleCardRange)
	row.company, row.location = c.place(&cardPlace, req.LocationID, "", "")
	c.browsable("/returnUrl", req.ReturnURL, ruleCardReturn)
	return row
}

func (w *World) stepCardAuth(a *cardAuth, event, reason string) error {
	_, err := w.core.Transition(&CardAuthorisationMachine, a.id, &a.state, event, reason)
	return err
}

func (w *World) cardAuth(id string) (*cardAuth, error) {
	a, _, err := w.cards.auths.Lookup("card authorisation", id)
	return a, err
}
