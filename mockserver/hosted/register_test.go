package hosted_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/fixtures"
	"paysandbox/mockserver/world"
)

// identity is a good answer to the second step.
func identity(bank string, more ...string) []string {
	return append([]string{"step", "identity", "bank", bank, "name", "Pat Lee", "born", "1990-02-28", "ssn", "1234", "outcome", "registered"}, more...)
}

func (h *house) registration(id string) (view world.RegistrationView) {
	h.tb.Helper()
	h.do(func(w *world.World) {
		var err error
		view, err = w.RegistrationView(id)
		require.NoError(h.tb, err)
	})
	return view
}

func TestRegisterInTwoSteps(t *testing.T) {
	t.Parallel()
	for _, p := range fixtures.Personas() {
		h := newHouse(t)
		id := h.payer(world.NewRegistration{RedirectURL: "https://partner.example.com/welcome?a=1"})
		page := h.address("register", id)
		step := h.follow(page, "step", "bank", "bank", p.Name)
		require.Equal(t, http.StatusOK, step.status)
		require.True(t, step.shows("page-kyc"))
		require.Contains(t, step.body, `name="bank" value="`+p.Name+`"`)
		done := h.post(page, identity(p.Name)...)
		require.Equal(t, http.StatusSeeOther, done.status)
		require.Equal(t, "https://partner.example.com/welcome?a=1", done.location())
		view := h.registration(id)
		require.Equal(t, "Registered", view.State)
		require.Equal(t, "*"+p.Bank.Last4, *view.AccountMask)

		again := h.get(page)
		require.Equal(t, http.StatusOK, again.status)
		require.True(t, again.shows("notice-registered"))
		require.Contains(t, again.body, `href="https://partner.example.com/welcome?a=1"`)
	}
}

func TestRegisterWithATypedAccount(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	id := h.payer(world.NewRegistration{})
	page := h.address("register", id)
	own := []string{"bank", "own", "routing", "110000000", "account", "98765 4321-0987"}
	step := h.follow(page, append(own, "step", "bank")...)
	require.True(t, step.shows("page-kyc"))
	require.Contains(t, step.body, `name="account" value="xxxxxxxxx0987"`, "the number itself is not carried")
	done := h.post(page, identity("own", "routing", "110000000", "account", "xxxxxxxxx0987")...)
	require.Equal(t, http.StatusSeeOther, done.status)
	require.Equal(t, "*0987", *h.registration(id).AccountMask)
}

func TestRegisterShowsAmountAndPurpose(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	req := world.NewRegistration{Amount: ptr[int64](4900), ShortDescription: "Membership for March", Period: "once"}
	page := h.address("register", h.payer(req))
	for _, r := range []reply{h.get(page), h.follow(page, "step", "bank", "bank", "good")} {
		require.Contains(t, r.body, "$49.00")
		require.Contains(t, r.body, "Membership for March")
	}
	plain := h.get(h.address("register", h.payer(world.NewRegistration{})))
	require.False(t, plain.shows("amount"))
	require.False(t, plain.shows("purpose"))
}

