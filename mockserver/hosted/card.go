package hosted

import (
	"errors"
	"net/http"
	"strings"

	"paysandbox/fixtures"
	"paysandbox/mockserver/hosted/form"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/world"
)

// challengeCode is the code that the simulated issuer asks for.
const challengeCode = "123456"

func cardPage() *page {
	return question[world.CardAuthView]{
		view: func(w *world.World, v *visit) (world.CardAuthView, error) { return w.CardAuthView(v.Param("id")) },
		open: func(_ *visit, view world.CardAuthView) bool {
			return view.State == "Pending" || view.State == "Challenged"
		},
		ask: func(_ *world.World, _ *visit, view world.CardAuthView, wrong problems) answer {
			return cardForm(view, wrong, "")
		},
		tell: tellCard, take: takeCard,
	}.page(form.Field{Name: "answer"}, form.Field{Name: "number", Mask: form.MaskCard, Secret: true}, form.Field{Name: "expiry"},
		form.Field{Name: "code", Mask: form.MaskDigits, Secret: true}, form.Field{Name: "challenge"})
}

// cardSheet is what the card page shows in either of its steps.
type cardSheet struct {
	world.CardAuthView
	Price string
	// Cards are the test cards for the help box.
	Cards []testCard
	// Failure tells why the last entry came to nothing, "" at first.
	Failure string
	// Code is the code of the simulated issuer.
	Code string
	// Tail are the last four digits of the card that is challenged.
	Tail string
}

// testCard is a line of the help box; Groups is the number as it stands on cards.
type testCard struct {
	fixtures.Card
	Groups string
}

func testCards() []testCard {
	list := []testCard{}
	for _, c := range fixtures.Cards() {
		groups := []string{}
		for digits := c.Number; digits != ""; {
			n := min(4, len(digits))
			groups, digits = append(groups, digits[:n]), digits[n:]
		}
		list = append(list, testCard{c, strings.Join(groups, " ")})
	}
	return list
}

// cardForm is the card entry, or the challenge where one is open.
func cardForm(view world.CardAuthView, wrong problems, failure string) answer {
	data := cardSheet{CardAuthView: view, Price: world.Dollars(view.Amount), Cards: testCards(), Failure: failure, Code: challengeCode}
	if _, tail, ok := strings.Cut(view.Card, " "); ok {
		data.Tail = tail
	}
	if view.State == "Challenged" {
		return sheetOf("challenge", "Confirm this payment", data).after(wrong, view.ReturnURL)
	}
	return sheetOf("card", "Pay "+view.Company+" by card", data).after(wrong, view.ReturnURL)
}

// cardWords says what a payer reads about a card authorisation that is over.
var cardWords = map[string]struct{ title, tone, text string }{
	"Authorised": {"Card authorised", toneGood, "Your card was accepted. Nothing more to do."},
	"Declined":   {"Card declined", toneBad, "Your card was not accepted. Nothing was charged. Ask the company for a new link."},
	"Canceled":   {"Card request canceled", tonePlain, "The company has canceled this request. Nothing was charged."},
}

// declineWords says why a card was declined, by what it is declared to do.
var declineWords = map[fixtures.CardOutcome]string{
	fixtures.CardDeclined:          "The issuer declined the card and gave no reason.",
	fixtures.CardInsufficientFunds: "The issuer declined the card: there is not enough money on it.",
	fixtures.CardExpired:           "The issuer declined the card: it has expired.",
	fixtures.CardWrongCode:         "The issuer declined the card: its code is wrong.",
	fixtures.CardChallengePasses:   "The payment was not confirmed: the payer said that it is not theirs.",
	fixtures.CardChallengeFails:    "The issuer could not confirm that it is the payer who pays.",
}

