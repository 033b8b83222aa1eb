// Package words holds what the sandbox says to people: every sentence of its refusals,
// headers, pages and messages, and every reason on its tape, written down once. It owns
// the list, and judges whether a text stands there. It does not know who said it when:
// that an answer fits its call is for scenarios to say.
package words

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html"
	"maps"
	"slices"
	"strings"
	"sync"

	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// known are the sentences of words.txt by their digests, a line each: a seventh of the bytes.
//
//go:embed words.sum
var known string

// List is what may be said. It is safe for concurrent use.
type List struct {
	// said are the digests of the list.
	said map[string]bool
	mu   sync.Mutex
	// heard are the sentences that were heard, whether they stand there or not.
	heard map[string]bool
}

// Known is the list as it is written down.
func Known() *List {
	l := &List{said: map[string]bool{}, heard: map[string]bool{}}
	for line := range strings.Lines(known) {
		l.said[strings.TrimSuffix(line, "\n")] = true
	}
	return l
}

// Strange gives those sentences that do not stand in the list.
func (l *List) Strange(sentences []string) []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var found []string
	for _, s := range sentences {
		if s = plain(s); s == "" {
			continue
		}
		if l.heard[s] = true; !l.said[digest(s)] {
			found = append(found, s)
		}
	}
	return found
}

// Heard is every sentence that was heard, in the order of the alphabet.
func (l *List) Heard() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Sorted(maps.Keys(l.heard))
}

// Sums are the digests of sentences, a line each, in the order of the alphabet.
func Sums(sentences []string) string {
	var sums []string
	for _, s := range sentences {
		sums = append(sums, digest(s)+"\n")
	}
	slices.Sort(sums)
	return strings.Join(sums, "")
}

// digest stands for a sentence: four and a half bytes in Base64.
func digest(sentence string) string {
	sum := sha256.Sum256([]byte(sentence))
	return base64.RawURLEncoding.EncodeToString(sum[:])[:6]
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
	if status < 400 {
		return nil
	}
	problem := trail.ReadBody(body)
	if problem == nil {
		return nil
	}
	list := []string{"refusal: " + problem.Text("type"), "refusal: " + problem.Text("title"), "refusal: " + path().ReplaceAllString(problem.Text("detail"), " 0")}
	for _, f := range problem.List("findings") {
		list = append(list, "received: "+f.Text("received"), "expected: "+f.Text("expected"), "fix: "+f.Text("fix"))
	}
	return list
}

// path is where a call went.
var path = trail.Pattern(` /[^\s;]*`)
