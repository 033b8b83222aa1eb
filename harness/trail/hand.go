package trail

import (
	"slices"
	"strings"

	"paysandbox/mockserver/tape"
)

// tools are what people make calls with by hand, as User-Agent names them.
var tools = []string{"curl", "wget", "httpie", "postmanruntime", "insomnia", "bruno-runtime", "bruno"}

// byHand says whether a person has made a call: with a tool, or on a page of the
// service's own, which its documentation has to try every operation.
func byHand(x *tape.Exchange) bool {
	agent, _ := Header(x.Request.Header, "User-Agent")
	name, _, _ := strings.Cut(agent, "/")
	return OwnPage(x) || slices.Contains(tools, strings.ToLower(name))
}

// OwnPage says whether a call comes from a page of the service's own.
func OwnPage(x *tape.Exchange) bool {
	site, _ := Header(x.Request.Header, "Sec-Fetch-Site")
	if site == "same-origin" {
		return true
	}
	origin, _ := Header(x.Request.Header, "Origin")
	host, _ := Header(x.Request.Header, "Host")
	_, from, ok := strings.Cut(origin, "://")
	return ok && host != "" && strings.EqualFold(from, host)
}

// ByHand are the numbers of the calls that people have made by hand beside an
// application, ascending: with a tool such as curl, or on the service's own pages,
// while others have made more calls. What a person does about a refusal or a failure
// is not the application's doing. Where there is nobody else it is what there is.
func (t *Trail) ByHand() []uint64 {
	var hand []uint64
	others := 0
	for e := range t.Of(tape.KindExchange) {
		if byHand(e.Exchange) {
			hand = append(hand, e.Seq)
		} else {
			others++
		}
	}
	if others <= len(hand) {
		return nil
	}
	return hand
}
