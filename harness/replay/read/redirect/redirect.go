// Package redirect finds in what files show beside the calls that a payer came back from the hosted page to the address that the
// partner had given, and was turned away there by the partner's own page, or failed the partner's test of it.
package redirect

import (
	"cmp"
	"fmt"
	"iter"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// Bounds of what is looked at: bytes of a file, addresses, and how long one is.
const (
	mostText      = 4 << 20
	mostAddresses = 20
	longest       = 2000
)

// added are members that a partner may take to be added to its address. Latitude, registration-redirect.
const added = `registration[ _-]?id|registrationuserid`

// misses is how a program says that one of them is not there.
var misses = trail.Pattern(`(?i)(?:missing|required|absent|without|lacks?|expected|no such|not (?:given|found|present|set|in)|empty|undefined|\bnil\b|\bnull\b|\bno\b|fehlt|manquant|falta)[^{}\n]{0,60}\b(?:` + added + `)\b|\b(?:` + added + `)\b["']?[^{}",\n]{0,40}(?:missing|required|absent|not (?:given|found|present|set|in)|empty|undefined|\bnil\b|\bNone\b|fehlt|manque|falta)`)

// Pages are the paths of the addresses that calls give for payers to come back to.
func Pages(parts []*source.Part) map[string]bool {
	paths := map[string]bool{}
	for _, p := range parts {
		for i := range p.Exchanges {
			if at, err := url.Parse(trail.ReadBody(p.Exchanges[i].Body).Text("redirectUrl")); err == nil && strings.Trim(at.Path, "/") != "" {
				paths[at.EscapedPath()] = true
			}
		}
	}
	return paths
}

// Read notes it at the calls that gave the addresses. Others are the calls to hosts that are not the service's.
func Read(files []source.File, others []recording.Exchange, r *recording.Recording) {
	seen := map[string]bool{}
	for i := range r.Exchanges {
		x := &r.Exchanges[i]
		key := trail.ReadBody(x.Body).Text("redirectUrl")
		at, err := url.Parse(key)
		if err != nil || len(key) > longest || at.Host == "" || strings.Trim(at.Path, "/") == "" || seen[key] || x.CameBack != "" || len(seen) > mostAddresses {
			continue
		}
		seen[key] = true
		b := back{at: at, page: pageOf(at)}
		if x.CameBack = b.opened(others); x.CameBack == "" {
			x.CameBack = b.logged(files, refusedFor(r))
		}
		if x.CameBack == "" {
			x.CameBack = b.asserted(files, others)
		}
	}
}

// Is says whether a text is one that Read notes.
func Is(text string) bool { return len(text) < 400 && noted().MatchString(text) }

var noted = trail.Pattern(`^[^\x00-\x1f<>]+, where the page (?:answered [45][0-9]{2}|missed the registrationId \([^\x00-\x1f<>]+\))$|^[^\x00-\x1f<>]+, where a test of the page missed the registrationId \([^\x00-\x1f<>]+\)$`)

// Tested says of a text that Read notes whether it was a test that the page failed.
func Tested(text string) bool { return strings.Contains(text, ", where a test of the page missed ") }

// back is an address that payers come back to.
type back struct {
	at *url.URL
	// page is how a log tells that it was opened: with what stood behind it in the second part.
	page *regexp.Regexp
}

func pageOf(at *url.URL) *regexp.Regexp {
	return regexp.MustCompile(`(?:\bGET\b["' ,]{1,3}(?:\S{1,100}` + regexp.QuoteMeta(at.Host) + `)?|"(?:path|url|uri)"\s*:\s*"|\b(?:path|url|uri)=["']?)` + regexp.QuoteMeta(at.EscapedPath()) + `(\?[^\s"']*)?(?:[\s"',]|$)`)
}

// opened is where a browser's recording shows the page opened, and refused; "" for nowhere.
func (b *back) opened(others []recording.Exchange) string {
	for i := range others {
		x := &others[i]
		if x.Method == "GET" && (x.Host == "" || strings.EqualFold(x.Host, b.at.Host)) && x.Path == b.at.EscapedPath() && b.bare(x.Query) && x.Answer.Status >= 400 {
			return fmt.Sprintf("%s, where the page answered %d", x.Place.Text(), x.Answer.Status)
		}
	}
	return ""
}

// bare says whether a query has nothing that the partner may have waited for.
func (b *back) bare(query string) bool {
	values, err := url.ParseQuery(query)
	for name := range values {
		if !b.at.Query().Has(name) {
			return false
		}
	}
	return err == nil
}

// logged is where a log tells that the page was opened and refused, or that it missed something; "" for nowhere. With refused, an
// answer of the service missed the same.
func (b *back) logged(files []source.File, refused bool) string {
	came, path := "", b.at.EscapedPath()
	for i := range files {
		for line := range lines(string(files[i].Head(mostText)), path) {
			if at := b.page.FindStringSubmatch(line.text); at != nil && b.bare(strings.TrimPrefix(at[1], "?")) {
				place := line.of(&files[i])
				if code := answered().FindStringSubmatch(line.text); code != nil {
					return fmt.Sprintf("%s, where the page answered %s", place, code[1])
				}
				came = cmp.Or(came, place)
			}
		}
	}
	for i := range files {
		if came == "" || refused {
			break
		}
		if missed := missing(&files[i]); missed != "" {
			return fmt.Sprintf("%s, where the page missed the registrationId (%s)", came, missed)
		}
	}
	return ""
}

// missing is the first line of a file that says that it missed something; "" for none.
func missing(f *source.File) string {
	for line := range lines(strings.ToLower(string(f.Head(mostText))), "registration") {
		if len(line.text) < mostLine && misses().MatchString(line.text) {
			return line.of(f)
		}
	}
	return ""
}

// line is one of a file, numbered from 1.
type line struct {
	n    int
	text string
}

func (l *line) of(f *source.File) string { return fmt.Sprintf("%s line %d", f.Name, l.n) }

// lines are those that have a text within them.
func lines(text, within string) iter.Seq[line] {
	return func(yield func(line) bool) {
		n, from := 1, 0
		for {
			at := strings.Index(text[from:], within)
			if at < 0 {
				return
			}
			begin := from + strings.LastIndexByte(text[from:from+at], '\n') + 1
			n += strings.Count(text[from:begin], "\n")
			end := len(text)
			if length := strings.IndexByte(text[from+at:], '\n'); length >= 0 {
				end = from + at + length + 1
			}
			if !yield(line{n, text[begin:end]}) || end == len(text) {
				return
			}
			n, from = n+1, end
		}
	}
}

// mostLine is how long a line is at most that says what is missing.
const mostLine = 4000

// answered is how an access log says that a page was refused.
var answered = trail.Pattern(` HTTP/[0-9.]+"\s+([45][0-9]{2})\b`)

// refusedFor says whether the service itself refused a call for what a page may miss.
func refusedFor(r *recording.Recording) bool {
	return slices.ContainsFunc(r.Exchanges, func(x recording.Exchange) bool {
		return x.Answer.Status >= 400 && strings.Contains(strings.ToLower(string(x.Answer.Body)), "registration")
	})
}
