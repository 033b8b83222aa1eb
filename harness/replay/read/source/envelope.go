package source

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"paysandbox/harness/replay/recording"
	"paysandbox/mockserver/tape"
)

// OpenEnvelopes takes what programs log for an answer, {"status":200,"body":…}, apart: its status, and its body, which may have been
// struck out.
func OpenEnvelopes(p *Part) {
	for i := range p.Exchanges {
		if a := &p.Exchanges[i].Answer; a.Known == recording.Whole {
			OpenEnvelope(a)
		}
	}
}

// besideBody are the other members that such an object may have, by their names in small letters, without signs.
var besideBody = map[string]bool{
	"statustext": true, "statusmessage": true, "reason": true, "ok": true, "success": true, "url": true, "method": true,
	"took": true, "ms": true, "duration": true, "durationms": true, "elapsed": true, "elapsedms": true, "time": true, "size": true, "length": true, "type": true, "redirected": true,
}

// OpenEnvelope does so with an answer whose status is the same, or not known yet, and says whether it is one.
func OpenEnvelope(a *recording.Answer) bool {
	var members map[string]json.RawMessage
	if json.Unmarshal(a.Body, &members) != nil {
		return false
	}
	list, headers := map[string][]json.RawMessage{}, json.RawMessage(nil)
	for name, value := range members {
		switch plain := strings.NewReplacer("_", "", "-", "").Replace(strings.ToLower(name)); plain {
		case "status", "statuscode", "code", "httpstatus":
			list["status"] = append(list["status"], value)
		case "body", "data", "responsebody", "payload":
			list["body"] = append(list["body"], value)
		case "headers", "header":
			headers = value
		default:
			if !besideBody[plain] {
				return false
			}
		}
	}
	if len(list["status"]) != 1 || len(list["body"]) != 1 {
		return false
	}
	status, err := strconv.Atoi(string(list["status"][0]))
	if err != nil || http.StatusText(status) == "" || a.Status != 0 && a.Status != status {
		return false
	}
	body := list["body"][0]
	a.Status, a.Body = status, textOf(body)
	if len(a.Header) == 0 {
		a.Header = headersOf(headers)
	}
	return true
}

// textOf is what a text says, nothing for null, and any other value as it is.
func textOf(value json.RawMessage) []byte {
	said := ""
	if json.Unmarshal(value, &said) == nil {
		return []byte(said)
	}
	return value
}

// headersOf are the headers that an object has, by their names.
func headersOf(raw json.RawMessage) (list []tape.Header) {
	var all map[string]string
	if json.Unmarshal(raw, &all) != nil {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		list = append(list, tape.Header{Name: name, Value: all[name]})
	}
	return list
}
