package journey

import (
	"fmt"
	"strings"

	"paysandbox/mockserver/tape"
)

// exchange tells what the partner called, and what came of it.
func (c *cast) exchange(e *tape.Entry) string {
	x := callOf(e)
	tell, ok := calls[x.Operation]
	if !ok {
		name := x.Operation
		if name == "" {
			name = x.Method + " " + x.Path
		}
		return "calls " + name + outcome(x)
	}
	return tell(c, x) + outcome(x)
}

// outcome says how a call ended that did not end well.
func outcome(x *call) string {
	why := ""
	if x.Fault != "" {
		why = ", on purpose"
	}
	switch status := x.Response.Status; {
	case status == 0:
		return " → no answer" + why
	case status == 401:
		return " → 401, the token does not count" + why
	case status == 402:
		return " → 402, declined"
	case status == 429:
		return " → 429, too busy" + why
	case status >= 500:
		return fmt.Sprintf(" → %d, the service fails%s", status, why)
	case status >= 400:
		return fmt.Sprintf(" → %d, refused%s", status, why)
	}
	for _, h := range x.Response.Header {
		if strings.EqualFold(h.Name, "Idempotent-Replayed") {
			return " → the same answer as before"
		}
	}
	return ""
}

// calls tell the operations of the partner API.
var calls = map[string]func(*cast, *call) string{
	"createToken":      func(*cast, *call) string { return "fetches an access token" },
	"createTokenGuide": func(*cast, *call) string { return "fetches an access token" },
	"createCompany":    func(_ *cast, x *call) string { return "registers " + text(x.asked, "name") },
	"getCompanyStatus": func(c *cast, x *call) string {
		return "asks how the verification of " + c.inPath(x, "the company") + " stands" + answered(x)
	},
	"addLocation": func(c *cast, x *call) string {
		return "adds the location " + text(x.asked, "name") + of(" to ", c.inPath(x, ""))
	},
	"listLocations":          func(c *cast, x *call) string { return "lists the locations" + of(" of ", c.inPath(x, "")) },
	"createExternalAuthLink": func(c *cast, x *call) string { return "asks for a bank link" + of(" for ", c.inPath(x, "")) },
	"registerUser":           func(c *cast, x *call) string { return registers(c, x) },
	"getUserStatus": func(c *cast, x *call) string {
		return "asks how the registration of " + c.inPath(x, "the payer") + " stands" + answered(x)
	},
	"requestDebitAuthorisation": func(c *cast, x *call) string { return asksDebits(c, x) },
	"createPayment":             func(c *cast, x *call) string { return requests(c, x) },
	"getPaymentStatus": func(c *cast, x *call) string {
		return "asks how " + c.inPath(x, "the payment") + " stands" + answered(x)
	},
	"getTransaction":       func(c *cast, x *call) string { return "reads about " + c.inPath(x, "the payment") },
	"cancelPayment":        func(c *cast, x *call) string { return "cancels " + c.inPath(x, "the payment") },
	"cancelPaymentByPost":  func(c *cast, x *call) string { return "cancels " + c.inPath(x, "the payment") },
	"refundPayment":        func(c *cast, x *call) string { return refunds(c, x) },
	"refundPaymentByQuery": func(c *cast, x *call) string { return refunds(c, x) },
	"authoriseCard": func(c *cast, x *call) string {
		return fmt.Sprintf("asks %s to authorise a card for %s", c.who(text(x.asked, "registrationId")), amountOf(x))
	},
	"listPaymentMethods": func(c *cast, x *call) string { return "looks up the saved cards of " + c.inPath(x, "the payer") },
	"chargeSavedCard": func(c *cast, x *call) string {
		return fmt.Sprintf("charges the saved card of %s with %s%s", c.who(text(x.asked, "registrationId")), amountOf(x), answered(x))
	},
	"registerCardPayment": func(c *cast, x *call) string {
		return "registers a card payment of " + amountOf(x) + of(" by ", c.person(text(x.asked, "mobileNumber"))) + " at the terminal"
	},
	"createPlan": func(_ *cast, x *call) string {
		return fmt.Sprintf("makes the plan %s: %s every %s", text(x.asked, "name"), amountOf(x), strings.ToLower(text(x.asked, "intervalUnit")))
	},
	"addPlanPayer": func(c *cast, x *call) string {
		return fmt.Sprintf("adds %s to the plan %s", c.who(text(x.asked, "registrationId")), c.inPath(x, ""))
	},
	"activatePlan":       func(c *cast, x *call) string { return "activates the plan " + c.inPath(x, "") },
	"pausePlan":          func(c *cast, x *call) string { return "pauses the plan " + c.inPath(x, "") },
	"cancelPlan":         func(c *cast, x *call) string { return "cancels the plan " + c.inPath(x, "") },
	"listConsents":       func(c *cast, x *call) string { return "lists the consents" + of(" of the plan ", c.inPath(x, "")) },
	"declineConsent":     func(c *cast, x *call) string { return "declines the consent of " + c.inPath(x, "the payer") },
	"reportTransactions": func(_ *cast, x *call) string { return reads(x) },
}

// inPath is the name of what the path names.
func (c *cast) inPath(x *call, otherwise string) string {
	for part := range strings.SplitSeq(x.Path+"/"+strings.ReplaceAll(x.Query, "=", "/"), "/") {
		if name := c.names[strings.ToLower(part)]; name != "" {
			return name
		}
	}
	return otherwise
}

// of puts a word before a name, and nothing before none.
func of(word, name string) string {
	if name == "" {
		return ""
	}
	return word + name
}

// count writes a number with its noun, as 1 transaction or 2 transactions.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func amountOf(x *call) string { return spellCents(whole(x.asked, "amount")) }

// answered is the status that a good answer tells.
func answered(x *call) string {
	if status := text(x.answers, "status"); status != "" && x.Response.Status == 200 {
		return ": " + status
	}
	return ""
}

func registers(c *cast, x *call) string {
	name := c.names[text(x.answers, "registrationId")]
	if name == "" {
		name = c.person(text(x.asked, "mobileNumber"))
	}
	if whole(x.asked, "amount") > 0 {
		return fmt.Sprintf("registers %s for a single payment of %s", name, amountOf(x))
	}
	return "registers " + name
}

func asksDebits(c *cast, x *call) string {
	return fmt.Sprintf("asks %s to authorise debits up to %s", c.inPath(x, "the payer"), spellCents(whole(x.asked, "limit")))
}

func requests(c *cast, x *call) string {
	who := c.who(text(x.asked, "registrationId"))
	if who == "" {
		who = c.person(text(x.asked, "contactNumber") + text(x.asked, "emailAddress"))
	}
	what := fmt.Sprintf("requests %s from %s", amountOf(x), who)
	if place := c.names[text(x.asked, "locationId")]; place != "" {
		what += " at " + place
	}
	if due := text(x.asked, "dueDate"); due != "" {
		what += ", due on " + due
	}
	return what
}

func refunds(c *cast, x *call) string {
	what := fmt.Sprintf("refunds %s of %s", amountOf(x), c.inPath(x, "the payment"))
	attachment, _ := member(x.asked, "attachment").(map[string]any)
	return what + of(", and attaches ", text(attachment, "fileName"))
}

// reads tells a page of a report.
func reads(x *call) string {
	list, _ := member(x.answers, "transactions").([]any)
	more := "the last page"
	if next, _ := member(x.answers, "hasMore").(bool); next {
		more = "there is more"
	}
	return fmt.Sprintf("reads a page of the report: %s, %s", count(len(list), "transaction"), more)
}
