package read

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"paysandbox/harness/replay/read/join"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// takeWebhooks makes webhooks of those exchanges of a file that are some: a proxy
// before the partner's receiver records them as calls.
func takeWebhooks(p *source.Part) {
	kept, beside := p.Exchanges[:0], besideSigned(p)
	for i := range p.Exchanges {
		x := &p.Exchanges[i]
		unsigned := beside(x)
		if !unsigned && !isWebhook(x) {
			kept = append(kept, *x)
			continue
		}
		address := ""
		if x.Host != "" {
			address = "//" + x.Host + x.Path
			if x.Scheme != "" {
				address = x.Scheme + ":" + address
			}
		}
		p.Received = append(p.Received, recording.Received{
			Place: x.Place, At: x.Begin, URL: address, Header: x.Header, Body: x.Body, Status: x.Answer.Status,
			Took: took(x.Begin, x.End), Unsigned: unsigned,
		})
	}
	p.Exchanges = kept
	join.Heads(p)
	for i := range p.Received {
		source.RenameEvent(&p.Received[i])
	}
	join.Params(p)
}

// besideSigned finds, in the log of a proxy that shows no bodies and the signature of what came to a receiver, what came there without one.
func besideSigned(p *source.Part) func(*recording.Exchange) bool {
	signed := map[string]bool{}
	to := func(x *recording.Exchange) string {
		return x.Method + " " + x.Host + x.Path + " " + source.Header(x.Header, "User-Agent")
	}
	bare := func(x *recording.Exchange) bool {
		_, ours := source.BasePath(x.Path)
		return x.Method == "POST" && len(x.Body) == 0 && !ours
	}
	for i := range p.Exchanges {
		if x := &p.Exchanges[i]; bare(x) && source.Header(x.Header, trail.SignatureHeader) != "" {
			signed[to(x)] = true
		}
	}
	return func(x *recording.Exchange) bool {
		return bare(x) && source.Header(x.Header, trail.SignatureHeader) == "" && signed[to(x)]
	}
}

// took is how long something took that has a beginning and an end; 0 where one is not known.
func took(begin, end time.Time) time.Duration {
	if begin.IsZero() || end.IsZero() {
		return 0
	}
	return max(0, end.Sub(begin))
}

// isWebhook says whether a call is one of the service to the partner: signed, or with
// an event for a body.
func isWebhook(x *recording.Exchange) bool {
	if x.Method != "POST" && x.Method != "" {
		return false
	}
	if source.Header(x.Header, trail.SignatureHeader) != "" {
		return true
	}
	if _, ok := source.BasePath(x.Path); ok || !bytes.Contains(x.Body, []byte(`"Event"`)) {
		return false
	}
	var event struct {
		Event *string
		Data  map[string]json.RawMessage
	}
	return json.Unmarshal(x.Body, &event) == nil && event.Event != nil && event.Data != nil
}

// settled notes what is known of a file's calls once all are together: what was struck out, not shown, answered by others, or lost, and
// when it was by the service's clock.
func settled(p *source.Part, o Options) {
	source.MarkStruck(p)
	markUnshown(p)
	markGateways(p)
	markLost(p)
	join.SetClock(p)
	p.Source().ReceivedComplete = p.Source().ReceivedComplete || o.ReceivedComplete && len(p.Received) > 0
}

// markGateways finds the answers that something between the two sides gave: the
// service's own are JSON, and whether the call came through is not known.
func markGateways(p *source.Part) {
	for i := range p.Exchanges {
		a := &p.Exchanges[i].Answer
		if a.Status == 499 || a.Status == 460 { // no answer: what a proxy notes where its client went away
			*a = recording.Answer{Known: recording.NeverArrived}
		}
		if a.Status < 502 || a.Status > 504 || a.Known == recording.NotRecorded {
			continue
		}
		if !ofService(a) {
			a.Known = recording.NeverArrived
		}
	}
}

// ofService says whether an answer of 502, 503 or 504 is the service's own. Where a log shows no
// media type, the problem has to say so itself: gateways, too, answer with objects.
func ofService(a *recording.Answer) bool {
	media := strings.ToLower(source.Header(a.Header, "Content-Type"))
	if media == "" {
		var problem struct{ Type, Title, Detail string }
		return json.Unmarshal(a.Body, &problem) == nil && problem.Type != "" && problem.Title != "" && problem.Detail != ""
	}
	if !strings.Contains(media, "json") {
		return false
	}
	return !notAProblem(a.Body) && (a.Status == 503 || a.Known == recording.Whole)
}

// notAProblem says whether a body is an object, and not one of a problem as the service tells them.
func notAProblem(body []byte) bool {
	var members map[string]json.RawMessage
	if json.Unmarshal(body, &members) != nil || len(members) == 0 {
		return false
	}
	for _, name := range []string{"type", "title", "detail", "errors"} {
		if members[name] != nil {
			return false
		}
	}
	return true
}

// markLost finds the answers that never arrived although no word says so: the file shows those of nearly
// all other calls, and the call was made again. Tokens are asked for again all the time.
func markLost(p *source.Part) {
	shown, again := 0, map[string]int{}
	for i := range p.Exchanges {
		if x := &p.Exchanges[i]; x.Answer.Known != recording.NotRecorded {
			shown++
		}
	}
	if missing := len(p.Exchanges) - shown; missing == 0 || shown < 3*missing || p.Besides != nil { // who reads the lines of several files looked at each
		return
	}
	list := make([]*recording.Exchange, len(p.Exchanges))
	for i := range list {
		list[i] = &p.Exchanges[i]
	}
	slices.SortStableFunc(list, func(a, b *recording.Exchange) int { return a.Begin.Compare(b.Begin) }) // exports may begin with the newest
	for _, x := range slices.Backward(list) {
		key := x.Method + " " + x.Path + "?" + x.Query + " " + string(x.Body)
		if x.Answer.Known == recording.NotRecorded && again[key] > 0 && !source.GrantsToken(x.Path) {
			x.Answer.Known = recording.NeverArrived
			p.Skip(x.Place, "the answer of a call that was made again, where those of the others are shown: taken as one that never arrived")
		}
		again[key]++
	}
}
