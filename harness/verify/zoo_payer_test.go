package verify_test

// payerMutants break what is owed about payers, their accounts and what they
// have authorised.
func payerMutants() []mutant {
	const (
		register = "POST /User/Register"
		status   = "GET /User/*/Status"
		complete = "POST " + control + "/registrations/*/complete"
		link     = "PUT /Account/Link"
		ask      = "POST /User/*/DebitAuth"
		read     = "GET /User/*/DebitAuth"
		report   = "GET /Transaction/Report"
	)
	return []mutant{
		{"user.register", "the address is a path", tells(register, "registrationUrl", "/register")},
		{"user.register", "a mobile number is required", demands(register, "user.register", "mobileNumber")},
		{"user.register.pending", "a payer begins Registered", tells(status, "status", "Registered")},
		{"user.register.message", "no message", unsent("registration", "")},
		{"user.register.redirect", "the address gets a status", tells(complete, "redirectUrl", func(v any) any { return v.(string) + "&status=done" })},
		{"user.register.redirect", "the query is lost", tells(complete, "redirectUrl", "https://partner.example.com/welcome")},
		{"user.register.single-payment", "nothing is paid", tells(report, "transactions", []any{})},
		{"user.register.single-payment", "another amount is paid", tells(report, "transactions.*.amount", 42)},
		{"user.status", "a payer is new", tells(status, "status", swaps("Pending", "New"))},
		{"user.status", "a mask without an account", tells(status, "accountMask", swaps(nil, "*0000"))},
		{"user.status.unknown", "an unknown payer is Pending", allowed(status)},
		{"user.status.unknown", "an unknown payer is an invalid one", becomes(status, 404, 400)},
		{"user.status.registered", "the registration changes nothing", tells(status, "status", swaps("Registered", "Pending"))},
		{"user.status.registered", "who fails the identity check is Registered", tells(status, "status", swaps("Pending", "Registered"))},
		{"user.status.account-mask", "the mask shows six digits", tells(status, "accountMask", func(v any) any { return "*42" + v.(string)[1:] })},
		{"account.link-token", "no end", tells("POST /Account/LinkToken", "expiration", nil)},
		{"account.link", "a good account is refused", tells(link, "isOk", swaps(true, false))},
		{"account.link", "an account that is linked changes nothing", tells(status, "status", swaps("Registered", "Pending"))},
		{"account.link.error", "every link succeeds", tells(link, "isOk", swaps(false, true))},
		{"account.link.error", "one error for all", answers(link, func(x *exchange) {
			if x.got("linkError") != nil {
				x.change("linkError.errorCode", "INVALID_LINK_TOKEN")
			}
		})},
		{"user.debit-auth.request", "the payer is not asked", unsent("debit-authorisation-request", "")},
		{"user.debit-auth.request", "the answer is an object", answers(ask, func(x *exchange) { x.tell("{}") })},
		{"user.debit-auth.unknown-payer", "an unknown payer is asked", allowed(ask)},
		{"user.debit-auth.unknown-payer", "an unknown payer's authorisation is read", allowed(read)},
		{"user.debit-auth.enabled", "what is not enabled stays", ignoredWhen(ask, func(x *exchange) bool { return x.member("enabled") != true })},
		{"user.debit-auth.read", "the limit is not told", tells(read, "limit", 0)},
		{"user.debit-auth.read", "what waits is enabled", tells(read, "enabled", true)},
		{"user.debit-auth.machine", "disabling changes nothing", ignored("POST " + control + "/debit-authorisations/*/disable")},
		{"user.debit-auth.machine", "what was declined can be accepted", becomes("POST "+control+"/debit-authorisations/*/accept", 409, 200)},
		{"user.debit-auth.replaced", "the first limit counts", first(read, "limit")},
		{"user.debit-auth.replaced", "the request counts, not the payer", tells(read, "limit", 9000)},
		{"payment.create.auto-debit", "the payer is asked each time", tells("GET /Payment/*/Status", "status", swaps("Processing", "Pending"))},
		{"payment.create.auto-debit", "a cent over the limit is collected", tells("GET /Payment/*/Status", "status", swaps("Pending", "Processing"))},
		{"card.methods", "the first six digits are told", tells("GET /Payment/CardPaymentMethods/*", "paymentMethods.*.last4", "424242")},
		{"card.methods", "saved cards are not listed", tells("GET /Payment/CardPaymentMethods/*", "paymentMethods", []any{})},
		{"card.methods.unknown", "an unknown payer has no cards", allowed("GET /Payment/CardPaymentMethods/*")},
	}
}

// ignoredWhen says yes to some calls and does nothing.
func ignoredWhen(patterns string, when func(x *exchange) bool) kind {
	return stateless(on(patterns, func(x *exchange) { x.kept = when(x) }, func(x *exchange) {
		if x.kept {
			x.grant()
		}
	}))
}

// first tells what was true at first, however often it is asked.
func first(patterns, member string) kind {
	return remembering(func() (string, func(x *exchange), func(x *exchange)) {
		known := map[string]any{}
		return patterns, nil, func(x *exchange) {
			key := x.req.Header.Get("Sandbox-Integration")
			if _, ok := known[key]; !ok && x.ok() {
				known[key] = 1000
			}
			x.change(member, known[key])
		}
	})
}
