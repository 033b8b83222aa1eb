package prelude

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// refusedFor says whether a call was refused for something else than that a value which it
// takes is not there: the answer names other members, and is no 404.
func refusedFor(operation string, x *recording.Exchange, v correlate.Value) bool {
	if !slices.Contains([]int{400, 409, 422}, x.Answer.Status) || v.Type == correlate.Token || trail.OperationNamed(operation).Token {
		return false
	}
	named := wrongMembers(x)
	if strings.HasPrefix(v.Where, "path ") { // what is not there is answered with 404
		return x.Answer.Status != 400 || len(named) > 0
	}
	return len(named) > 0 && !slices.ContainsFunc(named, func(name string) bool { return strings.EqualFold(name, lastOf(v.Where)) })
}

func lastOf(pointer string) string { return pointer[strings.LastIndexAny(pointer, "/ ")+1:] }

// wrongMembers are the members that the answer of a call says are wrong; none where it tells none.
func wrongMembers(x *recording.Exchange) []string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(trail.ReadBody(x.Answer.Body).Object("errors"))) {
		if name = lastOf(strings.ReplaceAll(strings.TrimPrefix(name, "$."), ".", "/")); name != "" && name != "$" && !recording.Shortened(name) {
			list = append(list, name)
		}
	}
	return list
}

// leftOf is what was left of a payment of which more was given back than that: the answer
// tells it, or it was less than was asked for; 0 where the answer does not find the amount wrong.
func leftOf(x *recording.Exchange) (left int64) {
	said, asked := trail.ReadBody(x.Answer.Body).Object("errors"), whole(0, trail.ReadBody(x.Body), "amount")
	for _, name := range slices.Sorted(maps.Keys(said)) {
		if !strings.EqualFold(lastOf(name), "amount") || asked <= 1 {
			continue
		}
		left = asked - 1
		text, _ := json.Marshal(said[name]) //nolint:errchkjson // it was read as JSON
		words := strings.FieldsFunc(string(text), func(r rune) bool { return r < '0' || r > '9' })
		for _, word := range words {
			if n, err := strconv.ParseInt(word, 10, 64); err == nil && n > 0 && n < asked {
				return n
			}
		}
	}
	return left
}
