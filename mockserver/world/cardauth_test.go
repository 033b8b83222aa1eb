package world_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/world"
)

// cardAuth creates a card authorisation for a new payer and gives both ids.
func cardAuth(t *testing.T, w *world.World) (id, payer string) {
	t.Helper()
	payerCompany(t, w, "gym")
	payer = register(t, w, nil)
	made, err := w.CreateCardAuthorisation(&world.NewCardAuthorisation{
		Amount: ptr(int64(5000)), RegistrationID: payer, ReturnURL: "https://partner.example.com/paid",
	})
	require.NoError(t, err)
	require.Equal(t, payer, made.RegistrationPersonID)
	w.Take()
	return made.PaymentRequestID, payer
}

func cardState(t *testing.T, w *world.World, id string) string {
	t.Helper()
	view, err := w.CardAuthView(id)
	require.NoError(t, err)
	return view.State
}

func savedCards(t *testing.T, w *world.World, payer string) int {
	t.Helper()
	list, err := w.PaymentMethods(payer, "", "")
	require.NoError(t, err)
	return len(list.PaymentMethods)
}

func TestCardAuthorisationMachine(t *testing.T) {
	t.Parallel()
	m := &world.CardAuthorisationMachine
	paths := map[string]string{"Challenged": "challenge", "Authorised": "authorise", "Declined": "decline", "Canceled": "cancel"}
	everyStep(t, m, m.Events(), func(from string) (*world.World, func(string) error, func() string) {
		w := payerWorld()
		id, payer := cardAuth(t, w)
		if step := paths[from]; step != "" {
			require.NoError(t, w.MoveCardAuthorisation(id, step))
		}
		return w, func(event string) error { return w.MoveCardAuthorisation(id, event) }, func() string {
			require.Zero(t, savedCards(t, w, payer), "nobody has typed a card")
			return cardState(t, w, id)
		}
	})
}

func TestCreateCardAuthorisation(t *testing.T) {
	t.Parallel()
	w := payerWorld()
	_, location := payerCompany(t, w, "gym")
	w.Take()
	made, err := w.CreateCardAuthorisation(&world.NewCardAuthorisation{
		LocationID: location, Amount: ptr(int64(123456)), ContactNumber: "(202) 555-1234",
	})
	require.NoError(t, err)
	require.Equal(t, payerBase+"/card/"+made.PaymentRequestID, made.URL)
	sent := messages(w)
	require.Len(t, sent, 1)
	require.Equal(t, kernel.Message{Channel: "sms", To: "+12025551234", Template: "card-authorisation", Values: []kernel.Value{
		{Name: "link", Text: made.URL}, {Name: "amount", Text: "$1,234.56"}, {Name: "company", Text: "Fit Gym"},
	}}, sent[0])
	again, err := w.CreateCardAuthorisation(&world.NewCardAuthorisation{Amount: ptr(int64(1)), ContactNumber: "+1 202 555 1234"})
	require.NoError(t, err)
	require.Equal(t, made.RegistrationPersonID, again.RegistrationPersonID, "the same number is the same payer")
	status, err := w.UserStatus(made.RegistrationPersonID)
	require.NoError(t, err)
	require.Equal(t, "Pending", status.Status)
}

func TestCardAuthorisationRules(t *testing.T) {
	t.Parallel()
	one := ptr(int64(1))
	for name, c := range map[string]struct {
		req     world.NewCardAuthorisation
		want    []string
		code    kernel.Code
		choices []latitude.Choice
	}{
		"nothing":          {want: []string{"", "/amount"}},
		"zero":             {req: world.NewCardAuthorisation{Amount: ptr(int64(0)), ContactNumber: "+12025551234"}, want: []string{"/amount"}},
		"bad payer":        {req: world.NewCardAuthorisation{Amount: one, RegistrationID: "x"}, want: []string{"/registrationId"}},
		"unknown payer":    {req: world.NewCardAuthorisation{Amount: one, RegistrationID: unknownPayer}, want: []string{"/registrationId"}},
		"bad phone":        {req: world.NewCardAuthorisation{Amount: one, ContactNumber: "12"}, want: []string{"/contactNumber"}},
		"bad location":     {req: world.NewCardAuthorisation{Amount: one, ContactNumber: "+12025551234", LocationID: "x"}, want: []string{"/locationId"}},
		"unknown location": {req: world.NewCardAuthorisation{Amount: one, ContactNumber: "+12025551234", LocationID: unknownPayer}, want: []string{"/locationId"}},
		"bad return":       {req: world.NewCardAuthorisation{Amount: one, ContactNumber: "+12025551234", ReturnURL: "ftp://x"}, want: []string{"/returnUrl"}},
		"unknown, by the ledger not found": {
			req:  world.NewCardAuthorisation{Amount: one, RegistrationID: unknownPayer},
			want: []string{"/registrationId"}, code: kernel.NotFound, choices: []latitude.Choice{latitude.UnknownBodyIDsNotFound},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := payerWorld(c.choices...)
			payerCompany(t, w, "gym")
			w.Take()
			_, err := w.CreateCardAuthorisation(&c.req)
			if c.code == "" {
				c.code = kernel.Invalid
			}
			require.Equal(t, c.code, codeOf(t, err))
			require.Equal(t, c.want, pointers(t, err))
			records, _ := w.Take()
			require.Empty(t, records)
		})
	}
}

