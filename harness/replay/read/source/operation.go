package source

import (
	"encoding/json"
	"maps"
	"slices"
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

// AnswersNothing says whether a call is served without a body, by its method and path.
func AnswersNothing(method, path string) bool {
	return method != "GET" && answersNothing().MatchString(path)
}

var answersNothing = trail.Pattern(`(?i)/(?:[^/]+/cancel|activate|pause|decline|debitauth|refund(?:/[^/]+)?|cardpayment)/?$`)

// Granted are the members of the answer that grants a token.
var Granted = []string{"accessToken", "tokenType", "expiresInSeconds"}

// made are the members of answers, by the ends of the paths of calls, that programs log beside the call: ids of what it has made.
var made = map[string][]string{
	"/payment/create":          {"paymentRequestId", "registrationPersonId"},
	"/payment/chargesavedcard": {"paymentRequestId", "chargedAmount"},
	"/company/create":          {"companyId", "locationIds"},
	"/user/register":           {"registrationId"},
	"/paymentplan/create":      {"paymentPlanId"},
	"/authentication/token":    Granted,
	"/auth/token":              Granted,
}

// GrantsToken says whether a path is that of the call for a token, which has two.
func GrantsToken(path string) bool {
	path = strings.ToLower(strings.TrimSuffix(path, "/"))
	return strings.HasSuffix(path, "/authentication/token") || strings.HasSuffix(path, "/auth/token")
}

// Beside is the answer to a call by its path of which a program logs some members beside the call, among its own; nil for none. But
// for a token, what it lacks is not known to have been absent, and it says so.
func Beside(path string, object []byte) json.RawMessage {
	for end, names := range made {
		if !strings.HasSuffix(strings.ToLower(strings.TrimSuffix(path, "/")), end) {
			continue
		}
		found := MembersNamed(object, names)
		if found[names[0]] == nil {
			return nil
		}
		if !GrantsToken(path) {
			found["…"] = json.RawMessage(`"…"`) // there was more
		}
		return trail.Quote(found)
	}
	return nil
}

// OnlyAnswered says whether an object is no body that a path is sent, but an answer: it has what the service alone gives, such as the id
// of what the call has made. A refund may be sent the id of its payment.
func OnlyAnswered(path string, body []byte) bool {
	found := MembersNamed(body, []string{"paymentRequestId", "registrationPersonId", "registrationUrl", "locationIds", "consentId", "accessToken"})
	if strings.Contains(strings.ToLower(path), "refund") {
		delete(found, "paymentRequestId")
	}
	return len(found) > 0
}

// MembersNamed are those of a line that have one of the names, whatever its case and marks.
func MembersNamed(raw []byte, names []string) map[string]json.RawMessage {
	var all map[string]json.RawMessage
	_ = json.Unmarshal(raw, &all) // what is no object has none
	found, marks := map[string]json.RawMessage{}, strings.NewReplacer("_", "", "-", "")
	for _, key := range slices.Sorted(maps.Keys(all)) {
		plain := marks.Replace(key)
		i := slices.IndexFunc(names, func(name string) bool { return strings.EqualFold(name, plain) })
		if i >= 0 && found[names[i]] == nil && string(all[key]) != "null" {
			found[names[i]] = all[key]
		}
	}
	return found
}
