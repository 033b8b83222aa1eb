package tree

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"

	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

var (
	// moyaHead is how Moya's logger, in Swift, begins each thing that it tells of a call.
	moyaHead = trail.Pattern(`^.*?Moya_Logger: \[[^\]\n]*\] (Request Headers|HTTP Request Method|Request Body|Request|Response Body|Response|Error): ?(.*)$`)
	// swiftPair is a member of a dictionary that Swift prints, objectivePair one that Foundation does.
	swiftPair     = trail.Pattern(`"((?:[^"\\\n]|\\.)+)": "((?:[^"\\\n]|\\.)*)"`)
	objectivePair = trail.Pattern(`(?m)^\s*"?([A-Za-z][A-Za-z0-9-]*)"?\s*=\s*(?:\(\s*)?"?([^"();\n]*)"?\s*(?:\)\s*)?;`)
	statusCode    = trail.Pattern(`(?i)status code: ([1-5][0-9]{2})`)
)

// Swift is a text in which the calls that Moya's logger tells stand as their messages; nil where there are none.
func Swift(text []byte) []byte {
	if !bytes.Contains(text, []byte("Moya_Logger: [")) {
		return nil
	}
	var out strings.Builder
	told, name := map[string]string{}, ""
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(line, "\r\n")
		head := moyaHead().FindStringSubmatch(line)
		if head == nil {
			told[name] += "\n" + line
			continue
		}
		if head[1] == "Request" {
			spellMoya(&out, told)
			told = map[string]string{}
		}
		name = head[1]
		told[name] = head[2]
	}
	spellMoya(&out, told)
	return []byte(out.String())
}

// spellMoya writes a call of which all is told.
func spellMoya(out *strings.Builder, told map[string]string) {
	address, _, _ := strings.Cut(told["Request"], "\n")
	if strings.TrimSpace(address) == "" {
		return
	}
	method := strings.TrimSpace(told["HTTP Request Method"])
	if method == "" {
		method = http.MethodGet
	}
	var sent, got []tape.Header
	for _, pair := range swiftPair().FindAllStringSubmatch(told["Request Headers"], -1) {
		sent = append(sent, tape.Header{Name: pair[1], Value: pair[2]})
	}
	spell(out, method+" "+strings.TrimSpace(address)+" HTTP/1.1", sent, bodyAlone(told["Request Body"]))
	status := statusCode().FindStringSubmatch(told["Response"])
	if status == nil {
		if _, failed := told["Error"]; failed {
			out.WriteString("\nno response\n")
		}
		return
	}
	for _, pair := range objectivePair().FindAllStringSubmatch(told["Response"], -1) {
		got = append(got, tape.Header{Name: pair[1], Value: strings.TrimSpace(pair[2])})
	}
	spell(out, "HTTP/1.1 "+status[1]+" ", got, bodyAlone(told["Response Body"]))
}

// bodyAlone is the object that a text begins with, without what others have logged behind it; a text that is none, whole.
func bodyAlone(text string) []byte {
	body := []byte(strings.TrimSpace(text))
	var value json.RawMessage
	if d := json.NewDecoder(bytes.NewReader(body)); d.Decode(&value) == nil {
		return value
	}
	return body
}
