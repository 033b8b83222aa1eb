package tree

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// Axios is a text in which the errors of axios that stand on its lines as JSON hold the call and its answer alone: a logger prints with
// them the client, its sockets, and the same call many times. The lines stay where they are.
func Axios(text []byte) []byte {
	if !bytes.Contains(text, []byte(`"isAxiosError":`)) {
		return text
	}
	var out bytes.Buffer
	for line := range bytes.Lines(text) {
		begin := bytes.IndexByte(line, '{')
		if begin < 0 || !bytes.Contains(line, []byte(`"isAxiosError":`)) {
			out.Write(line)
			continue
		}
		var object map[string]json.RawMessage
		d := json.NewDecoder(bytes.NewReader(line[begin:]))
		if d.Decode(&object) != nil || !reduced(object, 4) {
			out.Write(line)
			continue
		}
		made, _ := json.Marshal(object) //nolint:errchkjson // it was read
		out.Write(line[:begin])
		out.Write(made)
		out.Write(line[begin+int(d.InputOffset()):])
	}
	return out.Bytes()
}

// reduced puts the call and its answer in the place of the errors within an object, and says whether there are any.
func reduced(object map[string]json.RawMessage, deep int) bool {
	some := false
	for _, name := range slices.Sorted(maps.Keys(object)) {
		var within map[string]json.RawMessage
		if deep == 0 || !bytes.Contains(object[name], []byte(`"isAxiosError":`)) || json.Unmarshal(object[name], &within) != nil {
			continue
		}
		one := within["isAxiosError"] != nil && axiosCall(within)
		if one || reduced(within, deep-1) {
			object[name], _ = json.Marshal(within) //nolint:errchkjson // it was read
			some = true
		}
	}
	return some
}

// axiosCall leaves of an error the call and its answer, and what the error says.
func axiosCall(e map[string]json.RawMessage) bool {
	var config struct {
		Method, URL, BaseURL string
		Headers, Data        json.RawMessage
	}
	var answer struct {
		Status        json.RawMessage
		Headers, Data json.RawMessage
	}
	if json.Unmarshal(e["config"], &config) != nil || config.URL == "" {
		return false
	}
	answered := e["response"] != nil && json.Unmarshal(e["response"], &answer) == nil && answer.Status != nil
	if !strings.Contains(config.URL, "://") {
		config.URL = strings.TrimSuffix(config.BaseURL, "/") + "/" + strings.TrimPrefix(config.URL, "/")
	}
	request := map[string]any{"method": strings.ToUpper(config.Method), "url": config.URL}
	for name, value := range map[string]json.RawMessage{"headers": config.Headers, "body": config.Data} {
		if value != nil {
			request[name] = value
		}
	}
	left := map[string]any{"request": request}
	if answered {
		left["response"] = map[string]any{"status": answer.Status, "headers": answer.Headers, "body": answer.Data}
	}
	for _, name := range []string{"message", "code"} {
		if e[name] != nil {
			left[name] = e[name]
		}
	}
	clear(e)
	for name, value := range left {
		e[name], _ = json.Marshal(value) //nolint:errchkjson // it was read
	}
	return true
}
