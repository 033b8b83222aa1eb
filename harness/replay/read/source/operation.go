package source

import (
	"strings"

	"paysandbox/harness/trail"
)

// operation is the end of a path by which the service is known, whatever stands before
// it and in any case of letters. A partner's own addresses rarely end like that.
var operation = trail.Pattern(`(?i)/(?:` +
	`authentication/token|auth/token|` +
	`company/(?:create|list|status|[^/]+/(?:status|locations|externalauthlink))|` +
	`user/(?:register|[^/]+/(?:status|debitauth))|` +
	`payment/(?:create|chargesavedcard|card/auth|recurring|refund(?:/[^/]+)?|cardpaymentmethods/[^/]+|[^/]+/(?:cancel|status))|` +
	`cardpayment|transaction/(?:report|paymentrequest/[^/]+)|account/(?:linktoken|link)|` +
	`paymentplan/(?:create|list|[^/]+(?:/(?:activate|pause|cancel|payers(?:/[^/]+)?))?)|consent/(?:list|[^/]+(?:/decline)?))/?$`)

// BasePath is what stands before the operation's own path, and whether there is one.
func BasePath(path string) (base string, ok bool) {
	at := operation().FindStringIndex(path)
	if at == nil {
		return "", false
	}
	return path[:at[0]], true
}

// MethodOf is the method that an operation's path is usually called with.
func MethodOf(path string) string {
	end := strings.ToLower(path[strings.LastIndexByte(strings.TrimSuffix(path, "/"), '/')+1:])
	switch strings.TrimSuffix(end, "/") {
	case "status", "list", "report", "locations":
		return "GET"
	case "cancel", "activate", "pause", "decline":
		return "PUT"
	}
	if lower := strings.ToLower(path); strings.Contains(lower, "/transaction/paymentrequest/") || strings.Contains(lower, "/cardpaymentmethods/") {
		return "GET"
	}
	return "POST"
}
