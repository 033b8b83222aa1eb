package hosted_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/fixtures"
	"paysandbox/mockserver/world"
)

func TestCardsEndAsDeclared(t *testing.T) {
	t.Parallel()
	states := map[fixtures.CardOutcome]string{
		fixtures.CardApproved: "Authorised", fixtures.CardLaterDecline: "Authorised", fixtures.CardDeclined: "Declined",
		fixtures.CardInsufficientFunds: "Declined", fixtures.CardExpired: "Declined", fixtures.CardWrongCode: "Declined",
		fixtures.CardChallengePasses: "Challenged", fixtures.CardChallengeFails: "Challenged", fixtures.CardProcessorError: "Pending",
	}
	h := newHouse(t)
	for _, c := range fixtures.Cards() {
		id := h.card(world.NewCardAuthorisation{})
		page := h.address("card", id)
		code := "123"
		if c.Brand == "amex" {
			code = "1234"
		}
		r := h.post(page, "answer", "card", "number", c.Number[:4]+" "+c.Number[4:], "expiry", "12 / 28", "code", code)
		require.Equal(t, states[c.Outcome], h.status(id), c.Number)
		require.NotContains(t, string(h.last().Exchange.Request.Body), "code="+code)
		require.Contains(t, string(h.last().Exchange.Request.Body), "number="+c.Number, "test cards are no secret")
		if c.Outcome == fixtures.CardProcessorError {
			require.True(t, r.shows("failure"))
			continue
		}
		require.Regexp(t, "^/pages/default/card/"+id+`\?did=[0-9]+$`, r.location())
		if r = h.get(page); states[c.Outcome] == "Challenged" {
			require.True(t, r.shows("page-challenge"))
			require.Contains(t, r.body, c.Last4)
			continue
		}
		require.True(t, r.shows("notice-card-state"))
		require.Contains(t, r.body, states[c.Outcome])
		require.Contains(t, r.body, c.Last4)
	}
}

// challenged is a card authorisation whose challenge is open.
func (h *house) challenged(number string) (id, page string) {
	h.tb.Helper()
	id = h.card(world.NewCardAuthorisation{ReturnURL: "https://partner.example.com/paid"})
	page = h.address("card", id)
	r := h.post(page, "answer", "card", "number", number, "expiry", "12/28", "code", "123")
	require.Equal(h.tb, http.StatusSeeOther, r.status)
	require.Equal(h.tb, "Challenged", h.status(id))
	return id, page
}

func TestChallenge(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		card   fixtures.CardOutcome
		values []string
		status string
	}{
		"confirmed":           {fixtures.CardChallengePasses, []string{"answer", "confirm", "challenge", "123456"}, "Authorised"},
		"refused":             {fixtures.CardChallengePasses, []string{"answer", "refuse"}, "Declined"},
		"confirmed in vain":   {fixtures.CardChallengeFails, []string{"answer", "confirm", "challenge", "123456"}, "Declined"},
		"wrong code":          {fixtures.CardChallengePasses, []string{"answer", "confirm", "challenge", "000000"}, "Challenged"},
		"no answer":           {fixtures.CardChallengePasses, nil, "Challenged"},
		"another step's form": {fixtures.CardChallengePasses, []string{"answer", "card", "number", "4242424242424242"}, "Challenged"},
	}
	for name, tc := range tests {
		h := newHouse(t)
		id, page := h.challenged(cardFor(tc.card))
		r := h.post(page, tc.values...)
		require.Equal(t, tc.status, h.status(id), name)
		if tc.status == "Challenged" {
			require.Equal(t, http.StatusBadRequest, r.status, name)
			require.True(t, r.shows("error-challenge"), name)
			continue
		}
		require.Equal(t, http.StatusSeeOther, r.status, name)
		require.Equal(t, "https://partner.example.com/paid", r.location(), name)
	}
}

func cardFor(o fixtures.CardOutcome) string {
	for _, c := range fixtures.Cards() {
		if c.Outcome == o {
			return c.Number
		}
	}
	return ""
}

func TestCardRefusesBadEntries(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	id := h.card(world.NewCardAuthorisation{})
	page := h.address("card", id)
	r := h.post(page, "answer", "card", "number", "4242 4242 4242 4243", "expiry", "12/20", "code", "987")
	require.Equal(t, http.StatusBadRequest, r.status)
	require.True(t, r.shows("error-number"))
	require.True(t, r.shows("error-expiry"))
	require.Contains(t, r.body, "Nearest: 4242424242424242 (visa, approved)")
	require.Contains(t, r.body, `value="12/20"`)
	require.NotContains(t, r.body, "4243")
	require.NotContains(t, r.body, "987")
	require.NotRegexp(t, `name="code"[^>]*value="[^"]`, r.body, "not even masked")
	require.Contains(t, string(h.last().Exchange.Request.Body), "number=424242xxxxxx4243&expiry=12%2F20&code=xxx")

	r = h.post(page, "answer", "card", "number", "4242424242424242", "expiry", "12/28", "code", "12345")
	require.True(t, r.shows("error-code"))
	require.Equal(t, "Pending", h.status(id))
	require.Equal(t, http.StatusConflict, h.post(page, "answer", "confirm", "challenge", "123456").status, "no challenge is open")
}

func TestCardRequestsThatAreOver(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	for _, event := range []string{"authorise", "decline", "cancel"} {
		id := h.card(world.NewCardAuthorisation{ReturnURL: "https://partner.example.com/paid"})
		page := h.address("card", id)
		token := h.tokenOf(page)
		h.do(func(w *world.World) { require.NoError(t, w.MoveCardAuthorisation(id, event)) })
		r := h.postAs(page, token, "answer", "card", "number", "4242424242424242", "expiry", "12/28", "code", "123")
		require.Equal(t, http.StatusConflict, r.status, event)
		require.True(t, r.shows("notice-card-state"), event)
		require.True(t, r.shows("link-back"), event)
	}
}
