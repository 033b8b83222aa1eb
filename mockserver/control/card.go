package control

import (
	"net/http"
	"slices"
	"strings"

	"paysandbox/fixtures"
	"paysandbox/mockserver/spelling"
	"paysandbox/mockserver/world"
)

// NewMethod is the body that saves a card without the page.
type NewMethod struct {
	RegistrationID string `json:"registrationId" required:"true" format:"uuid" example:"5f0c5b0e-3f0c-4a53-9d3e-6f1f0e9d8c33"`
	// Card is a test card's number, or the name of its outcome, such as approved.
	Card string `json:"card" mask:"true" required:"true" example:"4242424242424242"`
}

func saveCard(w *world.World, x *exchange, req *NewMethod) (world.PaymentMethod, error) {
	number, err := cardNumber("/card", req.Card)
	if err != nil {
		return world.PaymentMethod{}, err
	}
	x.about(req.RegistrationID)
	return w.SaveCard(req.RegistrationID, number)
}

// cardNumber finds a test card by its number or by the name of its outcome.
func cardNumber(pointer, given string) (string, error) {
	var names []string
	for _, c := range fixtures.Cards() {
		if string(c.Outcome) == given {
			return c.Number, nil
		}
		names = append(names, string(c.Outcome))
	}
	card, err := fixtures.CardNumbered(given)
	switch {
	case err == nil:
		return card.Number, nil
	case strings.ContainsFunc(given, isDigit) || given == "":
		return "", unknownData(pointer, "control.card", err)
	default:
		names = slices.Compact(names)
		return "", invalid(wrong(pointer, "control.card", quoted(given), "a test card's number, or one of "+joined(names), "nearest: "+spelling.Nearest(given, names)))
	}
}

func isDigit(r rune) bool { return '0' <= r && r <= '9' }

// CardMoved is a card authorisation after a step of the payer's.
type CardMoved struct {
	ID     string `json:"id" required:"true" format:"uuid" example:"3f0c4a53-9d3e-4f1f-8e9d-8c117b0c5b0e"`
	Status string `json:"status" required:"true" example:"Authorised"`
	// Reason is the declared outcome of the card, or challenge-failed.
	Reason string `json:"reason" required:"true" example:"approved"`
	// ReturnURL is where the payer's browser would go; empty while the page goes on.
	ReturnURL string `json:"returnUrl" required:"true" example:"https://partner.example.com/paid"`
}

func cardMoved(x *exchange, a world.CardAnswer, err error) (CardMoved, error) {
	return CardMoved{ID: strings.ToLower(x.Param("id")), Status: a.Status, Reason: string(a.Reason), ReturnURL: a.ReturnURL}, err
}

// CardTyped is what the payer would type on the page.
type CardTyped struct {
	// Number is a test card's number, or the name of its outcome.
	Number string `json:"number" mask:"true" required:"true" example:"4242424242424242"`
	// Expiry is MM/YY; three years from now when it is left out.
	Expiry string `json:"expiry" example:"12/29"`
	// Code is any code of the right length; a right one when it is left out.
	Code string `json:"code" mask:"true" example:"123"`
}

func authoriseCard(w *world.World, x *exchange, req *CardTyped) (CardMoved, error) {
	number, err := cardNumber("/number", req.Number)
	if err != nil {
		return CardMoved{}, err
	}
	entry := world.CardEntry{Number: number, Expiry: req.Expiry, Code: req.Code}
	if entry.Expiry == "" {
		entry.Expiry = "12/" + w.Now().AddDate(3, 0, 0).Format("06")
	}
	if entry.Code == "" {
		entry.Code = codeFor(number)
	}
	answer, err := w.AuthoriseCard(x.Param("id"), entry)
	return cardMoved(x, answer, err)
}

// codeFor is a code of the length that the card's brand has.
func codeFor(number string) string {
	if card, err := fixtures.CardNumbered(number); err == nil && card.Brand == "amex" {
		return "1111"
	}
	return "111"
}

// ChallengeAnswer is the body that answers the issuer's question.
type ChallengeAnswer struct {
	// Pass is whether the payer confirms; true when it is left out.
	Pass *bool `json:"pass" example:"true"`
}

func answerChallenge(w *world.World, x *exchange, req *ChallengeAnswer) (CardMoved, error) {
	answer, err := w.AnswerChallenge(x.Param("id"), req.Pass == nil || *req.Pass)
	return cardMoved(x, answer, err)
}

func cardState(w *world.World, id, _ string) (string, error) {
	v, err := w.CardAuthView(id)
	return v.State, err
}

func cardRoutes() []*route {
	const tag, one = "Cards", Prefix + "/integrations/{i}/cards/{id}"
	return []*route{
		row("saveCard", http.MethodPost, Prefix+"/integrations/{i}/payment-methods", actsWith(saveCard).keeping(keepCard), NewMethod{}, world.PaymentMethod{}).
			About(tag, "Save a test card for a payer without the page"),
		row("enterCard", http.MethodPost, one+"/authorise", actsWith(authoriseCard).keeping(keepCard), CardTyped{}, CardMoved{}).
			About(tag, "Type a test card on the page of a card authorisation").Fails(steps...),
		row("answerChallenge", http.MethodPost, one+"/challenge", actsWith(answerChallenge).optional(), ChallengeAnswer{}, CardMoved{}).
			About(tag, "Answer the question of a card's issuer").Fails(steps...),
		row("moveCard", http.MethodPost, one+"/{event}",
			step(&world.CardAuthorisationMachine, (*world.World).MoveCardAuthorisation, cardState), nil, Moved{}).
			About(tag, "Take a step of a card authorisation").Fails(steps...),
	}
}
