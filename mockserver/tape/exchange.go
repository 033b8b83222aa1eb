package tape

import "strings"

// The verdicts on the caller of an exchange ([Exchange].Auth).
const (
	// AuthValid: the token was accepted.
	AuthValid = "valid"
	// AuthMissing: no Authorization header was sent.
	AuthMissing = "missing"
	// AuthMalformed: the header or the token could not be read.
	AuthMalformed = "malformed"
	// AuthWrongSignature: the token was signed with another key.
	AuthWrongSignature = "wrong-signature"
	// AuthExpired: the token's time is over.
	AuthExpired = "expired"
	// AuthForeign: the token belongs to another integration.
	AuthForeign = "foreign"
	// AuthRevoked: the token was withdrawn.
	AuthRevoked = "revoked"
	// AuthAlgNone: the token claims to need no signature.
	AuthAlgNone = "alg-none"
	// AuthNoneNeeded: the operation asks for no token.
	AuthNoneNeeded = "none-needed"
	// AuthCredentialsOK: client id and secret were right.
	AuthCredentialsOK = "credentials-ok"
	// AuthCredentialsWrong: client id or secret was wrong.
	AuthCredentialsWrong = "credentials-wrong"
)

// Exchange is one HTTP request that came in and the response that went out.
type Exchange struct {
	// Operation is the id of the route; absent when no route matched.
	Operation string `json:"operation,omitempty"`
	// Method is the HTTP method as received.
	Method string `json:"method,omitempty"`
	// Path is the escaped path as received, without the query.
	Path string `json:"path,omitempty"`
	// Query is the raw query without the question mark.
	Query string `json:"query,omitempty"`
	// Auth is the verdict on the caller, one of the Auth constants.
	Auth string `json:"auth,omitempty"`
	// Token is the id (jti) of the access token; never the token itself.
	Token string `json:"token,omitempty"`
	// Request is what came in.
	Request Request `json:"request"`
	// Response is what went out.
	Response Response `json:"response"`
	// InFlight is true when another call with the same Idempotency-Key was still at
	// work, which only the wall clock decides.
	InFlight bool `json:"inFlight,omitempty"`
	// Fault is the label of the armed fault that changed this exchange, if any.
	Fault FaultLabel `json:"fault,omitempty"`
}

// Request is the headers and the body of a request. In JSON the body is "body"
// when it is valid UTF-8, else "bodyBase64".
type Request struct {
	// Header holds the headers in the order in which they are to be shown.
	Header []Header `json:"header,omitempty"`
	// Body is the exact bytes.
	Body []byte `json:"-"`
}

// Response is the status, the headers and the body of a response. In JSON the
// body is "body" when it is valid UTF-8, else "bodyBase64".
type Response struct {
	// Status is the HTTP status; 0 and absent when the connection was dropped.
	Status int `json:"status,omitempty"`
	// Header holds the headers in the order in which they are to be shown.
	Header []Header `json:"header,omitempty"`
	// Body is the exact bytes.
	Body []byte `json:"-"`
}

// Header is one header line. In JSON the value is "value" when it is valid
// UTF-8, else "valueBase64".
type Header struct {
	// Name is the header's name.
	Name string `json:"name"`
	// Value is the header's value; secrets are masked by the caller.
	Value string `json:"value"`
}

// HeaderOf is the value of the first header of a name, whatever the case of its letters;
// "" where there is none.
func HeaderOf(list []Header, name string) string {
	for i := range list {
		if strings.EqualFold(list[i].Name, name) {
			return list[i].Value
		}
	}
	return ""
}

// Param is one named value of a message's template; it has a header's shape.
type Param = Header
