package hosted

import (
	"strings"

	"paysandbox/fixtures"
	"paysandbox/mockserver/secret"
)

// unreadable stands for a secret that does not have the form of one.
const unreadable = "?"

// bare takes away the spaces and hyphens of a number, and says whether digits,
// behind any number of x, are left.
func bare(s string) (string, bool) {
	s = strings.NewReplacer(" ", "", "-", "").Replace(s)
	digits := strings.TrimLeft(s, "x")
	for i := range len(digits) {
		if digits[i] < '0' || digits[i] > '9' {
			return "", false
		}
	}
	return s, digits != ""
}

// hide replaces all but the last digits by x.
func hide(s string, last int) string {
	at := max(0, len(s)-last)
	return strings.Repeat("x", at) + s[at:]
}

// maskAccount keeps the account numbers of the test data, and of any other one
// the ending that decides what it does.
func maskAccount(number string) string {
	if number == "" {
		return ""
	}
	s, ok := bare(number)
	if !ok || len(s) > 40 {
		return unreadable
	}
	for _, p := range fixtures.Personas() {
		if p.AccountNumber == s {
			return s
		}
	}
	return hide(s, secret.ShownOfAccount(s))
}

// accountDigits makes a masked number one that the table of test data judges in
// the same way: what is hidden has no meaning, and nines begin no persona's
// number.
func accountDigits(masked string) string { return strings.ReplaceAll(masked, "x", "9") }

// maskCard keeps the numbers of test cards, and of any other one the six first
// digits and the four last, as receipts do.
func maskCard(number string) string {
	if number == "" {
		return ""
	}
	s := strings.NewReplacer(" ", "", "-", "").Replace(number)
	if _, err := fixtures.CardNumbered(s); err == nil {
		return s
	}
	if len(s) > 40 || strings.Trim(s, "0123456789x") != "" {
		return unreadable
	}
	head, tail := secret.ShownOfCard(len(s))
	return s[:head] + hide(s[head:], tail)
}

// maskDigits hides every digit and keeps only how many there are.
func maskDigits(s string) string {
	if strings.Trim(s, "0123456789x") != "" || len(s) > 40 {
		return unreadable
	}
	return strings.Repeat("x", len(s))
}

// anyDigits stands in for hidden digits of which only the number counts.
func anyDigits(masked string) string { return strings.ReplaceAll(masked, "x", "0") }

// maskToken hides a form's token.
func maskToken(s string) string { return strings.Repeat("x", len(s)) }
