package price_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/read/price"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
)

// TestPrices: an amount is priced where a text names as many dollars as it has cents, and nothing explains that otherwise.
func TestPrices(t *testing.T) {
	t.Parallel()
	for text, c := range map[string]struct{ body, around, format, path, want string }{
		"in its own text":             {body: `{"amount":85,"shortDescription":"March ($85.00)"}`, want: "shortDescription says $85.00"},
		"in cents":                    {body: `{"amount":8500,"shortDescription":"March ($85.00)"}`},
		"of another part":             {body: `{"amount":500,"shortDescription":"$5.00 of $500.00"}`},
		"below metadata":              {body: `{"amount":1200,"metadata":{"price":"1200.00"}}`, want: "price says $1200.00"},
		"a number that is no price":   {body: `{"amount":85,"metadata":{"weight":"85.00"}}`},
		"with a comma":                {body: `{"amount":1200,"reference":"USD 1,200.00"}`, want: "reference says USD 1,200.00"},
		"with cents of its own":       {body: `{"amount":85,"shortDescription":"$85.50"}`},
		"in the ticket":               {body: `{"amount":85}`, around: "it should be $85.00, they paid $0.85", format: "pasted", want: "the text around it says $85.00"},
		"in words":                    {body: `{"amount":85}`, around: "it should be 85 dollars", format: "pasted", want: "the text around it says 85 dollars"},
		"a parameter of a script":     {body: `{"amount":5}`, around: "curl -d $5", format: "curl"},
		"around what a machine told":  {body: `{"amount":85}`, around: "$85.00", format: "har"},
		"a limit":                     {body: `{"limit":150}`, around: "each gets a limit of $150, as agreed", format: "http", want: "the text around it says $150"},
		"a limit in cents":            {body: `{"limit":15000}`, around: "each gets a limit of $150, as agreed", format: "http"},
		"a limit that is so small":    {body: `{"limit":150}`, around: "a limit of $150 for them and up to $1.50 for us", format: "http"},
		"not of a limit":              {body: `{"limit":150}`, around: "dues of $150", format: "http"},
		"in a sheet":                  {body: `{"amount":125,"reference":"INV-2207"}`, around: "invoice;sessions;rate;amount_due;sent\nINV-2207;5;25.00;125.00;yes", format: "table", want: "the text around it says $125.00"},
		"with a decimal comma":        {body: `{"amount":125,"reference":"INV-2207"}`, around: "invoice;total (USD);sent\nINV-2207;125,00;yes", format: "table", want: "the text around it says $125.00"},
		"in a column of dollars":      {body: `{"amount":149,"reference":"F-61206"}`, around: "id;factuur;te_betalen_usd;api_amount\n88132;F-61206;149.00;149", format: "unread", want: "the text around it says $149.00"},
		"in a column of another name": {body: `{"amount":149,"reference":"F-61206"}`, around: "id;rechnung;rechnungsbetrag;versand\n88132;F-61206;149,00;x", format: "unread", want: "the text around it says $149.00"},
		"in a column of no dollars":   {body: `{"amount":149,"reference":"F-61206"}`, around: "id;factuur;korting_eur;gewicht\n88132;F-61206;149.00;149.00", format: "unread"},
		"of cents in dollars":         {body: `{"amount":149,"reference":"F-61206"}`, around: "id;factuur;usd_cents;api_amount\n88132;F-61206;149.00;149", format: "unread"},
		"in a sentence with a comma":  {body: `{"amount":149,"reference":"F-61206"}`, around: "factuur F-61206 is $149,00, en niet 1,49", format: "words", want: "the text around it says $149.00"},
		"of another row":              {body: `{"amount":125,"reference":"INV-2207"}`, around: "invoice,amount due,sent\nINV-2208,125.00,yes", format: "table"},
		"in another column":           {body: `{"amount":125,"reference":"INV-2207"}`, around: "invoice,amount due,weight\nINV-2207,1.25,125.00", format: "table"},
		"in a column of cents":        {body: `{"amount":125,"reference":"INV-2207"}`, around: "invoice,amount cents,sent\nINV-2207,125.00,yes", format: "table"},
		"by an order in what it says": {body: `{"amount":68,"description":"Cancelled CB-3331"}`, around: "refund booking=CB-3331 amount=$68.00\n\n\n\n\n\n", format: "pasted", path: "/Payment/Refund/1", want: "the text around it says $68.00"},
		"of another order":            {body: `{"amount":68,"description":"Cancelled CB-3332 of 2026"}`, around: "2026 refund booking=CB-3331 amount=$68.00\n\n\n\n\n\n", format: "pasted", path: "/Payment/Refund/1"},
		"of a refund in part":         {body: `{"amount":500}`, around: "refund $5.00 of $500.00", format: "pasted", path: "/Payment/Refund/1"},
	} {
		r := recording.Recording{Sources: []recording.Source{{Name: "a", Format: c.format}}, Exchanges: []recording.Exchange{{Place: recording.Place{Source: "a"}, Path: c.path, Body: []byte(c.body)}}}
		price.Read([]source.File{{Name: "a", Data: []byte(c.around)}}, &r)
		require.Equal(t, c.want, r.Exchanges[0].Dollars, text)
		require.Equal(t, c.want != "", price.Is(c.want), text)
	}
	r := recording.Recording{Sources: []recording.Source{{Name: "a", Format: "pasted"}}, Exchanges: []recording.Exchange{
		{Place: recording.Place{Source: "a"}, Body: []byte(`{"amount":8500}`)}, {Place: recording.Place{Source: "a"}, Body: []byte(`{"amount":85}`)},
	}}
	price.Read([]source.File{{Name: "a", Data: []byte("first $85.00, then a little one")}}, &r)
	require.Empty(t, r.Exchanges[1].Dollars, "the other call is what the price is of")
	name, cents := price.Member(&recording.Exchange{Body: []byte(`{"amount":4900,"debitAuthLimit":150}`), Dollars: "the text around it says $150"})
	require.Equal(t, "debitAuthLimit", name)
	require.EqualValues(t, 150, cents)
	require.False(t, price.Is("x says you owe me"))
}

