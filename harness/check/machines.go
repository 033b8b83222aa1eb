package check

// moves are the documented moves of one machine: event, from, to; from "" is
// creation.
type moves [][3]string

// machines are the state machines as the specification (States and transitions)
// and the latitude ledger have them, by the names under which the tape knows
// them. The moves of the payment machine follow payment-machine, those of plans
// and consents plan-machine and consent paths, the others their rows.
var machines = map[string]moves{
	"company": {
		{"create", "", "Unverified"},
		{"verify", "Unverified", "Verified"},
		{"reject", "Unverified", "Rejected"},
	},
	"registration": {
		{"create", "", "Pending"},
		{"complete", "Pending", "Registered"},
		{"kyc-fail", "Pending", "Pending"},
	},
	"payment": {
		{"create", "", "Pending"},
		{"approve", "Pending", "Processing"},
		{"schedule", "Pending", "Scheduled"},
		{"queue", "Pending", "Queued"},
		{"review", "Pending", "InReview"},
		{"deny", "Pending", "Denied"},
		{"cancel", "Pending", "Canceled"},
		{"process", "Scheduled", "Processing"},
		{"cancel", "Scheduled", "Canceled"},
		{"process", "Queued", "Processing"},
		{"cancel", "Queued", "Canceled"},
		{"process", "InReview", "Processing"},
		{"deny", "InReview", "Denied"},
		{"cancel", "InReview", "Canceled"},
		{"pay", "Processing", "Paid"},
		{"fail", "Processing", "Failed"},
		{"return", "Paid", "Failed"},
	},
	"card-authorisation": {
		{"create", "", "Pending"},
		{"authorise", "Pending", "Authorised"},
		{"decline", "Pending", "Declined"},
		{"challenge", "Pending", "Challenged"},
		{"processor-error", "Pending", "Pending"},
		{"cancel", "Pending", "Canceled"},
		{"pass-challenge", "Challenged", "Authorised"},
		{"fail-challenge", "Challenged", "Declined"},
		{"cancel", "Challenged", "Canceled"},
	},
	"saved-card-charge": {
		{"create", "", "Processing"},
		{"pay", "Processing", "Paid"},
		{"deny", "Processing", "Denied"},
		{"fail", "Processing", "Failed"},
	},
	"refund": {
		{"create", "", "Accepted"},
		{"complete", "Accepted", "Completed"},
		{"fail", "Accepted", "Failed"},
	},
	"debit-authorisation": {
		{"create", "", "Pending"},
		{"accept", "Pending", "Accepted"},
		{"decline", "Pending", "Declined"},
		{"disable", "Pending", "Disabled"},
		{"disable", "Accepted", "Disabled"},
	},
	"plan": {
		{"create", "", "Draft"},
		{"activate", "Draft", "Active"},
		{"cancel", "Draft", "Canceled"},
		{"draft", "Active", "Draft"},
		{"pause", "Active", "Paused"},
		{"fail", "Active", "Failed"},
		{"cancel", "Active", "Canceled"},
		{"complete", "Active", "Completed"},
		{"activate", "Paused", "Active"},
		{"cancel", "Paused", "Canceled"},
		{"activate", "Failed", "Active"},
		{"cancel", "Failed", "Canceled"},
	},
	"consent": {
		{"create", "", "Pending"},
		{"accept", "Pending", "Accepted"},
		{"decline", "Pending", "Declined"},
		{"decline", "Accepted", "Revoked"},
	},
	"card-payment": {
		{"create", "", "Pending"},
		{"succeed", "", "Succeeded"},
		{"fail", "", "Failed"},
		{"cancel", "", "Cancelled"},
		{"refund", "", "Refunded"},
		{"succeed", "Pending", "Succeeded"},
		{"fail", "Pending", "Failed"},
		{"cancel", "Pending", "Cancelled"},
		{"refund", "Succeeded", "Refunded"},
	},
	"webhook endpoint": {
		{"create", "", "Enabled"},
		{"disable", "Enabled", "Disabled"},
		{"enable", "Disabled", "Enabled"},
	},
}

// emits says which event a move sends to webhooks, "" for none. Specification,
// Events; latitude, payment-event.
func emits(machine, event string) string {
	switch {
	case machine == "company" && (event == "verify" || event == "reject"):
		return "COMPANY_VERIFICATION_STATUS_CHANGED"
	case (machine == "payment" || machine == "saved-card-charge") && event != "create":
		return "PAYMENT_STATUS_CHANGED"
	default:
		return ""
	}
}
