package api

import (
	"strconv"

	"paysandbox/mockserver/kernel"
)

// unauthorised is the one answer to every caller without a good token: why the
// token is not good stands on the tape only.
func unauthorised() *kernel.Error {
	return &kernel.Error{
		Code:   kernel.Unauthorised,
		Detail: "this call needs a valid access token: get one from POST /Authentication/Token and send it as Authorization: Bearer <token>",
	}
}

// tooMany refuses a call over the rate limit that the ledger has switched on.
func (x *exchange) tooMany(wait int) *kernel.Error {
	x.retryAfter = strconv.Itoa(wait)
	return &kernel.Error{Code: kernel.TooManyRequests, Detail: "the rate limit is reached; wait " + x.retryAfter + " s of virtual time"}
}
