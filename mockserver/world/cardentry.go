package world

import (
	"strconv"

	"paysandbox/fixtures"
	"paysandbox/mockserver/kernel"
)

// CardEntry is what the payer types on the hosted page.
type CardEntry struct {
	// Number is a test card's; spaces and hyphens do not count.
	Number string `json:"number" mask:"true"`
	// Expiry is MM/YY or MM/YYYY.
	Expiry string `json:"expiry"`
	// Code has three digits, of an American Express card four.
	Code string `json:"code" mask:"true"`
}

var (
	ruleEntryNumber = rule{"hosted.card.number", kernel.Assumed, "a card number of the test data", "type a test card, never a real one"}
	ruleEntryExpiry = rule{"hosted.card.expiry", kernel.Assumed, "a month that is not over, as MM/YY", "type the month and the year, for example 12/28"}
	ruleEntryCode   = rule{"hosted.card.code", kernel.Assumed, "three digits, four for American Express", "type any code of that length"}
)

// cardEntry judges what was typed and gives the card.
func (c *check) cardEntry(e CardEntry) keptCard {
	test, err := fixtures.CardNumbered(e.Number)
	if err != nil {
		c.Add(unknownTestCard("/number", e.Number, ruleEntryNumber, err).Findings[0])
	}
	month, year, ok := readExpiry(e.Expiry)
	if !ok || c.w.expired(month, year) {
		c.refuse("/expiry", kernel.Given(e.Expiry), ruleEntryExpiry)
	}
	digits := 3
	if test.Brand == "amex" {
		digits = 4
	}
	if len(e.Code) != digits || !allDigits(e.Code) {
		received := ""
		if e.Code != "" {
			received = kernel.Masked
		}
		c.refuse("/code", received, ruleEntryCode)
	}
	return keepCard(test, month, year)
}

// readExpiry reads MM/YY or MM/YYYY.
func readExpiry(s string) (month, year int, ok bool) {
	if len(s) != 5 && len(s) != 7 || s[2] != '/' || !allDigits(s[:2]) || !allDigits(s[3:]) {
		return 0, 0, false
	}
	month, _ = strconv.Atoi(s[:2])
	year, _ = strconv.Atoi(s[3:])
	if len(s) == 5 {
		year += 2000
	}
	return month, year, month >= 1 && month <= 12
}

// CardAnswer is what came of the payer's step on the hosted card page.
type CardAnswer struct {
	// Status is the authorisation's state now.
	Status string
	// Reason is the declared outcome of the card; "challenge-failed" when the
	// payer did not pass.
	Reason fixtures.CardOutcome
	// ReturnURL is where the payer goes next; "" while the page goes on.
	ReturnURL string
}

// cardSteps is what each behaviour of a card makes of an authorisation.
var cardSteps = map[fixtures.CardOutcome]string{
	fixtures.CardApproved:          "authorise",
	fixtures.CardLaterDecline:      "authorise",
	fixtures.CardDeclined:          "decline",
	fixtures.CardInsufficientFunds: "decline",
	fixtures.CardExpired:           "decline",
	fixtures.CardWrongCode:         "decline",
	fixtures.CardChallengePasses:   "challenge",
	fixtures.CardChallengeFails:    "challenge",
	fixtures.CardProcessorError:    "processor-error",
}

// AuthoriseCard is the payer's entry on the hosted page; the test card decides.
// An authorised card is saved for the payer. Errors: NotFound, Invalid with all
// problems of the entry, IllegalTransition when the page is done already.
func (w *World) AuthoriseCard(paymentRequestID string, entry CardEntry, noted ...kernel.Finding) (CardAnswer, error) {
	c := w.check(noted)
	a, err := w.cardAuth(paymentRequestID)
	if err != nil {
		return CardAnswer{}, c.Stop(err)
	}
	typed := c.cardEntry(entry)
	if err := c.Err("the card"); err != nil {
		return CardAnswer{}, err
	}
	if err := w.stillWaits(a); err != nil {
		return CardAnswer{}, err
	}
	outcome := cardBehaviours[typed.behaviour]
	event := cardSteps[outcome]
	if err := w.stepCardAuth(a, event, "test card: "+string(outcome)); err != nil {
		return CardAnswer{}, err
	}
	if event != "processor-error" {
		a.card = typed
	}
	w.keepAuthorised(a)
	return w.cardAnswer(a, outcome)
}

// keepAuthorised saves the card of an authorisation that has just succeeded.
func (w *World) keepAuthorised(a *cardAuth) {
	if a.state == CardAuthAuthorised && a.card != (keptCard{}) {
		w.payByCard(a, w.keepFor(a))
	}
}

