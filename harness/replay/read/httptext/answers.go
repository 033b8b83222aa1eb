package httptext

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// answer takes the answer that lines show, of which the file tells no more yet.
func (h *httpFile) answer(x *recording.Exchange, under []string) {
	if a, told := answerOf(under); x.Answer.Known != recording.Whole && a.Known != recording.NotRecorded {
		x.Answer = a
		if !told {
			h.part.SkipKind(recording.OfCall, x.Place, "the status of an answer, of which only the body is shown: taken as that which the body tells, or 200")
		}
	}
}

// answerFile is how JetBrains' client names the file of an answer: by its time and status.
var answerFile = trail.Pattern(`([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{6})(?:-[0-9]+)?\.([1-5][0-9]{2})\.[a-z]+$`)

// apart says whether a line is no more of the body before it: the next part begins, or, behind an answer and where nothing parts
// the requests, the next request.
func (h *httpFile) apart(before []string) bool {
	line := strings.TrimSpace(h.lines.line(h.next))
	if strings.HasPrefix(line, "###") {
		return true
	}
	found := requestLine().FindStringSubmatch(line)
	if found == nil || !bareAddress().MatchString(found[2]) || len(before) > 0 && strings.TrimSpace(before[len(before)-1]) != "" {
		return false
	}
	return !h.parted || slices.ContainsFunc(before, statusLine().MatchString)
}

// history takes the first answer that the client has kept of a request: its status. Its
// body stands in a file of its own, which may be given beside.
func (h *httpFile) history(x *recording.Exchange, line string) {
	found := answerFile().FindStringSubmatch(line)
	if found == nil || x.Answer.Known != recording.NotRecorded {
		return
	}
	if at, err := time.Parse("2006-01-02T150405", found[1]); err == nil {
		x.Begin = at
	}
	x.Answer.Known = recording.WithoutBody
	x.Answer.Status, _ = strconv.Atoi(found[2])
	if content, given := h.values.Beside(strings.TrimSpace(strings.TrimPrefix(line, "<>"))); given {
		x.Answer.Known, x.Answer.Body = recording.Whole, []byte(strings.TrimSpace(content))
		x.Answer.Header = []tape.Header{{Name: "Content-Type", Value: "application/json"}}
		return
	}
	h.part.SkipKind(recording.OfCall, h.part.Line(h.next+1), "the answer's body stands in a file, which was not given")
}

// under reads an answer in a part of its own, which is that of the request before it; false where none stands there.
func (h *httpFile) under(title string) bool {
	n := len(h.part.Exchanges)
	line := strings.TrimSpace(h.lines.line(h.next))
	if shown := statusLine().MatchString(line); n == 0 || !shown && (title == "" || !heading().MatchString(title) || !strings.HasPrefix(line, "{") && !strings.HasPrefix(line, "[")) {
		return false
	}
	list := []string{title}
	for ; h.next < h.lines.count() && !h.apart(list); h.next++ {
		list = append(list, h.lines.line(h.next))
	}
	if statusLine().MatchString(line) {
		list = list[1:]
	}
	_, list = parted(append([]string{"# " + list[0]}, list[1:]...))
	h.answer(&h.part.Exchanges[n-1], list)
	return true
}

// parted parts a body from what stands under it: the answer that somebody has pasted there, or written into
// comments, without their marks, or comments under JSON that show none.
func parted(list []string) (body, under []string) {
	at := slices.IndexFunc(list, func(line string) bool {
		text, noted := unmarked(line)
		return statusLine().MatchString(strings.TrimSpace(text)) || paneCode().MatchString(text) || noted && text != "" && heading().MatchString(text)
	})
	if at < 0 {
		if at = slices.IndexFunc(list, note().MatchString); at < 0 || !json.Valid([]byte(strings.Join(list[:at], "\n"))) {
			return list, nil
		}
	}
	end := at
	for end > 0 && (note().MatchString(list[end-1]) || strings.Trim(list[end-1], "/* \t\r") == "" || pane().MatchString(list[end-1])) {
		end--
	}
	return list[:end], alike(list[at:])
}

// alike are lines without their marks, as long as they are comments as the second is, or are none as it.
func alike(list []string) (texts []string) {
	comments, known := false, false
	for i, line := range list {
		text, noted := unmarked(line)
		if i > 0 && strings.TrimSpace(text) != "" {
			if known && noted != comments {
				break
			}
			comments, known = noted, true
		}
		texts = append(texts, text)
	}
	return texts
}

// unmarked is a line without the marks of a comment, and whether it had one.
func unmarked(line string) (text string, noted bool) {
	if found := note().FindStringSubmatch(line); found != nil {
		return found[1], true
	}
	bare := strings.TrimSpace(line)
	if strings.HasPrefix(bare, "/*") || strings.HasSuffix(bare, "*/") {
		return strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(bare, "/*"), "*/")), false
	}
	return line, false
}

// note is a line of comment.
var note = trail.Pattern(`^\s*(?:#+|//+)\s*(.*?)\s*$`)

// byItsBody is an answer of which the body alone is shown: with the status that a problem tells, else 200. One without is none.
func byItsBody(a recording.Answer) recording.Answer {
	if !json.Valid(a.Body) {
		return recording.Answer{Known: recording.NotRecorded}
	}
	a.Status = 200
	if code, problem := trail.ReadBody(a.Body).Whole("status"); problem && code >= 400 && code < 600 {
		a.Status = int(code)
	}
	return a
}
