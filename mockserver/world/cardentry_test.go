package world_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/fixtures"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/world"
)

func TestTestCardsDecide(t *testing.T) {
	t.Parallel()
	states := map[fixtures.CardOutcome]string{
		fixtures.CardApproved: "Authorised", fixtures.CardLaterDecline: "Authorised",
		fixtures.CardDeclined: "Declined", fixtures.CardInsufficientFunds: "Declined",
		fixtures.CardExpired: "Declined", fixtures.CardWrongCode: "Declined",
		fixtures.CardChallengePasses: "Challenged", fixtures.CardChallengeFails: "Challenged",
		fixtures.CardProcessorError: "Pending",
	}
	for _, card := range fixtures.Cards() {
		t.Run(string(card.Outcome)+" "+card.Brand, func(t *testing.T) {
			t.Parallel()
			w := payerWorld()
			id, payer := cardAuth(t, w)
			code := "123"
			if card.Brand == "amex" {
				code = "1234"
			}
			answer, err := w.AuthoriseCard(id, world.CardEntry{Number: card.Number, Expiry: "01/26", Code: code})
			require.NoError(t, err)
			require.Equal(t, states[card.Outcome], answer.Status)
			require.Equal(t, card.Outcome, answer.Reason)
			final := answer.Status == "Authorised" || answer.Status == "Declined"
			require.Equal(t, final, answer.ReturnURL != "")
			want := 0
			if answer.Status == "Authorised" {
				want = 1
			}
			require.Equal(t, want, savedCards(t, w, payer))
			_, err = w.AuthoriseCard(id, world.CardEntry{Number: card.Number, Expiry: "01/26", Code: code})
			if answer.Status == "Pending" {
				require.NoError(t, err, "after a processor error the payer tries again")
				return
			}
			require.Equal(t, kernel.IllegalTransition, codeOf(t, err), "the page is done, or waits for the challenge")
			require.Equal(t, want, savedCards(t, w, payer))
		})
	}
}

func TestChallenge(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		number string
		pass   bool
		want   world.CardAnswer
		saved  int
	}{
		"passed":                {"4000000000003220", true, world.CardAnswer{Status: "Authorised", Reason: "approved"}, 1},
		"given up":              {"4000000000003220", false, world.CardAnswer{Status: "Declined", Reason: "challenge-failed"}, 0},
		"fails for all answers": {"4000000000003287", true, world.CardAnswer{Status: "Declined", Reason: "challenge-failed"}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := payerWorld()
			id, payer := cardAuth(t, w)
			_, err := w.AnswerChallenge(id, true)
			require.Equal(t, kernel.IllegalTransition, codeOf(t, err), "no challenge is open")
			_, err = w.AuthoriseCard(id, world.CardEntry{Number: c.number, Expiry: "12/2028", Code: "123"})
			require.NoError(t, err)
			view, err := w.CardAuthView(id)
			require.NoError(t, err)
			require.Equal(t, "visa "+c.number[12:], view.Card)
			got, err := w.AnswerChallenge(id, c.pass)
			require.NoError(t, err)
			c.want.ReturnURL = "https://partner.example.com/paid"
			require.Equal(t, c.want, got)
			require.Equal(t, c.saved, savedCards(t, w, payer))
			_, err = w.AnswerChallenge(id, c.pass)
			require.Equal(t, kernel.IllegalTransition, codeOf(t, err))
		})
	}
}

func TestCardEntryRules(t *testing.T) {
	t.Parallel()
	w := payerWorld() // in January 2026
	id, _ := cardAuth(t, w)
	visa, amex := "4242424242424242", "378282246310005"
	for name, c := range map[string]struct {
		entry world.CardEntry
		want  []string
	}{
		"nothing":            {world.CardEntry{}, []string{"/number", "/expiry", "/code"}},
		"a real card":        {world.CardEntry{Number: "4111111111111111", Expiry: "12/28", Code: "123"}, []string{"/number"}},
		"last month":         {world.CardEntry{Number: visa, Expiry: "12/25", Code: "123"}, []string{"/expiry"}},
		"month 13":           {world.CardEntry{Number: visa, Expiry: "13/28", Code: "123"}, []string{"/expiry"}},
		"month 0":            {world.CardEntry{Number: visa, Expiry: "00/28", Code: "123"}, []string{"/expiry"}},
		"no slash":           {world.CardEntry{Number: visa, Expiry: "12-28", Code: "123"}, []string{"/expiry"}},
		"letters":            {world.CardEntry{Number: visa, Expiry: "ab/cd", Code: "123"}, []string{"/expiry"}},
		"three-digit year":   {world.CardEntry{Number: visa, Expiry: "12/028", Code: "123"}, []string{"/expiry"}},
		"four digits, visa":  {world.CardEntry{Number: visa, Expiry: "12/28", Code: "1234"}, []string{"/code"}},
		"three digits, amex": {world.CardEntry{Number: amex, Expiry: "12/28", Code: "123"}, []string{"/code"}},
		"letters as code":    {world.CardEntry{Number: visa, Expiry: "12/28", Code: "abc"}, []string{"/code"}},
	} {
		_, err := w.AuthoriseCard(id, c.entry)
		require.Equal(t, c.want, pointers(t, err), name)
		require.NotContains(t, err.Error(), "4111111111111111")
	}
	for _, unknown := range []string{"", "x", unknownPayer} {
		_, err := w.AuthoriseCard(unknown, world.CardEntry{})
		require.Equal(t, kernel.NotFound, codeOf(t, err))
		_, err = w.AnswerChallenge(unknown, true)
		require.Equal(t, kernel.NotFound, codeOf(t, err))
		_, err = w.CardAuthView(unknown)
		require.Equal(t, kernel.NotFound, codeOf(t, err))
		require.Equal(t, kernel.NotFound, codeOf(t, w.MoveCardAuthorisation(unknown, "cancel")))
	}
	require.Equal(t, []string{"path:event"}, pointers(t, w.MoveCardAuthorisation(id, "capture")))
}