func tellCard(v *visit, view world.CardAuthView) answer {
	words := cardWords[view.State]
	n := notice{
		ID: "card-state", Tone: words.tone, Status: view.State, Text: []string{words.text},
		Facts: []fact{{"company", "Company", view.Company}, {"amount", "Amount", world.Dollars(view.Amount)}},
	}
	if view.Card != "" {
		n.Facts = append(n.Facts, fact{"card", "Card", view.Card})
	}
	switch {
	case view.PaymentRequestID != "" && view.State != "Authorised":
		n.Text[0] = "Your card was not accepted. Nothing was charged. You can choose another way to pay."
		n.Links = []link{{"pay", "Choose another way to pay", v.link(world.PagePay, view.PaymentRequestID)}}
	case view.ReturnURL != "":
		n.Links = []link{{"back", "Go back to where you came from", view.ReturnURL}}
	}
	if why := declineWords[view.Outcome]; why != "" && view.State == "Declined" {
		n.Text = append([]string{why}, n.Text...)
	}
	return tell(words.title, n)
}

// takeCard takes the card, or the answer to the challenge.
func takeCard(w *world.World, v *visit, view world.CardAuthView) (answer, error) {
	if view.State == "Challenged" {
		return v.answerChallenge(w, view)
	}
	return v.enterCard(w, view)
}

func (v *visit) enterCard(w *world.World, view world.CardAuthView) (answer, error) {
	if v.form.Get("answer") == "confirm" || v.form.Get("answer") == "refuse" {
		return cardForm(view, nil, "No confirmation is asked for. Type the card.").with(http.StatusConflict), nil
	}
	out, err := w.AuthoriseCard(view.ID, world.CardEntry{
		Number: v.form.Get("number"), Expiry: strings.ReplaceAll(v.form.Get("expiry"), " ", ""), Code: form.AnyDigits(v.form.Get("code")),
	})
	var e *kernel.Error
	switch {
	case errors.As(err, &e) && e.Code == kernel.Invalid:
		return cardForm(view, v.cardProblems(e), ""), nil
	case errors.As(err, &e) && e.Code == kernel.IllegalTransition && view.PaymentRequestID != "":
		return goTo(v.link(world.PagePay, view.PaymentRequestID)), nil // it tells how the payment stands
	case err != nil:
		return answer{}, err
	case out.Reason == fixtures.CardProcessorError:
		return cardForm(view, nil, "The card processor has a problem. Nothing was charged. Try again, or use another card."), nil
	}
	return v.cardStep(out), nil
}

// cardProblems puts the findings of a card entry beside its fields.
func (v *visit) cardProblems(e *kernel.Error) problems {
	var wrong problems
	for _, f := range e.Findings {
		switch f.Pointer {
		case "/number":
			number := v.form.Get("number")
			if _, err := fixtures.CardNumbered(number); err != nil && number != "" {
				wrong.add("number", dataProblem(err))
				continue
			}
			wrong.add("number", "Type a test card of the list, for example "+fixtures.Cards()[0].Number+".")
		case "/expiry":
			wrong.add("expiry", "Type a month that is not over, as MM/YY.")
		case "/code":
			wrong.add("code", "Type three digits, four for American Express.")
		}
	}
	return wrong
}

func (v *visit) answerChallenge(w *world.World, view world.CardAuthView) (answer, error) {
	var wrong problems
	pass := false
	switch v.form.Get("answer") {
	case "confirm":
		if pass = v.form.Get("challenge") == challengeCode; !pass {
			wrong.add("challenge", "This is not the code. The code of the sandbox is "+challengeCode+".")
		}
	case "refuse":
	default:
		wrong.add("challenge", "Type the code, or say that this is not your payment.")
	}
	if len(wrong) > 0 {
		return cardForm(view, wrong, ""), nil
	}
	out, err := w.AnswerChallenge(view.ID, pass)
	return v.cardStep(out), err
}

// cardStep leads to the partner's address when the page is done, else back to
// the page itself.
func (v *visit) cardStep(out world.CardAnswer) answer {
	if out.ReturnURL != "" {
		return goTo(out.ReturnURL)
	}
	return goTo(v.done())
}
