package check

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"

	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// signatureHeader carries the signature. Specification, Events.
const signatureHeader = "X-HMAC-Signature"

// spoilt says whether a delivery was spoilt on purpose in one of these ways.
func spoilt(a *tape.Attempt, ways ...string) bool {
	return slices.ContainsFunc(strings.Split(a.Profile, ","), func(p string) bool { return slices.Contains(ways, p) })
}

// secretsOf are the secrets under which deliveries to an endpoint may be signed.
func (t *Tape) secretsOf(endpoint string) []string {
	return slices.Concat(t.opts.WebhookSecrets[endpoint], t.opts.WebhookSecrets[""])
}

// signed verifies the signature of every delivery over the bytes that were sent.
func signed(t *Tape) []verdict.Judgement {
	var y verdict.Tally
	for e := range t.of(tape.KindAttempt) {
		a := e.Attempt
		secrets := t.secretsOf(a.Endpoint)
		got, _ := header(a.Header, signatureHeader)
		switch {
		case spoilt(a, append([]string{"cut-connection"}, forgeries...)...):
			y.Skip("a delivery that was spoilt on purpose: " + a.Profile)
		case len(secrets) == 0:
			y.Skip("a delivery to an endpoint whose secret was not handed in")
		case slices.ContainsFunc(secrets, func(s string) bool { return got == signature(s, a.Body, t.chose("signed-bytes") != "") }):
			y.Holds(e.Seq)
		default:
			y.Fail(signatureHeader+": sha256= and the HMAC-SHA256 of the exact body in lower-case hex", strconv.Quote(got),
				"sign the bytes that are sent, with the endpoint's secret as UTF-8", e.Seq)
		}
	}
	t.omitted(&y, tape.KindAttempt)
	return y.Judgements("no delivery")
}

// signature is what the header has to be for a body; none for an empty secret.
func signature(secret string, body []byte, upper bool) string {
	if secret == "" {
		return ""
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(body)
	digest := hex.EncodeToString(mac.Sum(nil))
	if upper {
		digest = strings.ToUpper(digest)
	}
	return "sha256=" + digest
}

// delivered compares what was sent with what was emitted.
func delivered(t *Tape) []verdict.Judgement {
	var y verdict.Tally
	events := map[string]*tape.Entry{}
	for e := range t.of(tape.KindEvent) {
		events[e.Event.ID] = e
	}
	for e := range t.of(tape.KindAttempt) {
		event := events[e.Attempt.Event]
		switch {
		case spoilt(e.Attempt, "stale-timestamp", "altered-byte", "odd-json", "unknown-event", "extra-member", "cut-connection"):
			y.Skip("a delivery that was spoilt on purpose: " + e.Attempt.Profile)
		case event == nil && t.cut(tape.KindEvent):
			y.Open("the event of this delivery is not on the tape", e.Seq)
		case event == nil:
			y.Fail("a delivery of an event", "the event "+e.Attempt.Event+" was never emitted", "deliver what was emitted", e.Seq)
		case !bytes.Equal(event.Event.Body, e.Attempt.Body):
			y.Fail("the event's bytes: "+show(event.Event.Body), show(e.Attempt.Body), "deliver the bytes that were emitted", event.Seq, e.Seq)
		default:
			y.Holds(event.Seq, e.Seq)
		}
	}
	return y.Judgements("no delivery")
}
