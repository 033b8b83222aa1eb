package explain

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"paysandbox/harness/replay/compare"
	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// unlisted says whether a list lacks a thing that an earlier call of the recording has made.
func (a *answers) unlisted(d *compare.Difference) bool {
	parts := strings.SplitN(d.Where, "/", 4)
	if d.Recorded != "" || a.run.Of(d.N) == nil || len(parts) < 4 || !strings.HasPrefix(d.Operation, "list") {
		return false
	}
	row := fmt.Sprintf("%d/%s/%s", d.N, parts[1], parts[2])
	if _, known := a.lacking[row]; !known {
		a.lacking[row] = lacks(a.r, a.run, d.N, parts)
	}
	return a.lacking[row]
}

// lacks says whether a row of a list shows what an earlier call of the recording has made, and the recorded list does not.
func lacks(r *recording.Recording, run *play.Run, n int, parts []string) bool {
	lacks := false
	recorded := bytes.ToLower(r.Exchanges[n].Answer.Body)
	correlate.Walk(run.Of(n).Body, func(path []string, v any) {
		text, _ := v.(string)
		id, known := run.Links.Recorded(text)
		if id = strings.ToLower(id); known && len(path) > 2 && path[0] == parts[1] && path[1] == parts[2] && !bytes.Contains(recorded, []byte(id)) {
			for m := 0; m < n && !lacks; m++ {
				lacks = bytes.Contains(bytes.ToLower(r.Exchanges[m].Answer.Body), []byte(id)) && client(r, m) == client(r, n)
			}
		}
	})
	return lacks
}

// client is who had asked for a token last before a call, "" where no file shows it.
func client(r *recording.Recording, n int) string {
	for m := n - 1; m >= 0; m-- {
		if id := trail.ReadBody(r.Exchanges[m].Body).Text("clientId"); id != "" && r.Exchanges[m].Answer.Status/100 == 2 {
			return id
		}
	}
	return ""
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
	in := row(d.Where)
	return d.Where == "" || slices.ContainsFunc(all, func(other compare.Difference) bool {
		if other.N != d.N || in != "/" && !strings.HasPrefix(other.Where, in) || row(other.Where) == "/" {
			return false
		}
		name := strings.ToLower(other.Where[strings.LastIndexByte(other.Where, '/')+1:])
		return other.Replayed == "" || other.Recorded == "" || name == "id" || strings.HasSuffix(name, "requestid") || strings.HasSuffix(name, "transferid")
	})
}

// ofRows says whether it is how a list goes on whose rows are others than the replay's.
func ofRows(list []compare.Difference, d *compare.Difference) bool {
	return (d.Where == "/hasMore" || d.Where == "/nextCursor") && slices.ContainsFunc(list, func(other compare.Difference) bool {
		return other.N == d.N && row(other.Where) != "/" && (other.Recorded == "" || other.Replayed == "")
	})
}

// stretch is where the differences of one call stand in a list.
type stretch struct{ from, to int }

// callsOf are the stretches of all calls.
func callsOf(list []compare.Difference) map[int]stretch {
	calls := map[int]stretch{}
	for i := range list {
		s, known := calls[list[i].N]
		if !known {
			s.from = i
		}
		s.to = i + 1
		calls[list[i].N] = s
	}
	return calls
}
