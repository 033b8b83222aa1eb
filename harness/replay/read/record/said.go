package record

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

var (
	// saidCall is a call as the sentence of a structured line names it, saidStatus the status that the sentence tells.
	saidCall    = trail.Pattern(`\b(GET|POST|PUT|DELETE|PATCH)[ \t]+["']?((?:https?://[^\s"'/]+)?/[^\s"',;]+)`)
	saidStatus  = trail.Pattern(`(?i)(?:(?:->|=>|→|[:=(]|\b(?:status|code|responded|responds|returned|returns|answered|answers|replied|got|gave|with|response|HTTP|was|failed|succeeded|error))["':= \t(]*)([1-5][0-9]{2})\b`)
	statusFirst = trail.Pattern(`\b([1-5][0-9]{2})\b[^0-9]{0,12}$`)
)

// sentences are the members in which loggers write what a line says in words.
var sentences = []string{"message", "msg", "event", "renderedmessage", "formattedmessage", "m"}

// spoken adds what the sentence of a line tells of its call, where no member does: its method and address, and its status.
func spoken(found map[string]json.RawMessage) {
	for _, name := range sentences {
		var said text
		if said.UnmarshalJSON(found[name]) != nil || said == "" || len(said) > 2048 {
			continue
		}
		if call := saidCall().FindStringSubmatch(string(said)); call != nil {
			before, after, _ := strings.Cut(string(said), call[0])
			add(found, "method", call[1])
			add(found, "url", strings.TrimRight(call[2], ".:)"))
			for _, code := range [][]string{saidStatus().FindStringSubmatch(after), statusFirst().FindStringSubmatch(before)} {
				if code != nil {
					add(found, "status", code[1])
				}
			}
			return
		}
		if code := saidStatus().FindStringSubmatch(string(said)); code != nil {
			add(found, "status", code[1])
		}
	}
}

// add adds a member that no name of the line ends in.
func add(found map[string]json.RawMessage, member, value string) {
	for name := range found {
		if i := slices.IndexFunc(logNames, func(n logName) bool { return n.member == member }); slices.ContainsFunc(logNames[i].ends, func(end string) bool { return strings.HasSuffix(name, end) }) && usable(member, found[name]) {
			return
		}
	}
	found[member] = trail.Quote(value)
}

// madeIn is the answer of which some members stand among those of an object in a line; nil for none.
func madeIn(address string, found map[string]json.RawMessage) json.RawMessage {
	var x recording.Exchange
	if source.SetAddress(&x, address) != nil {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(found)) {
		if made := source.Beside(x.Path, found[name]); len(found[name]) > 0 && found[name][0] == '{' && made != nil {
			return made
		}
	}
	return nil
}

// headersAlone are the headers of a request that are known, or that stand as members of their own, as servers name
// them: http_authorization, user_agent.
func headersAlone(known json.RawMessage, found map[string]json.RawMessage) json.RawMessage {
	if known != nil {
		return known
	}
	list := map[string]string{}
	for _, header := range []string{"Authorization", "User-Agent", "Idempotency-Key", "Content-Type", trail.SignatureHeader} {
		end := strings.ToLower(strings.ReplaceAll(header, "-", ""))
		for _, name := range slices.Sorted(maps.Keys(found)) {
			var value text
			if strings.HasSuffix(name, end) && !strings.Contains(name, "res") && value.UnmarshalJSON(found[name]) == nil && value != "" && value != "-" && list[header] == "" { // nginx has "-" for none
				list[header] = string(value)
			}
		}
	}
	if len(list) == 0 {
		return nil
	}
	raw, _ := json.Marshal(list) //nolint:errchkjson // texts alone
	return raw
}
