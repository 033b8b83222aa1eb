package price

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"strings"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/trail"
)

// totalOf is a price that a line tells by its name, or with its currency.
var totalOf = trail.Pattern(`(?i)\b(?:total|price|cost|expected|due|billed|sum)["']?\s*[:=]\s*["']?\$?([0-9]{1,7})\.00\b|\b([0-9]{1,7})[.,]00 ?(?:USD\b|US\$|dollars?\b)|(?:\$ ?|\bUSD ?)([0-9]{1,7})[.,]00\b`)

// totals are the lines of files that tell a price, by its dollars.
type totals map[string][][]byte

// mostTotals is how many such lines are kept of all files.
const mostTotals = 1 << 12

func totalsOf(files []source.File) totals {
	all, kept := totals{}, 0
	for i := range files {
		text := files[i].Text()
		text = text[:min(len(text), mostProse)]
		sums := sumsIn(text)
		for line := range bytes.Lines(text) {
			if len(line) > 1<<12 || !bytes.Contains(line, []byte(".00")) && !bytes.Contains(line, []byte(",00")) {
				continue
			}
			told := sums.of(line)
			for _, found := range totalOf().FindAllSubmatch(line, -1) {
				told = append(told, string(slices.Concat(found[1:]...)))
			}
			for _, dollars := range told[:min(len(told), mostTotals-kept)] {
				all[dollars], kept = append(all[dollars], line), kept+1
			}
		}
	}
	return all
}

// sheet is a table whose first line names columns of sums, with the mark between its values.
type sheet struct {
	mark string
	sums []int
}

var (
	// sum is the name of a column of sums, in dollars, and sumOf one that is whole. One that names the currency last is in it, whatever
	// else its name says.
	sum   = trail.Pattern(`(?i)^"?(?:[\p{L}][\p{L}0-9 _.-]{0,40}[ _.-](?:usd|us-?dollars?|dollars?)|(?:[\p{L}]+[ _-])*(?:betrag|gesamtbetrag|rechnungsbetrag|summe|preis|bedrag|totaalbedrag|totaal|prijs|montant|prix|importe|monto|precio|importo|prezzo|valor|kwota)(?:[ _-](?:usd|total))*(?: ?\((?:USD|US\$|\$)\))?|(?:[a-z]+[ _-])*(?:amount|total|price|due|cost|billed|invoiced|sum)(?:[ _-](?:due|usd|billed|total|amount))*(?: ?\((?:USD|US\$|\$)\))?)"?$`)
	sumOf = trail.Pattern(`^"?\$? ?([0-9]{1,7})[.,]00"?$`)
)

func sumsIn(text []byte) (s sheet) {
	head, _, _ := strings.Cut(string(text[:min(len(text), 1<<12)]), "\n")
	most := 1
	for _, mark := range []string{",", ";", "\t"} {
		if n := strings.Count(head, mark); n > most {
			s.mark, most = mark, n
		}
	}
	if s.mark == "" {
		return s
	}
	for i, name := range strings.Split(head, s.mark) {
		if sum().MatchString(strings.TrimSpace(name)) {
			s.sums = append(s.sums, i)
		}
	}
	return s
}

// of are the whole dollars that a row of the table tells as sums.
func (s *sheet) of(row []byte) (dollars []string) {
	for i, value := range strings.Split(string(row), cmp.Or(s.mark, "\n")) {
		if found := sumOf().FindStringSubmatch(strings.TrimSpace(value)); found != nil && slices.Contains(s.sums, i) {
			dollars = append(dollars, found[1])
		}
	}
	return dollars
}

// of is the price of so many dollars that a line tells of what a reference names, "" for none.
func (t totals) of(reference string, cents int64) string {
	dollars := strconv.FormatInt(cents, 10)
	if len(reference) < shortestReference || !slices.ContainsFunc(t[dollars], func(line []byte) bool { return bytes.Contains(line, []byte(reference)) }) {
		return ""
	}
	return "the text around it says $" + dollars + ".00"
}

// ofAny is the first price that a line tells of one of the references.
func (t totals) ofAny(references []string, cents int64) (said string) {
	for _, one := range references {
		said = cmp.Or(said, t.of(one, cents))
	}
	return said
}

// orderNumber is a word of letters and figures, as partners number their orders.
var orderNumber = trail.Pattern(`\b[A-Za-z]+[-_#/]?[0-9][A-Za-z0-9_/-]*`)

// ordersOf are the names of what a call asks money for: its reference, and the order numbers in what it says of itself, since not all
// calls have a reference.
func ordersOf(sent trail.Body) []string {
	return append([]string{sent.Text("reference")}, orderNumber().FindAllString(sent.Text("description")+" "+sent.Text("shortDescription"), 4)...)
}

// shortestReference is how long a reference is at least that is looked for in a text.
const shortestReference = 4
