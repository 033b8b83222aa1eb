package receiver

import (
	"iter"
	"strconv"
	"strings"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// Replies reads from the line above a webhook, which divides it from what stands before, how its receiver has answered it, where
// that line tells a moment, too, and is the webhook's own so.
func Replies(files []source.File, r *recording.Recording) {
	for _, f := range files {
		lines := strings.Split(string(f.Head(mostText)), "\n")
		for i := range r.Received {
			w := &r.Received[i]
			if w.Place.Source != f.Name || w.Status != 0 || w.Place.Line < 2 || w.Place.Line-1 > len(lines) {
				continue
			}
			above := strings.TrimSpace(lines[w.Place.Line-2])
			if len(above) > longest || !moments().MatchString(above) || !dividing().MatchString(above) {
				continue
			}
			if found := replied().FindStringSubmatch(above); found != nil {
				w.Status, _ = strconv.Atoi(found[1])
			}
		}
	}
	repliedByID(files, r)
	repliedInRun(files, r)
}

// unreplied are the webhooks of which nothing tells how they were answered, each with its own line and those behind it.
func unreplied(files []source.File, r *recording.Recording) iter.Seq2[*recording.Received, []string] {
	return func(yield func(*recording.Received, []string) bool) {
		lines := linesOf(files, r)
		for i := range r.Received {
			w, all := &r.Received[i], lines[r.Received[i].Place.Source]
			if w.Status == 0 && w.Place.Line > 0 && w.Place.Line <= len(all) && !yield(w, all[w.Place.Line-1:]) {
				return
			}
		}
	}
}

// repliedInRun reads it from the lines of the run of a function that a webhook came to, as Lambda writes them: behind the run's id each.
func repliedInRun(files []source.File, r *recording.Recording) {
	for w, lines := range unreplied(files, r) {
		own := runID().FindStringSubmatch(lines[0])
		if own == nil {
			continue
		}
		for _, line := range lines[1:min(len(lines), 1+2*mostRefused)] {
			found, of := repliedByRun().FindStringSubmatch(line), runID().FindStringSubmatch(line)
			if found != nil && of != nil && of[1] == own[1] {
				w.Status, _ = strconv.Atoi(found[1]) // the last of a run is what it returns
			}
		}
	}
}

// repliedByID reads it from the line in which a server tells of the request, with its id and path, that a webhook came by.
func repliedByID(files []source.File, r *recording.Recording) {
	for w, lines := range unreplied(files, r) {
		own := idOf(lines[0])
		path := hookPath().FindStringSubmatch(lines[0])
		if own == "" || path == nil {
			continue
		}
		if _, ours := source.BasePath(path[1]); ours {
			continue
		}
		for _, line := range lines[1:min(len(lines), 1+mostRefused)] {
			at := hookPath().FindStringSubmatch(line)
			found := repliedAs().FindStringSubmatch(line)
			if found == nil || idOf(line) != own {
				continue
			}
			if at == nil && completed().MatchString(line) || at != nil && at[1] == path[1] {
				w.Status, _ = strconv.Atoi(found[1])
				break
			}
		}
	}
}

var (
	// dividing is how a line begins that divides what stands above it from what stands below.
	dividing = trail.Pattern(`^(?:#{1,}|-{2,}|={2,}|\*{2,}|/{2,}|~{2,}|\[|[0-9]{4}-)`)
	// hookPath is the path of a request to a server, as a member of a line, and repliedAs the status that it has answered, as another.
	hookPath  = trail.Pattern(`(?i)\\?"(?:request[_.-]?|url[_.-]?|http[_.-]?)*(?:path|uri|url|route|target)\\?"\s*:\s*\\?"(/[^"\\]{1,200})`)
	repliedAs = trail.Pattern(`(?i)\\?"(?:http[_.-]?|response[_.-]?)*status(?:[_.-]?code)?\\?"\s*:\s*\\?"?([1-5][0-9]{2})\b`)
	// runID is the id of a run before what Lambda calls the level, and repliedByRun the status of what the function returns to its gateway.
	runID        = trail.Pattern(`(?:\t|\\t)([0-9a-f]{8}-[0-9a-f-]{27})(?:\t|\\t)[A-Z]{4,5}(?:\t|\\t)`)
	repliedByRun = trail.Pattern(`\{\\?"statusCode\\?"\s*:\s*([1-5][0-9]{2})\s*,\s*\\?"(?:body|headers|isBase64Encoded)\b`)
	// completed is how a server tells its answer apart from the request, by the id of both alone.
	completed = trail.Pattern(`\\?"(?:res|response)\\?"\s*:\s*\{`)
	// replied is how a status is told that somebody has sent back.
	replied = trail.Pattern(`(?i)(?:\b(?:sent(?: back)?|answer(?:ed|s)?|respond(?:ed|s)?(?: with)?|response|repl(?:ied|ies|y)(?: with)?|return(?:ed|s)?|gave|status(?: ?code)?|http)|->|=>|→)["']?\s*[:=]?\s*["']?(?:http )?([1-5][0-9]{2})\b`)
)
