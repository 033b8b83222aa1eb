package kyb

import (
	"bytes"
	"slices"
	"strings"
	"time"

	"paysandbox/harness/replay/recording"
)

// AskedUnseen says whether a call before another made a company or asked for its status, and its answer is not shown.
func AskedUnseen(r *recording.Recording, n int) bool {
	return slices.ContainsFunc(r.Exchanges[:n], func(x recording.Exchange) bool {
		path := strings.ToLower(x.Path)
		return strings.HasPrefix(path, "/company/") && (strings.HasSuffix(path, "/status") || strings.HasSuffix(path, "/create")) && x.Answer.Known != recording.Whole
	})
}

// ToldUnverified says whether the answer right before a call said that the company is not verified.
func ToldUnverified(r *recording.Recording, n int) bool {
	return n > 0 && bytes.Contains(r.Exchanges[n-1].Answer.Body, []byte(`"Unverified"`))
}

// MayHaveHeard says whether a webhook may have told before a call that a company is verified: no file
// shows webhooks, no later answer says that it still is not, and more than a minute passed since it was made.
func MayHaveHeard(r *recording.Recording, n int) bool {
	if len(r.Received) > 0 || slices.ContainsFunc(r.Exchanges[n:], func(x recording.Exchange) bool { return bytes.Contains(x.Answer.Body, []byte(`"Unverified"`)) }) {
		return false
	}
	return !slices.ContainsFunc(r.Exchanges[:n], func(x recording.Exchange) bool {
		return x.Answer.Status < 300 && strings.Contains(strings.ToLower(x.Path), "company/create") && r.Exchanges[n].Begin.Sub(x.Begin) <= time.Minute
	})
}