func TestRegisterRefusesBadSteps(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	id := h.payer(world.NewRegistration{})
	page := h.address("register", id)
	tests := map[string]struct {
		values []string
		sheet  string
		wrong  []string
	}{
		"no bank":         {[]string{"step", "bank"}, "page-register", []string{"bank"}},
		"unknown persona": {[]string{"step", "bank", "bank", "goood"}, "page-register", []string{"bank"}},
		"no numbers":      {[]string{"step", "bank", "bank", "own"}, "page-register", []string{"routing", "account"}},
		"bad routing":     {[]string{"step", "bank", "bank", "own", "routing", "123456789", "account", "1111"}, "page-register", []string{"routing"}},
		"short account":   {[]string{"step", "bank", "bank", "own", "routing", "110000000", "account", "11"}, "page-register", []string{"account"}},
		"unknown code":    {[]string{"step", "bank", "bank", "own", "routing", "110000000", "account", "000000010099"}, "page-register", []string{"account"}},
		"words":           {[]string{"step", "bank", "bank", "own", "routing", "110000000", "account", "my savings"}, "page-register", []string{"account"}},
		"nothing typed":   {[]string{"step", "identity", "bank", "good"}, "page-kyc", []string{"name", "born", "ssn", "outcome"}},
		"a child":         {identity("good", "born", "2015-01-01"), "page-kyc", []string{"born"}},
		"no date":         {identity("good", "born", "2001-02-30"), "page-kyc", []string{"born"}},
		"long ago":        {identity("good", "born", "1800-01-01"), "page-kyc", []string{"born"}},
		"long ssn":        {identity("good", "ssn", "123456789"), "page-kyc", []string{"ssn"}},
		"letters":         {identity("good", "ssn", "12a4"), "page-kyc", []string{"ssn"}},
		"other outcome":   {identity("good", "outcome", "maybe"), "page-kyc", []string{"outcome"}},
		"bank lost":       {identity(""), "page-register", []string{"bank"}},
	}
	for name, tc := range tests {
		r := h.post(page, tc.values...)
		require.Equal(t, http.StatusBadRequest, r.status, name)
		require.True(t, r.shows(tc.sheet), name)
		for _, field := range tc.wrong {
			require.True(t, r.shows("error-"+field), name+": "+field)
			require.Contains(t, r.body, `href="#`+field+`"`, name)
		}
		require.Equal(t, "Pending", h.registration(id).State, name)
	}
}

func TestRegisterKeepsWhatWasTypedButNoSecrets(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	page := h.address("register", h.payer(world.NewRegistration{}))
	r := h.post(page, identity("good", "born", "")...)
	require.Contains(t, r.body, `value="Pat Lee"`)
	require.NotContains(t, r.body, "1234")
	require.NotContains(t, string(h.last().Exchange.Request.Body), "1234")
	r = h.post(page, "step", "bank", "bank", "own", "routing", "123456789", "account", "444433332222")
	require.Contains(t, r.body, `value="123456789"`)
	require.NotContains(t, r.body, "44443333")
	back := h.follow(page, "step", "back", "bank", "slow")
	require.Equal(t, http.StatusOK, back.status)
	require.Contains(t, back.body, `data-testid="bank-slow" aria-describedby="bank-slow-hint" checked`)
}

func TestRegisterFailsTheIdentityCheck(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	id := h.payer(world.NewRegistration{})
	page := h.address("register", id)
	r := h.follow(page, identity("good", "outcome", "kyc-failed")...)
	require.Equal(t, http.StatusOK, r.status)
	require.True(t, r.shows("notice-kyc-failed"))
	require.Equal(t, "Pending", h.registration(id).State)
	require.Equal(t, http.StatusSeeOther, h.post(page, identity("good")...).status, "and may try again")
}

func TestRegisterTwiceIsAConflict(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	id := h.payer(world.NewRegistration{})
	page := h.address("register", id)
	token := h.tokenOf(page)
	h.link(id)
	r := h.postAs(page, token, identity("slow")...)
	require.Equal(t, http.StatusConflict, r.status)
	require.True(t, r.shows("notice-registered"))
	require.Equal(t, "*1111", *h.registration(id).AccountMask)
}

// A payer whose account was closed links another one, and pays from it.
func TestWhoIsRegisteredLinksAnotherAccount(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	id := h.payer(world.NewRegistration{})
	page := h.address("register", id)
	require.Equal(t, http.StatusSeeOther, h.post(page, identity("closed-account")...).status)
	require.Equal(t, "*0002", *h.registration(id).AccountMask)
	require.True(t, h.get(page).shows("link-relink"))

	r := h.post(page+"?step=relink", "step", "relink")
	require.Equal(t, http.StatusBadRequest, r.status, "without an account")
	require.Equal(t, "*0002", *h.registration(id).AccountMask)
	r = h.follow(page+"?step=relink", "step", "relink", "bank", "slow")
	require.True(t, r.shows("notice-registered"))
	require.Contains(t, r.body, "is taken from this account from now on")
	require.Equal(t, "*3333", *h.registration(id).AccountMask)
}
