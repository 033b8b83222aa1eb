package source

import (
	"bytes"
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
// struck out. So it does with what they log for a request, {"url":"…","json":…}.
func OpenEnvelopes(p *Part) {
	options := map[string]bool{"json": true}
	for i := range p.Exchanges {
		if x := &p.Exchanges[i]; x.Answer.Status/100 == 2 {
			if name, _ := alone(x.Body); name != "" {
				options[name] = true // the service takes no body so
			}
		}
	}
	for i := range p.Exchanges {
		x := &p.Exchanges[i]
		if x.Answer.Known == recording.Whole {
			OpenEnvelope(&x.Answer)
		}
		if _, operation := BasePath(x.Path); !operation {
			continue
		}
		if OnlyAnswered(x.Path, x.Body) && len(x.Answer.Body) == 0 { // which a gateway's log calls its upstream's
			x.Answer.Body, x.Answer.Known, x.Body, x.BodyMissing = x.Body, recording.Whole, nil, true
			continue
		}
		if x.Method == "GET" && x.Answer.Status > 0 && len(x.Answer.Body) == 0 && len(x.Body) > 0 { // a body beside its status: GET sends none
			x.Answer.Body, x.Answer.Known, x.Body = x.Body, recording.Whole, nil
			continue
		}
		if name, sent := alone(x.Body); options[name] {
			x.Body = sent
			continue
		}
		openRequest(x)
	}
}

// openRequest takes the options of a client, among which the call's own address is, for what is sent by them: its body, and its headers.
func openRequest(x *recording.Exchange) {
	var members map[string]json.RawMessage
	if !bytes.Contains(x.Body, []byte(x.Path[strings.LastIndexByte(x.Path, '/')+1:])) || json.Unmarshal(x.Body, &members) != nil {
		return
	}
	own, body, headers := false, json.RawMessage(nil), json.RawMessage(nil)
	for _, name := range slices.Sorted(maps.Keys(members)) {
		switch value := members[name]; strings.ToLower(name) {
		case "url", "uri", "endpoint", "path", "address":
			own = own || strings.HasSuffix(strings.TrimSuffix(string(textOf(value)), "/"), strings.TrimSuffix(x.Path, "/"))
		case "json", "body", "data", "payload", "form_params", "formparams":
			if body != nil {
				return
			}
			body = textOf(value)
		case "headers", "header":
			headers = value
		}
	}
	if body == nil || !own {
		return
	}
	if x.Body = body; bytes.Equal(body, []byte("null")) {
		x.Body = nil
	}
	if sent := headersOf(headers); len(sent) > len(x.Header) {
		x.Header = sent
	}
}

// alone is the object that is all of a client's options, {"json":{…}}, and its name; "" for any other body. One that was refused may have
// been sent so by mistake.
func alone(body []byte) (name string, sent json.RawMessage) {
	var members map[string]json.RawMessage
	if !bytes.HasPrefix(body, []byte("{")) || json.Unmarshal(body, &members) != nil || len(members) != 1 {
		return "", nil
	}
	for name, value := range members {
		if slices.Contains([]string{"json", "body", "payload", "data"}, name) {
			if sent := textOf(value); bytes.HasPrefix(bytes.TrimSpace(sent), []byte("{")) && json.Valid(sent) {
				return name, sent
			}
		}
	}
	return "", nil
}

// besideBody are the other members that such an object may have, by their names in small letters, without signs.
var besideBody = map[string]bool{
	"statustext": true, "statusmessage": true, "reason": true, "ok": true, "success": true, "url": true, "method": true,
	"took": true, "ms": true, "duration": true, "durationms": true, "elapsed": true, "elapsedms": true, "time": true, "size": true, "length": true, "type": true, "redirected": true,
}

// aboutCall are further members that programs log beside the status of a call, by their names in small letters, without signs: they are of
// no body.
var aboutCall = map[string]bool{
	"attempt": true, "attempts": true, "retry": true, "tries": true, "job": true, "queue": true, "requestid": true, "correlationid": true, "authorization": true,
	"timems": true, "latency": true, "latencyms": true, "tookms": true,
}

// AnsweredAlone says whether the members of an object, by their names in small letters, tell of a call by its path what it was answered
// with, and nothing that was sent: its status, how long it took, members of its answer.
func AnsweredAlone(path string, members map[string]json.RawMessage) bool {
	var list []json.RawMessage
	for name, value := range members {
		switch name {
		case "status", "statuscode", "code", "httpstatus":
			list = append(list, value)
		case "type": // the body of a refusal has one
			return false
		default:
			if !besideBody[name] && !aboutCall[name] && !madeNamed(path, name) {
				return false
			}
		}
	}
	_, told := statusOf(list, 0)
	return told && len(members) > 1 // a refusal may be its status alone
}

// AuthorizedBy are the headers of a call with the Authorization that an object of a log tells beside the status, by itself or among the
// call's headers.
func AuthorizedBy(header []tape.Header, members map[string]json.RawMessage) []tape.Header {
	var among map[string]json.RawMessage
	for _, name := range []string{"headers", "requestheaders"} {
		_ = json.Unmarshal(members[name], &among) // what is no object has none
	}
	for name, value := range among {
		if strings.EqualFold(name, "Authorization") {
			members = map[string]json.RawMessage{"authorization": value}
		}
	}
	var said string
	if json.Unmarshal(members["authorization"], &said) != nil || said == "" || strings.ContainsAny(said, "\r\n\x00") {
		return header
	}
	return SetHeader(header, "Authorization", said)
}

// madeNamed says whether a member is among those that programs log of a call's answer, by its path.
func madeNamed(path, name string) bool {
	for end, names := range made {
		if strings.HasSuffix(strings.ToLower(strings.TrimSuffix(path, "/")), end) {
			return slices.ContainsFunc(names, func(one string) bool { return strings.EqualFold(one, name) })
		}
	}
	return false
}

// OpenEnvelope does so with an answer whose status is the same, or not known yet, and says whether it is one.
func OpenEnvelope(a *recording.Answer) bool {
	var members map[string]json.RawMessage
	if json.Unmarshal(a.Body, &members) != nil {
		return false
	}
	list, headers := map[string][]json.RawMessage{}, json.RawMessage(nil)
	for _, name := range slices.Sorted(maps.Keys(members)) {
		value := members[name]
		switch plain := strings.NewReplacer("_", "", "-", "").Replace(strings.ToLower(name)); plain {
		case "status", "statuscode", "code", "httpstatus":
			list["status"] = append(list["status"], value)
		case "body", "data", "response", "responsebody", "payload", "content":
			list["body"] = append(list["body"], value)
		case "headers", "header":
			headers = value
		default:
			if !besideBody[plain] && !aboutCall[plain] && plain != "id" { // the line's own: the answer's stands in its body
				return false
			}
		}
	}
	status, told := statusOf(list["status"], a.Status)
	if len(list["body"]) != 1 || !told {
		return false
	}
	body := list["body"][0]
	a.Status, a.Body = status, textOf(body)
	if len(a.Header) == 0 {
		a.Header = headersOf(headers)
	}
	return true
}

// statusOf is the status that an envelope tells, or else the line that it stands on; false for none, or another than that.
func statusOf(said []json.RawMessage, known int) (int, bool) {
	switch len(said) {
	case 0:
		return known, known != 0
	case 1:
		status, err := strconv.Atoi(string(said[0]))
		return status, err == nil && http.StatusText(status) != "" && (known == 0 || known == status)
	default:
		return 0, false
	}
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
