package table

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
)

// layout says in which columns of a table the members of a JSON line stand, and which headers of answers have columns of their own;
// host is the column of the host that was called, -1 for none.
type layout struct {
	columns map[string]int
	headers map[int]string
	host    int
}

// hostColumn is where a table names the host of each call: a log's own host stands behind what is said of the call.
func hostColumn(head []string) int {
	for _, name := range []string{"url_details.host", "url.domain", "url.host", "request.host", "server.address", "host"} {
		if i := slices.IndexFunc(head, func(column string) bool { return columnName(column) == name }); i >= 0 {
			return i
		}
	}
	return -1
}

// answered are the headers of answers that have columns of their own, as in @http.response.headers.retry-after.
func answered(head []string) map[int]string {
	list := map[int]string{}
	for i, name := range head {
		if _, header, own := strings.Cut(columnName(name), "response.headers."); own && header != "" {
			list[i] = header
		}
	}
	return list
}

// withHost puts the host of a row before its path.
func (l layout) withHost(member map[string]any, values []string) {
	path, _ := member["url"].(string)
	if strings.HasPrefix(path, "/") && l.host >= 0 && l.host < len(values) && strings.Contains(values[l.host], ".") {
		member["url"] = "https://" + values[l.host] + path
	}
}

// member is what the values of a row say, by the members of a JSON line.
func (l layout) member(values []string) map[string]any {
	there := func(i int) bool { return i < len(values) && !isNull(values[i]) }
	member := map[string]any{}
	for name, i := range l.columns {
		if there(i) {
			member[name] = values[i]
		}
	}
	l.withHost(member, values)
	both := parted(member)
	if member["status"] == "0" && member["answer"] == nil {
		delete(member, "status")
		member["answer"] = nil // as browsers write that none arrived
	}
	if member["body"] != nil && member["headers"] == nil {
		member["headers"] = map[string]string{"Content-Type": "application/json"}
	}
	if _, shown := l.columns["body"]; !shown && !both && member["method"] != "GET" {
		member["bodyMissing"] = true
	}
	own := map[string]string{}
	for i, name := range l.headers {
		if there(i) {
			own[name] = values[i]
		}
	}
	if len(own) > 0 {
		member["answerHeaders"] = own
	}
	return member
}

// heard is the webhook that a row holds in a column which is none of a call's, as in the message of a receiver's log; nil for none.
func (l layout) heard(values []string) *recording.Received {
	known := slices.Collect(maps.Values(l.columns))
	for i, value := range values {
		begin, end := strings.IndexByte(value, '{'), strings.LastIndexByte(value, '}')
		if slices.Contains(known, i) || begin < 0 || end < begin || !source.IsEvent([]byte(value[begin:end+1])) {
			continue
		}
		member := l.member(values)
		at, _ := member["time"].(string)
		code, _ := member["status"].(string)
		w := recording.Received{At: source.Time(at), Body: []byte(value[begin : end+1])}
		w.Status, _ = strconv.Atoi(code)
		return &w
	}
	return nil
}

// parted parts what one column holds of both sides, as {"request":…,"response":…}, and says whether one does.
func parted(member map[string]any) bool {
	for _, name := range []string{"answer", "body"} {
		said, _ := member[name].(string)
		var both map[string]json.RawMessage
		if json.Unmarshal([]byte(said), &both) != nil || len(both) != 2 {
			continue
		}
		for _, sides := range [][2]string{{"request", "response"}, {"req", "res"}, {"sent", "received"}} {
			sent, got := both[sides[0]], both[sides[1]]
			if sent == nil || got == nil {
				continue
			}
			delete(member, name)
			if string(sent) != "null" {
				member["body"] = sent
			}
			if string(got) != "null" {
				member["answer"] = got
			}
			return true
		}
	}
	return false
}

// isNull says whether a value is none, as databases export that.
func isNull(value string) bool {
	return value == "" || value == "-" || value == "NULL" || value == `\N` || value == "(null)" || value == "null"
}
