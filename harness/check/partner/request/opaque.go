package request

import (
	"strings"

	"paysandbox/harness/trail"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

const (
	// shortKey is the shortest length of a key that cannot be guessed.
	shortKey = 16
	// longNumber is from how many digits on a number may be a random one.
	longNumber = 24
	// telling is the shortest text whose appearance in a key is no chance.
	telling = 4
)

var (
	onlyDigits = trail.Pattern(`^[0-9 .:-]+$`)
	dateForm   = trail.Pattern(`(^|[^0-9])20[0-9]{2}-?[01][0-9]-?[0-3][0-9]`)
)

// keyOpaque looks at the keys: what they tell, and how they follow each other.
func keyOpaque(t *trail.Trail) []verdict.Judgement {
	if off := ignoresKeys(t); off != nil {
		return off
	}
	const want = "a long random key that tells nothing"
	var y verdict.Tally
	var bad verdict.Offences
	seen := map[string]bool{}
	var before *trail.Call
	rows := 0
	for _, c := range moving(t) {
		if c.Key == "" || seen[c.Key] {
			continue
		}
		seen[c.Key] = true
		switch why := tells(c); {
		case why != "":
			bad.Add(why, c.Entry.Seq)
		case before != nil && counted(before.Key, c.Key):
			if rows++; rows > 1 {
				bad.Add("keys that count up", before.Entry.Seq, c.Entry.Seq)
			}
		default:
			y.Holds(c.Entry.Seq)
		}
		before = c
	}
	bad.Fail(&y, want)
	t.Omitted(&y, tape.KindExchange)
	if len(seen) < 2 && bad.N == 0 && y.Problems() == 0 {
		return []verdict.Judgement{{Word: verdict.NotExercised, Received: "there are fewer than two keys"}}
	}
	return y.Exercised()
}

// tells says what is wrong with a key; it does not repeat what the key tells.
func tells(c *trail.Call) string {
	key := strings.ToLower(c.Key)
	if trail.IsUUID(key) {
		return ""
	}
	if what := holds(key, c.Sent()); what != "" {
		return "a key that holds the " + what
	}
	switch {
	case len(key) < shortKey:
		return "a key of fewer than 16 characters"
	case onlyDigits().MatchString(key) && len(key) < longNumber:
		return "a key that is a number or a time"
	case dateForm().MatchString(key) && len(key) < longNumber:
		return "a key that is a date and little more"
	}
	return ""
}

// holds names the member of a body whose value stands in a key.
func holds(key string, b trail.Body) string {
	for _, name := range []string{"registrationId", "contactNumber", "emailAddress", "reference", "shortDescription", "description", "paymentMethodId"} {
		v := strings.TrimPrefix(strings.ToLower(strings.TrimSpace(b.Text(name))), "+")
		if name == "reference" && random(v) {
			continue
		}
		if len(v) >= telling && strings.Contains(key, v) {
			return name
		}
	}
	if holdsAmount(key, b) {
		return "amount"
	}
	return ""
}

// holdsAmount says whether a key has the amount as a part of its own.
func holdsAmount(key string, b trail.Body) bool {
	amount := strings.Trim(string(trail.Quote(b.Get("amount"))), `"`)
	if len(amount) < telling-1 || amount == "null" {
		return false
	}
	for part := range strings.FieldsFuncSeq(key, func(r rune) bool { return r != '.' && (r < '0' || r > '9' && r < 'a' || r > 'z') }) {
		if part == amount {
			return true
		}
	}
	return false
}

// randomForm is a uuid, or as many letters and digits in a row.
var randomForm = trail.Pattern(`[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}|[0-9a-z]{20}`)

// random says whether a reference is itself one that tells nothing.
func random(s string) bool {
	return randomForm().MatchString(s)
}

// counted says whether a key follows from the one before: only its last few
// characters differ.
func counted(before, key string) bool {
	if len(before) != len(key) {
		return false
	}
	n := 0
	for n < len(key) && before[n] == key[n] {
		n++
	}
	return len(key)-n <= 3
}
