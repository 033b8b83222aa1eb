package refused

import (
	"slices"
	"strings"

	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/replay/explain"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// Stored is a value that a refused call has sent, that breaks a rule whatever else there is, and that a later look at what the call was
// to make shows all the same: no call that was taken can have stored it. It tells the call that shows it, from 0, and where; "" for
// nowhere. The answer is the replay's, with its findings.
func Stored(r *recording.Recording, t *Thing, answer []byte) (call int, at, value string) {
	if t.Name == "" {
		return 0, "", ""
	}
	for _, finding := range trail.ReadBody(answer).List("findings") {
		pointer := finding.Text("pointer")
		sent, there := correlate.At(r.Exchanges[t.Call].Body, pointer)
		text, words := sent.(string)
		if member := strings.ToLower(pointer[strings.LastIndexByte(pointer, '/')+1:]); !there || !words || len(text) < 3 || explain.AboutState(finding.Text("clause")) || strings.Contains(member, "email") {
			continue
		}
		for m := t.Call + 1; m < len(r.Exchanges); m++ {
			if at := showsAt(&r.Exchanges[m], t.Name, pointer, text); at != "" {
				return m, at, text
			}
		}
	}
	return 0, "", ""
}

// showsAt is where the answer to a call that asks for something by its name shows a value of a member, "" for nowhere.
func showsAt(x *recording.Exchange, name, pointer, value string) string {
	at := ""
	if x.Answer.Status != 200 || !slices.Contains(strings.Split(strings.ToLower(x.Path), "/"), name) {
		return ""
	}
	member := pointer[strings.LastIndexByte(pointer, '/')+1:]
	correlate.Walk(x.Answer.Body, func(path []string, v any) {
		if text, ok := v.(string); ok && text == value && len(path) > 0 && strings.EqualFold(path[len(path)-1], member) {
			at = correlate.Pointer(path)
		}
	})
	return at
}
