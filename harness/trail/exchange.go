package trail

import (
	"bytes"
	"net/url"
	"strconv"
	"strings"
	"time"

	"paysandbox/mockserver/tape"
)

// Playing says whether by an entry somebody plays a person, as test suites do
// between what they try: it is neither the harness's trouble nor the time.
func Playing(e *tape.Entry) bool {
	if e.Kind != tape.KindControl || e.Exchange == nil || !Served(e.Exchange) {
		return false
	}
	switch e.Exchange.Operation {
	case "movePayment", "moveCard", "enterCard", "answerChallenge", "saveCard", "completeRegistration", "decideKYB", "linkCompanyBank":
		return true
	default:
		return false
	}
}

// Argument gives a parameter of the query, whatever the case of its name.
func Argument(x *tape.Exchange, name string) string {
	for arg := range strings.SplitSeq(x.Query, "&") {
		key, value, _ := strings.Cut(arg, "=")
		if strings.EqualFold(key, name) {
			if plain, err := url.QueryUnescape(value); err == nil {
				return plain
			}
		}
	}
	return ""
}

// RetryAfter is what an answer asks for, in nanoseconds; 0 for nothing.
func RetryAfter(x *tape.Exchange) int64 {
	v, _ := Header(x.Response.Header, "Retry-After")
	seconds, err := strconv.Atoi(strings.TrimSpace(v))
	if err != nil || seconds < 0 {
		return 0
	}
	return int64(seconds) * int64(time.Second)
}

// The effects of faults that checks look at, as a fault's label names them.
const (
	effectLatency = "latency"
	effectSlow    = "slow-body"
	effectCut     = "cut-connection"
)

// HeldBack is how long a fault has held an answer back.
func HeldBack(label tape.FaultLabel) time.Duration {
	var sum time.Duration
	for _, name := range []string{effectLatency, effectSlow} {
		text, _ := label.Effect(name)
		if d, err := time.ParseDuration(text); err == nil {
			sum += d
		}
	}
	return sum
}

// sameCall is equal for calls that are the same but for their headers.
func sameCall(x *tape.Exchange) string {
	return strings.ToLower(x.Method+" "+x.Path) + "?" + x.Query + "\n" + string(x.Request.Body)
}

// Header finds a header whatever the case of its letters, and says whether it is
// there.
func Header(list []tape.Header, name string) (string, bool) {
	for i := range list {
		if strings.EqualFold(list[i].Name, name) {
			return list[i].Value, true
		}
	}
	return "", false
}

// Served says whether an exchange was answered with success, and not in place
// of the service by a fault.
func Served(x *tape.Exchange) bool { return x.Response.Status >= 200 && x.Response.Status < 300 }

// Replayed says whether an answer was given before.
func Replayed(x *tape.Exchange) bool {
	v, _ := Header(x.Response.Header, "Idempotent-Replayed")
	return v == "true"
}

// Faulted says whether a fault has shaped the answer, or was asked for that does not exist.
func Faulted(x *tape.Exchange) bool {
	_, given := Header(x.Response.Header, faultHeader)
	_, asked := Header(x.Request.Header, faultHeader)
	return given || x.Fault != "" || x.Response.Status == 0 || asked && x.Response.Status == 400 && bytes.Contains(x.Response.Body, []byte(`"header:`+faultHeader+`"`))
}

// faultHeader asks the sandbox for a fault, and tells in an answer which one shaped it.
const faultHeader = "Sandbox-Fault"
