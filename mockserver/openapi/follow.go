package openapi

import (
	"strings"

	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/openapi/tree"
)

// follow lets a description of the defaults follow the choices of the ledger, as far
// as they change bodies and words. Which operations, statuses, headers and bodies of
// refusals there are was settled before, when it was written.
func follow(d *tree.Node, s latitude.Settings, ops []Operation, events []Event) {
	d.Get("info").Set("x-choices", tree.Of(s.Map()))
	if s == (latitude.Settings{}) {
		return
	}
	f := &follower{d: d, s: s, schemas: d.At("components", "schemas"), ops: ops, events: events}
	for _, c := range []struct {
		choice latitude.Choice
		apply  func()
	}{
		{latitude.MetadataShownNowhere, f.withoutMetadata},
		{latitude.EventTimestampAbsent, f.withoutTimestamp},
		{latitude.PaymentEventAmountText, f.amountText},
		{latitude.NullOrAbsentAbsent, f.absent},
		{latitude.ExtraResponseFieldsOne, f.extra},
		{latitude.ResponseNamesPascal, f.pascal},
		{latitude.UnknownBodyFieldsRefused, f.closed},
		{latitude.NumberStringsAccepted, f.numberTexts},
		{latitude.ZipPlusFourOnly, f.zip},
		{latitude.DatesMillis, f.millis},
		{latitude.AccountMaskDigits, f.masks},
		{latitude.LiveTrue, f.live},
	} {
		if s.Is(c.choice) {
			c.apply()
		}
	}
	f.words()
	f.tell()
}

// words are texts of the description that a choice makes untrue.
var words = []struct {
	choice   latitude.Choice
	from, to string
}{
	{latitude.ResponseNamesPascal, "**Member names** are written in camelCase", "**Member names** of answers are written in PascalCase, those of requests in camelCase"},
	{latitude.RequestNamesCamelOnly, "; requests may use PascalCase too", "; any other spelling in a request is an unknown member"},
	{latitude.PathsReferenceOnly, "**Paths** match in any letter case.", "**Paths** match letter by letter."},
	{latitude.ErrorBodyPlainText, "are problem details (RFC 9457): all problems of a request at once, each with the broken clause and the way to mend it.", "are plain text: a line for each problem of the request."},
	{latitude.ErrorBodyEmpty, "are problem details (RFC 9457): all problems of a request at once, each with the broken clause and the way to mend it.", "have no body, but the 400 of a company's creation."},
	{latitude.AccountMaskDigits, "asterisk and last four digits", "the last four digits"},
	{latitude.CompanyPathRefReferenceOnly, "The caller's reference of the company, or the company's id.", "The caller's reference of the company."},
	{latitude.ListOrderReversed, "Oldest first.", "Newest first."},
	{latitude.LiveTrue, "True when the event comes from production; the sandbox sends false.", "True when the event comes from production; this sandbox has chosen to send true, too."},
	{latitude.MetadataShownNowhere, "Any object, which is kept with the payment as it came.", "Any object, which is kept with the payment; no answer shows it."},
}

func (f *follower) words() {
	var pairs []string
	for _, w := range words {
		if f.s.Is(w.choice) {
			pairs = append(pairs, w.from, w.to)
		}
	}
	if pairs == nil {
		return
	}
	other := strings.NewReplacer(pairs...)
	f.d.Each("description", func(n *tree.Node) {
		if said := n.String(); said != "" {
			n.Replace(tree.Of(other.Replace(said)))
		}
	})
}

// tell lists the choices for people.
func (f *follower) tell() {
	said := f.d.At("info", "description").String() + "\n\n## What this integration has chosen\n\n" +
		"The specification leaves some things open. Here it is not as usual in these:\n"
	meanings := map[string]string{}
	for _, e := range latitude.Ledger() {
		for _, a := range e.Choices {
			meanings[a.Choice.String()] = a.Meaning
		}
	}
	for _, d := range f.s.Differences() {
		said += "\n- `" + d.Name + "=" + d.Value + "`: " + meanings[d.Name+"="+d.Value]
	}
	f.d.Get("info").Set("description", tree.Of(said+"\n"))
}
