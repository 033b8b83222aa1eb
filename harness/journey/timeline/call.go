package timeline

import (
	"fmt"
	"strings"

	"paysandbox/harness/report/words"
	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// exchange tells what the partner called, and what came of it.
func (n *names) exchange(e *tape.Entry) string {
	x := trail.CallOf(e)
	tell, ok := calls[x.Exchange.Operation]
	if !ok {
		name := x.Exchange.Operation
		if name == "" {
			name = x.Exchange.Method + " " + x.Exchange.Path
		}
		return "calls " + name + outcome(x)
	}
	return tell(n, x) + outcome(x)
}

// outcome says how a call ended that did not end well.
func outcome(x *trail.Call) string {
	why := ""
	if x.Exchange.Fault != "" {
		why = ", on purpose"
	}
	switch status := x.Exchange.Response.Status; {
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
	if trail.Replayed(x.Exchange) {
		return " → the same answer as before"
	}
	return ""
}

// calls tell the operations of the partner API.
var calls = map[string]func(*names, *trail.Call) string{
	"createToken":      func(*names, *trail.Call) string { return "fetches an access token" },
	"createTokenGuide": func(*names, *trail.Call) string { return "fetches an access token" },
	"createCompany":    func(_ *names, x *trail.Call) string { return "registers " + x.Sent().Text("name") },
	"getCompanyStatus": func(n *names, x *trail.Call) string {
		return "asks how the verification of " + n.inPath(x, "the company") + " stands" + answered(x)
	},
	"addLocation": func(n *names, x *trail.Call) string {
		return "adds the location " + x.Sent().Text("name") + words.After(" to ", n.inPath(x, ""))
	},
	"listLocations": func(n *names, x *trail.Call) string {
		return "lists the locations" + words.After(" of ", n.inPath(x, ""))
	},
	"createExternalAuthLink": func(n *names, x *trail.Call) string {
		return "asks for a bank link" + words.After(" for ", n.inPath(x, ""))
	},
	"registerUser": func(n *names, x *trail.Call) string { return registers(n, x) },
	"getUserStatus": func(n *names, x *trail.Call) string {
		return "asks how the registration of " + n.inPath(x, "the payer") + " stands" + answered(x)
	},
	"requestDebitAuthorisation": func(n *names, x *trail.Call) string { return asksDebits(n, x) },
	"createPayment":             func(n *names, x *trail.Call) string { return requests(n, x) },
	"getPaymentStatus": func(n *names, x *trail.Call) string {
		return "asks how " + n.inPath(x, "the payment") + " stands" + answered(x)
	},
	"getTransaction":       func(n *names, x *trail.Call) string { return "reads about " + n.inPath(x, "the payment") },
	"cancelPayment":        func(n *names, x *trail.Call) string { return "cancels " + n.inPath(x, "the payment") },
	"cancelPaymentByPost":  func(n *names, x *trail.Call) string { return "cancels " + n.inPath(x, "the payment") },
	"refundPayment":        func(n *names, x *trail.Call) string { return refunds(n, x) },
	"refundPaymentByQuery": func(n *names, x *trail.Call) string { return refunds(n, x) },
	"authoriseCard": func(n *names, x *trail.Call) string {
		return fmt.Sprintf("asks %s to authorise a card for %s", n.who(x.Sent().Text("registrationId")), amountOf(x))
	},
	"listPaymentMethods": func(n *names, x *trail.Call) string { return "looks up the saved cards of " + n.inPath(x, "the payer") },
	"chargeSavedCard": func(n *names, x *trail.Call) string {
		return fmt.Sprintf("charges the saved card of %s with %s%s", n.who(x.Sent().Text("registrationId")), amountOf(x), answered(x))
	},
	"registerCardPayment": func(n *names, x *trail.Call) string {
		return "registers a card payment of " + amountOf(x) + words.After(" by ", n.person(x.Sent().Text("mobileNumber"))) + " at the terminal"
	},
	"createPlan": func(_ *names, x *trail.Call) string {
		return fmt.Sprintf("makes the plan %s: %s every %s", x.Sent().Text("name"), amountOf(x), strings.ToLower(x.Sent().Text("intervalUnit")))
	},
	"addPlanPayer": func(n *names, x *trail.Call) string {
		return fmt.Sprintf("adds %s to the plan %s", n.who(x.Sent().Text("registrationId")), n.inPath(x, ""))
	},
	"activatePlan": func(n *names, x *trail.Call) string { return "activates the plan " + n.inPath(x, "") },
	"pausePlan":    func(n *names, x *trail.Call) string { return "pauses the plan " + n.inPath(x, "") },
	"cancelPlan":   func(n *names, x *trail.Call) string { return "cancels the plan " + n.inPath(x, "") },
	"listConsents": func(n *names, x *trail.Call) string {
		return "lists the consents" + words.After(" of the plan ", n.inPath(x, ""))
	},
	"declineConsent":     func(n *names, x *trail.Call) string { return "declines the consent of " + n.inPath(x, "the payer") },
	"reportTransactions": func(_ *names, x *trail.Call) string { return reads(x) },
}

// inPath is the name of what the path names.
func (n *names) inPath(x *trail.Call, otherwise string) string {
	for part := range strings.SplitSeq(x.Exchange.Path+"/"+strings.ReplaceAll(x.Exchange.Query, "=", "/"), "/") {
		if name := n.byID[strings.ToLower(part)]; name != "" {
			return name
		}
	}
	return otherwise
}

// count writes a number with its noun, as 1 transaction or 2 transactions.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func amountOf(x *trail.Call) string { return Amount(x.Sent().Cents("amount")) }

// answered is the status that a good answer tells.
func answered(x *trail.Call) string {
	if status := x.Answered().Text("status"); status != "" && x.Exchange.Response.Status == 200 {
		return ": " + status
	}
	return ""
}

func registers(n *names, x *trail.Call) string {
	name := n.byID[x.Answered().Text("registrationId")]
	if name == "" {
		name = n.person(x.Sent().Text("mobileNumber"))
	}
	if x.Sent().Cents("amount") > 0 {
		return fmt.Sprintf("registers %s for a single payment of %s", name, amountOf(x))
	}
	return "registers " + name
}

func asksDebits(n *names, x *trail.Call) string {
	return fmt.Sprintf("asks %s to authorise debits up to %s", n.inPath(x, "the payer"), Amount(x.Sent().Cents("limit")))
}

func requests(n *names, x *trail.Call) string {
	who := n.who(x.Sent().Text("registrationId"))
	if who == "" {
		who = n.person(x.Sent().Text("contactNumber") + x.Sent().Text("emailAddress"))
	}
	what := fmt.Sprintf("requests %s from %s", amountOf(x), who)
	if place := n.byID[x.Sent().Text("locationId")]; place != "" {
		what += " at " + place
	}
	if due := x.Sent().Text("dueDate"); due != "" {
		what += ", due on " + due
	}
	return what
}

func refunds(n *names, x *trail.Call) string {
	what := fmt.Sprintf("refunds %s of %s", amountOf(x), n.inPath(x, "the payment"))
	attachment := x.Sent().Object("attachment")
	return what + words.After(", and attaches ", attachment.Text("fileName"))
}

// reads tells a page of a report.
func reads(x *trail.Call) string {
	list, _ := x.Answered().Get("transactions").([]any)
	more := "the last page"
	if next, _ := x.Answered().Get("hasMore").(bool); next {
		more = "there is more"
	}
	return fmt.Sprintf("reads a page of the report: %s, %s", count(len(list), "transaction"), more)
}
