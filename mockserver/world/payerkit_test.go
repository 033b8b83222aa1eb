package world_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/fixtures"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/world"
)

const payerBase = "http://127.0.0.1:8484/pages/default"

// unknownPayer is a well-formed id that no test world gives out.
const unknownPayer = "00000000-0000-4000-8000-000000000000"

var payerStart = time.Date(2026, time.January, 5, 15, 4, 5, 0, time.UTC)

// payerWorld is a world at payerStart with the choices in force.
func payerWorld(choices ...latitude.Choice) *world.World {
	w := world.New(world.Config{Seed: 7, Settings: latitude.Settings{}.Choose(choices...)})
	payerInput(w, 0)
	return w
}

// payerInput begins the next input, later than payerStart by that much.
func payerInput(w *world.World, later time.Duration) {
	w.Take()
	w.Begin(world.Input{Now: payerStart.Add(later).UnixNano(), Base: payerBase})
}

// payerCompany creates a company and gives its id and its location's.
func payerCompany(t *testing.T, w *world.World, reference string) (company, location string) {
	t.Helper()
	made, err := w.CreateCompany(goodCompany(reference))
	require.NoError(t, err)
	return made.CompanyID, made.LocationIDs[0]
}

// register registers a payer with a redirect address and what is changed.
func register(t *testing.T, w *world.World, change func(r *world.NewRegistration)) string {
	t.Helper()
	req := world.NewRegistration{RedirectURL: "https://partner.example.com/welcome"}
	if change != nil {
		change(&req)
	}
	made, err := w.RegisterUser(&req)
	require.NoError(t, err)
	return made.RegistrationID
}

// goodBank is the account of the persona that always pays.
func goodBank(t *testing.T) world.LinkedBank {
	t.Helper()
	p, err := fixtures.PersonaNamed("good")
	require.NoError(t, err)
	return world.LinkedBankOf(p.Bank)
}

// messages are the messages since the last input, in order.
func messages(w *world.World) []kernel.Message {
	var list []kernel.Message
	records, _ := w.Take()
	for _, r := range records {
		if r.Kind == kernel.RecordMessage {
			list = append(list, *r.Message)
		}
	}
	return list
}

// linkOf is the link in a message.
func linkOf(m kernel.Message) string {
	for _, v := range m.Values {
		if v.Name == "link" {
			return v.Text
		}
	}
	return ""
}

// lastPart is the id at the end of a page's address.
func lastPart(address string) string { return address[strings.LastIndexByte(address, '/')+1:] }

// codeOf is the code of a world error, "" for none.
func codeOf(t *testing.T, err error) kernel.Code {
	t.Helper()
	if err == nil {
		return ""
	}
	var e *kernel.Error
	require.ErrorAs(t, err, &e)
	return e.Code
}

// pointers are the places of an error's findings.
func pointers(t *testing.T, err error) []string {
	t.Helper()
	var e *kernel.Error
	require.ErrorAs(t, err, &e)
	list := make([]string, 0, len(e.Findings))
	for _, f := range e.Findings {
		require.NotEmpty(t, f.Clause)
		require.NotEmpty(t, f.Expected)
		require.NotEmpty(t, f.Fix)
		list = append(list, f.Pointer)
	}
	return list
}

func ptr[T any](v T) *T { return &v }