// keepFor keeps the card of an authorisation: for its payer, or, where it pays what
// was requested as a single payment, for that payment alone.
func (w *World) keepFor(a *cardAuth) *card {
	if w.paysOnce(a) {
		row := card{id: w.core.NewID("card"), payer: a.payer, keptCard: a.card}
		c, _ := w.cards.Add(row.id, row)
		return c
	}
	return w.saveCard(a.payer, a.card)
}

// paysOnce says whether a card pays a single payment, so that it is not saved.
func (w *World) paysOnce(a *cardAuth) bool {
	return a.payment != 0 && w.payments.At(a.payment).oneTime
}

func (w *World) cardAnswer(a *cardAuth, reason fixtures.CardOutcome) (answer CardAnswer, err error) {
	answer.Status, answer.Reason = CardAuthorisationMachine.States[a.state], reason
	if a.state != CardAuthPending && a.state != CardAuthChallenged {
		answer.ReturnURL, err = w.cardReturnURL(a)
	}
	return answer, err
}

// challengeFailed is the reason of a challenge that was not passed.
const challengeFailed fixtures.CardOutcome = "challenge-failed"

// AnswerChallenge is the payer's answer to the issuer's question. A card that
// is declared to fail fails whatever the answer. Errors: NotFound,
// IllegalTransition when no challenge is open.
func (w *World) AnswerChallenge(id string, pass bool) (CardAnswer, error) {
	a, err := w.cardAuth(id)
	if err != nil {
		return CardAnswer{}, err
	}
	if err := w.stillWaits(a); err != nil {
		return CardAnswer{}, err
	}
	event, reason := "fail-challenge", challengeFailed
	if pass && cardBehaviours[a.card.behaviour] != fixtures.CardChallengeFails {
		event, reason = "pass-challenge", fixtures.CardApproved
	}
	if err := w.stepCardAuth(a, event, "the payer answered: "+string(reason)); err != nil {
		return CardAnswer{}, err
	}
	w.keepAuthorised(a)
	return w.cardAnswer(a, reason)
}

// MoveCardAuthorisation takes any step of the machine by control call. A card
// is saved only where the payer has typed one. Errors: NotFound, Invalid for an
// event that the machine does not have, IllegalTransition.
func (w *World) MoveCardAuthorisation(id, event string) error {
	a, err := w.cardAuth(id)
	if err != nil {
		return err
	}
	if err := knownEvent(&CardAuthorisationMachine, event); err != nil {
		return err
	}
	if err := w.stepCardAuth(a, event, byControl); err != nil {
		return err
	}
	w.keepAuthorised(a)
	return nil
}

// cardReturnURL is the address to which the payer's browser goes when the page is done,
// with what the ledger adds; "" when there is none. Each call may draw from the seed.
// Latitude, return-url.
func (w *World) cardReturnURL(a *cardAuth) (string, error) {
	if a.payment != 0 {
		if a.state != CardAuthAuthorised {
			return "", nil // the payer may choose another way to pay
		}
		return w.ReturnURL(w.payments.At(a.payment).id.String())
	}
	return w.returnTo(w.texts.String(a.returnURL), a.id.String(), CardAuthorisationMachine.States[a.state], a.amount)
}

// CardAuthView is what the hosted card page shows.
type CardAuthView struct {
	ID, State, RegistrationID, Company string
	// Amount is in cents.
	Amount int64
	// PaymentRequestID is the payment request that the card pays, "" for an
	// authorisation of its own.
	PaymentRequestID string
	// Card shows the card that was typed, for example "visa 4242"; "" before.
	Card string
	// Outcome is what the card that was typed is declared to do; "" before.
	Outcome fixtures.CardOutcome
	// Once says that the card pays a single payment and is not saved.
	Once bool
	// ReturnURL is the address of the request, without what the ledger adds;
	// "" if there is none.
	ReturnURL string
}

// CardAuthView gives what the hosted card page shows.
func (w *World) CardAuthView(id string) (CardAuthView, error) {
	a, err := w.cardAuth(id)
	if err != nil {
		return CardAuthView{}, err
	}
	v := CardAuthView{
		ID: a.id.String(), State: CardAuthorisationMachine.States[a.state], RegistrationID: w.payers.At(a.payer).id.String(),
		Company: w.texts.String(w.companies.At(a.company).name), Amount: a.amount, Once: w.paysOnce(a), ReturnURL: w.texts.String(a.returnURL),
	}
	if a.payment != 0 {
		p := w.payments.At(a.payment)
		var t paymentTexts
		w.texts.Unpack(p.texts, &t)
		v.PaymentRequestID, v.ReturnURL = p.id.String(), t.returnURL
	}
	if a.card != (keptCard{}) {
		v.Card = cardBrands[a.card.brand] + " " + string(a.card.last4[:])
		v.Outcome = cardBehaviours[a.card.behaviour]
	}
	return v, nil
}
