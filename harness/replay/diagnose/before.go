package diagnose

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"

	"paysandbox/harness/replay/compare"
	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/recording"
)

// ids are the recorded ids, in lower case, of what was there before a recording, and which of its exchanges, webhooks and rows
// were seen to be about one.
type ids struct{ set, seen map[string]bool }

// earlier are those that a script's own beginning stands in for.
func earlier(run *play.Run) ids {
	set := map[string]bool{}
	for i := range run.Script.Steps {
		s := &run.Script.Steps[i]
		var stands []correlate.Value
		switch {
		case s.Call != nil && s.Call.N == play.Prelude:
			stands = s.Call.Stands
		case s.Move != nil:
			stands = s.Move.Stands
		}
		for _, v := range stands {
			if v.Type != correlate.Token {
				set[strings.ToLower(v.Text)] = true
			}
		}
	}
	return ids{set, map[string]bool{}}
}

// gave says whether something from before the recording, of which the replay shows nothing
// in a place, was stood in for without: the recording shows there what it was made with.
func (before ids) gave(r *recording.Recording, d *compare.Difference) bool {
	if !strings.HasPrefix(d.Where, "/") || !slices.Contains([]string{"", "null", "false", "0"}, d.Replayed) || d.Recorded == "" || len(before.set) == 0 {
		return false
	}
	name := strings.ToLower(d.Where[strings.LastIndexByte(d.Where, '/')+1:])
	if strings.HasSuffix(name, "status") || name == "hasmore" || name == "nextcursor" {
		return false
	}
	place := fmt.Sprint(d.N, "/", d.Heard, row(d.Where))
	yes, known := before.seen[place]
	if !known {
		yes = slices.ContainsFunc(about(r, d), func(id string) bool { return before.set[id] })
		before.seen[place] = yes
	}
	return yes
}

// about are the ids that a difference is about: those in the call's path, in its body, and in the
// row of a list, or in the webhook.
func about(r *recording.Recording, d *compare.Difference) []string {
	var list []string
	note := func(body []byte, under string) {
		correlate.Walk(body, func(path []string, v any) {
			if text, _ := v.(string); text != "" && strings.HasPrefix(correlate.Pointer(path), under) {
				list = append(list, strings.ToLower(text))
			}
		})
	}
	if d.N < 0 {
		if d.Heard > 0 {
			note(r.Received[d.Heard-1].Body, "/")
		}
		return list
	}
	x := &r.Exchanges[d.N]
	list = append(list, strings.Split(strings.ToLower(x.Path), "/")...)
	note(x.Body, "/")
	note(x.Answer.Body, row(d.Where))
	return list
}

// row is the pointer of the element of a list in which a pointer is, "/" for none.
func row(where string) string {
	if parts := strings.SplitN(where, "/", 4); len(parts) == 4 && parts[2] != "" && strings.Trim(parts[2], "0123456789") == "" {
		return "/" + parts[1] + "/" + parts[2] + "/"
	}
	return "/"
}

// moved says whether a list (all of it, where one of both is no JSON) that shows things from before the recording has other rows than the
// replay's, or in another order: then its rows cannot be compared, nor whether it goes on.
func (before ids) moved(all []compare.Difference, d *compare.Difference) bool {
	if len(before.set) == 0 || !strings.HasPrefix(d.Operation, "list") && !strings.HasPrefix(d.Operation, "report") {
		return false
	}
	return d.Where == "" || slices.ContainsFunc(all, func(other compare.Difference) bool {
		at := row(other.Where)
		if other.N != d.N || at == "/" || row(d.Where) != "/" && row(d.Where) != at {
			return false
		}
		name := strings.ToLower(other.Where[strings.LastIndexByte(other.Where, '/')+1:])
		return other.Replayed == "" || other.Recorded == "" || name == "id" || strings.HasSuffix(name, "requestid") || strings.HasSuffix(name, "transferid")
	})
}

// mayHaveHeard says whether a webhook may have told before a call that a company is verified: no file
// shows webhooks, no later answer says that it still is not, and more than a minute passed since it was made.
func mayHaveHeard(r *recording.Recording, n int) bool {
	if len(r.Received) > 0 || slices.ContainsFunc(r.Exchanges[n:], func(x recording.Exchange) bool { return bytes.Contains(x.Answer.Body, []byte(`"Unverified"`)) }) {
		return false
	}
	return !slices.ContainsFunc(r.Exchanges[:n], func(x recording.Exchange) bool {
		return x.Answer.Status < 300 && strings.Contains(strings.ToLower(x.Path), "company/create") && r.Exchanges[n].Begin.Sub(x.Begin) <= time.Minute
	})
}