// TestCutOff: a price that loses a cent as a binary floating-point number is one whose call may have lost it so; one that does not, or
// that stands too far above, tells nothing.
func TestCutOff(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text string
		line int
		sent int64
		want string
	}{
		"it is":             {"invoice 7 total 19.99 USD\nPOST /Payment/Create", 2, 1998, "19.99 USD"},
		"in dollars":        {"$1,100.09 for June\n\n\nPOST /Payment/Create", 4, 110008, "$1,100.09"},
		"a cent too much":   {"total 19.99 USD\nPOST /Payment/Create", 2, 2000, ""},
		"the whole":         {"total 19.99 USD\nPOST /Payment/Create", 2, 1999, ""},
		"a price that fits": {"total 19.98 USD\nPOST /Payment/Create", 2, 1997, ""},
		"too far above":     {"total 19.99 USD\n\n\n\n\n\nPOST /Payment/Create", 7, 1998, ""},
		"below":             {"POST /Payment/Create\ntotal 19.99 USD", 1, 1998, ""},
	} {
		r := &recording.Recording{Exchanges: []recording.Exchange{{
			Method: "POST", Path: "/Payment/Create", Body: fmt.Appendf(nil, `{"amount":%d}`, c.sent), Place: recording.Place{Source: "app.log", Line: c.line},
		}}}
		price.Read([]source.File{{Name: "app.log", Data: []byte(c.text)}}, r)
		what, _ := price.Another(&r.Exchanges[0])
		require.Equal(t, c.want != "", what != "", name)
		require.Contains(t, what, c.want, name)
	}
}
