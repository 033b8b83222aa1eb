package world

import (
	"encoding/hex"
	"slices"

	"github.com/google/uuid"

	"paysandbox/fixtures"
	"paysandbox/mockserver/kernel"
)

// cards are the saved cards and the card authorisations of an integration; the
// id of an authorisation is its paymentRequestId.
type cards struct {
	kernel.Table[card]
	auths kernel.Table[cardAuth]
}

// Pack lists what cards are.
func (c *cards) Pack(k *kernel.Codec) {
	kernel.PackTable(k, &c.Table, func(row *card) uuid.UUID { return row.id })
	kernel.PackTable(k, &c.auths, func(row *cardAuth) uuid.UUID { return row.id })
}

// keptCard is what is kept of a test card; the zero value is none.
type keptCard struct {
	last4            [4]byte
	expYear          uint16
	expMonth         uint8
	brand, behaviour uint8 // positions in cardBrands and cardBehaviours
}

// Pack lists what is kept of a test card.
func (c *keptCard) Pack(k *kernel.Codec) {
	k.Fixed(c.last4[:])
	k.Num16(&c.expYear)
	k.Num8s(&c.expMonth, &c.brand, &c.behaviour)
	k.Require(int(c.brand) < len(cardBrands) && int(c.behaviour) < len(cardBehaviours), "a card of the test data")
}

// card is the row of a saved card.
type card struct {
	id          uuid.UUID
	payer, next uint32
	keptCard
}

// Pack lists the fields of a saved card.
func (c *card) Pack(k *kernel.Codec) {
	k.ID(&c.id)
	k.Rows(toPayer, &c.payer)
	k.Later(toCard, &c.next)
	c.keptCard.Pack(k)
}

// What a card is kept as; position 0 is none.
var (
	cardBrands     = []string{"", "visa", "mastercard", "amex", "discover"}
	cardBehaviours = []fixtures.CardOutcome{
		"", fixtures.CardApproved, fixtures.CardDeclined, fixtures.CardInsufficientFunds, fixtures.CardExpired, fixtures.CardWrongCode,
		fixtures.CardChallengePasses, fixtures.CardChallengeFails, fixtures.CardProcessorError, fixtures.CardLaterDecline,
	}
)

// keepCard reduces a test card to what is kept of it.
func keepCard(c fixtures.Card, month, year int) keptCard {
	k := keptCard{
		expYear: uint16(year), expMonth: uint8(month), //nolint:gosec // G115: a month and a year of the calendar.
		brand:     uint8(max(0, slices.Index(cardBrands, c.Brand))),       //nolint:gosec // G115: a handful.
		behaviour: uint8(max(0, slices.Index(cardBehaviours, c.Outcome))), //nolint:gosec // G115: a handful.
	}
	copy(k.last4[:], c.Last4)
	return k
}

// methodPrefix begins the id of every saved card.
const methodPrefix = "pm_"

// methodID is a saved card's id as the API writes it.
func methodID(id uuid.UUID) string { return methodPrefix + hex.EncodeToString(id[:]) }

// parseMethodID reads what methodID wrote.
func parseMethodID(s string) (uuid.UUID, bool) {
	var id uuid.UUID
	if len(s) != len(methodPrefix)+2*len(id) || s[:len(methodPrefix)] != methodPrefix {
		return id, false
	}
	_, err := hex.Decode(id[:], []byte(s[len(methodPrefix):]))
	return id, err == nil
}

// PaymentMethod is a saved card as the service returns it.
type PaymentMethod struct {
	// ID names the card in a saved-card charge.
	ID string `json:"id" required:"true" example:"pm_9d2e5b0e3f0c4a538d3e6f1f0e9d8c55"`
	// Type is always card.
	Type string `json:"type" required:"true" example:"card"`
	// Brand is visa, mastercard, amex or discover.
	Brand string `json:"brand" required:"true" example:"visa"`
	Last4 string `json:"last4" required:"true" example:"4242"`
	// ExpMonth counts from 1; ExpYear has four digits.
	ExpMonth int32 `json:"expMonth" required:"true" example:"12"`
	ExpYear  int32 `json:"expYear" required:"true" example:"2028"`
}

// PaymentMethods is the answer to the list of a payer's saved cards.
type PaymentMethods struct {
	RegistrationID string `json:"registrationId" format:"uuid" required:"true" example:"5f0c5b0e-3f0c-4a53-9d3e-6f1f0e9d8c33"`
	// PaymentMethods are the payer's saved cards, oldest first.
	PaymentMethods []PaymentMethod `json:"paymentMethods" required:"true" nullable:"false"`
}

