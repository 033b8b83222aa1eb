package api

import (
	"strconv"

	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/tape"
)

// unauthorised refuses a caller without a good token. It says what whoever holds the
// token, or sends none, can see anyway; why a token that is none of ours is not good
// stands on the tape only.
func unauthorised(verdict string) *kernel.Error {
	why := ""
	switch verdict {
	case tape.AuthMissing:
		why = "no Authorization header came: "
	case tape.AuthMalformed:
		why = "what came in Authorization is not the word Bearer, a space and an access token: "
	case tape.AuthExpired:
		why = "the token that came has expired, at the end of the expiresInSeconds that it was given for: "
	case tape.AuthRevoked:
		why = "the token that came has been revoked: "
	}
	return &kernel.Error{
		Code:   kernel.Unauthorised,
		Detail: why + "this call needs a valid access token: get one from POST /Authentication/Token and send it as Authorization: Bearer <token>",
	}
}

// tooMany refuses a call over the rate limit that the ledger has switched on.
func (x *exchange) tooMany(wait int) *kernel.Error {
	x.retryAfter = strconv.Itoa(wait)
	return &kernel.Error{Code: kernel.TooManyRequests, Detail: "the rate limit is reached; wait " + x.retryAfter + " s of virtual time"}
}
