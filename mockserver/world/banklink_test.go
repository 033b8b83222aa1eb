package world_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/world"
)

func TestMailOfAVerifiedCompany(t *testing.T) {
	t.Parallel()
	w := payerWorld()
	company, _ := payerCompany(t, w, "gym")
	sent := messages(w)
	require.Len(t, sent, 1)
	require.Equal(t, []string{"email", "office@fitgym.example.com", "company-verified"}, []string{sent[0].Channel, sent[0].To, sent[0].Template})
	link := linkOf(sent[0])
	require.Equal(t, payerBase+"/bank-link/"+lastPart(link), link)
	require.Contains(t, sent[0].Values, kernel.Value{Name: "portal", Text: payerBase + "/portal/" + company})
	require.Contains(t, sent[0].Values, kernel.Value{Name: "company", Text: "Fit Gym"})
	require.NoError(t, w.LinkCompanyBank(lastPart(link), "1111"))
}

func TestRejectedCompanyGetsNoMail(t *testing.T) {
	t.Parallel()
	w := world.New(world.Config{Environment: world.Rehearsal})
	payerInput(w, 0)
	company, _ := payerCompany(t, w, "gym")
	require.NoError(t, w.DecideKYB(company, "rejected"))
	require.Empty(t, messages(w))
}

func TestVerifiedLaterIsMailedThen(t *testing.T) {
	t.Parallel()
	w := world.New(world.Config{Environment: world.Rehearsal})
	payerInput(w, 0)
	payerCompany(t, w, "gym")
	require.Empty(t, messages(w))
	w.Advance(payerStart.Add(24 * time.Hour).UnixNano())
	sent := messages(w)
	require.Len(t, sent, 1)
	require.Contains(t, linkOf(sent[0]), payerBase+"/bank-link/", "the address is that of the last input")
}

func TestExternalAuthLink(t *testing.T) {
	t.Parallel()
	w := payerWorld()
	company, _ := payerCompany(t, w, "gym")
	w.Take()
	req := &world.NewExternalAuthLink{MobileNumber: "+12025550199"}
	first, err := w.CreateExternalAuthLink("gym", req)
	require.NoError(t, err)
	sent := messages(w)
	require.Equal(t, []kernel.Message{{
		Channel: "sms", To: "+12025550199", Template: "bank-link", Bounced: true,
		Values: []kernel.Value{{Name: "link", Text: first.ExternalAuthLinkURL}, {Name: "company", Text: "Fit Gym"}},
	}}, sent)
	second, err := w.CreateExternalAuthLink(company, req)
	require.NoError(t, err)
	require.NotEqual(t, first, second)

	token := lastPart(first.ExternalAuthLinkURL)
	view, err := w.BankLinkView(token)
	require.NoError(t, err)
	require.Equal(t, world.BankLinkView{Token: token, CompanyID: company, Company: "Fit Gym"}, view)
	require.NoError(t, w.LinkCompanyBank(token, "4321"))
	require.Equal(t, kernel.Conflict, codeOf(t, w.LinkCompanyBank(token, "4321")), "it works once")
	view, err = w.BankLinkView(token)
	require.NoError(t, err)
	require.Equal(t, world.BankLinkView{
		Token: token, CompanyID: company, Company: "Fit Gym", Used: true, Connected: true, AccountMask: ptr("*4321"),
	}, view)
	require.NoError(t, w.LinkCompanyBank(lastPart(second.ExternalAuthLinkURL), "8765"), "another link is good by itself")
}

func TestExternalAuthLinkRules(t *testing.T) {
	t.Parallel()
	w := payerWorld()
	payerCompany(t, w, "gym")
	for _, bad := range []string{"", "2025550123", "+1 202 555 0123", "+1234567890123456", "+0123456789", "+1"} {
		_, err := w.CreateExternalAuthLink("gym", &world.NewExternalAuthLink{MobileNumber: bad})
		require.Equal(t, kernel.Invalid, codeOf(t, err), bad)
		require.Equal(t, []string{"/mobileNumber"}, pointers(t, err), bad)
	}
	_, err := w.CreateExternalAuthLink("shop", &world.NewExternalAuthLink{MobileNumber: "+12025550123"})
	require.Equal(t, kernel.NotFound, codeOf(t, err))
}

func TestLinkCompanyBankRules(t *testing.T) {
	t.Parallel()
	w := payerWorld(latitude.AccountMaskDigits)
	company, _ := payerCompany(t, w, "gym")
	token := lastPart(linkOf(messages(w)[0]))
	for _, bad := range []string{"", "111", "11111", "11x1"} {
		require.Equal(t, kernel.Invalid, codeOf(t, w.LinkCompanyBank(token, bad)), bad)
	}
	for _, unknown := range []string{"", "x", unknownPayer} {
		require.Equal(t, kernel.NotFound, codeOf(t, w.LinkCompanyBank(unknown, "1111")))
		_, err := w.BankLinkView(unknown)
		require.Equal(t, kernel.NotFound, codeOf(t, err))
	}
	require.Equal(t, kernel.NotFound, codeOf(t, w.LinkCompanyBankOf("shop")))
	require.NoError(t, w.LinkCompanyBankOf(company))
	view, err := w.BankLinkView(token)
	require.NoError(t, err)
	require.False(t, view.Used, "a control call leaves the link alone")
	require.True(t, view.Connected)
	require.Equal(t, "1111", *view.AccountMask)
}
