package join

import (
	"bytes"
	"cmp"
	"encoding/json"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// farParams is how many lines behind a body its framework may show it once more, parsed.
const farParams = 8

// Params takes from events what frameworks add to them when they parse a request, as Rails does: a copy of the body under the name of its
// controller, and the controller's own. What stands so behind the body as it came, in the same second, is no other delivery.
func Params(p *source.Part) {
	list := p.Received[:0]
	for i := range p.Received {
		w := p.Received[i]
		plain := withoutCopy(w.Body)
		if plain == nil {
			list = append(list, w)
			continue
		}
		w.Body, w.Reprinted = plain, true
		if n := len(list) - 1; n >= 0 && len(w.Header) == 0 && showsAgain(&list[n], &w) {
			list[n].Status, list[n].URL = max(list[n].Status, w.Status), cmp.Or(list[n].URL, w.URL)
			continue
		}
		list = append(list, w)
	}
	p.Received = list
}

// showsAgain says whether the second of two is the first as its framework has parsed it.
func showsAgain(first, second *recording.Received) bool {
	far := second.Place.Line - first.Place.Line
	return first.Place.Line > 0 && far > 0 && far <= farParams && first.Says() != "" && first.Says() == second.Says() && sameTime(first.At, second.At) &&
		(first.Status == 0 || second.Status == 0 || first.Status == second.Status)
}

// withoutCopy is an event without the copy of itself that it holds under another name; nil for one that holds none.
func withoutCopy(body []byte) []byte {
	var members map[string]json.RawMessage
	if len(body) > largest || !bytes.Contains(body, []byte(`"Event"`)) || json.Unmarshal(body, &members) != nil || members["Event"] == nil || members["Data"] == nil {
		return nil
	}
	own := map[string]json.RawMessage{}
	copied := false
	for name, value := range members {
		switch name {
		case "Live", "Event", "Data":
			own[name] = value
			continue
		case "controller", "action", "format":
			continue
		}
		inner := trail.ReadBody(value)
		copied = copied || inner.Text("Event") == trail.ReadBody(body).Text("Event") && bytes.Equal(members["Data"], memberOf(value, "Data"))
	}
	if !copied {
		return nil
	}
	return source.Encoded(own)
}

// memberOf is a member of an object as it stands there; nil for none.
func memberOf(object json.RawMessage, name string) json.RawMessage {
	var members map[string]json.RawMessage
	if json.Unmarshal(object, &members) != nil {
		return nil
	}
	return members[name]
}
