package form

import (
	"strings"

	"paysandbox/fixtures"
	"paysandbox/mockserver/secret"
)

// Unreadable stands for a secret that does not have the form of one.
const Unreadable = "?"

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

// MaskAccount keeps the account numbers of the test data, and of any other one
// the ending that decides what it does.
func MaskAccount(number string) string {
	if number == "" {
		return ""
	}
	s, ok := bare(number)
	if !ok || len(s) > 40 {
		return Unreadable
	}
	for _, p := range fixtures.Personas() {
		if p.AccountNumber == s {
			return s
		}
	}
	return hide(s, secret.ShownOfAccount(s))
}

// AccountDigits makes a masked number one that the table of test data judges in
// the same way: what is hidden has no meaning, and nines begin no persona's
// number.
func AccountDigits(masked string) string { return strings.ReplaceAll(masked, "x", "9") }

// MaskCard keeps the numbers of test cards, and of any other one the six first
// digits and the four last, as receipts do.
func MaskCard(number string) string {
	if number == "" {
		return ""
	}
	s := strings.NewReplacer(" ", "", "-", "").Replace(number)
	if _, err := fixtures.CardNumbered(s); err == nil {
		return s
	}
	if len(s) > 40 || strings.Trim(s, "0123456789x") != "" {
		return Unreadable
	}
	head, tail := secret.ShownOfCard(len(s))
	return s[:head] + hide(s[head:], tail)
}

// MaskDigits hides every digit and keeps only how many there are.
func MaskDigits(s string) string {
	if strings.Trim(s, "0123456789x") != "" || len(s) > 40 {
		return Unreadable
	}
	return strings.Repeat("x", len(s))
}

// AnyDigits stands in for hidden digits of which only the number counts.
func AnyDigits(masked string) string { return strings.ReplaceAll(masked, "x", "0") }