func TestCardAuthorisationNeedsACompany(t *testing.T) {
	t.Parallel()
	w := payerWorld()
	_, err := w.CreateCardAuthorisation(&world.NewCardAuthorisation{Amount: ptr(int64(1)), ContactNumber: "+12025551234"})
	require.Equal(t, kernel.Invalid, codeOf(t, err))
	require.Len(t, pointers(t, err), 1)
}

func TestCardReturnURL(t *testing.T) {
	t.Parallel()
	w := payerWorld(latitude.ReturnURLPlain)
	id, _ := cardAuth(t, w)
	want := "https://partner.example.com/paid?paymentRequestId=" + id + "&status="
	answer, err := w.AuthoriseCard(id, world.CardEntry{Number: "4000000000000002", Expiry: "12/28", Code: "123"})
	require.NoError(t, err)
	require.Equal(t, want+"Declined", answer.ReturnURL)
	view, err := w.CardAuthView(id)
	require.NoError(t, err)
	require.Equal(t, "https://partner.example.com/paid", view.ReturnURL)
}

func TestCardAuthorisationHasAPaymentStatus(t *testing.T) {
	t.Parallel()
	w := payerWorld()
	id, _ := cardAuth(t, w)
	status, err := w.PaymentStatus(id)
	require.NoError(t, err)
	require.Equal(t, "Pending", status.Status)
	require.NoError(t, w.MoveCardAuthorisation(id, "cancel"))
	status, err = w.PaymentStatus(id)
	require.NoError(t, err)
	require.Equal(t, "Canceled", status.Status)
}

// The id of an authorisation is a paymentRequestId: what takes one knows it.
func TestAnAuthorisationIsKnownByItsID(t *testing.T) {
	t.Parallel()
	w := payerWorld()
	id, _ := cardAuth(t, w)
	require.NoError(t, w.MoveCardAuthorisation(id, "authorise"))
	details, err := w.PaymentDetails(id)
	require.NoError(t, err)
	require.Equal(t, []string{id, "CardAuthorisation"}, []string{details.ExternalPaymentRequestID, details.PaymentType})
	require.Nil(t, details.TransferID)
	err = w.RefundPayment(id, &world.NewRefund{Amount: ptr(int64(1))})
	require.Equal(t, []string{"path:paymentRequestId"}, pointers(t, err))
	require.NoError(t, w.CancelPayment(id))
	require.Equal(t, "Canceled", cardState(t, w, id))
}

// The card of a single payment pays and is not saved.
func TestASinglePaymentSavesNoCard(t *testing.T) {
	t.Parallel()
	for oneTime, cards := range map[bool]int{true: 0, false: 1} {
		w := payerWorld()
		payerCompany(t, w, "gym")
		payer := register(t, w, nil)
		made, err := w.CreatePayment(&world.NewPayment{Amount: ptr(int64(5000)), RegistrationID: payer, OneTimePayment: &oneTime})
		require.NoError(t, err)
		auth, err := w.StartCardPayment(made.PaymentRequestID, "")
		require.NoError(t, err)
		_, err = w.AuthoriseCard(auth, world.CardEntry{Number: "4242424242424242", Expiry: "12/40", Code: "123"})
		require.NoError(t, err)
		require.Equal(t, cards, savedCards(t, w, payer))
		status, err := w.PaymentStatus(made.PaymentRequestID)
		require.NoError(t, err)
		require.Equal(t, "Processing", status.Status)
	}
}
