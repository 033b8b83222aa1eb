// Package words holds what the sandbox says to people: every sentence of its refusals,
// headers, pages and messages, and every reason on its tape, written down once. It owns
// the list, and judges whether a text stands there. It does not know who said it when:
// that an answer fits its call is for scenarios to say.
package words

import (
	_ "embed"
	"encoding/json"
	"html"
	"maps"
	"slices"
	"strings"
	"sync"

	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

//go:embed words.txt
var known string

// List is what may be said. It is safe for concurrent use.
type List struct {
	mu sync.Mutex
	// said are the sentences of the list: true for those that were heard.
	said map[string]bool
	// strange are those that were heard and do not stand there.
	strange map[string]bool
}

// Known is the list as it is written down.
func Known() *List {
	l := &List{said: map[string]bool{}, strange: map[string]bool{}}
	for line := range strings.Lines(known) {
		l.said[strings.TrimSuffix(line, "\n")] = false
	}
	return l
}

// Strange gives those sentences that do not stand in the list.
func (l *List) Strange(sentences []string) []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var found []string
	for _, s := range sentences {
		s = plain(s)
		if _, ok := l.said[s]; ok || s == "" {
			l.said[s] = true
			continue
		}
		l.strange[s] = true
		found = append(found, s)
	}
	return found
}

// Heard is every sentence that was heard, in the order of the alphabet.
func (l *List) Heard() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	heard := maps.Clone(l.strange)
	for s, ok := range l.said {
		if ok && s != "" {
			heard[s] = true
		}
	}
	return slices.Sorted(maps.Keys(heard))
}

// changing is what is another in each case: addresses, ids, amounts, moments, numbers,
// and what stands in quotation marks.
var changing = trail.Pattern(`[a-z]+://[^\s"<]+|[^\s<>"]+@[^\s<>"]+|\b[0-9a-f]{8}-[0-9a-f-]{27}\b|"(?:[^"\\]|\\.)*"|[0-9]+(?:[.,:][0-9]+)*`)

// plain is a sentence without what changes from case to case.
func plain(s string) string {
	return strings.Join(strings.Fields(changing().ReplaceAllString(s, "0")), " ")
}

// Page lists the texts of a page, part by part.
func Page(body string) []string {
	var list []string
	for line := range strings.SplitSeq(unread().ReplaceAllString(body, "\n"), "\n") {
		if line = strings.TrimSpace(html.UnescapeString(line)); line != "" {
			list = append(list, "page: "+line)
		}
	}
	return list
}

var unread = trail.Pattern(`(?s)<(style|script)[ >].*?</(style|script)>|<[^>]*>`)

// Message lists the lines of a message.
func Message(subject, text, markup string) []string {
	var list []string
	for line := range strings.Lines(subject + "\n" + text) {
		list = append(list, "message: "+line)
	}
	return append(list, Page(markup)...)
}

// changingHeaders tell of one call.
var changingHeaders = []string{"Content-Length", "Date", "Sandbox-Exchange", "Sandbox-Time", "X-Request-Id", "Location"}

// Entry lists what an entry of a tape says to people.
func Entry(e *tape.Entry) []string {
	switch {
	case e.Transition != nil:
		return []string{"reason: " + e.Transition.Machine + " " + e.Transition.Event + ": " + e.Transition.Reason}
	case e.Attempt != nil:
		return []string{"reason: attempt: " + e.Attempt.Reason}
	case e.Kind == tape.KindExchange && e.Exchange != nil:
		return answer(&e.Exchange.Response)
	}
	return nil
}

// answer lists the headers of an answer, and the sentences of a refusal.
func answer(r *tape.Response) []string {
	var list []string
	for _, h := range r.Header {
		if !slices.Contains(changingHeaders, h.Name) {
			list = append(list, "header: "+h.Name+": "+h.Value)
		}
	}
	return append(list, Refusal(r.Status, r.Body)...)
}

// Refusal lists the sentences of a refusal; what succeeds has none.
func Refusal(status int, body []byte) []string {
	var problem struct {
		Type, Title, Detail string
		Findings            []struct{ Received, Expected, Fix string }
	}
	if status < 400 || json.Unmarshal(body, &problem) != nil {
		return nil
	}
	list := []string{"refusal: " + problem.Type, "refusal: " + problem.Title, "refusal: " + path().ReplaceAllString(problem.Detail, " 0")}
	for _, f := range problem.Findings {
		list = append(list, "received: "+f.Received, "expected: "+f.Expected, "fix: "+f.Fix)
	}
	return list
}

// path is where a call went.
var path = trail.Pattern(` /[^\s;]*`)
