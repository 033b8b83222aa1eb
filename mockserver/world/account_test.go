package world_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/world"
)

func linkTokenFor(t *testing.T, w *world.World, payer string) world.LinkToken {
	t.Helper()
	token, err := w.CreateLinkToken(&world.NewLinkToken{VerificationID: payer})
	require.NoError(t, err)
	return token
}

func TestLinkTokenRules(t *testing.T) {
	t.Parallel()
	w := payerWorld()
	for _, bad := range []string{"", "x", unknownPayer} {
		_, err := w.CreateLinkToken(&world.NewLinkToken{VerificationID: bad})
		require.Equal(t, kernel.Invalid, codeOf(t, err))
		require.Equal(t, []string{"/verificationId"}, pointers(t, err))
	}
	strict := payerWorld(latitude.UnknownBodyIDsNotFound)
	_, err := strict.CreateLinkToken(&world.NewLinkToken{VerificationID: unknownPayer})
	require.Equal(t, kernel.NotFound, codeOf(t, err))
}

func TestLinkAccount(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		public   string
		accounts []string
		mask     string
	}{
		"account number":          {"public-x", []string{"0000010001", "000000001111"}, "*0001"},
		"persona":                 {"public-slow", nil, "*3333"},
		"opaque id and a persona": {"public-good", []string{"acc_7"}, "*1111"},
		"number before persona":   {"public-good", []string{"98765432"}, "*5432"},
		"persona without prefix":  {"under-review", []string{}, "*2222"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := payerWorld()
			payer := register(t, w, nil)
			token := linkTokenFor(t, w, payer)
			require.Equal(t, "2026-01-05T15:34:05Z", token.Expiration)
			req := &world.AccountLink{TokenID: token.TokenID, PublicToken: c.public}
			if c.accounts != nil {
				req.LinkAccountsMetadata = &world.LinkAccounts{AccountIDs: c.accounts}
			}
			got, err := w.LinkAccount(req)
			require.NoError(t, err)
			require.Equal(t, world.AccountLinked{IsOK: true, Errors: []string{}, ScreenerErrors: []string{}}, got)
			status, err := w.UserStatus(payer)
			require.NoError(t, err)
			require.Equal(t, world.UserStatus{Status: "Registered", AccountMask: &c.mask}, status)
		})
	}
}

// notLinked requires a link error with the code, and a payer who is as before.
func notLinked(t *testing.T, w *world.World, req *world.AccountLink, code string) {
	t.Helper()
	w.Take()
	got, err := w.LinkAccount(req)
	require.NoError(t, err)
	require.False(t, got.IsOK)
	require.NotNil(t, got.LinkError)
	require.Equal(t, code, got.LinkError.ErrorCode)
	require.Equal(t, []string{got.LinkError.ErrorMessage}, got.Errors)
	records, _ := w.Take()
	require.Empty(t, records)
}

func TestLinkAccountFails(t *testing.T) {
	t.Parallel()
	w := payerWorld()
	payer := register(t, w, nil)
	token := linkTokenFor(t, w, payer).TokenID
	notLinked(t, w, &world.AccountLink{TokenID: unknownPayer, PublicToken: "public-good"}, "INVALID_LINK_TOKEN")
	notLinked(t, w, &world.AccountLink{TokenID: token, PublicToken: "public-godo"}, "UNKNOWN_TEST_DATA")
	notLinked(t, w, &world.AccountLink{
		TokenID: token, PublicToken: "public-good", LinkAccountsMetadata: &world.LinkAccounts{AccountIDs: []string{"0000910001"}},
	}, "UNKNOWN_TEST_DATA")
	second := linkTokenFor(t, w, payer).TokenID
	ok, err := w.LinkAccount(&world.AccountLink{TokenID: token, PublicToken: "public-good"})
	require.NoError(t, err)
	require.True(t, ok.IsOK, "what was unknown did not use the token up")
	notLinked(t, w, &world.AccountLink{TokenID: token, PublicToken: "public-good"}, "USED_LINK_TOKEN")
	again, err := w.LinkAccount(&world.AccountLink{TokenID: second, PublicToken: "public-slow"})
	require.NoError(t, err)
	require.True(t, again.IsOK, "another account takes the place of the first")
	status, err := w.UserStatus(payer)
	require.NoError(t, err)
	require.Equal(t, "*3333", *status.AccountMask)
}

func TestLinkTokenExpires(t *testing.T) {
	t.Parallel()
	w := payerWorld()
	early := linkTokenFor(t, w, register(t, w, nil)).TokenID
	late := linkTokenFor(t, w, register(t, w, nil)).TokenID
	payerInput(w, 30*time.Minute-time.Nanosecond)
	got, err := w.LinkAccount(&world.AccountLink{TokenID: early, PublicToken: "public-good"})
	require.NoError(t, err)
	require.True(t, got.IsOK)
	payerInput(w, 30*time.Minute)
	notLinked(t, w, &world.AccountLink{TokenID: late, PublicToken: "public-good"}, "EXPIRED_LINK_TOKEN")
}

func TestLinkAccountRules(t *testing.T) {
	t.Parallel()
	w := payerWorld()
	_, err := w.LinkAccount(&world.AccountLink{})
	require.Equal(t, []string{"/tokenId", "/publicToken"}, pointers(t, err))
	_, err = w.LinkAccount(&world.AccountLink{TokenID: "x", PublicToken: "public-good"})
	require.Equal(t, []string{"/tokenId"}, pointers(t, err))
}
