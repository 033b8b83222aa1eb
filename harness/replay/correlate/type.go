package correlate

import (
	"strings"

	"paysandbox/harness/trail"
)

// Type is what a value names.
type Type string

// The types. A value of no type is never a link.
const (
	Company      Type = "company"
	Reference    Type = "company-reference"
	Location     Type = "location"
	Registration Type = "registration"
	Payment      Type = "payment"
	Card         Type = "payment-method"
	Plan         Type = "plan"
	Consent      Type = "consent"
	Token        Type = "token"
	LinkToken    Type = "link-token"
	Cursor       Type = "cursor"
	Address      Type = "address"
	Key          Type = "idempotency-key"
	Event        Type = "event"
)

// members are the members and parameters that hold a value of a type, by their names
// in lower case. The bare "id" is of the kind of what it stands in.
var members = map[string]Type{
	"companyid": Company, "companyreferenceid": Reference, "referenceid": Reference,
	"locationid": Location, "locationids": Location,
	"registrationid": Registration, "registrationuserid": Registration, "registrationpersonid": Registration,
	"paymentrequestid": Payment, "paymentid": Payment, "externaltransferid": Payment, "transferid": Payment,
	"externalpaymentrequestid": Payment, "paymentmethodid": Card,
	"paymentplanid": Plan, "planid": Plan, "consentid": Consent,
	"accesstoken": Token, "tokenid": LinkToken, "linktoken": LinkToken, "verificationid": Registration,
	"cursor": Cursor, "nextcursor": Cursor,
	"url": Address, "registrationurl": Address, "externalauthlinkurl": Address,
	"idempotency-key": Key, "eventid": Event,
}

// lists are the types of the bare "id" in the elements of a list.
var lists = map[string]Type{"companies": Company, "locations": Location, "paymentmethods": Card, "plans": Plan, "consents": Consent}

// kinds are the types of the bare "id" in an answer, by the kind of its operation.
var kinds = map[string]Type{
	"company": Company, "registration": Registration, "payment": Payment, "card-authorisation": Payment,
	"saved-card-charge": Payment, "plan": Plan, "consent": Consent,
}

// typeOf is the type of what stands under a pointer of a body of an operation.
func typeOf(operation string, path []string) Type {
	name := ""
	for i := len(path) - 1; i >= 0 && name == ""; i-- { // an element is of its list's type
		if !isIndex(path[i]) {
			name = strings.ToLower(path[i])
		}
	}
	if name != "id" {
		return members[name]
	}
	if len(path) >= 3 && isIndex(path[len(path)-2]) {
		return lists[strings.ToLower(path[len(path)-3])]
	}
	return kinds[trail.OperationNamed(operation).Kind]
}

func isIndex(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// Machine is the state machine of what a type names, "" for none.
func (t Type) Machine() string {
	switch t {
	case Company, Registration, Payment, Plan, Consent:
		return string(t)
	default:
		return ""
	}
}

// Made says whether the service draws values of the type: the partner cannot choose
// them, so that one that was never answered comes from before the recording.
func (t Type) Made() bool { return t != Reference && t != Key && t != "" }

// TypeAt is the type of what stands under a JSON pointer of an answer.
func TypeAt(operation, pointer string) Type {
	return typeOf(operation, strings.Split(strings.TrimPrefix(pointer, "/"), "/"))
}
