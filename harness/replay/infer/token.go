package infer

import (
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/replay/prelude"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// expired says whether a token says itself that it was good only until then, as a JWT does.
func expired(token string, at time.Time) bool {
	parts := strings.Split(token, ".")
	if len(parts) != 3 || at.IsZero() {
		return false
	}
	raw, err := base64.RawURLEncoding.DecodeString(parts[1])
	var claims struct {
		Until int64 `json:"exp"`
	}
	return err == nil && json.Unmarshal(raw, &claims) == nil && claims.Until > 0 && claims.Until <= at.Unix()
}

// outlived says whether the token of a call was, by the answer that granted it, too old.
func outlived(r *recording.Recording, n int) bool {
	x := &r.Exchanges[n]
	token := correlate.Bearer(x.Header)
	for i := n - 1; i >= 0 && token != ""; i-- {
		granted := trail.ReadBody(r.Exchanges[i].Answer.Body)
		if granted.Text("accessToken") != token {
			continue
		}
		life, told := prelude.Life(granted)
		at := r.Exchanges[i].Begin
		return told && !at.IsZero() && !x.Begin.IsZero() && x.Begin.Sub(at) >= life
	}
	return false
}

// TakenLater says whether a token that was refused at a call was taken after it: then it
// was never withdrawn.
func TakenLater(r *recording.Recording, n int) bool {
	token := correlate.Bearer(r.Exchanges[n].Header)
	return token != "" && slices.ContainsFunc(r.Exchanges[n+1:], func(x recording.Exchange) bool {
		return prelude.Served(&x) && correlate.Bearer(x.Header) == token
	})
}
