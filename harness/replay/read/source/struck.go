package source

import (
	"bytes"
	"strings"

	"paysandbox/harness/trail"
)

// struck is a token of which a logger shows the end alone.
var struck = trail.Pattern(`^[^A-Za-z0-9]{1,16}([A-Za-z0-9_-]{4,16})$`)

// JoinStruck gives a token of which two places show the end alone one text: that of the answer
// which has granted it, however many marks stand in the rest's place.
func JoinStruck(p *Part) {
	granted := map[string]string{}
	for i := range p.Exchanges {
		x := &p.Exchanges[i]
		for j := range x.Header {
			h := &x.Header[j]
			scheme, token, _ := strings.Cut(h.Value, " ")
			end := struck().FindStringSubmatch(token)
			if strings.EqualFold(h.Name, "Authorization") && end != nil && granted[end[1]] != "" {
				h.Value = scheme + " " + granted[end[1]]
			}
		}
		if !bytes.Contains(bytes.ToLower(x.Answer.Body), []byte("accesstoken")) {
			continue
		}
		token := trail.ReadBody(x.Answer.Body).Text("accessToken")
		if end := struck().FindStringSubmatch(token); end != nil {
			granted[end[1]] = token
		}
	}
}
