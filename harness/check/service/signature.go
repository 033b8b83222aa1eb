package service

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"

	"paysandbox/harness/trail"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// secretsOf are the secrets under which deliveries to an endpoint may be signed.
func (o *Options) secretsOf(endpoint string) []string {
	return slices.Concat(o.WebhookSecrets[endpoint], o.WebhookSecrets[""])
}

// deliverySignatures verifies the signature of every delivery over the bytes that were sent.
func (o *Options) deliverySignatures(t *trail.Trail) []verdict.Judgement {
	var y verdict.Tally
	for e := range t.Of(tape.KindAttempt) {
		a := e.Attempt
		secrets := o.secretsOf(a.Endpoint)
		got, _ := trail.Header(a.Header, trail.SignatureHeader)
		switch {
		case trail.Spoilt(a, append([]string{"cut-connection"}, trail.Forgeries...)...):
			y.Skip("a delivery that was spoilt on purpose: " + string(a.Profile))
		case len(secrets) == 0:
			y.Skip("a delivery to an endpoint whose secret was not handed in")
		case slices.ContainsFunc(secrets, func(s string) bool { return got == signature(s, a.Body, t.Chose("signed-bytes") != "") }):
			y.Holds(e.Seq)
		default:
			y.Breach("", trail.SignatureHeader+": sha256= and the HMAC-SHA256 of the exact body in lower-case hex", strconv.Quote(got),
				"", e.Seq)
		}
	}
	t.Omitted(&y, tape.KindAttempt)
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

// deliveryBytes compares what was sent with what was emitted.
func deliveryBytes(t *trail.Trail) []verdict.Judgement {
	var y verdict.Tally
	events := map[string]*tape.Entry{}
	for e := range t.Of(tape.KindEvent) {
		events[e.Event.ID] = e
	}
	written := rewritten(t)
	for e := range t.Of(tape.KindAttempt) {
		event := events[e.Attempt.Event]
		switch {
		case written[e.Attempt.Delivery]:
			y.Skip("a delivery that was sent once more with a body that somebody wrote")
		case trail.Spoilt(e.Attempt, "stale-timestamp", "altered-byte", "altered-status", "odd-json", "unknown-event", "extra-member", "cut-connection"):
			y.Skip("a delivery that was spoilt on purpose: " + string(e.Attempt.Profile))
		case event == nil && t.Cut(tape.KindEvent):
			y.Open("the event of this delivery is not on the tape", e.Seq)
		case event == nil:
			y.Breach("", "a delivery of an event", "the event "+e.Attempt.Event+" was never emitted", "unknown", e.Seq)
		case !bytes.Equal(event.Event.Body, e.Attempt.Body):
			y.Breach("", "the event's bytes: "+trail.Show(event.Event.Body), trail.Show(e.Attempt.Body), "", event.Seq, e.Seq)
		default:
			y.Holds(event.Seq, e.Seq)
		}
	}
	return y.Judgements("no delivery")
}
