package secret

// ShownOfCard says how many digits at the beginning and at the end of a card's
// number may stay, as on receipts; none of one that is too short for that.
func ShownOfCard(digits int) (head, tail int) {
	const first, last = 6, 4
	if digits <= first+last {
		return 0, 0
	}
	return first, last
}

// ShownOfAccount says how many digits at the end of a bank account's number may
// stay: the four that every mask shows, or an ending that chooses what becomes of
// a payment, such as 100R01 written as 10001.
func ShownOfAccount(number string) int {
	const plain, choosing = 4, 6
	if at := len(number) - len("100RR"); at >= 0 && number[at:at+3] == "100" {
		return min(len(number), choosing)
	}
	return min(len(number), plain)
}