var (
	ruleMethodsCompany = rule{"card.methods.company-id", kernel.Docs, "a uuid", "send the companyId that the company's creation answered, or leave it out"}
	ruleMethodsSame    = rule{"card.methods.company", kernel.Docs, "one company", "use companyId or companyReferenceId, not both"}
	ruleTestCard       = rule{"control.payment-methods.card", kernel.Assumed, "a card number of the test data", "send a test card, never a real one"}
)

// PaymentMethods lists the saved cards of a payer. companyID and reference are
// the optional query members: a company that is named must exist. Errors:
// NotFound, Invalid.
func (w *World) PaymentMethods(registrationID, companyID, reference string) (PaymentMethods, error) {
	p, _, err := w.payer(registrationID)
	if err != nil {
		return PaymentMethods{}, err
	}
	if err := w.checkMethodsCompany(companyID, reference); err != nil {
		return PaymentMethods{}, err
	}
	list := PaymentMethods{RegistrationID: p.id.String(), PaymentMethods: []PaymentMethod{}}
	for n := p.firstCard; n != 0; n = w.cards.At(n).next {
		list.PaymentMethods = append(list.PaymentMethods, w.cards.At(n).method())
	}
	list.PaymentMethods = ordered(w, list.PaymentMethods)
	return list, nil
}

func (w *World) checkMethodsCompany(companyID, reference string) error {
	var byID, byReference *company
	if companyID != "" {
		id, ok := kernel.ParseID(companyID)
		if !ok {
			return invalid("query:companyId", kernel.Quote(companyID), ruleMethodsCompany)
		}
		if byID, _ = w.companies.Find(id); byID == nil {
			return kernel.NoSuch("company", companyID)
		}
	}
	if reference != "" {
		if byReference, _ = w.companyByReference(reference); byReference == nil {
			return kernel.NoSuch("company", reference)
		}
	}
	if byID != nil && byReference != nil && byID != byReference {
		return invalid("query:companyReferenceId", kernel.Quote(reference), ruleMethodsSame)
	}
	return nil
}

func (c *card) method() PaymentMethod {
	return PaymentMethod{
		ID: methodID(c.id), Type: "card", Brand: cardBrands[c.brand], Last4: string(c.last4[:]),
		ExpMonth: int32(c.expMonth), ExpYear: int32(c.expYear),
	}
}

// savedCardYears is how long a card that was saved without the page is good.
const savedCardYears = 3

// SaveCard saves a test card for a payer without the hosted page; it is good to
// the end of the third year. Any test card can be saved, so that every outcome
// of a charge can be rehearsed. Errors: NotFound, Invalid (with the nearest
// test cards).
func (w *World) SaveCard(registrationID, cardNumber string) (PaymentMethod, error) {
	_, n, err := w.payer(registrationID)
	if err != nil {
		return PaymentMethod{}, err
	}
	test, err := fixtures.CardNumbered(cardNumber)
	if err != nil {
		return PaymentMethod{}, unknownTestCard("/card", cardNumber, ruleTestCard, err)
	}
	return w.saveCard(n, keepCard(test, 12, w.Now().Year()+savedCardYears)).method(), nil
}

// unknownTestCard is an Invalid error that teaches the nearest test cards. The
// number is never repeated: it may be a real one.
func unknownTestCard(pointer, number string, r rule, err error) *kernel.Error {
	received := ""
	if number != "" {
		received = kernel.Masked
	}
	return invalid(pointer, received, taught(r, err))
}

// saveCard keeps a card at the end of its payer's chain.
func (w *World) saveCard(payerN uint32, k keptCard) *card {
	row := card{id: w.core.NewID("card"), payer: payerN, keptCard: k}
	c, n := w.cards.Add(row.id, row)
	p := w.payers.At(payerN)
	kernel.Chain(&p.firstCard, &p.lastCard, n, func(row uint32) *uint32 { return &w.cards.At(row).next })
	return c
}

// chargeCard tells what happens when a payer's saved card is charged without
// the payer: approved, or why not. False means that the payer has no such card.
// A card that once passed a challenge is approved; one past its date is expired.
func (w *World) chargeCard(payerN uint32, method string) (fixtures.CardOutcome, bool) {
	id, ok := parseMethodID(method)
	if !ok {
		return "", false
	}
	c, _ := w.cards.Find(id)
	if c == nil || c.payer != payerN {
		return "", false
	}
	if w.expired(int(c.expMonth), int(c.expYear)) {
		return fixtures.CardExpired, true
	}
	switch o := cardBehaviours[c.behaviour]; o {
	case fixtures.CardChallengePasses:
		return fixtures.CardApproved, true
	case fixtures.CardChallengeFails, fixtures.CardLaterDecline:
		return fixtures.CardDeclined, true
	default:
		return o, true
	}
}

// expired says whether a card's month is over; the month itself still counts.
func (w *World) expired(month, year int) bool {
	now := w.Now()
	return year < now.Year() || year == now.Year() && month < int(now.Month())
}
